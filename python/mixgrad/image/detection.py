"""Pictures with boxes, where MXNet has them: names of :mod:`mixgrad.image`."""

from .det_augmenter import DetAugmenter, DetBorrowAug, DetHorizontalFlipAug, DetRandomSelectAug
from .det_creation import CreateDetAugmenter, CreateMultiRandCropAugmenter
from .det_iterator import ImageDetIter
from .det_windows import DetRandomCropAug, DetRandomPadAug

__all__ = [
    "CreateDetAugmenter",
    "CreateMultiRandCropAugmenter",
    "DetAugmenter",
    "DetBorrowAug",
    "DetHorizontalFlipAug",
    "DetRandomCropAug",
    "DetRandomPadAug",
    "DetRandomSelectAug",
    "ImageDetIter",
]
