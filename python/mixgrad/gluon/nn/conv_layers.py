"""Where MXNet has convolutions and pooling."""

from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .convolution import _Conv
from .padding import *  # noqa: F403
from .padding import __all__ as _padding
from .pooling import *  # noqa: F403
from .pooling import __all__ as _pooling
from .pooling import _Pooling

__all__ = ["_Conv", "_Pooling", *_convolution, *_padding, *_pooling]  # noqa: PLE0604
