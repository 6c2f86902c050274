"""Initialisers that draw random numbers from the generator of ``mx.random``."""

from __future__ import annotations

import math

import numpy as np

from .. import ndarray as nd
from ..ndarray import NDArray
from .base import Initializer, register

__all__ = ["MSRAPrelu", "Normal", "Orthogonal", "Uniform", "Xavier"]


@register
class Uniform(Initializer):
    """Draw weights uniformly from ``[-scale, scale)``.

    Parameters
    ----------
    scale : float
        Half the width of the interval.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((100,))
    >>> mx.init.Uniform(0.1)("fc_weight", x)
    >>> bool(abs(x.asnumpy()).max() <= 0.1)
    True
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name: str, arr: NDArray) -> None:
        nd.random.uniform(-self.scale, self.scale, out=arr)


@register
class Normal(Initializer):
    """Draw weights from a normal distribution with mean 0.

    Parameters
    ----------
    sigma : float
        Standard deviation.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((100,))
    >>> mx.init.Normal(0.1)("fc_weight", x)
    >>> bool(0 < abs(x.asnumpy()).max() < 1)
    True
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, name: str, arr: NDArray) -> None:
        nd.random.normal(0, self.sigma, out=arr)


@register
class Orthogonal(Initializer):
    """Fill weights with ``scale`` times orthonormal rows or columns (Saxe et al. 2013, arXiv:1312.6120).

    An array of shape ``(n, ...)`` is treated as a matrix of ``n`` rows.

    Parameters
    ----------
    scale : float
        Length of each orthogonal vector.
    rand_type : {'uniform', 'normal'}
        Distribution of the random matrix that is made orthogonal.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((2, 3))
    >>> mx.init.Orthogonal(scale=2.0)("fc_weight", x)
    >>> w = x.asnumpy()
    >>> bool(abs(w @ w.T - 4 * mx.nd.array([[1, 0], [0, 1]]).asnumpy()).max() < 1e-4)
    True
    """

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        if rand_type not in ("uniform", "normal"):
            raise ValueError(f"[Orthogonal] rand_type must be 'uniform' or 'normal', got {rand_type!r}")
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) < 2:
            raise ValueError(f"[Orthogonal] '{name}' must have 2 dimensions or more, got shape {arr.shape}")
        rows = arr.shape[0]
        columns = int(np.prod(arr.shape[1:]))
        if self.rand_type == "uniform":
            start = nd.random.uniform(-1.0, 1.0, shape=(rows, columns))
        else:
            start = nd.random.normal(0.0, 1.0, shape=(rows, columns))
        u, _, v = np.linalg.svd(start.asnumpy().astype(np.float64), full_matrices=False)
        basis = u if u.shape == (rows, columns) else v
        arr[:] = nd.array((self.scale * basis).reshape(arr.shape).astype(np.float32))


@register
class Xavier(Initializer):
    """Scale random weights by the number of inputs and outputs (Glorot and Bengio 2010).

    With ``fan_in`` and ``fan_out`` of an array ``(out, in, *kernel)`` counted with the kernel's area, and
    ``factor`` one of them or their mean, weights have the scale ``sqrt(magnitude / factor)``.

    Parameters
    ----------
    rnd_type : {'uniform', 'gaussian'}
        Uniform on ``[-scale, scale)``, or normal with standard deviation ``scale``.
    factor_type : {'avg', 'in', 'out'}
        Which number of connections to use.
    magnitude : float
        See above.

    Raises
    ------
    ValueError
        An unknown option, or an array with fewer than 2 dimensions.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((3, 5))
    >>> mx.init.Xavier(magnitude=3)("fc_weight", x)
    >>> bool(abs(x.asnumpy()).max() <= (3 / 4) ** 0.5)
    True
    """

    def __init__(self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        where = type(self).__name__
        if rnd_type not in ("uniform", "gaussian"):
            raise ValueError(f"[{where}] rnd_type must be 'uniform' or 'gaussian', got {rnd_type!r}")
        if factor_type not in ("avg", "in", "out"):
            raise ValueError(f"[{where}] factor_type must be 'avg', 'in' or 'out', got {factor_type!r}")
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)
        if not self.magnitude >= 0:
            raise ValueError(f"[{type(self).__name__}] magnitude is {magnitude}; expected at least 0")

    def _init_weight(self, name: str, arr: NDArray) -> None:
        shape = arr.shape
        if len(shape) < 2:
            raise ValueError(
                f"[{type(self).__name__}] '{name}' must have 2 dimensions or more, got shape {shape}"
            )
        kernel = math.prod(shape[2:])
        fan_in, fan_out = shape[1] * kernel, shape[0] * kernel
        factor = {"avg": (fan_in + fan_out) / 2.0, "in": fan_in, "out": fan_out}[self.factor_type]
        if factor == 0:
            raise ValueError(f"[{type(self).__name__}] '{name}' has no connections, got shape {shape}")
        scale = math.sqrt(self.magnitude / factor)
        if self.rnd_type == "uniform":
            nd.random.uniform(-scale, scale, out=arr)
        else:
            nd.random.normal(0, scale, out=arr)


@register
class MSRAPrelu(Xavier):
    """Xavier's rule for layers followed by a leaky ReLU (He et al. 2015, arXiv:1502.01852).

    Normal weights with variance ``2 / ((1 + slope ** 2) * factor)``.

    Parameters
    ----------
    factor_type : {'avg', 'in', 'out'}
        See :class:`Xavier`.
    slope : float
        Slope of the leaky ReLU for negative input.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.init.MSRAPrelu(slope=0.0).magnitude
    2.0
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}
