"""Pictures of another size."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from numbers import Real
from typing import Any, Optional

from .. import ops
from ..base import InvalidArgumentError
from ..ndarray import NDArray

__all__ = ["imresize", "interpolation", "resize_short", "scale_down"]

_LINEAR, _CUBIC, _AREA, _LANCZOS = 1, 2, 3, 4
_AUTOMATIC, _ANY = 9, 10


def imresize(src: NDArray, w: int, h: int, interp: int = 1, out: Optional[NDArray] = None) -> NDArray:
    """Resize a picture.

    Parameters
    ----------
    src : NDArray
        (height, width, channels), any dtype; integers are rounded and saturate.
    w, h : int
        Columns and rows of the result, at least 1.
    interp : int
        0: the nearest pixel, 1: straight lines, 2: cubic curves, 3: means of areas, 4: Lanczos' window.
    out : NDArray, optional
        Receives the result.

    Returns
    -------
    NDArray
        (h, w, channels), of the same dtype.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.array([[[0], [100]]], dtype="uint8")
    >>> mx.image.imresize(picture, 4, 1).asnumpy().ravel().tolist()
    [0, 25, 75, 100]

    Follows MXNet's ``mx.image.imresize``, operator ``_cvimresize``.
    """
    resized: NDArray = ops._cvimresize(src, w=w, h=h, interp=interp, out=out)
    return resized


def interpolation(interp: int, sizes: Sequence[int] = ()) -> int:
    """The method, 0 to 4, that a resizing takes.

    Parameters
    ----------
    interp : int
        0 to 4 as in :func:`imresize`; 9: cubic where the picture grows, areas where it shrinks, otherwise
        straight lines; 10: one of the five by chance.
    sizes : tuple of int
        (height, width, new height, new width) for 9, which is cubic without.
    """
    if interp == _AUTOMATIC:
        if not sizes:
            return _CUBIC
        if len(sizes) != 4:
            raise InvalidArgumentError(
                f"[resize] sizes are {tuple(sizes)}; expected (height, width, new height, new width)"
            )
        height, width, new_height, new_width = sizes
        if new_height > height and new_width > width:
            return _CUBIC
        return _AREA if new_height < height and new_width < width else _LINEAR
    if interp == _ANY:
        return random.randint(0, _LANCZOS)
    if interp not in range(_LANCZOS + 1):
        raise InvalidArgumentError(f"[resize] interp is {interp!r:.60}; expected 0 to 4, 9 or 10")
    return interp


def scale_down(src_size: Sequence[float], size: Sequence[float]) -> tuple[int, int]:
    """The largest size, not above ``size`` and of its proportions, that fits into a picture.

    Parameters
    ----------
    src_size : tuple of int
        (width, height) of the picture.
    size : tuple of int
        (width, height) that is wanted.

    Examples
    --------
    >>> scale_down((640, 480), (720, 120))
    (640, 106)

    Follows MXNet's ``mx.image.scale_down``.
    """
    w, h = two_numbers(size, "size", "scale_down", nothing=True)
    most_w, most_h = two_numbers(src_size, "src_size", "scale_down")
    if h > most_h:
        w, h = float(w * most_h) / h, most_h
    if w > most_w:
        w, h = most_w, float(h * most_w) / w
    return int(w), int(h)


def two_numbers(pair: Any, what: str, who: str, nothing: bool = False) -> tuple[float, float]:
    """Width and height, or what else comes in two finite numbers above 0; with ``nothing``, also 0."""
    try:
        first, second = pair
        fit = all(0 < one < math.inf or (nothing and one == 0) for one in (first, second))
    except (TypeError, ValueError):
        fit = False
    if not fit:
        raise InvalidArgumentError(f"[{who}] {what} is {pair!r:.60}; expected two numbers above 0")
    return first, second


def resize_short(src: NDArray, size: int, interp: int = 2) -> NDArray:
    """Resize a picture so that its shorter side is ``size``; the other keeps the proportion.

    Parameters
    ----------
    src : NDArray
        (height, width, channels).
    size : int
        The shorter side.
    interp : int
        0 to 4, 9 or 10: see :func:`interpolation`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.image.resize_short(mx.nd.zeros((20, 30, 3)), 10).shape
    (10, 15, 3)

    Follows MXNet's ``mx.image.resize_short``.
    """
    height, width = sides(src, "resize_short")
    if not isinstance(size, Real) or not 0 < size < math.inf:
        raise InvalidArgumentError(f"[resize_short] size is {size!r:.60}; expected a number of pixels")
    if height > width:
        new_height, new_width = size * height // width, size
    else:
        new_height, new_width = size, size * width // height
    method = interpolation(interp, (height, width, new_height, new_width))
    return imresize(src, new_width, new_height, interp=method)


def sides(src: Any, who: str) -> tuple[int, int]:
    """Height and width of a picture that has pixels."""
    if not isinstance(src, NDArray):
        raise TypeError(f"[{who}] src is {type(src).__name__}; expected an NDArray")
    if src.ndim != 3 or 0 in src.shape:
        raise InvalidArgumentError(
            f"[{who}] src has shape {src.shape}; expected a picture (height, width, channels)"
        )
    return src.shape[0], src.shape[1]
