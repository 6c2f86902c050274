"""Pooling as modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ...base import UnsupportedError
from .. import functional as F
from ..functional.convolution import Ints, many
from ..functional.pooling import Size
from ..module import Module

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
]


def _refuse_indices(layer: Module, return_indices: bool) -> None:
    if return_indices:
        raise UnsupportedError(
            f"[{type(layer).__name__}] return_indices is True; it is not supported; expected False"
        )


class _MaxPool(Module):
    """The largest element of each window."""

    _function: Callable[..., Any]

    def __init__(
        self,
        kernel_size: Ints,
        stride: Optional[Ints] = None,
        padding: Ints = 0,
        dilation: Ints = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        if any(step != 1 for step in many(dilation, 1)):
            raise UnsupportedError(f"[{type(self).__name__}] dilation is {dilation!r}; only 1 is supported")
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Any) -> Any:
        """Of an array of the shape that the class names."""
        return self._function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class _AvgPool(Module):
    """The mean of each window."""

    _function: Callable[..., Any]

    def __init__(
        self,
        kernel_size: Ints,
        stride: Optional[Ints] = None,
        padding: Ints = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Optional[int] = None,
    ) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def forward(self, input: Any) -> Any:
        """Of an array of the shape that the class names."""
        return self._function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AdaptiveAvgPool(Module):
    """Means of as many windows as the output has elements."""

    _function: Callable[..., Any]

    def __init__(self, output_size: Size) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> Any:
        """Of an array of the shape that the class names."""
        return self._function(input, self.output_size)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"output_size={self.output_size}"


class _AdaptiveMaxPool(Module):
    """Largest elements of as many windows as the output has elements."""

    _function: Callable[..., Any]

    def __init__(self, output_size: Size, return_indices: bool = False) -> None:
        super().__init__()
        _refuse_indices(self, return_indices)
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input: Any) -> Any:
        """Of an array of the shape that the class names."""
        return self._function(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"output_size={self.output_size}"


class _LPPool(Module):
    """The root of the sum of powers of each window."""

    _function: Callable[..., Any]

    def __init__(
        self, norm_type: float, kernel_size: Ints, stride: Optional[Ints] = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def forward(self, input: Any) -> Any:
        """Of an array of the shape that the class names."""
        return self._function(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """The largest element of each window of ``(N, C, L)``."""

    _function = staticmethod(F.max_pool1d)


class AvgPool1d(_AvgPool):
    """The mean of each window of ``(N, C, L)``."""

    def __init__(
        self,
        kernel_size: Ints,
        stride: Optional[Ints] = None,
        padding: Ints = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.kernel_size, self.stride = many(self.kernel_size, 1), many(self.stride, 1)
        self.padding = many(padding, 1)

    def forward(self, input: Any) -> Any:
        """``(N, C, L)``."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    """Means of as many windows of ``(N, C, L)`` as the output has elements."""

    _function = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, L)`` as the output has elements."""

    _function = staticmethod(F.adaptive_max_pool1d)


class LPPool1d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, L)``."""

    _function = staticmethod(F.lp_pool1d)


class MaxPool2d(_MaxPool):
    """The largest element of each window of ``(N, C, H, W)``."""

    _function = staticmethod(F.max_pool2d)


class AvgPool2d(_AvgPool):
    """The mean of each window of ``(N, C, H, W)``."""

    _function = staticmethod(F.avg_pool2d)


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """Means of as many windows of ``(N, C, H, W)`` as the output has elements."""

    _function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, H, W)`` as the output has elements."""

    _function = staticmethod(F.adaptive_max_pool2d)


class LPPool2d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, H, W)``."""

    _function = staticmethod(F.lp_pool2d)


class MaxPool3d(_MaxPool):
    """The largest element of each window of ``(N, C, D, H, W)``."""

    _function = staticmethod(F.max_pool3d)


class LPPool3d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, D, H, W)``."""

    _function = staticmethod(F.lp_pool3d)


class AvgPool3d(_AvgPool):
    """The mean of each window of ``(N, C, D, H, W)``."""

    _function = staticmethod(F.avg_pool3d)


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """Means of as many windows of ``(N, C, D, H, W)`` as the output has elements."""

    _function = staticmethod(F.adaptive_avg_pool3d)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, D, H, W)`` as the output has elements."""

    _function = staticmethod(F.adaptive_max_pool3d)
