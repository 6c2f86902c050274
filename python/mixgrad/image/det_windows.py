"""Windows of random area and proportions for pictures with boxes: smaller than the picture, or larger."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from numbers import Number
from typing import Any, Union

import numpy as np

from ..base import InvalidArgumentError
from ..ndarray import NDArray
from .amounts import amount
from .borders import copyMakeBorder
from .crops import fixed_crop
from .det_augmenter import DetAugmenter, Label
from .resizing import sides

__all__ = ["DetRandomCropAug", "DetRandomPadAug"]

Range = Union[float, Sequence[float]]
# Almost a half: a side grows by it before it is rounded, which then never exceeds the picture.
_NEARLY_HALF = 0.4999999
_MOST_ATTEMPTS = 10**6  # a second, about
# Of the area, in a larger picture: what is beyond would only fill the memory.
_MOST_PAD_AREA = 256
_ISOLATED = 16  # the border is of one colour


def span(given: Any, who: str, what: str) -> Any:
    """The least and the most, from the two or from one number for both."""
    if isinstance(given, Number):
        given = (given, given)
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InvalidArgumentError(f"[{who}] {what} is {given!r:.60}; expected (least, most) or one number")
    for one in given:
        amount(one, who, what)
    return given


def areas(boxes: Label) -> Label:
    """Of (boxes, 4): left, top, right, bottom; 0 for empty ones."""
    sides_of = np.maximum(boxes[:, 2:4] - boxes[:, 0:2], 0)
    product: Label = sides_of[:, 0] * sides_of[:, 1]
    return product


class _RandomWindow(DetAugmenter):
    """What cropping and padding share: windows are drawn until one fits, at most ``max_attempts`` times."""

    def __init__(self, above: float, **words: Any) -> None:
        who = type(self).__name__
        for what in ("aspect_ratio_range", "area_range"):
            words[what] = span(words[what], who, what)
        super().__init__(**words)
        self.aspect_ratio_range = words["aspect_ratio_range"]
        self.area_range = words["area_range"]
        self.max_attempts = words["max_attempts"]
        if (
            not isinstance(self.max_attempts, (int, np.integer))
            or not 0 <= self.max_attempts <= _MOST_ATTEMPTS
        ):
            raise InvalidArgumentError(
                f"[{who}] max_attempts is {self.max_attempts!r:.60}; expected a whole number from 0 to "
                f"{_MOST_ATTEMPTS}"
            )
        self.enabled = True
        for what, (least, most), bad in (
            ("area_range", self.area_range, self.area_range[1] <= above),
            ("aspect_ratio_range", self.aspect_ratio_range, self.aspect_ratio_range[0] <= 0),
        ):
            if bad or least > most:
                warnings.warn(f"[{who}] {what} is ({least}, {most}): nothing is changed", stacklevel=3)
                self.enabled = False


class DetRandomCropAug(_RandomWindow):
    """Cuts out a window by chance which shows enough of the objects.

    Parameters
    ----------
    min_object_covered : float
        Of each object that the window touches, more than this part of its area must lie inside.
    aspect_ratio_range : tuple of float
        The least and the most of the window's width / height; one number is both.
    area_range : tuple of float
        The least and the most of its area as a part of the picture's; what is larger than the picture is cut.
    min_eject_coverage : float
        Objects of which no more than this part lies inside leave the label.
    max_attempts : int
        How many windows are drawn from Python's ``random``; where none fits, nothing is changed.

    Follows MXNet's ``mx.image.DetRandomCropAug``.
    """

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Range = (0.75, 1.33),
        area_range: Range = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        super().__init__(
            0,
            min_object_covered=min_object_covered,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )
        for what, value in (
            ("min_object_covered", min_object_covered),
            ("min_eject_coverage", min_eject_coverage),
        ):
            amount(value, "DetRandomCropAug", what)
        self.min_object_covered = min_object_covered
        self.min_eject_coverage = min_eject_coverage

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        height, width = sides(src, "DetRandomCropAug")
        for _ in range(self.max_attempts if self.enabled else 0):
            window = self._drawn(height, width)
            if window is None or not self._shows_enough(label, window, height, width):
                continue
            inside = self._label_inside(label, window, height, width)
            if len(inside):
                return fixed_crop(src, *window), inside
        return src, label

    def _drawn(self, height: int, width: int) -> Union[tuple[int, int, int, int], None]:
        """(x, y, width, height) of a window, or None when it is too small or too large."""
        least, most = (part * height * width for part in self.area_range)
        ratio = random.uniform(*self.aspect_ratio_range)
        if ratio <= 0:
            return None
        h, tallest = (round(math.sqrt(max(area, 0) / ratio)) for area in (least, most))
        if round(tallest * ratio) > width:
            tallest = int((width + _NEARLY_HALF) / ratio)
        tallest = min(tallest, height)
        h = min(h, tallest)
        if h < tallest:
            h = random.randint(h, tallest)
        if h * round(h * ratio) < least:
            h += 1
        if h * round(h * ratio) > most:
            h -= 1
        w = round(h * ratio)
        if not (least <= w * h <= most and 0 <= w <= width and 0 <= h <= height):
            return None
        y = random.randint(0, height - h)
        x = random.randint(0, width - w)
        return x, y, w, h

    def _shows_enough(self, label: Label, window: tuple[int, int, int, int], height: int, width: int) -> bool:
        """Whether each object of more than two pixels that the window touches lies inside by its part."""
        x, y, w, h = window
        if w * h < 2:
            return False
        boxes = label[:, 1:5]
        whole = areas(boxes)
        large = whole * width * height > 2
        low = np.maximum(boxes[large, :2], (x / width, y / height))
        high = np.minimum(boxes[large, 2:], ((x + w) / width, (y + h) / height))
        covered = areas(np.hstack([low, high])) / whole[large]
        covered = covered[covered > 0]
        return bool(covered.size and covered.min() > self.min_object_covered)

    def _label_inside(
        self, label: Label, window: tuple[int, int, int, int], height: int, width: int
    ) -> Label:
        """The label as the window sees it, of those objects of which enough lies inside."""
        x, y, w, h = window
        out = label.copy()
        for begin, extent, side, (low, high) in ((x, w, width, (1, 3)), (y, h, height, (2, 4))):
            moved = (out[:, [low, high]] - begin / side) / (extent / side)
            out[:, [low, high]] = np.clip(moved, 0, 1)
        part = areas(out[:, 1:5]) * (w / width) * (h / height)
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = part / areas(label[:, 1:5])
        kept = (out[:, 3] > out[:, 1]) & (out[:, 4] > out[:, 2]) & (seen > self.min_eject_coverage)
        inside: Label = out[kept]
        return inside


class DetRandomPadAug(_RandomWindow):
    """Puts a picture at a place by chance into a larger one of one colour.

    Parameters
    ----------
    aspect_ratio_range : tuple of float
        The least and the most of the larger picture's width / height; one number is both.
    area_range : tuple of float
        The least and the most of its area as a multiple of the picture's.
    max_attempts : int
        How many sizes are drawn from Python's ``random``; where none fits, nothing is changed.
    pad_val : float or tuple of float
        The colour. As in MXNet, one number is that of the first channel alone.

    Follows MXNet's ``mx.image.DetRandomPadAug``.
    """

    def __init__(
        self,
        aspect_ratio_range: Range = (0.75, 1.33),
        area_range: Range = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: Range = (128, 128, 128),
    ) -> None:
        if not isinstance(pad_val, (tuple, list, Number)):
            raise InvalidArgumentError(
                f"[DetRandomPadAug] pad_val is {pad_val!r:.60}; expected a number, or one per channel"
            )
        super().__init__(
            1,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )
        if self.area_range[1] > _MOST_PAD_AREA:
            raise InvalidArgumentError(
                f"[DetRandomPadAug] area_range is {self.area_range}; expected at most {_MOST_PAD_AREA} "
                "times the picture's area"
            )
        for value in pad_val if isinstance(pad_val, (tuple, list)) else (pad_val,):
            amount(value, "DetRandomPadAug", "pad_val")
        self.pad_val = pad_val

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        height, width = sides(src, "DetRandomPadAug")
        for _ in range(self.max_attempts if self.enabled else 0):
            room = self._drawn(height, width)
            if room is None:
                continue
            x, y, w, h = room
            src = copyMakeBorder(
                src, y, h - y - height, x, w - x - width, type=_ISOLATED, values=self.pad_val
            )
            out = label.copy()
            out[:, [1, 3]] = (out[:, [1, 3]] * width + x) / w
            out[:, [2, 4]] = (out[:, [2, 4]] * height + y) / h
            return src, out
        return src, label

    def _drawn(self, height: int, width: int) -> Union[tuple[int, int, int, int], None]:
        """(x, y, width, height) of the place in a larger picture, or None when that is hardly larger."""
        ratio = random.uniform(*self.aspect_ratio_range)
        if ratio <= 0:
            return None
        h, tallest = (round(math.sqrt(part * height * width / ratio)) for part in self.area_range)
        if round(h * ratio) < width:
            h = int((width + _NEARLY_HALF) / ratio)
        h = min(max(h, height), tallest)
        if h < tallest:
            h = random.randint(h, tallest)
        w = round(h * ratio)
        if h - height < 2 or w - width < 2:
            return None
        y = random.randint(0, h - height)
        x = random.randint(0, w - width)
        return x, y, w, h
