"""Layers."""

from ..block import Block, HybridBlock, SymbolBlock
from .activations import *  # noqa: F403
from .activations import __all__ as _activations
from .basic_layers import *  # noqa: F403
from .basic_layers import __all__ as _basic_layers
from .containers import *  # noqa: F403
from .containers import __all__ as _containers
from .conv_layers import *  # noqa: F403
from .conv_layers import __all__ as _conv_layers
from .normalization import *  # noqa: F403
from .normalization import __all__ as _normalization
from .padding import *  # noqa: F403
from .padding import __all__ as _padding
from .pooling import *  # noqa: F403
from .pooling import __all__ as _pooling

__all__ = [  # noqa: PLE0604
    "Block",
    "HybridBlock",
    "SymbolBlock",
    *_activations,
    *_basic_layers,
    *_containers,
    *_conv_layers,
    *_normalization,
    *_padding,
    *_pooling,
]
