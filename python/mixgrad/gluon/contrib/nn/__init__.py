"""Further layers: side by side, of sparse tables, over devices, and to larger images."""

from .basic_layers import *  # noqa: F403
from .basic_layers import __all__ as __all__
