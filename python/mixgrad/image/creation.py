"""The usual lists of augmenters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from .._hints import refuse_arguments
from .._repr import argument_names
from ..base import InvalidArgumentError
from ..io.base import checked_switch
from ..ndarray import NDArray, array
from .amounts import amount
from .augmenter import Augmenter
from .colour_augmenters import (
    CastAug,
    ColorJitterAug,
    ColorNormalizeAug,
    HueJitterAug,
    LightingAug,
    RandomGrayAug,
)
from .spatial import CenterCropAug, HorizontalFlipAug, RandomCropAug, RandomSizedCropAug, ResizeAug

__all__ = ["CreateAugmenter"]

# Of ImageNet's pictures, for red, green and blue.
IMAGENET_MEAN = (123.68, 116.28, 103.53)
IMAGENET_STD = (58.395, 57.12, 57.375)
_DIRECTIONS = ((-0.5675, 0.7192, 0.4009), (-0.5808, -0.0045, -0.8140), (-0.5836, -0.6948, 0.4203))
_REACH = (55.46, 4.794, 1.148)


def window_size(data_shape: Any, who: str) -> tuple[int, int]:
    """(width, height) of the pictures that come out."""
    if (
        not isinstance(data_shape, (tuple, list))
        or len(data_shape) != 3
        or not all(isinstance(extent, (int, np.integer)) and extent > 0 for extent in data_shape)
    ):
        raise InvalidArgumentError(
            f"[{who}] data_shape is {data_shape!r:.60}; expected (channels, height, width) of at least 1"
        )
    return data_shape[2], data_shape[1]


def per_channel(numbers: Any, usual: Any, who: str, what: str) -> Any:
    """``usual`` for True; else numbers for one or three channels, or None."""
    if numbers is True:
        return usual
    if numbers is not None and (
        not isinstance(numbers, (np.ndarray, NDArray)) or numbers.ndim == 0 or numbers.shape[0] not in (1, 3)
    ):
        shape = getattr(numbers, "shape", None)
        raise InvalidArgumentError(
            f"[{who}] {what} is {numbers!r:.60}{f' of shape {shape}' if shape is not None else ''}; expected "
            "True, None, or an array of 1 or 3 numbers"
        )
    return numbers


def colour_list(
    brightness: float, contrast: float, saturation: float, hue: float, pca_noise: float, rand_gray: float
) -> list[Augmenter]:
    """Augmenters of colours for those numbers above 0."""
    members: list[Augmenter] = []
    if brightness or contrast or saturation:
        members.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        members.append(HueJitterAug(hue))
    if pca_noise > 0:
        members.append(LightingAug(pca_noise, np.array(_REACH), np.array(_DIRECTIONS)))
    if rand_gray > 0:
        members.append(RandomGrayAug(rand_gray))
    return members


def CreateAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Optional[Any] = None,
    std: Optional[Any] = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
    **unknown: Any,
) -> list[Augmenter]:
    """The usual augmenters of pictures for classification.

    Parameters
    ----------
    data_shape : tuple of int
        (channels, height, width) of what comes out.
    resize : int
        The shorter side, at first; 0 leaves the size.
    rand_crop : bool
        Windows by chance rather than from the middle.
    rand_resize : bool
        Windows of random area and proportions; needs ``rand_crop``.
    rand_mirror : bool
        Mirror every second picture.
    mean, std : numpy.ndarray or True, optional
        Subtracted, and divided by, at the end; True: those of ImageNet's pictures.
    brightness, contrast, saturation, hue : float
        How far they vary.
    pca_noise : float
        Standard deviation of :class:`LightingAug`, with the directions of ImageNet's colours.
    rand_gray : float
        The probability of grey pictures.
    inter_method : int
        How to resize: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9 as the size changes, 10 by chance.

    Returns
    -------
    list of Augmenter
        In the order in which they are applied.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [type(a).__name__ for a in mx.image.CreateAugmenter((3, 24, 24), resize=30, rand_mirror=True)]
    ['ResizeAug', 'CenterCropAug', 'HorizontalFlipAug', 'CastAug']

    Follows MXNet's ``mx.image.CreateAugmenter``.
    """
    size = window_size(data_shape, "CreateAugmenter")
    if unknown:
        refuse_arguments("CreateAugmenter", unknown, argument_names(CreateAugmenter))
    for what, value in (
        ("resize", resize),
        ("brightness", brightness),
        ("contrast", contrast),
        ("saturation", saturation),
        ("hue", hue),
        ("pca_noise", pca_noise),
        ("rand_gray", rand_gray),
        ("inter_method", inter_method),
    ):
        amount(value, "CreateAugmenter", what)
    rand_crop, rand_resize, rand_mirror = (
        checked_switch(value, "CreateAugmenter", what)
        for what, value in (
            ("rand_crop", rand_crop),
            ("rand_resize", rand_resize),
            ("rand_mirror", rand_mirror),
        )
    )
    if rand_resize and not rand_crop:
        raise InvalidArgumentError("[CreateAugmenter] rand_resize=True needs rand_crop=True")
    members: list[Augmenter] = [ResizeAug(resize, inter_method)] if resize > 0 else []
    if rand_resize:
        members.append(RandomSizedCropAug(size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    elif rand_crop:
        members.append(RandomCropAug(size, inter_method))
    else:
        members.append(CenterCropAug(size, inter_method))
    if rand_mirror:
        members.append(HorizontalFlipAug(0.5))
    members.append(CastAug())
    members += colour_list(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean = per_channel(mean, array(IMAGENET_MEAN), "CreateAugmenter", "mean")
    std = per_channel(std, array(IMAGENET_STD), "CreateAugmenter", "std")
    if mean is not None or std is not None:
        members.append(ColorNormalizeAug(mean, std))
    return members
