"""Values that parameters start from (``nn.init``); all change their argument in place and return it."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as onp

from .. import numpy as np
from .. import ops
from ..base import InvalidArgumentError
from .grad_mode import no_grad

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]

_GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_PLAIN = ("linear", "sigmoid", *(f"conv{kind}{d}d" for kind in ("", "_transpose") for d in (1, 2, 3)))


def calculate_gain(nonlinearity: str, param: Optional[float] = None) -> float:
    """The factor of standard deviations that goes with an activation.

    Parameters
    ----------
    nonlinearity : str
        'linear', 'sigmoid', 'tanh', 'relu', 'leaky_relu', 'selu', or a convolution such as 'conv2d'.
    param : float, optional
        The slope of 'leaky_relu', 0.01 by default.
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity in _PLAIN:
        return 1.0
    if nonlinearity not in _GAINS:
        raise ValueError(
            f"[calculate_gain] {nonlinearity!r} is unknown; expected one of {', '.join(_PLAIN)}, leaky_relu, "
            f"{', '.join(_GAINS)}"
        )
    return _GAINS[nonlinearity]


def _filled(tensor: Any, values: Any) -> Any:
    with no_grad():
        tensor[:] = values
    return tensor


def _sampled(tensor: Any, sample: Any, first: float, second: float) -> Any:
    if tensor.size:
        with no_grad():
            tensor[:] = sample(first, second, size=tensor.shape, ctx=tensor.context)
    return tensor


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    """Uniform between ``a`` and ``b``.

    Examples
    --------
    >>> from mixgrad import nn
    >>> weight = nn.init.uniform_(nn.Linear(3, 2).weight, 2.0, 4.0)
    >>> bool((weight >= 2).all() and (weight <= 4).all())
    True
    """
    return _sampled(tensor, np.random.uniform, a, b)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """Normal with a mean and a standard deviation."""
    return _sampled(tensor, np.random.normal, mean, std)


def trunc_normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> Any:
    """Normal, limited to the interval from ``a`` to ``b``: values outside are drawn again."""
    low, high = (0.5 * (1 + math.erf((limit - mean) / std / math.sqrt(2))) for limit in (a, b))
    _sampled(tensor, np.random.uniform, 2 * low - 1, 2 * high - 1)
    with no_grad():
        tensor[:] = (ops.erfinv(tensor.detach()) * (std * math.sqrt(2)) + mean).clip(a, b)
    return tensor


def constant_(tensor: Any, val: float) -> Any:
    """One value everywhere."""
    return _filled(tensor, val)


def ones_(tensor: Any) -> Any:
    """Ones."""
    return _filled(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    return _filled(tensor, 0.0)


def eye_(tensor: Any) -> Any:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    if tensor.ndim != 2:
        raise InvalidArgumentError(f"[eye_] the shape is {tensor.shape}; expected two axes")
    return _filled(tensor, np.array(onp.eye(*tensor.shape), dtype=tensor.dtype))


def dirac_(tensor: Any, groups: int = 1) -> Any:
    """Kernels of a convolution that keep as many channels of the input as there are."""
    shape = tensor.shape
    if not 3 <= len(shape) <= 5 or shape[0] % groups:
        raise InvalidArgumentError(
            f"[dirac_] the shape is {shape}, with {groups} groups; expected 3 to 5 axes, and a first extent "
            "that groups divide"
        )
    values = onp.zeros(shape)
    out = shape[0] // groups
    for group in range(groups):
        for i in range(min(out, shape[1])):
            middle = tuple(extent // 2 for extent in shape[2:])
            values[(group * out + i, i) + middle] = 1  # noqa: RUF005
    return _filled(tensor, np.array(values, dtype=tensor.dtype))


def fans(tensor: Any) -> tuple[int, int]:
    """How many inputs one output of a weight has, and how many outputs one input has."""
    if tensor.ndim < 2:
        raise InvalidArgumentError(f"[init] the shape {tensor.shape} has no fan; expected at least two axes")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    """Uniform, after Glorot and Bengio (2010): the variance is ``2 gain² / (fan_in + fan_out)``."""
    limit = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -limit, limit)


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    """Normal, after Glorot and Bengio (2010)."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))))


def _kaiming(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"[kaiming] mode is {mode!r}; expected 'fan_in' or 'fan_out'")
    fan = fans(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(max(fan, 1))


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Any:
    """Uniform, after He et al. (2015): the variance is ``gain² / fan``.

    Parameters
    ----------
    tensor : array
        The weight.
    a : float
        Slope of 'leaky_relu'.
    mode : {'fan_in', 'fan_out'}
        Whether the forward or the backward pass keeps its variance.
    nonlinearity : str
        See :func:`calculate_gain`.
    """
    limit = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -limit, limit)


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    """Normal, after He et al. (2015); arguments are those of :func:`kaiming_uniform_`."""
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity))


def orthogonal_(tensor: Any, gain: float = 1.0) -> Any:
    """Rows, or columns where there are fewer, at right angles (Saxe et al. 2013); further axes are one.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> w = nn.init.orthogonal_(nn.Linear(4, 3).weight).detach()
    >>> bool(np.abs(np.dot(w, w.T) - np.eye(3)).max() < 1e-5)
    True
    """
    if tensor.ndim < 2:
        raise InvalidArgumentError(f"[orthogonal_] the shape is {tensor.shape}; expected at least two axes")
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    normal = np.random.normal(0, 1, size=(rows, columns)).asnumpy().astype(onp.float64)
    q, r = onp.linalg.qr(normal if rows >= columns else normal.T)
    q = q * onp.sign(onp.diag(r))
    values = gain * (q if rows >= columns else q.T).reshape(tensor.shape)
    return _filled(tensor, np.array(values, dtype=tensor.dtype))


def sparse_(tensor: Any, sparsity: float, std: float = 0.01) -> Any:
    """Normal, with that share of each column zero (Martens 2010)."""
    if tensor.ndim != 2:
        raise InvalidArgumentError(f"[sparse_] the shape is {tensor.shape}; expected two axes")
    rows, columns = tensor.shape
    normal_(tensor, 0.0, std)
    keys = np.random.uniform(0, 1, size=(rows, columns)).asnumpy()
    keep = keys.argsort(axis=0).argsort(axis=0) >= math.ceil(sparsity * rows)
    return _filled(tensor, tensor.detach() * np.array(keep, dtype=tensor.dtype))
