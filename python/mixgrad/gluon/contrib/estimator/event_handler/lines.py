"""The handler that writes lines about the training."""

from __future__ import annotations

import math
import time
from typing import Any, Union

from ..utils import check_metrics
from .base import BatchBegin, BatchEnd, EpochBegin, EpochEnd, TrainBegin, TrainEnd

__all__ = ["LoggingHandler"]


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Writes lines about the training to ``estimator.logger``, which shows them on standard output.

    Parameters
    ----------
    log_interval : int or 'epoch'
        Lines for every so many batches, or only for epochs.
    metrics : EvalMetric or list of EvalMetric, optional
        Whose values are shown.
    priority : float
        Smaller ones are called first.
    """

    def __init__(
        self, log_interval: Union[int, str] = "epoch", metrics: Any = None, priority: float = math.inf
    ) -> None:
        if log_interval != "epoch" and (not isinstance(log_interval, int) or log_interval < 1):
            raise ValueError(
                f"[LoggingHandler] log_interval is {log_interval!r:.40}; expected an int, or 'epoch'"
            )
        self.log_interval, self.metrics, self.priority = log_interval, check_metrics(metrics), priority
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time = 0.0

    def _values(self) -> str:
        return ", ".join(f"{name}: {value:.4f}" for name, value in (metric.get() for metric in self.metrics))

    @property
    def _trains(self) -> bool:
        return any("training" in metric.name for metric in self.metrics)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Say what is going to happen."""
        self.train_start = time.time()
        trainer = estimator.trainer
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(trainer.optimizer).__name__,
            trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time = 0.0

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Say what has happened."""
        estimator.logger.info(
            "Train finished using total %ds with %d epochs. %s",
            time.time() - self.train_start,
            self.current_epoch,
            self._values(),
        )

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Look at the clock."""
        self.batch_start = time.time()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Write a line where its turn has come."""
        if not isinstance(self.log_interval, int):
            return
        self.log_interval_time += time.time() - self.batch_start
        self.processed_samples += kwargs["batch"][0].shape[estimator.batch_axis]
        if self.batch_index % self.log_interval == 0:
            estimator.logger.info(
                "[Epoch %d][Batch %d][Samples %d] time/interval: %.3fs %s",
                self.current_epoch,
                self.batch_index,
                self.processed_samples,
                self.log_interval_time,
                self._values(),
            )
            self.log_interval_time = 0.0
        self.batch_index += 1

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Write a line."""
        self.epoch_start = time.time()
        if self._trains:
            estimator.logger.info(
                "[Epoch %d] Begin, current learning rate: %.4f",
                self.current_epoch,
                estimator.trainer.learning_rate,
            )
        else:
            estimator.logger.info("Validation Begin")

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Write a line."""
        estimator.logger.info(
            "[Epoch %d] Finished in %.3fs, %s",
            self.current_epoch,
            time.time() - self.epoch_start,
            self._values(),
        )
        self.current_epoch += 1
        self.batch_index = 0
