"""The events of a training loop. A handler derives from those that it has a method for."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from ..... import metric as _metric

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "TrainBegin",
    "TrainEnd",
    "check_event_handlers",
    "comparison",
]


class EventHandler:
    """Base of all handlers. Those with a smaller ``priority`` (0 by default) are called first."""


class TrainBegin(EventHandler):
    """Called before the first epoch."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called before the first epoch."""


class TrainEnd(EventHandler):
    """Called after the last epoch."""

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called after the last epoch."""


class EpochBegin(EventHandler):
    """Called before each epoch."""

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called before each epoch."""


class EpochEnd(EventHandler):
    """Called after each epoch."""

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called after each epoch; True ends the training."""
        return False


class BatchBegin(EventHandler):
    """Called before each batch."""

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called before each batch, with ``batch``."""


class BatchEnd(EventHandler):
    """Called after the gradients of each batch."""

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called with ``batch``, ``pred``, ``label`` and ``loss``; True ends the epoch."""
        return False


def check_event_handlers(handlers: Any) -> list[Any]:
    """A handler, a list of them or None as a list."""
    found = [handlers] if isinstance(handlers, EventHandler) else handlers or []
    if not isinstance(found, (list, tuple)) or not all(isinstance(one, EventHandler) for one in found):
        raise ValueError(
            f"[Estimator] event_handlers is {handlers!r:.80}; expected handlers, or a list of them"
        )
    return list(found)


def comparison(monitor: Any, mode: str, who: str) -> tuple[Callable[[float, float], bool], float]:
    """Whether a value of a metric is better than another one, and the worst value.

    Parameters
    ----------
    monitor : EvalMetric
        The metric.
    mode : {'auto', 'min', 'max'}
        Which values are better; 'auto': more of accuracies and F1, less of all others.
    who : str
        The handler.
    """
    if not isinstance(monitor, _metric.EvalMetric):
        raise ValueError(
            f"[{who}] monitor is {type(monitor).__name__}; expected one of estimator.train_metrics and "
            "estimator.val_metrics"
        )
    if mode not in ("auto", "min", "max"):
        warnings.warn(
            f"[{who}] mode {mode!r:.40} is unknown; 'auto' is taken instead", RuntimeWarning, stacklevel=3
        )
        mode = "auto"
    if mode == "auto":
        name = monitor.get()[0]
        more = any(word in str(name) for word in ("acc", "f1"))
        if more:
            warnings.warn(
                f"[{who}] more of {name} counts as better; mode='min' says otherwise, mode='max' says so",
                stacklevel=3,
            )
        mode = "max" if more else "min"
    if mode == "max":
        return (lambda new, old: new > old), -math.inf
    return (lambda new, old: new < old), math.inf
