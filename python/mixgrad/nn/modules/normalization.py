"""Normalisation as modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from ... import _core, _guards, ops
from ... import numpy as np
from ...base import DTypeLike, InvalidArgumentError, ShapeError
from .. import functional as F
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..grad_mode import no_grad
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LocalResponseNorm",
    "RMSNorm",
]


class _Norm(Module):
    """Normalisation by channels, with running values.

    Parameters
    ----------
    num_features : int
        Channels.
    eps : float
        Added to the variance.
    momentum : float or None
        The share of a batch in the running values; None averages all batches.
    affine, bias : bool
        Whether there is a weight, and with it a bias.
    track_running_stats : bool
        Whether there are running values, which prediction then uses.
    device, dtype
        Of the arrays.
    """

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
    """Normalisation of each channel of ``(N, C)`` or ``(N, C, L)`` over a batch."""

    _ndims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalisation of each channel of ``(N, C, H, W)`` over a batch.

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
    """Normalisation of each channel of ``(N, C, D, H, W)`` over a batch."""

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
    """Normalisation of each channel of each sample of ``(N, C, L)``."""

    _ndims, _axes = (3,), 1


class InstanceNorm2d(_InstanceNorm):
    """Normalisation of each channel of each sample of ``(N, C, H, W)``."""

    _ndims, _axes = (4,), 2


class InstanceNorm3d(_InstanceNorm):
    """Normalisation of each channel of each sample of ``(N, C, D, H, W)``."""

    _ndims, _axes = (5,), 3


class GroupNorm(Module):
    """Normalisation of groups of channels of each sample, ``(N, C, ...)``.

    Parameters
    ----------
    num_groups, num_channels : int
        Groups, and channels that they divide.
    eps : float
        Added to the variance.
    affine, bias : bool
        Whether there is a weight for each channel, and with it a bias.
    device, dtype
        Of the parameters.
    """

    weight: Optional[Parameter]
    bias: Optional[Parameter]

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise InvalidArgumentError(
                f"[GroupNorm] {num_channels} channels; expected a multiple of {num_groups}"
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.register_parameter("weight", made((num_channels,), device, dtype) if affine else None)
        self.register_parameter("bias", made((num_channels,), device, dtype) if affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_inputs(self, input: Any) -> None:
        if input.ndim < 2 or input.shape[1] != self.num_channels:
            refuse_shape("GroupNorm", "input", input, f"(N, {self.num_channels}, ...)")

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LayerNorm(Module):
    """Normalisation over the last axes.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The last extents.
    eps : float
        Added to the variance.
    elementwise_affine, bias : bool
        Whether there is a weight, and with it a bias.
    device, dtype
        Of the parameters.
    """

    weight: Optional[Parameter]
    bias: Optional[Parameter]

    def __init__(
        self,
        normalized_shape: Union[int, Sequence[int]],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.register_parameter("weight", made(shape, device, dtype) if elementwise_affine else None)
        self.register_parameter("bias", made(shape, device, dtype) if elementwise_affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_inputs(self, input: Any) -> None:
        check_last(self, "input", input, *self.normalized_shape)

    def forward(self, input: Any) -> Any:
        """``(..., *normalized_shape)``."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """Division by the root of the mean square over the last axes."""

    weight: Optional[Parameter]

    def __init__(
        self,
        normalized_shape: Union[int, Sequence[int]],
        eps: Optional[float] = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.register_parameter("weight", made(shape, device, dtype) if elementwise_affine else None)
        if self.weight is not None:
            init.ones_(self.weight)

    def _check_inputs(self, input: Any) -> None:
        check_last(self, "input", input, *self.normalized_shape)

    def forward(self, input: Any) -> Any:
        """``(..., *normalized_shape)``."""
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class LocalResponseNorm(Module):
    """Division by a power of the sum of squares over neighbouring channels."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
