"""The reverse of pooling by largest elements, as modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional

from .. import functional as F
from ..functional.convolution import Ints, many
from ..module import Module

__all__ = ["MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxUnpool(Module):
    """Largest elements where pooling found them, and zeros elsewhere (Zeiler et al. 2011).

    Parameters
    ----------
    kernel_size, stride, padding : int or tuple of int
        Those of the pooling; the stride is by default the kernel's extents.
    """

    _function: Callable[..., Any]
    _axes: int

    def __init__(self, kernel_size: Ints, stride: Optional[Ints] = None, padding: Ints = 0) -> None:
        super().__init__()
        self.kernel_size = many(kernel_size, self._axes)
        self.stride = self.kernel_size if stride is None else many(stride, self._axes)
        self.padding = many(padding, self._axes)

    def forward(self, input: Any, indices: Any, output_size: Optional[Sequence[int]] = None) -> Any:
        """The output of a pooling with ``return_indices=True``, both parts, and the extents of its input."""
        return self._function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """The reverse of :class:`MaxPool1d`, ``(N, C, L)`` or ``(C, L)``, with zeros elsewhere.

    Each extent becomes ``(extent - 1) * stride - 2 * padding + kernel_size``, or what ``output_size`` says.
    """

    _function = staticmethod(F.max_unpool1d)
    _axes = 1


class MaxUnpool2d(_MaxUnpool):
    """The reverse of :class:`MaxPool2d`, ``(N, C, H, W)`` or ``(C, H, W)``, with zeros elsewhere.

    Each extent becomes ``(extent - 1) * stride - 2 * padding + kernel_size``, or what ``output_size`` says.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> pool, back = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
    >>> x = np.random.normal(size=(1, 3, 5, 4))
    >>> largest, places = pool(x)
    >>> back(largest, places).shape, back(largest, places, output_size=x.shape).shape
    ((1, 3, 4, 4), (1, 3, 5, 4))
    """

    _function = staticmethod(F.max_unpool2d)
    _axes = 2


class MaxUnpool3d(_MaxUnpool):
    """The reverse of :class:`MaxPool3d`, ``(N, C, D, H, W)`` or ``(C, D, H, W)``, with zeros elsewhere.

    Each extent becomes ``(extent - 1) * stride - 2 * padding + kernel_size``, or what ``output_size`` says.
    """

    _function = staticmethod(F.max_unpool3d)
    _axes = 3
