"""Normalisation by channels, with running values, as modules."""

from __future__ import annotations

from typing import Any, Optional

from ... import _core, _guards, ops
from ... import numpy as np
from ...base import DTypeLike, ShapeError
from .. import functional as F
from .. import init
from ..grad_mode import no_grad
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
]


class _Norm(Module):
    """Normalisation by channels, with running values; :class:`BatchNorm2d` says what the arguments are."""

    _ndims: tuple[int, ...]
    weight: Optional[Parameter]
    bias: Optional[Parameter]
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: Optional[float] = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        shape = (num_features,)
        self.register_parameter("weight", made(shape, device, dtype) if affine else None)
        self.register_parameter("bias", made(shape, device, dtype) if affine and bias else None)
        zeros = np.zeros(shape, dtype=dtype or "float32", ctx=device)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros if tracked else None)
        self.register_buffer("running_var", np.ones_like(zeros) if tracked else None)
        self.register_buffer("num_batches_tracked", np.zeros((), dtype="int64") if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the batches that were seen."""
        if self.track_running_stats:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self) -> None:
        """Weight 1, bias 0, and no batches seen."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check(self, input: Any) -> None:
        if input.ndim not in self._ndims or input.shape[1] != self.num_features:
            raise ShapeError(
                f"[{type(self).__name__}] the input has the shape {input.shape}; expected "
                f"{' or '.join(map(str, self._ndims))} axes, the second of {self.num_features}"
            )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_Norm):
    """Normalisation of each channel over a batch."""

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        self._check(input)
        mean, var = self.running_mean, self.running_var
        if not self.training and mean is not None:
            if self.weight is not None and self.bias is not None:
                return ops.BatchNorm(
                    input,
                    self.weight,
                    self.bias,
                    mean,
                    var,
                    eps=self.eps,
                    fix_gamma=False,
                    use_global_stats=True,
                )
            return F.batch_norm(input, mean, var, self.weight, self.bias, False, 0.0, self.eps)
        momentum = self.momentum or 0.0
        if self.training and mean is not None:
            tracked = self.num_batches_tracked
            with no_grad():
                _guards.move(tracked, _guards.state(tracked) + 1)
            if self.momentum is None:
                momentum = self._share()
        return F.batch_norm(input, mean, var, self.weight, self.bias, True, momentum, self.eps)

    def _share(self) -> Any:
        """That of a batch in the average of all."""
        if not _core.trace_is_active():
            return 1.0 / int(self.num_batches_tracked.item())
        with no_grad():
            return 1 / _guards.state(self.num_batches_tracked).astype(self.running_mean.dtype)


class BatchNorm1d(_BatchNorm):
    """Normalisation of each channel of ``(N, C)`` or ``(N, C, L)`` over a batch, as :class:`BatchNorm2d`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.BatchNorm1d(2)(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([[-0.999995,  0.      ],
           [ 0.999995,  0.      ]])
    """

    _ndims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalisation of each channel of ``(N, C, H, W)`` over a batch (Ioffe and Szegedy 2015).

    ``(x - mean) / sqrt(var + eps) * weight + bias``, where mean and variance, which divides by the count, are
    those of the batch in training, and running values in prediction (``eval()``). The output has the shape
    and dtype of the input.

    Parameters
    ----------
    num_features : int
        Channels, ``C``.
    eps : float
        Added to the variance.
    momentum : float or None
        The share of a batch in the running values, whose variance divides by one less than the count; None
        averages all batches.
    affine, bias : bool
        Whether there is a weight, ``(C,)``, and with it a bias.
    track_running_stats : bool
        Whether there are running values: the buffers ``running_mean``, ``running_var`` and
        ``num_batches_tracked``. Without them a batch's own are used in prediction, too.
    device, dtype
        Of the arrays; float32 by default.

    Raises
    ------
    ValueError
        An input has other axes or channels.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> norm = nn.BatchNorm2d(3)
    >>> norm(np.random.normal(5, 2, size=(8, 3, 4, 4))).shape
    (8, 3, 4, 4)
    >>> norm.eval().running_mean.shape
    (3,)
    """

    _ndims = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalisation of each channel of ``(N, C, D, H, W)`` over a batch, as :class:`BatchNorm2d`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.BatchNorm3d(3)(np.ones((2, 3, 4, 4, 4))).shape
    (2, 3, 4, 4, 4)
    """

    _ndims = (5,)


class _InstanceNorm(_Norm):
    """Normalisation of each channel of each sample."""

    _axes: int

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)`` or ``(C, ...)``."""
        alone = input.ndim == self._axes + 1
        x = input.reshape((1, *input.shape)) if alone else input
        self._check(x)
        own = self.training or self.running_mean is None
        momentum = self.momentum or 0.0
        found = F.instance_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias, own, momentum, self.eps
        )
        return found.reshape(input.shape) if alone else found


class InstanceNorm1d(_InstanceNorm):
    """Normalisation of channels of each sample of ``(N, C, L)`` or ``(C, L)``, as :class:`InstanceNorm2d`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.InstanceNorm1d(1)(np.array([[[1.0, 3.0]], [[4.0, 8.0]]])).round(3)
    array([[[-1.,  1.]],
           [[-1.,  1.]]])
    """

    _ndims, _axes = (3,), 1


class InstanceNorm2d(_InstanceNorm):
    """Normalisation of channels of each sample of ``(N, C, H, W)`` or ``(C, H, W)`` (Ulyanov et al. 2016).

    As :class:`BatchNorm2d`, with the mean and variance over ``H`` and ``W`` alone. The output has the shape
    and dtype of the input.

    Parameters
    ----------
    num_features, eps, momentum, affine, track_running_stats, device, dtype, bias
        As for :class:`BatchNorm2d`; there are no weights and running values unless said otherwise.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> found = nn.InstanceNorm2d(3)(np.random.normal(5, 2, size=(8, 3, 4, 4)))
    >>> found.shape, bool(abs(found.mean(axis=(2, 3))).max() < 1e-5)
    ((8, 3, 4, 4), True)
    """

    _ndims, _axes = (4,), 2


class InstanceNorm3d(_InstanceNorm):
    """Normalisation of each channel of each sample of ``(N, C, D, H, W)``, as :class:`InstanceNorm2d`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.InstanceNorm3d(3)(np.ones((2, 3, 4, 4, 4))).shape
    (2, 3, 4, 4, 4)
    """

    _ndims, _axes = (5,), 3
