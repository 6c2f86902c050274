"""Augmenters that change colours. Pictures are float32 from 0 to 255.

As in MXNet, some change the picture they get: "in place".
"""

# Scripts of MXNet's time seed NumPy's global generator (np.random.seed), so these draw from it.
# ruff: noqa: NPY002
from __future__ import annotations

import math
import random
from typing import Any, Optional

import numpy as np

from .. import ops
from ..base import DTypeLike, InvalidArgumentError
from ..ndarray import NDArray, array
from .amounts import amount
from .augmenter import Augmenter, RandomOrderAug, plain
from .colours import color_normalize

__all__ = [
    "BrightnessJitterAug",
    "CastAug",
    "ColorJitterAug",
    "ColorNormalizeAug",
    "ContrastJitterAug",
    "HueJitterAug",
    "LightingAug",
    "RandomGrayAug",
    "SaturationJitterAug",
]

# What red, green and blue add to how light a colour looks.
_LIGHTNESS = ((0.299, 0.587, 0.114),)
# Red, green and blue from, and as, lightness and two differences of colours, in whose plane hues are angles.
_TO_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
_FROM_YIQ = np.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])


def _finite(numbers: Any, who: str, what: str) -> None:
    """Refuse NaN and infinities, and what holds no numbers; None is fine."""
    if numbers is None:
        return
    try:
        known = np.asarray(plain(numbers), np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"[{who}] {what} is {numbers!r:.60}; expected numbers") from None
    if not np.isfinite(known).all():
        raise InvalidArgumentError(f"[{who}] {what} is {known.tolist()!s:.60}; expected finite numbers")


class CastAug(Augmenter):
    """Converts to another dtype.

    Parameters
    ----------
    typ : dtype
        float32 by default.

    Follows MXNet's ``mx.image.CastAug``.
    """

    def __init__(self, typ: DTypeLike = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src: NDArray) -> NDArray:
        return src.astype(self.typ)


class BrightnessJitterAug(Augmenter):
    """Multiplies a picture, in place, by a number between 1 - ``brightness`` and 1 + ``brightness``.

    Parameters
    ----------
    brightness : float
        How far from 1, drawn from Python's ``random``.

    Follows MXNet's ``mx.image.BrightnessJitterAug``.
    """

    def __init__(self, brightness: float) -> None:
        amount(brightness, "BrightnessJitterAug", "brightness")
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src: NDArray) -> NDArray:
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


class ContrastJitterAug(Augmenter):
    """Moves a picture, in place, away from the mean of its lightness or towards it.

    Parameters
    ----------
    contrast : float
        How far the factor lies from 1, drawn from Python's ``random``.

    Follows MXNet's ``mx.image.ContrastJitterAug``.
    """

    def __init__(self, contrast: float) -> None:
        amount(contrast, "ContrastJitterAug", "contrast")
        super().__init__(contrast=contrast)
        self.contrast = contrast
        self.coef = array([_LIGHTNESS])

    def __call__(self, src: NDArray) -> NDArray:
        alpha = 1.0 + random.uniform(-self.contrast, self.contrast)
        lightness = src * self.coef
        grey = ops.sum(lightness) * (3.0 * (1.0 - alpha) / lightness.size)
        src *= alpha
        src += grey
        return src


class SaturationJitterAug(Augmenter):
    """Moves the colours of a picture, in place, away from grey of the same lightness or towards it.

    Parameters
    ----------
    saturation : float
        How far the factor lies from 1, drawn from Python's ``random``.

    Follows MXNet's ``mx.image.SaturationJitterAug``.
    """

    def __init__(self, saturation: float) -> None:
        amount(saturation, "SaturationJitterAug", "saturation")
        super().__init__(saturation=saturation)
        self.saturation = saturation
        self.coef = array([_LIGHTNESS])

    def __call__(self, src: NDArray) -> NDArray:
        alpha = 1.0 + random.uniform(-self.saturation, self.saturation)
        grey = ops.sum(src * self.coef, axis=2, keepdims=True)
        grey *= 1.0 - alpha
        src *= alpha
        src += grey
        return src


