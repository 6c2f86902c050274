"""Augmenters that change where pixels lie: sizes, windows, mirrors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Union

from .. import ops
from ..ndarray import NDArray
from .amounts import amount
from .augmenter import Augmenter
from .crops import center_crop, old_area, random_crop, random_size_crop
from .resizing import imresize, interpolation, resize_short, sides

__all__ = [
    "CenterCropAug",
    "ForceResizeAug",
    "HorizontalFlipAug",
    "RandomCropAug",
    "RandomSizedCropAug",
    "ResizeAug",
]


class ResizeAug(Augmenter):
    """Resizes so that the shorter side is ``size``; see :func:`mixgrad.image.resize_short`.

    Parameters
    ----------
    size : int
        The shorter side.
    interp : int
        0 to 4, 9 or 10.

    Follows MXNet's ``mx.image.ResizeAug``.
    """

    def __init__(self, size: int, interp: int = 2) -> None:
        amount(size, "ResizeAug", "size")
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: NDArray) -> NDArray:
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(Augmenter):
    """Resizes to ``size``, whatever the proportions.

    Parameters
    ----------
    size : tuple of int
        (width, height).
    interp : int
        0 to 4, 9 or 10.

    Follows MXNet's ``mx.image.ForceResizeAug``.
    """

    def __init__(self, size: Sequence[int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: NDArray) -> NDArray:
        height, width = sides(src, "ForceResizeAug")
        method = interpolation(self.interp, (height, width, self.size[1], self.size[0]))
        return imresize(src, self.size[0], self.size[1], interp=method)


class RandomCropAug(Augmenter):
    """Cuts out a window by chance; see :func:`mixgrad.image.random_crop`.

    Parameters
    ----------
    size : tuple of int
        (width, height).
    interp : int
        0 to 4, 9 or 10.

    Follows MXNet's ``mx.image.RandomCropAug``.
    """

    def __init__(self, size: Sequence[int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: NDArray) -> NDArray:
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """Cuts out a window of random area, proportions and place; see :func:`mixgrad.image.random_size_crop`.

    Parameters
    ----------
    size : tuple of int
        (width, height) of the result.
    area : float or tuple of float
        The least part of the picture's area, or the least and the most.
    ratio : tuple of float
        The least and the most of width / height.
    interp : int
        0 to 4, 9 or 10.
    min_area : float
        MXNet's old name of ``area``.

    Follows MXNet's ``mx.image.RandomSizedCropAug``.
    """

    def __init__(
        self,
        size: Sequence[int],
        area: Union[float, tuple[float, float]],
        ratio: tuple[float, float],
        interp: int = 2,
        **kwargs: Any,
    ) -> None:
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size = size
        self.area = old_area(area, kwargs, "RandomSizedCropAug")
        self.ratio = ratio
        self.interp = interp

    def __call__(self, src: NDArray) -> NDArray:
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class CenterCropAug(Augmenter):
    """Cuts a window out of the middle; see :func:`mixgrad.image.center_crop`.

    Parameters
    ----------
    size : tuple of int
        (width, height).
    interp : int
        0 to 4, 9 or 10.

    Follows MXNet's ``mx.image.CenterCropAug``.
    """

    def __init__(self, size: Sequence[int], interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: NDArray) -> NDArray:
        return center_crop(src, self.size, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Exchanges left and right by chance.

    Parameters
    ----------
    p : float
        The probability, for which a number of Python's ``random`` is drawn.

    Follows MXNet's ``mx.image.HorizontalFlipAug``.
    """

    def __init__(self, p: float) -> None:
        amount(p, "HorizontalFlipAug", "p")
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray) -> NDArray:
        if random.random() < self.p:
            mirrored: NDArray = ops.reverse(src, axis=1)
            return mirrored
        return src
