"""The usual lists of augmenters for pictures with boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from .._hints import refuse_arguments
from .._repr import argument_names
from ..base import InvalidArgumentError
from ..io.base import checked_switch
from .amounts import amount
from .augmenter import Augmenter
from .colour_augmenters import CastAug, ColorNormalizeAug
from .creation import IMAGENET_MEAN, IMAGENET_STD, colour_list, per_channel, window_size
from .det_augmenter import DetAugmenter, DetBorrowAug, DetHorizontalFlipAug, DetRandomSelectAug
from .det_windows import DetRandomCropAug, DetRandomPadAug, Range, span
from .spatial import ForceResizeAug, ResizeAug

__all__ = ["CreateDetAugmenter", "CreateMultiRandCropAugmenter"]

Several = Union[float, Sequence[float]]
Ranges = Union[Range, Sequence[Range]]


def CreateMultiRandCropAugmenter(
    min_object_covered: Several = 0.1,
    aspect_ratio_range: Ranges = (0.75, 1.33),
    area_range: Ranges = (0.05, 1.0),
    min_eject_coverage: Several = 0.3,
    max_attempts: Union[int, Sequence[int]] = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """One of several :class:`DetRandomCropAug` by chance.

    Parameters
    ----------
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        As in :class:`DetRandomCropAug`, or lists of them with one per member. What is no list, or a list of
        one, serves all.
    skip_prob : float
        The probability that nothing is changed.

    Examples
    --------
    >>> import mixgrad as mx
    >>> len(mx.image.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5, 0.9]).aug_list)
    3

    Follows MXNet's ``mx.image.CreateMultiRandCropAugmenter``.
    """
    given: dict[str, Any] = {
        "min_object_covered": min_object_covered,
        "aspect_ratio_range": aspect_ratio_range,
        "area_range": area_range,
        "min_eject_coverage": min_eject_coverage,
        "max_attempts": max_attempts,
    }
    lists = {name: value if isinstance(value, list) else [value] for name, value in given.items()}
    count = max(len(values) for values in lists.values())
    for name, values in lists.items():
        if len(values) not in (1, count):
            raise InvalidArgumentError(
                f"[CreateMultiRandCropAugmenter] {name} has {len(values)} items; expected 1 or {count}"
            )
    members = [
        DetRandomCropAug(**{name: values[i % len(values)] for name, values in lists.items()})
        for i in range(count)
    ]
    return DetRandomSelectAug(members, skip_prob=skip_prob)


def _is_list_of_ranges(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and isinstance(given[0], (list, tuple))


def CreateDetAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Optional[Any] = None,
    std: Optional[Any] = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Several = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Several = 0.3,
    max_attempts: int = 50,
    pad_val: Range = (127, 127, 127),
    **unknown: Any,
) -> list[DetAugmenter]:
    """The usual augmenters of pictures with boxes.

    Parameters
    ----------
    data_shape : tuple of int
        (channels, height, width) of what comes out.
    resize : int
        The shorter side, at first; 0 leaves the size.
    rand_crop, rand_pad, rand_gray : float
        The probabilities of windows, of larger pictures, of grey ones.
    rand_mirror : bool
        Mirror every second picture.
    mean, std : numpy.ndarray or True, optional
        Subtracted, and divided by, at the end; True: those of ImageNet's pictures.
    brightness, contrast, saturation, pca_noise, hue : float
        As in :func:`CreateAugmenter`.
    inter_method : int
        How to resize: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9 as the size changes, 10 by chance.
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        As in :func:`CreateMultiRandCropAugmenter`. Larger pictures take the first of ``aspect_ratio_range``
        where it is a list of ranges, and the most of ``area_range``.
    pad_val : float or tuple of float
        The colour around larger pictures, before ``mean`` and ``std``.

    Returns
    -------
    list of DetAugmenter
        In the order in which they are applied.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [type(a).__name__ for a in mx.image.CreateDetAugmenter((3, 24, 24), rand_crop=0.5, rand_mirror=True)]
    ['DetRandomSelectAug', 'DetHorizontalFlipAug', 'DetBorrowAug', 'DetBorrowAug']

    Follows MXNet's ``mx.image.CreateDetAugmenter``.
    """
    size = window_size(data_shape, "CreateDetAugmenter")
    if unknown:
        refuse_arguments("CreateDetAugmenter", unknown, argument_names(CreateDetAugmenter))
    for what, value in (
        ("resize", resize),
        ("rand_crop", rand_crop),
        ("rand_pad", rand_pad),
        ("brightness", brightness),
        ("contrast", contrast),
        ("saturation", saturation),
        ("hue", hue),
        ("pca_noise", pca_noise),
        ("rand_gray", rand_gray),
        ("inter_method", inter_method),
    ):
        amount(value, "CreateDetAugmenter", what)
    rand_mirror = checked_switch(rand_mirror, "CreateDetAugmenter", "rand_mirror")
    members: list[DetAugmenter] = []

    def borrow(augmenter: Augmenter) -> None:
        members.append(DetBorrowAug(augmenter))

    if resize > 0:
        borrow(ResizeAug(resize, inter_method))
    if rand_crop > 0:
        crops = CreateMultiRandCropAugmenter(
            min_object_covered,
            aspect_ratio_range,
            area_range,
            min_eject_coverage,
            max_attempts,
            skip_prob=1 - rand_crop,
        )
        members.append(crops)
    if rand_mirror:
        members.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        ratios = aspect_ratio_range[0] if _is_list_of_ranges(aspect_ratio_range) else aspect_ratio_range
        spans = area_range if _is_list_of_ranges(area_range) else [area_range]
        most = max(span(one, "CreateDetAugmenter", "area_range")[1] for one in spans)
        pad = DetRandomPadAug(ratios, (1.0, most), max_attempts, pad_val)
        members.append(DetRandomSelectAug([pad], 1 - rand_pad))
    borrow(ForceResizeAug(size, inter_method))
    borrow(CastAug())
    for augmenter in colour_list(brightness, contrast, saturation, hue, pca_noise, rand_gray):
        borrow(augmenter)
    mean = per_channel(mean, np.array(IMAGENET_MEAN), "CreateDetAugmenter", "mean")
    std = per_channel(std, np.array(IMAGENET_STD), "CreateDetAugmenter", "std")
    if mean is not None or std is not None:
        borrow(ColorNormalizeAug(mean, std))
    return members
