"""Pictures (``mx.image``, also ``mx.img``): reading, resizing, changing them for training, batches of them.

Pictures are arrays (height, width, channels), red first; :func:`imrotate` alone takes channels first.
docs/image.md shows what augmenters do.
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import detection, image
from . import detection as det
from .detection import *  # noqa: F403
from .detection import __all__ as _detection
from .image import *  # noqa: F403
from .image import __all__ as _image

__all__ = ["det", "detection", "image", *_detection, *_image]  # noqa: PLE0604

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
