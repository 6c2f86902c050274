"""Where MXNet has the layers that are no convolutions."""

from .activations import Activation
from .containers import *  # noqa: F403
from .containers import __all__ as _containers
from .dense import *  # noqa: F403
from .dense import __all__ as _dense
from .normalization import *  # noqa: F403
from .normalization import __all__ as _normalization
from .normalization import _BatchNorm

__all__ = ["Activation", "_BatchNorm", *_containers, *_dense, *_normalization]  # noqa: PLE0604
