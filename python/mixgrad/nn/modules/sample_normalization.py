"""Normalisation of each sample by itself, as modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from ...base import DTypeLike, InvalidArgumentError
from .. import functional as F
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = ["GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class GroupNorm(Module):
    """Normalisation of groups of channels of each sample, ``(N, C, ...)`` (Wu and He 2018).

    Mean and variance, which divides by the count, are those of a group of channels of one sample, in training
    and prediction. The output has the shape and dtype of the input.

    Parameters
    ----------
    num_groups, num_channels : int
        Groups, and channels that they divide.
    eps : float
        Added to the variance.
    affine, bias : bool
        Whether there is a weight for each channel, and with it a bias.
    device, dtype
        Of the parameters; float32 by default.

    Raises
    ------
    ValueError
        Groups do not divide the channels, or an input has other channels.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.GroupNorm(3, 6)(np.ones((20, 6, 10, 10))).shape
    (20, 6, 10, 10)
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
    """Normalisation over the last axes, ``(..., *normalized_shape)`` (Ba et al. 2016).

    ``(x - mean) / sqrt(var + eps) * weight + bias``, where the variance divides by the count. The output has
    the shape and dtype of the input.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The last extents.
    eps : float
        Added to the variance.
    elementwise_affine, bias : bool
        Whether there is a weight of that shape, and with it a bias.
    device, dtype
        Of the parameters; float32 by default.

    Raises
    ------
    ValueError
        The last extents of an input are others.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.LayerNorm(4)(np.array([[1.0, 1.0, 3.0, 3.0]])).round(3)
    array([[-1., -1.,  1.,  1.]])
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
    """Division by the root of the mean square over the last axes (Zhang and Sennrich 2019).

    ``x / sqrt(mean(x ** 2) + eps) * weight``. The output has the shape and dtype of the input.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The last extents.
    eps : float, optional
        Added to the mean square; by default the least step of the dtype at 1.
    elementwise_affine : bool
        Whether there is a weight of that shape.
    device, dtype
        Of the weight; float32 by default.

    Raises
    ------
    ValueError
        The last extents of an input are others.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.RMSNorm(2)(np.array([[1.0, 7.0]])).round(3)
    array([[0.2, 1.4]])
    """

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
    """Division by a power of the mean square over neighbouring channels (Krizhevsky et al. 2012).

    ``x / (k + alpha * mean(neighbours ** 2)) ** beta``; channels beyond the first and the last count as
    zeros. The output has the shape, ``(N, C, ...)``, and dtype of the input.

    Parameters
    ----------
    size : int
        Channels in the mean.
    alpha, beta, k : float
        Of the formula.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.LocalResponseNorm(2)(np.ones((32, 5, 24, 24))).shape
    (32, 5, 24, 24)
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
