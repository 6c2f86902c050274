"""Functions called while a model trains (``mx.callback``): speed, progress, checkpoints, metrics."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

from . import _hints
from ._progress import Bar, note, tell
from ._repr import call_text
from ._training.callbacks import as_list

if TYPE_CHECKING:
    from .visualization import CurvesPlot

T = TypeVar("T")

__all__ = [
    "History",
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
    "progress",
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


class History:
    """Keeps metrics while a model trains, and draws them. Not in MXNet.

    Attributes
    ----------
    curves : dict of str to list of (int, float)
        For each name, batches seen before, and values.

    Examples
    --------
    With ``fit``, and in a loop of one's own:

    >>> import mixgrad as mx
    >>> history = mx.callback.History()
    >>> module = mx.mod.Module(mx.models.mlp(num_classes=2, hidden=()))
    >>> batches = mx.io.NDArrayIter(mx.nd.ones((8, 4)), mx.nd.zeros(8), batch_size=4)
    >>> module.fit(batches, eval_data=batches, num_epoch=3, initializer=mx.init.Zero(),
    ...            batch_end_callback=history.train, eval_end_callback=history.validation)
    >>> history.curves["validation-accuracy"]
    [(2, 1.0), (4, 1.0), (6, 1.0)]
    >>> for loss in (0.7, 0.4):
    ...     history.add("loss", loss)
    >>> history.plot()
    <CurvesPlot 'learning curves': svg is the drawing, save() writes it>
    """

    def __init__(self, frequent: int = 1) -> None:
        if frequent < 1:
            raise ValueError(f"[History] frequent is {frequent}; expected at least 1 batch")
        self.frequent = frequent
        self.curves: dict[str, list[tuple[int, float]]] = {}
        self._batches = 0

    def __repr__(self) -> str:
        return f"History of {', '.join(self.curves) or 'nothing'}"

    def add(self, name: str, value: Any, step: Optional[int] = None) -> None:
        """Keep a value, at a step, by default the number of those before."""
        curve = self.curves.setdefault(name, [])
        curve.append((len(curve) if step is None else step, float(value)))

    def train(self, param: Any) -> None:
        """A ``batch_end_callback``: keep the metric of every ``frequent`` batches."""
        self._batches += 1
        if param.eval_metric is not None and self._batches % self.frequent == 0:
            for name, value in param.eval_metric.get_name_value():
                self.add(f"train-{name}", value, self._batches)

    def validation(self, param: Any) -> None:
        """An ``eval_end_callback``: keep the metric of an epoch."""
        for name, value in param.eval_metric.get_name_value() if param.eval_metric is not None else ():
            self.add(f"validation-{name}", value, self._batches)

    def plot(self, title: str = "learning curves", log: bool = False) -> CurvesPlot:
        """Draw all curves; notebooks show what is returned, ``save("curves.svg")`` writes it."""
        from .visualization import plot_curves

        return plot_curves(self.curves, title, x_label="batches", log=log)


def progress(batches: Iterable[T], text: str = "progress", metric: Any = None) -> Iterator[T]:
    """Go through the batches of a loop and say how it goes. Not in MXNet.

    On a terminal a bar shows how far it is (where ``tqdm`` is installed). At the end a line says how long it
    took: on standard error, or through ``logging`` where a program has set that up.

    Parameters
    ----------
    batches : iterable
        A loader, an iterator or a list.
    text : str
        What the line begins with.
    metric : EvalMetric or list of EvalMetric, optional
        Whose values are shown behind.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loader = mx.gluon.data.DataLoader(mx.gluon.data.SimpleDataset(range(10)), batch_size=4)
    >>> for epoch in range(2):
    ...     for x in mx.callback.progress(loader, f"epoch {epoch}"):
    ...         pass  # "epoch 0: 3 batches, 0.0 s, 9000.0 batches/s"
    """
    metrics = as_list(metric)

    def values() -> str:
        pairs = [pair for one in metrics for pair in one.get_name_value()]
        return ", ".join(f"{name}={value:.4f}" for name, value in pairs)

    begun, count, bar = time.monotonic(), 0, Bar(batches, text)
    try:
        for batch in batches:
            yield batch
            count += 1
            bar.count(values)
    finally:
        bar.close()
    seconds = time.monotonic() - begun
    speed = count / seconds if seconds > 0 else float("inf")
    parts = [f"{count} batches", f"{seconds:.1f} s", f"{speed:.1f} batches/s", values()]
    tell(logging, "%s: %s", text, ", ".join(part for part in parts if part))


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
