"""Models and their files (``mx.model``): checkpoints, and what training loops share."""

from .checkpoint import last_checkpoint, load_checkpoint, load_params, save_checkpoint
from .training import BatchEndParam

__all__ = ["BatchEndParam", "last_checkpoint", "load_checkpoint", "load_params", "save_checkpoint"]
