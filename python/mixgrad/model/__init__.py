"""Models and their files (``mx.model``): checkpoints, and :class:`FeedForward`."""

from .checkpoint import last_checkpoint, load_checkpoint, load_params, save_checkpoint
from .feedforward import FeedForward
from .training import BatchEndParam

__all__ = [
    "BatchEndParam",
    "FeedForward",
    "last_checkpoint",
    "load_checkpoint",
    "load_params",
    "save_checkpoint",
]
