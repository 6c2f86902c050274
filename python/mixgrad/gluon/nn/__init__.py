"""Layers."""

from typing import TYPE_CHECKING

from ... import _hints
from ..block import Block, HybridBlock, SymbolBlock
from . import basic_layers, conv_layers
from .activations import *  # noqa: F403
from .activations import __all__ as _activations
from .containers import *  # noqa: F403
from .containers import __all__ as _containers
from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .dense import *  # noqa: F403
from .dense import __all__ as _dense
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
    "basic_layers",
    "conv_layers",
    *_activations,
    *_containers,
    *_convolution,
    *_dense,
    *_normalization,
    *_padding,
    *_pooling,
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
