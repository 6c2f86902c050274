"""Padding."""

from __future__ import annotations

from typing import Any, Union

from ...base import RefusedValueError
from ..block import HybridBlock

__all__ = ["ReflectionPad2D"]


class ReflectionPad2D(HybridBlock):
    """Images with a border that mirrors what is beside it.

    Parameters
    ----------
    padding : int or tuple of 8 int
        Width of the border; or the numbers put before and after each of four axes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.ReflectionPad2D(1)(mx.nd.arange(4).reshape((1, 1, 2, 2))).asnumpy()[0, 0]
    array([[3., 2., 3., 2.],
           [1., 0., 1., 0.],
           [3., 2., 3., 2.],
           [1., 0., 1., 0.]], dtype=float32)
    """

    def __init__(self, padding: Union[int, tuple[int, ...]] = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        widths = (0, 0, 0, 0, *(padding,) * 4) if isinstance(padding, int) else tuple(padding)
        if len(widths) != 8:
            raise RefusedValueError(
                f"[ReflectionPad2D] padding is {padding!r}; expected a number, or 8 of them"
            )
        self._padding = widths

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Pad ``x``, (batch, channels, height, width)."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
