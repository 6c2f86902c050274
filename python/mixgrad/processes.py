"""Processes that work together: a pool of workers whose deaths have names.

Arrays in shared memory (``x.share_memory_()``, ``net.share_memory()``) are the same memory in all of them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from multiprocessing import connection
from typing import TYPE_CHECKING, Any, Optional

from . import _core, _hints, engine
from .base import MXNetError, RefusedTypeError, RefusedValueError
from .ndarray import waitall

__all__ = ["WorkerDiedError", "run"]


class WorkerDiedError(MXNetError):
    """A worker process ended while its work was wanted."""


class RemoteError(Exception):
    """The lines of an error in a worker; the cause of the error that is raised in the program."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


def end_of(process: Any) -> str:
    """How a process ended: a sentence without its subject."""
    if process.exitcode is None:
        process.join(1)
    code = process.exitcode
    if code is None:
        return "closed its pipe"
    if code < 0:
        return f"was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"ended with status {code}"


def why(code: Optional[int], forks: bool) -> str:
    """The likely reason of an exit code, as a sentence of its own; empty when there is none."""
    if code == -signal.SIGKILL:
        return ". A signal 9 that nobody sent is the system's, for want of memory"
    if code == 1 and not forks:
        return (
            ". A worker that cannot begin writes why to standard error: under 'spawn' and 'forkserver' "
            "a script starts workers below if __name__ == '__main__'"
        )
    return ""


def pickled_error(error: BaseException, who: str) -> bytes:
    """An error and its lines; one that pickle cannot bring back as MXNetError."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        content = pickle.dumps((error, text))
        pickle.loads(content)  # some errors cannot be made again from their arguments
    except Exception:
        content = pickle.dumps((MXNetError(f"[{who}] {type(error).__name__}: {error}"), text))
    return content


def end_with_program() -> None:
    """In a worker: end when the program does, however that ends."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, name="mixgrad-watch", daemon=True).start()


def stop(processes: Sequence[Any]) -> None:
    """End processes, by force if need be."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(2)
        if process.is_alive():
            process.kill()
            process.join(2)


def leave_failures() -> None:
    """In a forked process: what failed before the fork is told there, and by the arrays that it spoilt."""
    with contextlib.suppress(MXNetError):
        waitall()


def _work(pipe: Any, others: Sequence[Any], number: int, function: Callable[..., Any], args: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the program's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # ends of pipes that a fork copied
        other.close()
    end_with_program()
    leave_failures()
    engine.set_num_threads(1)
    try:
        result = function(number, *args)
        waitall()
        pipe.send((True, result))
    except Exception as error:
        pipe.send((False, pickled_error(error, "run")))
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()  # until the program has taken it, descriptors included, and closes its end


class _Pool:
    """The workers of one :func:`run`."""

    def __init__(self, function: Callable[..., Any], args: Any, count: int, context: Any) -> None:
        self.results: list[Any] = [None] * count
        self.deaths: list[str] = []
        self.processes: list[Any] = []
        self._pipes: dict[Any, int] = {}
        self._forks = context.get_start_method() == "fork"
        try:
            for number in range(count):
                ours, theirs = context.Pipe(duplex=True)
                others = [*self._pipes, ours] if self._forks else []
                process = context.Process(
                    target=_work,
                    args=(theirs, others, number, function, args),
                    name=f"mixgrad-worker-{number}",
                    daemon=True,
                )
                process.start()
                theirs.close()
                self.processes.append(process)
                self._pipes[ours] = number
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End what is left."""
        for pipe in self._pipes:
            pipe.close()
        self._pipes.clear()
        stop(self.processes)
        for process in self.processes:
            if process.exitcode is not None:
                process.close()

    def wait(self, survive: bool, timeout: Optional[float]) -> None:
        """Until all have ended, or one has failed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._pipes:
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            ready = connection.wait(list(self._pipes), left)
            if not ready:
                numbers = sorted(self._pipes.values())
                raise TimeoutError(f"[run] workers {numbers} have not ended within {timeout:g} s")
            for pipe in ready:
                self._read(pipe, survive)

    def _read(self, pipe: Any, survive: bool) -> None:
        number = self._pipes.pop(pipe)
        try:
            ok, content = pipe.recv()
        except (EOFError, OSError):
            self._died(number, survive)
            return
        finally:
            pipe.close()
        if ok:
            self.results[number] = content
            return
        error, text = pickle.loads(content)
        raise error from RemoteError(text)

    def _died(self, number: int, survive: bool) -> None:
        process = self.processes[number]
        what = f"worker {number} (process {process.pid}) {end_of(process)}"
        self.deaths.append(what)
        if not survive or len(self.deaths) == len(self.processes):
            hint = why(process.exitcode, self._forks)
            raise WorkerDiedError(f"[run] {'; '.join(self.deaths)}; the others were stopped{hint}")
        warnings.warn(f"[run] {what}; the others go on", RuntimeWarning, stacklevel=5)


def run(
    function: Callable[..., Any],
    args: Sequence[Any] = (),
    count: int = 2,
    *,
    method: Optional[str] = None,
    survive: bool = False,
    timeout: Optional[float] = None,
) -> list[Any]:
    """Run ``function(number, *args)`` in worker processes, and wait for them.

    Arrays of ``args`` in shared memory, and networks after ``net.share_memory()``, are the same memory in all
    workers and here; all else is copied. Workers end with the program, also when that is killed; nothing is
    left of them. Each computes on one thread.

    Parameters
    ----------
    function : callable
        What each worker does; under 'spawn' and 'forkserver' one that a module defines.
    args : sequence
        What it gets beside its number.
    count : int
        How many workers, of the numbers 0 to ``count - 1``.
    method : {'fork', 'forkserver', 'spawn'}, optional
        How they are started; by default as :mod:`multiprocessing` does.
    survive : bool
        Whether the others go on when a worker is killed: a RuntimeWarning names it, and its result is None.
        By default they are stopped, and an error names it.
    timeout : float, optional
        Seconds after which workers that still work are stopped.

    Returns
    -------
    list
        What each worker returned.

    Raises
    ------
    WorkerDiedError
        A worker was killed, or exited; with ``survive``: all were.
    TimeoutError
        The time is over.
    Exception
        What ``function`` raised in a worker, with the worker's lines as cause.

    Examples
    --------
    >>> import mixgrad as mx
    >>> def add(number, total):
    ...     total[number] += number + 1
    ...     return number
    >>> total = mx.nd.zeros((3,)).share_memory_()
    >>> mx.processes.run(add, (total,), count=3, method="fork")
    [0, 1, 2]
    >>> total.asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    if not callable(function):
        raise RefusedTypeError(f"[run] function is {type(function).__name__}; expected a callable")
    if not isinstance(count, int) or count < 1:
        raise RefusedValueError(f"[run] count is {count!r}; expected a whole number of at least 1")
    if timeout is not None and not (isinstance(timeout, (int, float)) and timeout >= 0):
        raise RefusedValueError(f"[run] timeout is {timeout!r}; expected seconds, 0 or more, or None")
    if method not in (None, *multiprocessing.get_all_start_methods()):
        raise RefusedValueError(
            f"[run] method is {method!r}; expected one of {multiprocessing.get_all_start_methods()}"
        )
    if multiprocessing.current_process().daemon:
        raise RefusedValueError("[run] called in a worker of another run; expected to be in the program")
    _core.wait_idle()  # a fork copies values that are there, not those that are being computed
    pool = _Pool(function, tuple(args), count, multiprocessing.get_context(method))
    try:
        pool.wait(survive, timeout)
    finally:
        pool.close()
    return pool.results


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
