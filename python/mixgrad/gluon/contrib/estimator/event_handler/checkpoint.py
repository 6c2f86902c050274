"""The handler that keeps states of the training in files."""

from __future__ import annotations

import os
import re
from typing import Any, Optional

from ....._files import PathLike, together
from .base import BatchEnd, EpochEnd, TrainBegin, comparison

__all__ = ["CheckpointHandler"]


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """Saves parameters and the states of the optimiser during the training.

    The files are ``PREFIX-epochEbatchB.params`` and ``.states``; ``PREFIX-symbol.json`` has the graph of a
    network that is hybridised, ``PREFIX-best.params`` and ``.states`` the best so far.

    Parameters
    ----------
    model_dir : str
        The folder, made where it is missing.
    model_prefix : str
        What names begin with.
    monitor : EvalMetric, optional
        One of ``estimator.train_metrics`` and ``estimator.val_metrics``, for the best.
    verbose : int
        1: a line for each file.
    save_best : bool
        Whether the best is kept, too.
    mode : {'auto', 'min', 'max'}
        Which values are better; 'auto': more of accuracies and F1, less of all others.
    epoch_period, batch_period : int, optional
        How often: after every so many epochs, or batches.
    max_checkpoints : int
        Older ones are removed; the best stays.
    resume_from_checkpoint : bool
        Whether ``fit`` goes on from the last one in the folder. Its epochs or batches count as done.
    """

    def __init__(
        self,
        model_dir: PathLike,
        model_prefix: str = "model",
        monitor: Any = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: Optional[int] = 1,
        batch_period: Optional[int] = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        self.model_dir, self.model_prefix = os.fsdecode(model_dir), model_prefix
        os.makedirs(self.model_dir, exist_ok=True)
        self.monitor, self.verbose, self.save_best = monitor, verbose, save_best
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.max_checkpoints, self.resume_from_checkpoint = max_checkpoints, resume_from_checkpoint
        self.best = 0.0
        if save_best:
            self._better, self.best = comparison(monitor, mode, "CheckpointHandler")
        self.saved_checkpoints: list[str] = []
        self.current_epoch = self.current_batch = 0
        self.trained_epoch = self.trained_batch = -1

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count from 0, and read the last files where that is wanted."""
        self.current_epoch = self.current_batch = 0
        if self.resume_from_checkpoint:
            self._resume(estimator)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save after every ``batch_period`` batches."""
        if self.current_batch == 0:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save(estimator)
        self.current_batch += 1

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save after every ``epoch_period`` epochs."""
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save(estimator)
        self.current_epoch += 1

    def _path(self, name: str) -> str:
        return os.path.join(self.model_dir, f"{self.model_prefix}-{name}")

    def _save(self, estimator: Any) -> None:
        epoch, batch = self.current_epoch, self.current_batch
        if self.trained_epoch >= 0:
            epoch += self.trained_epoch + 1
            batch += self.trained_batch + (0 if estimator.max_epoch else 1)
        name = f"epoch{epoch}batch{batch}"
        self._write(estimator, name)
        if self.verbose:
            estimator.logger.info("[Epoch %d] CheckpointHandler: saved %s", epoch, self._path(name))
        while len(self.saved_checkpoints) > self.max_checkpoints:
            old = self.saved_checkpoints.pop(0)
            for end in ("params", "states"):
                if os.path.exists(self._path(f"{old}.{end}")):
                    os.remove(self._path(f"{old}.{end}"))
        if self.save_best:
            self._save_best(estimator, epoch)

    def _save_best(self, estimator: Any, epoch: int) -> None:
        metric, value = self.monitor.get()
        if not self._better(value, self.best):
            if self.verbose:
                line = "[Epoch %d] CheckpointHandler: %s is not better than %.5f"
                estimator.logger.info(line, epoch, metric, self.best)
            return
        if self.verbose:
            estimator.logger.info(
                "[Epoch %d] CheckpointHandler: %s is %.5f, after %.5f: saved %s",
                epoch,
                metric,
                value,
                self.best,
                self._path("best"),
            )
        self.best = value
        self._write(estimator, "best")

    def _write(self, estimator: Any, name: str) -> None:
        with together():  # a run that is killed leaves both or none
            estimator.net.save_parameters(self._path(f"{name}.params"))
            estimator.trainer.save_states(self._path(f"{name}.states"))
        if name != "best":
            self.saved_checkpoints.append(name)

    def _save_symbol(self, estimator: Any) -> None:
        path = self._path("symbol.json")
        graph = getattr(estimator.net, "_cached_graph", None)
        if graph:
            graph[1].save(path)
        else:
            estimator.logger.info(
                "The graph of the network is not saved as %s: it is no HybridBlock, or hybridize() was not "
                "called before the training",
                path,
            )

    def _resume(self, estimator: Any) -> None:
        pattern = re.compile(re.escape(self.model_prefix) + r"-epoch(\d+)batch(\d+)\.params")
        found = sorted(
            (int(match[1]), int(match[2]))
            for match in map(pattern.fullmatch, os.listdir(self.model_dir))
            if match
        )
        if not found:
            estimator.logger.info("CheckpointHandler: no checkpoint in %s; starting anew", self.model_dir)
            return
        self.saved_checkpoints = [f"epoch{epoch}batch{batch}" for epoch, batch in found]
        epoch, batch = found[-1]
        self.trained_epoch, self.trained_batch = epoch, batch
        name = self.saved_checkpoints[-1]
        if estimator.max_epoch:
            left = estimator.max_epoch = max(estimator.max_epoch - epoch - 1, 0)
        else:
            left = estimator.max_batch = max(estimator.max_batch - batch - 1, 0)
        if not left:
            raise ValueError(
                f"[CheckpointHandler] {self._path(name)} has all the epochs or batches that fit was asked for"
            )
        estimator.net.load_parameters(self._path(f"{name}.params"), ctx=estimator.context)
        estimator.trainer.load_states(self._path(f"{name}.states"))
        estimator.logger.info(
            "CheckpointHandler: resumed from epoch %d batch %d, %d %s to go",
            epoch,
            batch,
            left,
            "epochs" if estimator.max_epoch else "batches",
        )
