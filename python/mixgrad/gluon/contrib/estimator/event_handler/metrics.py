"""Handlers that update metrics, and that look at other data in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ..... import metric as _metric
from ..utils import check_metrics
from .base import BatchEnd, EpochBegin, EpochEnd, TrainBegin

__all__ = ["MetricHandler", "ValidationHandler"]


class MetricHandler(EpochBegin, BatchEnd):
    """Updates metrics batch by batch.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric
        Such as ``estimator.train_metrics``.
    priority : float
        Smaller ones are called first.
    """

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics = check_metrics(metrics)
        self.priority = priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start the metrics anew."""
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the metrics: of losses by the loss, others by labels and predictions."""
        for metric in self.metrics:
            if isinstance(metric, _metric.Loss):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Evaluates other data during the training.

    Parameters
    ----------
    val_data : DataLoader
        The data.
    eval_fn : callable
        Such as ``estimator.evaluate``.
    epoch_period, batch_period : int, optional
        How often: every so many epochs, or batches.
    priority : float
        Smaller ones are called first.
    event_handlers : EventHandler or list of EventHandler, optional
        Called while the data are evaluated.
    """

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: Optional[int] = 1,
        batch_period: Optional[int] = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ) -> None:
        self.val_data, self.eval_fn = val_data, eval_fn
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.priority, self.event_handlers = priority, event_handlers
        self.current_batch = self.current_epoch = 0

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count from 0."""
        self.current_batch = self.current_epoch = 0

    def _evaluate(self, estimator: Any) -> None:
        self.eval_fn(
            val_data=self.val_data, batch_axis=estimator.batch_axis, event_handlers=self.event_handlers
        )

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluate after every ``batch_period`` batches."""
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._evaluate(estimator)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluate after every ``epoch_period`` epochs."""
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._evaluate(estimator)
