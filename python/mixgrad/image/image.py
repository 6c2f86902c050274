"""Pictures and their classes, where MXNet has them: names of :mod:`mixgrad.image`."""

from .augmenter import Augmenter, RandomOrderAug, SequentialAug
from .borders import copyMakeBorder
from .colour_augmenters import (
    BrightnessJitterAug,
    CastAug,
    ColorJitterAug,
    ColorNormalizeAug,
    ContrastJitterAug,
    HueJitterAug,
    LightingAug,
    RandomGrayAug,
    SaturationJitterAug,
)
from .colours import color_normalize
from .creation import CreateAugmenter
from .crops import center_crop, fixed_crop, random_crop, random_size_crop
from .decoding import imdecode, imread
from .iterator import ImageIter
from .resizing import imresize, resize_short, scale_down
from .resizing import interpolation as _get_interp_method  # noqa: F401
from .rotation import imrotate, random_rotate
from .spatial import (
    CenterCropAug,
    ForceResizeAug,
    HorizontalFlipAug,
    RandomCropAug,
    RandomSizedCropAug,
    ResizeAug,
)

__all__ = [
    "Augmenter",
    "BrightnessJitterAug",
    "CastAug",
    "CenterCropAug",
    "ColorJitterAug",
    "ColorNormalizeAug",
    "ContrastJitterAug",
    "CreateAugmenter",
    "ForceResizeAug",
    "HorizontalFlipAug",
    "HueJitterAug",
    "ImageIter",
    "LightingAug",
    "RandomCropAug",
    "RandomGrayAug",
    "RandomOrderAug",
    "RandomSizedCropAug",
    "ResizeAug",
    "SaturationJitterAug",
    "SequentialAug",
    "center_crop",
    "color_normalize",
    "copyMakeBorder",
    "fixed_crop",
    "imdecode",
    "imread",
    "imresize",
    "imrotate",
    "random_crop",
    "random_rotate",
    "random_size_crop",
    "resize_short",
    "scale_down",
]
