"""Models and their files (``mx.model``): checkpoints, packed files, and :class:`FeedForward`."""

from typing import TYPE_CHECKING

from .. import _hints
from .._training.callbacks import BatchEndParam
from .._training.checkpoint import last_checkpoint, load_checkpoint, load_params, save_checkpoint
from .feedforward import FeedForward
from .packed import InputFormat, PackedModel, load_packed, save_packed
from .parts import (  # noqa: F401
    _create_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
)

__all__ = [
    "BatchEndParam",
    "FeedForward",
    "InputFormat",
    "PackedModel",
    "last_checkpoint",
    "load_checkpoint",
    "load_packed",
    "load_params",
    "save_checkpoint",
    "save_packed",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
