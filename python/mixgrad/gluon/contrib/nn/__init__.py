"""Further layers: side by side, of sparse tables, over devices, and to larger images."""

from .basic_layers import *  # noqa: F403
from .basic_layers import __all__ as _basic_layers
from .pixel_shuffle import *  # noqa: F403
from .pixel_shuffle import __all__ as _pixel_shuffle

__all__ = [*_basic_layers, *_pixel_shuffle]  # noqa: PLE0604
