"""Where MXNet has them all."""

from .containers import *  # noqa: F403
from .containers import __all__ as _containers
from .pixel_shuffle import *  # noqa: F403
from .pixel_shuffle import __all__ as _pixel_shuffle

__all__ = [*_containers, *_pixel_shuffle]  # noqa: PLE0604
