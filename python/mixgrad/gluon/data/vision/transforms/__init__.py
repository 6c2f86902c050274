"""What is done to pictures on their way into batches (``gluon.data.vision.transforms``).

Pictures are arrays (height, width, channels), or several of them on a first axis, until :class:`ToTensor`
makes them (channels, height, width).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..... import _hints
from ....block import Block, HybridBlock  # noqa: F401  # as scripts import them from here
from ....nn import HybridSequential, Sequential  # noqa: F401
from .colours import (
    RandomBrightness,
    RandomColorJitter,
    RandomContrast,
    RandomGray,
    RandomHue,
    RandomLighting,
    RandomSaturation,
)
from .combined import Compose, HybridCompose, HybridRandomApply, RandomApply
from .numbers import Cast, Normalize, ToTensor
from .places import (
    CenterCrop,
    CropResize,
    RandomCrop,
    RandomFlipLeftRight,
    RandomFlipTopBottom,
    RandomResizedCrop,
    RandomRotation,
    Resize,
    Rotate,
)

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "HybridCompose",
    "HybridRandomApply",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
