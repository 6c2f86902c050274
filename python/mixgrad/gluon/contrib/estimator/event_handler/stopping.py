"""Handlers that end the training."""

from __future__ import annotations

import math
import warnings
from typing import Any, Optional

from .base import BatchEnd, EpochEnd, TrainBegin, TrainEnd, comparison

__all__ = ["EarlyStoppingHandler", "StoppingHandler"]


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends the training after as many epochs or batches as ``fit`` was asked for.

    Parameters
    ----------
    max_epoch, max_batch : int, optional
        How many; ``fit`` sets both.
    """

    def __init__(self, max_epoch: Optional[int] = None, max_batch: Optional[int] = None) -> None:
        self.max_epoch, self.max_batch = max_epoch, max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count from 0."""
        self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count a batch."""
        self.current_batch += 1
        self.stop_training |= self.current_batch == self.max_batch
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count an epoch."""
        self.current_epoch += 1
        self.stop_training |= self.current_epoch == self.max_epoch
        return self.stop_training


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Ends the training when a metric no longer gets better.

    Parameters
    ----------
    monitor : EvalMetric
        One of ``estimator.train_metrics`` and ``estimator.val_metrics``.
    min_delta : float
        What counts as better is better by more than that.
    patience : int
        Epochs without a better value after which the training ends.
    mode : {'auto', 'min', 'max'}
        Which values are better; 'auto': more of accuracies and F1, less of all others.
    baseline : float, optional
        Values must be better than this one.
    """

    def __init__(
        self,
        monitor: Any,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: Optional[float] = None,
    ) -> None:
        self.monitor, self.baseline, self.patience = monitor, baseline, patience
        self._better, self._worst = comparison(monitor, mode, "EarlyStoppingHandler")
        self.min_delta = min_delta if self._worst < 0 else -min_delta
        self._begin()

    def _begin(self) -> None:
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.best = self._worst if self.baseline is None else self.baseline

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count from 0."""
        self._begin()

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Compare the metric with its best value."""
        name, value = self.monitor.get()
        if math.isnan(value):
            warnings.warn(
                f"[EarlyStoppingHandler] {name} is NaN: it is not updated before this handler looks at it",
                RuntimeWarning,
                stacklevel=2,
            )
        elif self._better(value - self.min_delta, self.best):
            self.best, self.wait = value, 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log whether it was this handler that ended the training."""
        if self.stop_training:
            estimator.logger.info(
                "[Epoch %d] early stopping: %s no longer gets better",
                self.stopped_epoch,
                self.monitor.get()[0],
            )
