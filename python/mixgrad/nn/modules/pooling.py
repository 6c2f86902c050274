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
    """The largest element of each window of ``(N, C, L)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`MaxPool2d`, on one axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.MaxPool1d(3, stride=2)(np.ones((1, 2, 9))).shape
    (1, 2, 4)
    """

    _function = staticmethod(F.max_pool1d)


class AvgPool1d(_AvgPool):
    """The mean of each window of ``(N, C, L)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`AvgPool2d`, on one axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AvgPool1d(3, stride=2, padding=1)(np.ones((1, 2, 9))).shape
    (1, 2, 5)
    """

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
    """Means of as many windows of ``(N, C, L)`` as the output has elements.

    Arguments, shapes and errors are those of :class:`AdaptiveAvgPool2d`, on one axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveAvgPool1d(4)(np.ones((1, 2, 9))).shape
    (1, 2, 4)
    """

    _function = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, L)`` as the output has elements.

    Arguments, shapes and errors are those of :class:`AdaptiveMaxPool2d`, on one axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveMaxPool1d(4)(np.ones((1, 2, 9))).shape
    (1, 2, 4)
    """

    _function = staticmethod(F.adaptive_max_pool1d)


class LPPool1d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, L)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`LPPool2d`, on one axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.LPPool1d(2, 3)(np.ones((1, 2, 9))).shape
    (1, 2, 3)
    """

    _function = staticmethod(F.lp_pool1d)


class MaxPool2d(_MaxPool):
    """The largest element of each window of ``(N, C, H, W)``, or ``(C, H, W)``.

    The output is ``(N, C, H', W')`` with ``H' = (H + 2 * padding - kernel_size) // stride + 1``, and so for
    ``W'``; ``ceil_mode`` rounds up, and leaves out windows that begin behind the input. It has the input's
    dtype, of floats.

    Parameters
    ----------
    kernel_size : int or tuple of int
        Extents of a window.
    stride : int or tuple of int, optional
        Steps between windows, by default ``kernel_size``.
    padding : int or tuple of int
        On each side, at most half of the kernel, with values that are never the largest.
    dilation
        Others than 1 are not supported.
    return_indices : bool
        Whether forward gives ``(output, indices)``; the indices, positions in ``H * W`` of int64, are what
        :class:`MaxUnpool2d` takes.
    ceil_mode : bool
        Whether a last window may reach beyond the input.

    Raises
    ------
    ValueError
        The padding is too large, or an input has other axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.MaxPool2d((3, 2), stride=(2, 1))(np.ones((20, 16, 50, 32))).shape
    (20, 16, 24, 31)
    """

    _function = staticmethod(F.max_pool2d)


class AvgPool2d(_AvgPool):
    """The mean of each window of ``(N, C, H, W)``, or ``(C, H, W)``.

    The output is ``(N, C, H', W')`` with ``H' = (H + 2 * padding - kernel_size) // stride + 1``, and so for
    ``W'``; ``ceil_mode`` rounds up, as for :class:`MaxPool2d`. It has the input's dtype, of floats.

    Parameters
    ----------
    kernel_size : int or tuple of int
        Extents of a window.
    stride : int or tuple of int, optional
        Steps between windows, by default ``kernel_size``.
    padding : int or tuple of int
        Zeros on each side, at most half of the kernel.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
    count_include_pad : bool
        Whether padding counts in the mean.
    divisor_override : int, optional
        Divides the sum in place of the number of elements; not in one dimension.

    Raises
    ------
    ValueError
        The padding is too large, or an input has other axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AvgPool2d(3, stride=2, padding=1)(np.ones((1, 2, 9, 7))).shape
    (1, 2, 5, 4)
    """

    _function = staticmethod(F.avg_pool2d)


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """Means of as many windows of ``(N, C, H, W)``, or ``(C, H, W)``, as the output has elements.

    Window ``i`` of ``n`` goes from ``i * H // n`` to ``ceil((i + 1) * H / n)``, and so for ``W``. The output
    is ``(N, C, *output_size)`` of the input's dtype, of floats.

    Parameters
    ----------
    output_size : int or tuple of int
        Extents of the output, or one for all; None keeps one.

    Raises
    ------
    ValueError
        An extent is below 1, or an input has other axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveAvgPool2d((5, None))(np.ones((1, 64, 8, 9))).shape
    (1, 64, 5, 9)
    """

    _function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, H, W)``, or ``(C, H, W)``, as the output has elements.

    Windows, shapes and errors are those of :class:`AdaptiveAvgPool2d`.

    Parameters
    ----------
    output_size : int or tuple of int
        Extents of the output, or one for all; None keeps one.
    return_indices
        Not supported.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveMaxPool2d(4)(np.ones((1, 2, 9, 7))).shape
    (1, 2, 4, 4)
    """

    _function = staticmethod(F.adaptive_max_pool2d)


class LPPool2d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, H, W)``, or ``(C, H, W)``.

    ``(sum of x ** norm_type) ** (1 / norm_type)``: the sum for 1, closer to the largest element for larger
    numbers. Shapes are those of :class:`AvgPool2d` without padding.

    Parameters
    ----------
    norm_type : float
        The power.
    kernel_size : int or tuple of int
        Extents of a window.
    stride : int or tuple of int, optional
        Steps between windows, by default ``kernel_size``.
    ceil_mode : bool
        Whether a last window may reach beyond the input; the sum is then that of a whole one with its mean.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.LPPool2d(2, 3)(np.ones((1, 2, 9, 7))).shape
    (1, 2, 3, 2)
    """

    _function = staticmethod(F.lp_pool2d)


class MaxPool3d(_MaxPool):
    """The largest element of each window of ``(N, C, D, H, W)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`MaxPool2d`, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.MaxPool3d(3, stride=2)(np.ones((1, 2, 8, 9, 7))).shape
    (1, 2, 3, 4, 3)
    """

    _function = staticmethod(F.max_pool3d)


class LPPool3d(_LPPool):
    """The root of the sum of powers of each window of ``(N, C, D, H, W)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`LPPool2d`, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.LPPool3d(2, 3)(np.ones((1, 2, 8, 9, 7))).shape
    (1, 2, 2, 3, 2)
    """

    _function = staticmethod(F.lp_pool3d)


class AvgPool3d(_AvgPool):
    """The mean of each window of ``(N, C, D, H, W)``, or without ``N``.

    Arguments, shapes and errors are those of :class:`AvgPool2d`, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AvgPool3d(3, stride=2, padding=1)(np.ones((1, 2, 8, 9, 7))).shape
    (1, 2, 4, 5, 4)
    """

    _function = staticmethod(F.avg_pool3d)


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """Means of as many windows of ``(N, C, D, H, W)`` as the output has elements.

    Arguments, shapes and errors are those of :class:`AdaptiveAvgPool2d`, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveAvgPool3d(4)(np.ones((1, 2, 8, 9, 7))).shape
    (1, 2, 4, 4, 4)
    """

    _function = staticmethod(F.adaptive_avg_pool3d)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """Largest elements of as many windows of ``(N, C, D, H, W)`` as the output has elements.

    Arguments, shapes and errors are those of :class:`AdaptiveMaxPool2d`, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.AdaptiveMaxPool3d(4)(np.ones((1, 2, 8, 9, 7))).shape
    (1, 2, 4, 4, 4)
    """

    _function = staticmethod(F.adaptive_max_pool3d)
