"""Functions called while a model trains (``mx.callback``): speed, progress, checkpoints, metrics."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _hints
from ._progress import note, tell
from ._repr import call_text

__all__ = [
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
]


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """Return an ``epoch_end_callback`` that saves the model every ``period`` epochs.

    Each file appears complete or not at all, so a run that is killed finds its last good checkpoint.

    Parameters
    ----------
    prefix : str
        Start of the file names: ``<prefix>-symbol.json`` and ``<prefix>-<epoch>.params``.
    period : int
        How many epochs lie between checkpoints.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
    >>> save = mx.callback.do_checkpoint(prefix, period=2)
    >>> for epoch in range(4):
    ...     save(epoch, None, {"w": mx.nd.ones((2,))}, {})
    >>> sorted(os.listdir(os.path.dirname(prefix)))
    ['net-0002.params', 'net-0004.params']
    """
    from .model import save_checkpoint

    every = max(1, int(period))

    def save(epoch: int, symbol: Any, arg_params: Any, aux_params: Any) -> None:
        if (epoch + 1) % every == 0:
            save_checkpoint(prefix, epoch + 1, symbol, arg_params, aux_params)

    return save


def module_checkpoint(
    mod: Any, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """Return an ``epoch_end_callback`` that saves a module every ``period`` epochs.

    Parameters
    ----------
    mod : BaseModule
        The module.
    prefix : str
        Start of the file names.
    period : int
        How many epochs lie between checkpoints.
    save_optimizer_states : bool
        Whether the states of the optimiser are saved too.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Printing:
    ...     def save_checkpoint(self, prefix, epoch, save_optimizer_states):
    ...         print(prefix, epoch)
    >>> save = mx.callback.module_checkpoint(Printing(), "net", period=2)
    >>> for epoch in range(4):
    ...     save(epoch)
    net 2
    net 4
    """
    every = max(1, int(period))

    def save(epoch: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (epoch + 1) % every == 0:
            mod.save_checkpoint(prefix, epoch + 1, save_optimizer_states)

    return save


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[Any], None]:
    """Return a ``batch_end_callback`` that logs the training metric every ``period`` batches.

    Parameters
    ----------
    period : int
        How many batches lie between lines.
    auto_reset : bool
        Whether the metric starts again after each line.
    """

    def log(param: Any) -> None:
        if param.nbatch % period or param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            tell(logging, "Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
        if auto_reset:
            param.eval_metric.reset_local()

    return log


class Speedometer:
    """A ``batch_end_callback`` that logs samples per second and the training metric.

    Parameters
    ----------
    batch_size : int
        Samples per batch.
    frequent : int
        How many batches lie between lines.
    auto_reset : bool
        Whether the metric starts again after each line.

    Examples
    --------
    >>> import logging, mixgrad as mx
    >>> from mixgrad.model import BatchEndParam
    >>> meter = mx.callback.Speedometer(batch_size=32, frequent=10)
    >>> for nbatch in range(21):  # logs "Iter[0] Batch [10]   Speed: ..." and again for 20
    ...     meter(BatchEndParam(epoch=0, nbatch=nbatch, eval_metric=None, locals=None))
    """

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True) -> None:
        if frequent < 1:
            raise ValueError(f"[Speedometer] frequent is {frequent}; expected at least 1 batch")
        self.batch_size = batch_size
        self.frequent = frequent
        self.auto_reset = auto_reset
        self.init = False
        self.tic = 0.0
        self.last_count = 0

    def __repr__(self) -> str:
        return call_text(self, {"batch_size": self.batch_size, "frequent": self.frequent})

    def __call__(self, param: Any) -> None:
        """Count one batch."""
        count = param.nbatch
        if self.last_count > count:  # the next epoch
            self.init = False
        self.last_count = count
        if not self.init:
            self.init = True
            self.tic = time.time()
            return
        if count % self.frequent:
            return
        seconds = time.time() - self.tic
        speed = self.frequent * self.batch_size / seconds if seconds > 0 else float("inf")
        if param.eval_metric is None:
            tell(logging, "Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
        else:
            pairs = param.eval_metric.get_name_value()
            begin = 0
            if self.auto_reset:
                param.eval_metric.reset_local()
                begin = count - self.frequent
            metrics = "".join(f"\t{name}={value:f}" for name, value in pairs)
            text = "Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec%s"
            tell(logging, text, param.epoch, begin, count, speed, metrics)
        self.tic = time.time()


class ProgressBar:
    """A ``batch_end_callback`` that logs a bar of the batches done.

    Parameters
    ----------
    total : int
        Batches per epoch.
    length : int
        Characters of the full bar.
    batch_size : int, optional
        Samples per batch: the speed of the epoch so far stands behind the bar. Not in MXNet.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.callback.ProgressBar(total=4, length=8).text(1)
    '[==------] 25%'
    >>> mx.callback.ProgressBar(total=4, length=8, batch_size=32).text(3, seconds=0.5)
    '[======--] 75% 192.0 samples/s'
    """

    def __init__(self, total: int, length: int = 80, batch_size: Optional[int] = None) -> None:
        if total < 1:
            raise ValueError(f"[ProgressBar] total is {total}; expected at least 1 batch")
        self.bar_len = length
        self.total = total
        self.batch_size = batch_size
        self._first, self._begun = 0, 0.0  # the batch from which on the speed is measured, and when it ended

    def text(self, count: int, seconds: float = 0.0) -> str:
        """Return the bar after ``count`` batches, of which those that are timed took so many seconds."""
        filled = round(self.bar_len * count / self.total)
        percent = math.ceil(100.0 * count / self.total)
        bar = f"[{'=' * filled}{'-' * (self.bar_len - filled)}] {percent}%"
        if self.batch_size is None or seconds <= 0:
            return bar
        return f"{bar} {(count - self._first) * self.batch_size / seconds:.1f} samples/s"

    def __call__(self, param: Any) -> None:
        """Log the bar."""
        now, count = time.monotonic(), param.nbatch
        if self._begun == 0.0 or count <= self._first:
            self._first, self._begun = count, now
        tell(logging, "%s\r", self.text(count, now - self._begun))


class LogValidationMetricsCallback:
    """An ``eval_end_callback`` that logs the validation metrics of an epoch."""

    def __call__(self, param: Any) -> None:
        """Log them."""
        if not param.eval_metric:
            return
        for name, value in param.eval_metric.get_name_value():
            note(logging, "Epoch[%d] Validation-%s=%f", param.epoch, name, value)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
