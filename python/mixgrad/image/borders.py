"""Borders around pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

from .. import ops
from ..ndarray import NDArray

__all__ = ["copyMakeBorder"]


def copyMakeBorder(
    src: NDArray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0,
    values: Union[float, Sequence[float]] = (),
    out: Optional[NDArray] = None,
) -> NDArray:
    """Put a border around a picture.

    Parameters
    ----------
    src : NDArray
        (height, width, channels), any dtype.
    top, bot, left, right : int
        Rows and columns to add.
    type : int
        0: a colour. Otherwise the picture's own pixels: 1 repeats the last, 2 mirrors them, 3 begins again at
        the other side, 4 mirrors without the last one. MXNet computes this; its page exchanges 1 to 4.
    value : float
        The number in the colour's channels, but 0 in the fourth of four.
    values : tuple of float
        The colour, a number per channel; missing ones are 0.
    out : NDArray, optional
        Receives the result.

    Returns
    -------
    NDArray
        (top + height + bot, left + width + right, channels), of the same dtype.

    Examples
    --------
    >>> import mixgrad as mx
    >>> row = mx.nd.array([[[1], [2], [3]]])
    >>> mx.image.copyMakeBorder(row, 0, 0, 2, 2, type=2).asnumpy().ravel().tolist()
    [2.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0]

    Follows MXNet's ``mx.image.copyMakeBorder``, operator ``_cvcopyMakeBorder``.
    """
    bordered: NDArray = ops._cvcopyMakeBorder(
        src, top=top, bot=bot, left=left, right=right, type=type, value=value, values=values, out=out
    )
    return bordered
