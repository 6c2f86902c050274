"""The handler that makes a step of the optimiser."""

from __future__ import annotations

from typing import Any

from .base import BatchEnd

__all__ = ["GradientUpdateHandler"]


class GradientUpdateHandler(BatchEnd):
    """Makes a step of the optimiser after each batch.

    Parameters
    ----------
    priority : float
        Smaller ones are called first.
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Make a step; gradients are divided by the number of losses."""
        losses = kwargs["loss"]
        losses = losses if isinstance(losses, list) else [losses]
        estimator.trainer.step(sum(loss.shape[0] for loss in losses))
