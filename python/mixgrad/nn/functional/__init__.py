"""Layers as functions (``nn.functional``), with PyTorch's names and arguments."""

from typing import TYPE_CHECKING

from ... import _hints
from .activation import *  # noqa: F403
from .activation import __all__ as _activation
from .attention import *  # noqa: F403
from .attention import __all__ as _attention
from .classification import *  # noqa: F403
from .classification import __all__ as _classification
from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .dropout import *  # noqa: F403
from .dropout import __all__ as _dropout
from .embedding_bag import *  # noqa: F403
from .embedding_bag import __all__ as _embedding_bag
from .linear import *  # noqa: F403
from .linear import __all__ as _linear
from .loss import *  # noqa: F403
from .loss import __all__ as _loss
from .normalization import *  # noqa: F403
from .normalization import __all__ as _normalization
from .padding import *  # noqa: F403
from .padding import __all__ as _padding
from .pooling import *  # noqa: F403
from .pooling import __all__ as _pooling
from .resizing import *  # noqa: F403
from .resizing import __all__ as _resizing
from .unpooling import *  # noqa: F403
from .unpooling import __all__ as _unpooling

__all__ = [  # noqa: PLE0604
    *_activation,
    *_attention,
    *_classification,
    *_convolution,
    *_dropout,
    *_embedding_bag,
    *_linear,
    *_loss,
    *_normalization,
    *_padding,
    *_pooling,
    *_resizing,
    *_unpooling,
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