class HueJitterAug(Augmenter):
    """Turns all hues by one angle.

    Parameters
    ----------
    hue : float
        The largest angle in half turns, drawn from Python's ``random``.

    Follows MXNet's ``mx.image.HueJitterAug``.
    """

    def __init__(self, hue: float) -> None:
        amount(hue, "HueJitterAug", "hue")
        super().__init__(hue=hue)
        self.hue = hue
        self.tyiq = _TO_YIQ
        self.ityiq = _FROM_YIQ

    def __call__(self, src: NDArray) -> NDArray:
        angle = random.uniform(-self.hue, self.hue) * math.pi
        cos, sin = math.cos(angle), math.sin(angle)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
        turned: NDArray = ops.dot(src, array((self.ityiq @ turn @ self.tyiq).T))
        return turned


class ColorJitterAug(RandomOrderAug):
    """Changes brightness, contrast and saturation in an order by chance.

    Parameters
    ----------
    brightness, contrast, saturation : float
        As in :class:`BrightnessJitterAug` and the others; those above 0 are applied.

    Follows MXNet's ``mx.image.ColorJitterAug``.
    """

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        members: list[Augmenter] = []
        for what, value in (("brightness", brightness), ("contrast", contrast), ("saturation", saturation)):
            amount(value, "ColorJitterAug", what)
        if brightness > 0:
            members.append(BrightnessJitterAug(brightness))
        if contrast > 0:
            members.append(ContrastJitterAug(contrast))
        if saturation > 0:
            members.append(SaturationJitterAug(saturation))
        super().__init__(members)


class LightingAug(Augmenter):
    """Adds a colour, in place: directions of ``eigvec`` times ``eigval`` times random numbers.

    Parameters
    ----------
    alphastd : float
        The random numbers' standard deviation; three are drawn from NumPy's ``random``.
    eigval : numpy.ndarray
        How far each direction reaches, (3,).
    eigvec : numpy.ndarray
        The directions as columns, (3, 3).

    Follows MXNet's ``mx.image.LightingAug``.
    """

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any) -> None:
        amount(alphastd, "LightingAug", "alphastd", 0)
        _finite(eigval, "LightingAug", "eigval")
        _finite(eigvec, "LightingAug", "eigvec")
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd = alphastd
        self.eigval = eigval
        self.eigvec = eigvec

    def __call__(self, src: NDArray) -> NDArray:
        alpha = np.random.normal(0, self.alphastd, size=(3,))
        src += array(np.dot(self.eigvec * alpha, self.eigval))
        return src


class ColorNormalizeAug(Augmenter):
    """Subtracts ``mean`` and divides by ``std``, in place.

    Parameters
    ----------
    mean, std : NDArray, numpy.ndarray or list, optional
        Numbers per channel; None leaves that step out.

    Follows MXNet's ``mx.image.ColorNormalizeAug``.
    """

    def __init__(self, mean: Optional[Any], std: Optional[Any]) -> None:
        _finite(mean, "ColorNormalizeAug", "mean")
        _finite(std, "ColorNormalizeAug", "std")
        super().__init__(mean=mean, std=std)
        self.mean = mean if mean is None or isinstance(mean, NDArray) else array(mean)
        self.std = std if std is None or isinstance(std, NDArray) else array(std)

    def __call__(self, src: NDArray) -> NDArray:
        return color_normalize(src, self.mean, self.std)


class RandomGrayAug(Augmenter):
    """Makes a picture grey by chance; it keeps its three channels.

    Parameters
    ----------
    p : float
        The probability, for which a number of Python's ``random`` is drawn.

    Follows MXNet's ``mx.image.RandomGrayAug``.
    """

    def __init__(self, p: float) -> None:
        amount(p, "RandomGrayAug", "p")
        super().__init__(p=p)
        self.p = p
        self.mat = array([[0.21] * 3, [0.72] * 3, [0.07] * 3])

    def __call__(self, src: NDArray) -> NDArray:
        if random.random() < self.p:
            grey: NDArray = ops.dot(src, self.mat)
            return grey
        return src
