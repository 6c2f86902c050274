"""Windows of pictures: at a given place, in the middle, by chance."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Optional, Union

import numpy as np

from ..base import InvalidArgumentError
from ..ndarray import NDArray
from .resizing import imresize, interpolation, scale_down, sides, two_numbers

__all__ = ["center_crop", "fixed_crop", "random_crop", "random_size_crop"]

# (x, y, width, height) in the picture.
Window = tuple[int, int, int, int]
_ATTEMPTS = 10


def fixed_crop(
    src: NDArray,
    x0: int,
    y0: int,
    w: int,
    h: int,
    size: Optional[Sequence[int]] = None,
    interp: int = 2,
) -> NDArray:
    """Cut a window out of a picture and, where its size is another than ``size``, resize it.

    Parameters
    ----------
    src : NDArray
        (height, width, channels).
    x0, y0 : int
        The window's first column and row, inside the picture.
    w, h : int
        Its columns and rows; what lies outside of the picture is left out.
    size : tuple of int, optional
        (width, height) of the result.
    interp : int
        How to resize: 0 to 4, 9 or 10, see :func:`resize_short`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.arange(12).reshape((3, 4, 1))
    >>> mx.image.fixed_crop(picture, 1, 0, 2, 2).asnumpy()[:, :, 0].tolist()
    [[1.0, 2.0], [5.0, 6.0]]

    Follows MXNet's ``mx.image.fixed_crop``.
    """
    height, width = sides(src, "fixed_crop")
    if not all(isinstance(part, Integral) for part in (x0, y0, w, h)):
        raise InvalidArgumentError(
            f"[fixed_crop] the window is (x0={x0!r:.20}, y0={y0!r:.20}, w={w!r:.20}, h={h!r:.20}); expected "
            "whole numbers"
        )
    if size is not None:
        two_numbers(size, "size", "fixed_crop")
    if not (0 <= x0 < width and 0 <= y0 < height and w >= 1 and h >= 1):
        raise InvalidArgumentError(
            f"[fixed_crop] the window (x0={x0}, y0={y0}, w={w}, h={h}) of a picture of {width} x {height} "
            "pixels has none"
        )
    window: NDArray = src[y0 : y0 + h, x0 : x0 + w]
    if size is None or (w, h) == tuple(size):
        return window
    method = interpolation(interp, (h, w, size[1], size[0]))
    return imresize(window, size[0], size[1], interp=method)


def random_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Window]:
    """Cut a window of ``size`` at a place by chance; a picture that is smaller is enlarged.

    Parameters
    ----------
    src : NDArray
        (height, width, channels).
    size : tuple of int
        (width, height).
    interp : int
        How to resize: 0 to 4, 9 or 10.

    Returns
    -------
    NDArray
        The result, of ``size``.
    tuple of int
        (x, y, width, height) in the picture.

    Two numbers of Python's ``random`` are drawn. Follows MXNet's ``mx.image.random_crop``.
    """
    height, width = sides(src, "random_crop")
    w, h = (max(side, 1) for side in scale_down((width, height), size))
    x0 = random.randint(0, width - w)
    y0 = random.randint(0, height - h)
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def center_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Window]:
    """Cut a window of ``size`` out of the middle; a picture that is smaller is enlarged.

    Parameters
    ----------
    src : NDArray
        (height, width, channels).
    size : tuple of int
        (width, height).
    interp : int
        How to resize: 0 to 4, 9 or 10.

    Returns
    -------
    NDArray
        The result, of ``size``.
    tuple of int
        (x, y, width, height) in the picture.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.image.center_crop(mx.nd.zeros((20, 30, 3)), (40, 10))[1]
    (0, 6, 30, 7)

    Follows MXNet's ``mx.image.center_crop``.
    """
    height, width = sides(src, "center_crop")
    w, h = (max(side, 1) for side in scale_down((width, height), size))
    x0 = (width - w) // 2
    y0 = (height - h) // 2
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def random_size_crop(
    src: NDArray,
    size: Sequence[int],
    area: Union[float, tuple[float, float]],
    ratio: tuple[float, float],
    interp: int = 2,
    **kwargs: Any,
) -> tuple[NDArray, Window]:
    """Cut a window of random area, proportions and place, and resize it to ``size``.

    Parameters
    ----------
    src : NDArray
        (height, width, channels).
    size : tuple of int
        (width, height) of the result.
    area : float or tuple of float
        The least and the most part of the picture's area; one number: the least, the most is 1.
    ratio : tuple of float
        The least and the most of width / height, above 0; the logarithm is drawn.
    interp : int
        How to resize: 0 to 4, 9 or 10.
    min_area : float
        MXNet's old name of ``area``.

    Returns
    -------
    NDArray
        The result, of ``size``.
    tuple of int
        (x, y, width, height) in the picture: that of :func:`center_crop` where no window of ten fits.

    Numbers are drawn from Python's ``random``. Follows MXNet's ``mx.image.random_size_crop``.
    """
    area = old_area(area, kwargs, "random_size_crop")
    height, width = sides(src, "random_size_crop")
    two_numbers(size, "size", "random_size_crop")
    least, most = two_numbers(
        area if isinstance(area, (tuple, list)) else (area, 1.0), "area", "random_size_crop"
    )
    ratio = two_numbers(ratio, "ratio", "random_size_crop")
    logs = np.log(ratio[0]), np.log(ratio[1])
    for _ in range(_ATTEMPTS):
        pixels = random.uniform(least, most) * (height * width)
        shape = np.exp(random.uniform(*logs))
        w = round(math.sqrt(pixels * shape))
        h = round(math.sqrt(pixels / shape))
        if w <= width and h <= height and w >= 1 and h >= 1:
            x0 = random.randint(0, width - w)
            y0 = random.randint(0, height - h)
            return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)
    return center_crop(src, size, interp)


def old_area(area: Any, words: dict[str, Any], who: str) -> Any:
    """The area where keywords may have its old name, which is taken out of them."""
    from .._hints import refuse_arguments

    if "min_area" in words:
        warnings.warn(f"[{who}] min_area is an old name of area", DeprecationWarning, stacklevel=3)
        area = words.pop("min_area")
    if words:
        refuse_arguments(who, words, ("src", "size", "area", "ratio", "interp", "min_area"))
    return area
