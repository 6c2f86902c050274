"""Transforms that change colours by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..... import ndarray as nd
from ....block import Block, HybridBlock

__all__ = [
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomSaturation",
]


class _RandomFactor(HybridBlock):
    _operator = ""

    def __init__(self, amount: float) -> None:
        super().__init__()
        self._args = (max(0, 1 - amount), 1 + amount)

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture with its colours changed."""
        return getattr(F.image, self._operator)(x, *self._args)


class RandomBrightness(_RandomFactor):
    """Brightness times a factor between ``1 - brightness`` and ``1 + brightness``.

    Parameters
    ----------
    brightness : float
        How far the factor may be from 1; it is never negative.
    """

    _operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_RandomFactor):
    """Contrast times a factor between ``1 - contrast`` and ``1 + contrast``.

    Parameters
    ----------
    contrast : float
        How far the factor may be from 1; it is never negative.
    """

    _operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_RandomFactor):
    """Saturation times a factor between ``1 - saturation`` and ``1 + saturation``.

    Parameters
    ----------
    saturation : float
        How far the factor may be from 1; it is never negative.
    """

    _operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_RandomFactor):
    """Colours turned around the circle of hues, by a factor between ``1 - hue`` and ``1 + hue``.

    Parameters
    ----------
    hue : float
        How far the factor may be from 1; it is never negative.
    """

    _operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Brightness, contrast, saturation and hue by chance, in random order.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float
        How far each factor may be from 1; 0 leaves that as it is.
    """

    def __init__(
        self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0
    ) -> None:
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture with its colours changed."""
        return F.image.random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """Noise along the main directions of ImageNet's colours, as in AlexNet.

    Parameters
    ----------
    alpha : float
        Its standard deviation.
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture with its colours changed."""
        return F.image.random_lighting(x, self._alpha)


class RandomGray(Block):
    """Shades of grey, in three equal channels, with probability ``p``; else the picture as it is.

    Parameters
    ----------
    p : float
        How likely; the chance is NumPy's.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"[RandomGray] p is {p}; expected a probability, from 0 to 1")
        self.p = p

    def forward(self, x: Any, *args: Any) -> Any:
        """The picture, in its dtype."""
        if self.p < np.random.random():  # noqa: NPY002
            return x
        grey = nd.dot(nd.cast(x, "float32"), nd.array([[0.299], [0.587], [0.114]], ctx=x.context))
        return nd.cast(nd.repeat(grey, 3, axis=-1), x.dtype)
