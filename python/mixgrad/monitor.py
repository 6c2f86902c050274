"""Watching what flows through a network while it trains (``mx.monitor``, ``mx.mon``)."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from . import _hints
from . import ndarray as nd
from ._patterns import compiled
from ._progress import tell
from .ndarray import NDArray

__all__ = ["Monitor"]

Stat = Union[NDArray, list[NDArray]]


def _root_mean_square(x: NDArray) -> NDArray:
    norm: NDArray = nd.norm(x)
    return norm / math.sqrt(x.size)


class Monitor:
    """Collects a statistic of outputs, weights and auxiliary states every some batches.

    Parameters
    ----------
    interval : int
        How many batches lie between collections.
    stat_func : function, optional
        From an NDArray to an NDArray or a list of them; by default ``norm(x) / sqrt(x.size)``.
    pattern : str
        Regular expression that a name must match at its start.
    sort : bool
        Whether results are in order of name.
    monitor_all : bool
        Whether the inputs of operators are collected too.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mon = mx.monitor.Monitor(10, pattern=".*weight")
    >>> class Executor:  # what Module.install_monitor hands over, for one device
    ...     arg_dict, aux_dict = {"fc_weight": mx.nd.ones((2, 2)), "data": mx.nd.zeros((2,))}, {}
    ...     def set_monitor_callback(self, callback, monitor_all=False):
    ...         pass
    >>> mon.install(Executor())
    >>> mon.tic()
    >>> mon.toc()
    [(1, 'fc_weight', '1.0\\t')]
    """

    def __init__(
        self,
        interval: int,
        stat_func: Optional[Callable[[NDArray], Stat]] = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        if not isinstance(interval, (int, float)):
            raise TypeError(f"[Monitor] interval is {type(interval).__name__}; expected a number of batches")
        if interval < 1:
            raise ValueError(f"[Monitor] interval is {interval}; expected at least 1 batch")
        self.stat_func: Callable[[NDArray], Stat] = stat_func or _root_mean_square
        self.interval = interval
        self.activated = False
        self.queue: list[tuple[int, str, Stat]] = []
        self.step = 0
        self.exes: list[Any] = []
        self.re_prog = compiled(pattern, "Monitor")
        self.sort = sort
        self.monitor_all = monitor_all

    def stat_helper(self, name: str, array: NDArray) -> None:
        """Collect one array; executors call this for each output while they run."""
        if self.activated and self.re_prog.match(name):
            self.queue.append((self.step, name, self.stat_func(array)))

    def install(self, exe: Any) -> None:
        """Watch an executor; several may be watched."""
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def _wait(self) -> None:
        for exe in self.exes:
            for array in (*exe.arg_dict.values(), *exe.aux_dict.values()):
                array.wait_to_read()

    def tic(self) -> None:
        """Begin a batch: collect from here on if its turn has come. Call it before ``forward``."""
        if self.step % self.interval == 0:
            self._wait()
            self.queue = []
            self.activated = True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """End a batch and return ``(batch, name, statistic as text)`` for all that was collected."""
        if not self.activated:
            return []
        self._wait()
        for exe in self.exes:
            for name, array in (*exe.arg_dict.items(), *exe.aux_dict.items()):
                if array is not None:
                    self.stat_helper(name, array)
        self.activated = False
        if self.sort:
            self.queue.sort(key=lambda item: item[1])
        results = []
        for step, name, stats in self.queue:
            text = ""
            for stat in stats if isinstance(stats, (list, tuple)) else [stats]:
                if not isinstance(stat, NDArray):
                    kind = type(stat).__name__
                    raise TypeError(f"[Monitor] stat_func gave {kind} for {name!r}; expected NDArray")
                text += f"{stat.asscalar() if stat.size == 1 else stat.asnumpy()!s}\t"
            results.append((step, name, text))
        self.queue = []
        return results

    def toc_print(self) -> None:
        """End a batch and log what was collected."""
        for step, name, text in self.toc():
            tell(logging, "Batch: %7d %-30s %s", step, name, text)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
