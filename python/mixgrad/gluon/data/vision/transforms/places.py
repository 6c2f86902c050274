"""Transforms that move pixels: sizes, windows, mirrors, turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ..... import image
from .....ndarray import NDArray
from ....block import Block, HybridBlock

__all__ = [
    "CenterCrop",
    "CropResize",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomResizedCrop",
    "RandomRotation",
    "Resize",
    "Rotate",
]

Size = Union[int, Sequence[int]]


def _both(size: Size) -> tuple[int, int]:
    """Width and height."""
    try:
        width, height = (size, size) if isinstance(size, (int, np.integer)) else size
        return int(width), int(height)
    except (TypeError, ValueError):
        raise ValueError(
            f"[transforms] size is {size!r:.60}; expected a number, or width and height"
        ) from None


class Resize(HybridBlock):
    """Another size.

    Parameters
    ----------
    size : int or tuple of int
        Width and height, or one number for both.
    keep_ratio : bool
        Whether one number is that of the shorter side, while the other follows.
    interpolation : int
        How: docs/image.md has the numbers.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.zeros((40, 60, 3), dtype="uint8")
    >>> resize = mx.gluon.data.vision.transforms.Resize(20, keep_ratio=True)
    >>> resize(picture).shape
    (20, 30, 3)
    """

    def __init__(self, size: Size, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._size, self._keep, self._interpolation = size, keep_ratio, interpolation

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The resized picture, or pictures."""
        return F.image.resize(x, self._size, self._keep, self._interpolation)


class CenterCrop(Block):
    """The window in the middle; a picture that is too small is resized until it has one.

    Parameters
    ----------
    size : int or tuple of int
        Width and height, or one number for both.
    interpolation : int
        How pictures that are too small grow.
    """

    def __init__(self, size: Size, interpolation: int = 1) -> None:
        super().__init__()
        self._args = (_both(size), interpolation)

    def forward(self, x: Any, *args: Any) -> Any:
        """The window, in the picture's dtype."""
        return image.center_crop(x, *self._args)[0]


class CropResize(HybridBlock):
    """A window, and optionally its resize.

    Parameters
    ----------
    x, y : int
        The window's left and upper ends.
    width, height : int
        Its size.
    size : int or tuple of int, optional
        Width and height that the window is resized to.
    interpolation : int, optional
        How; by straight lines where it is None.
    """

    def __init__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        size: Optional[Size] = None,
        interpolation: Optional[int] = None,
    ) -> None:
        super().__init__()
        self._window = (x, y, width, height)
        self._size = size
        self._interpolation = 1 if interpolation is None else interpolation

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The window of the picture, or pictures."""
        window = F.image.crop(x, *self._window)
        return F.image.resize(window, self._size, False, self._interpolation) if self._size else window


class RandomResizedCrop(Block):
    """A random window, resized: its area, as a part of the picture's, and its shape are random.

    Parameters
    ----------
    size : int or tuple of int
        Width and height of the result, or one number for both.
    scale : tuple of float
        Least and greatest part of the area.
    ratio : tuple of float
        Least and greatest width per height.
    interpolation : int
        How the window is resized.
    """

    def __init__(
        self,
        size: Size,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3 / 4, 4 / 3),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._args = (_both(size), scale, ratio, interpolation)

    def forward(self, x: Any, *args: Any) -> Any:
        """The resized window, in the picture's dtype."""
        return image.random_size_crop(x, *self._args)[0]


class RandomCrop(Block):
    """A random window of a fixed size, with a border around the picture first.

    Parameters
    ----------
    size : int or tuple of int
        Width and height of the window, or one number for both.
    pad : int or tuple of int, optional
        Pixels on each side, or those on top, below, left and right.
    pad_value : float
        What the border holds.
    interpolation : int
        How pictures that are too small grow.

    Examples
    --------
    >>> import mixgrad as mx
    >>> crop = mx.gluon.data.vision.transforms.RandomCrop(32, pad=4)
    >>> crop(mx.nd.zeros((32, 32, 3), dtype="uint8")).shape
    (32, 32, 3)
    """

    def __init__(
        self,
        size: Size,
        pad: Optional[Union[int, Sequence[int]]] = None,
        pad_value: float = 0,
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._args = (_both(size), interpolation)
        self._pad = (pad,) * 4 if isinstance(pad, int) else pad
        if self._pad is not None and len(self._pad) != 4:
            raise ValueError(
                f"[RandomCrop] pad is {pad}; expected a number or four: top, bottom, left, right"
            )
        self._pad_value = pad_value

    def forward(self, x: Any, *args: Any) -> Any:
        """The window, in the picture's dtype."""
        if self._pad is not None:
            top, bot, left, right = self._pad
            x = image.copyMakeBorder(x, top, bot, left, right, values=[self._pad_value] * x.shape[-1])
        return image.random_crop(x, *self._args)[0]


class RandomFlipLeftRight(HybridBlock):
    """Left and right exchanged, in half of the cases."""

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture, mirrored or as it is."""
        return F.image.random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """Top and bottom exchanged, in half of the cases."""

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture, mirrored or as it is."""
        return F.image.random_flip_top_bottom(x)


def _check_float(x: NDArray, who: str) -> None:
    if np.dtype(x.dtype) != np.float32:
        raise TypeError(f"[{who}] the picture is {np.dtype(x.dtype)}; expected float32, as ToTensor gives it")


class Rotate(Block):
    """A picture (channels, height, width) of float32 turned around its middle.

    Parameters
    ----------
    rotation_degrees : float
        How far.
    zoom_in, zoom_out : bool
        Whether it is enlarged until no corner is empty, or made smaller until all of it is seen.
    """

    def __init__(self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False) -> None:
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: Any, *args: Any) -> Any:
        """The turned picture, in its shape."""
        _check_float(x, "Rotate")
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """A picture (channels, height, width) of float32 turned around its middle by a random angle.

    Parameters
    ----------
    angle_limits : tuple of float
        Least and greatest angle, in degrees.
    zoom_in, zoom_out : bool
        As of :class:`Rotate`.
    rotate_with_proba : float
        How likely it is turned at all.
    """

    def __init__(
        self,
        angle_limits: Sequence[float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        if len(angle_limits) != 2:
            raise ValueError(f"[RandomRotation] angle_limits are {angle_limits!r:.60}; expected two angles")
        lower, upper = angle_limits
        if lower >= upper:
            raise ValueError(
                f"[RandomRotation] angle_limits are {angle_limits}; expected the lesser one first"
            )
        if not 0 <= rotate_with_proba <= 1:
            raise ValueError(f"[RandomRotation] rotate_with_proba is {rotate_with_proba}; expected 0 to 1")
        self._args = (angle_limits, zoom_in, zoom_out)
        self._chance = rotate_with_proba

    def forward(self, x: Any, *args: Any) -> Any:
        """The picture, turned or as it is."""
        _check_float(x, "RandomRotation")
        if np.random.random() > self._chance:  # noqa: NPY002
            return x
        return image.random_rotate(x, *self._args)
