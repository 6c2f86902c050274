"""Worker processes of a DataLoader: batches are asked for by number, and come over a pipe and shared memory.

The program itself reads the pipes while it waits for a batch, so it has no threads that a fork could lose. A
worker that ends is seen at once, since its end of the pipe closes with it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import multiprocessing
import os
import queue
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import connection, reduction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ... import _core, _hints, _np_semantics, engine
from ... import random as _random
from ...base import MXNetError
from ...processes import RemoteError, WorkerDiedError, end_of, leave_failures, pickled_error, why
from ._segments import Keeper, Lender, ReplyPickler, ReplyUnpickler

__all__ = [
    "LoaderTimeoutError",
    "ProcessPool",
    "WorkerDiedError",
    "forked",
    "in_shared_memory",
    "make_batch",
    "task_seed",
]


class LoaderTimeoutError(MXNetError, multiprocessing.TimeoutError):
    """A batch did not come in time."""


def task_seed(seed: Optional[int], number: int) -> Optional[list[int]]:
    """Numbers that start the generators of a worker, for that batch of a pass."""
    if seed is None:
        return None
    return [int(word) for word in np.random.SeedSequence([seed, number]).generate_state(4)]


# ---- in a worker

_lender: Optional[Lender] = None


def in_shared_memory(shape: tuple[int, ...], dtype: Any, as_np: bool = False) -> Any:
    """A new array in memory that goes to the program without a copy, as NumPy's and as ours (``as_np``: of
    ``mx.np``).

    None outside of workers, and for small arrays.
    """
    return None if _lender is None else _lender.empty(shape, dtype, as_np)


def _start_generators(seed: Optional[list[int]]) -> None:
    if seed is None:
        return
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed[0] << 32 | seed[1])
    _random.seed(seed[2] << 32 | seed[3])


forked = (
    "[DataLoader] this pass was begun before the process was forked, and its workers are the parent's; begin "
    "another one here"
)


def make_batch(dataset: Any, batchify_fn: Callable[[Any], Any], indices: Any) -> Any:
    """A batch of these examples."""
    try:
        return batchify_fn([dataset[index] for index in indices])
    except StopIteration as error:  # which would end the pass, as if there were no more
        raise MXNetError(
            f"[DataLoader] the dataset or batchify_fn raised StopIteration for the examples {indices!r:.80}; "
            "expected a batch"
        ) from error


class _Worker:
    """The loop of a worker process."""

    def __init__(
        self, pipe: Any, dataset: Any, batchify_fn: Callable[[Any], Any], begin: Optional[Callable[[], None]]
    ) -> None:
        global _lender
        self._pipe, self._dataset, self._batchify_fn = pipe, dataset, batchify_fn
        self._begin = begin
        self._lender = _lender = Lender()
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._closed: set[int] = set()  # passes that nobody goes on with
        self._lock = threading.Lock()
        self._freed: list[int] = []

    def run(self) -> None:
        # A thread takes tasks from the pipe, so that the program never waits for a worker that waits for it.
        threading.Thread(target=self._listen, name="mixgrad-loader-tasks", daemon=True).start()
        while True:
            with self._lock:
                freed, self._freed = self._freed, []
            self._lender.give_back(freed)
            key, indices, seed = self._tasks.get()
            if key[0] in self._closed:
                continue
            new: list[tuple[int, int, int]] = []
            dropped: list[int] = []
            file = io.BytesIO()
            try:
                if self._begin is not None:  # what it raises, every batch of this worker raises
                    self._begin()
                    self._begin = None
                _start_generators(seed)
                batch = make_batch(self._dataset, self._batchify_fn, indices)
                ReplyPickler(file, self._lender).dump(batch)
                del batch
                content = file.getvalue()
                new, dropped = self._lender.finish()
                ok = True
            except Exception as error:
                content, ok = pickled_error(error, "DataLoader"), False
                self._lender.forget()
            try:
                self._pipe.send((key, ok, content, [part[:2] for part in new], dropped))
                for _, _, fd in new:
                    reduction.send_handle(self._pipe, fd, None)
                    os.close(fd)
            except OSError:  # nobody reads any more
                os._exit(0)

    def _listen(self) -> None:
        parent = os.getppid()
        try:
            while True:
                while not self._pipe.poll(1.0):
                    if os.getppid() != parent:
                        os._exit(1)
                key, indices, seed, freed, closed = self._pipe.recv()
                self._closed.update(closed)
                with self._lock:
                    self._freed += freed
                if key is not None:
                    self._tasks.put((key, indices, seed))
        except (EOFError, OSError):  # the program has ended, or has no use for the worker
            os._exit(0)


def _work(
    pipe: Any,
    others: Sequence[Any],
    dataset: Any,
    batchify_fn: Callable[[Any], Any],
    np_modes: tuple[bool, bool],
    begin: Optional[Callable[[], None]],
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the program's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # ends of pipes that a fork copied
        other.close()
    leave_failures()
    engine.set_num_threads(1)
    _np_semantics.set_np(*np_modes)
    _Worker(pipe, dataset, batchify_fn, begin).run()


# ---- in the program


class _Remote:
    """A worker as the program sees it."""

    def __init__(self, number: int, process: Any, pipe: Any) -> None:
        self.number, self.process, self.pipe = number, process, pipe
        self.keeper = Keeper()
        self.tasks: set[tuple[int, int]] = set()

    def __str__(self) -> str:
        return f"worker {self.number} (process {self.process.pid})"


def _context(chosen: Any) -> Any:
    """The start method asked for, else the one the program has set, else forking where that is possible."""
    if chosen is not None and not isinstance(chosen, str):
        return chosen
    method = chosen or multiprocessing.get_start_method(allow_none=True)
    if method is None and "fork" in multiprocessing.get_all_start_methods():
        method = "fork"
    return multiprocessing.get_context(method)


class ProcessPool:
    """Processes that make batches of one dataset.

    Parameters
    ----------
    count : int
        How many.
    dataset : Dataset
        Where examples come from. Under the start method ``spawn`` it is pickled.
    batchify_fn : callable
        Makes a batch of a list of examples.
    begin : callable, optional
        Called first in every worker, with its number and the dataset.
    context : str or multiprocessing context, optional
        How they are started.
    """

    def __init__(
        self,
        count: int,
        dataset: Any,
        batchify_fn: Callable[[Any], Any],
        begin: Optional[Callable[[int, Any], None]] = None,
        context: Any = None,
    ) -> None:
        _core.wait_idle()  # a fork copies values that are there, not those that are being computed
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._workers: list[_Remote] = []
        self._replies: dict[tuple[int, int], Any] = {}
        self._closing: list[int] = []
        self._next_pass = 0
        context = _context(context)
        self._forks = forks = context.get_start_method() == "fork"
        modes = (_np_semantics.is_np_shape(), _np_semantics.is_np_array())
        try:
            for number in range(count):
                ours, theirs = context.Pipe(duplex=True)
                first = None if begin is None else functools.partial(begin, number, dataset)
                others = [worker.pipe for worker in self._workers] + [ours] if forks else []
                process = context.Process(
                    target=_work,
                    args=(theirs, others, dataset, batchify_fn, modes, first),
                    name=f"mixgrad-loader-{number}",
                    daemon=True,
                )
                process.start()
                theirs.close()
                self._workers.append(_Remote(number, process, ours))
        except BaseException:
            self.close()
            raise

    @property
    def is_usable(self) -> bool:
        """Whether the workers are there and are this process's."""
        return bool(self._workers) and self._pid == os.getpid()

    def new_pass(self) -> int:
        """A number for the keys of the batches of one pass."""
        with self._lock:
            self._next_pass += 1
            return self._next_pass

    def _check_process(self) -> None:
        if self._pid != os.getpid():
            raise WorkerDiedError(forked)

    def push(
        self, key: tuple[int, int], indices: Any, seed: Optional[list[int]], number: Optional[int] = None
    ) -> None:
        """Ask for a batch of these examples, of that worker or of one with little to do."""
        self._check_process()
        with self._lock:
            worker = min(
                self._workers if number is None else self._workers[number : number + 1],
                key=lambda w: (len(w.tasks), (w.number - key[1]) % len(self._workers)),
            )
            worker.tasks.add(key)
            self._tell(worker, key, indices, seed)

    def _tell(self, worker: _Remote, key: Any, indices: Any, seed: Optional[list[int]]) -> None:
        freed = []
        with contextlib.suppress(IndexError):
            while True:
                freed.append(worker.keeper.freed.popleft())
        with contextlib.suppress(
            OSError
        ):  # a worker that is gone is found by pull, with what was asked of it
            worker.pipe.send((key, indices, seed, freed, self._closing))

    def pull(self, key: tuple[int, int], seconds: float) -> Any:
        """Wait for a batch that was asked for.

        Raises
        ------
        WorkerDiedError
            A worker has ended.
        LoaderTimeoutError
            The batch did not come in time.
        Exception
            What the dataset or ``batchify_fn`` raised in the worker.
        """
        self._check_process()
        deadline = time.monotonic() + seconds
        with self._lock:
            self._read(0.0)
            while key not in self._replies:
                left = deadline - time.monotonic()
                if left <= 0:
                    owner = next(worker for worker in self._workers if key in worker.tasks)
                    raise LoaderTimeoutError(
                        f"[DataLoader] {owner} has not made batch {key[1]} within {seconds:g} s; give a "
                        "larger timeout if its examples take longer than that"
                    )
                self._read(left)
            ok, batch = self._replies.pop(key)
        if ok:
            return batch
        error, text = batch
        error.__cause__ = RemoteError(text)
        raise error

    def _read(self, seconds: float) -> None:
        """Take what workers have sent, waiting for it that long."""
        by_waitable: dict[Any, _Remote] = {}
        for worker in self._workers:
            by_waitable[worker.pipe] = by_waitable[worker.process.sentinel] = worker
        for ready in connection.wait(list(by_waitable), max(seconds, 0)):
            worker = by_waitable[ready]
            if ready is not worker.pipe:
                if not worker.pipe.poll():  # what it sent before its end counts
                    self._died(worker)
                continue
            try:
                self._receive(worker)
            except (EOFError, OSError):
                self._died(worker)

    def _receive(self, worker: _Remote) -> None:
        key, ok, content, new, dropped = worker.pipe.recv()
        for number, size in new:
            worker.keeper.add(number, size, reduction.recv_handle(worker.pipe))
        batch = ReplyUnpickler(io.BytesIO(content), worker.keeper).load()
        worker.keeper.drop(dropped)
        if key in worker.tasks:  # else nobody wants it any more
            worker.tasks.remove(key)
            self._replies[key] = (ok, batch)

    def _died(self, worker: _Remote) -> None:
        name, how = str(worker), end_of(worker.process)
        numbers = sorted(number for _, number in worker.tasks)
        wanted = f"; it was to make batches {numbers}" if numbers else ""
        hint = why(worker.process.exitcode, self._forks)
        self.close()
        raise WorkerDiedError(f"[DataLoader] {name} {how}{wanted}; the next pass starts new workers{hint}")

    def forget(self, number: int, keys: Sequence[tuple[int, int]]) -> None:
        """Nobody goes on with that pass, whose batches of these keys have not been pulled."""
        if not self.is_usable:
            return
        with self._lock:
            self._closing = [*self._closing[-63:], number]
            for key in keys:
                self._replies.pop(key, None)
            for worker in self._workers:
                gone = worker.tasks.intersection(keys)
                worker.tasks -= gone
                if gone:
                    self._tell(worker, None, None, None)

    def close(self) -> None:
        """End the workers."""
        if self._pid != os.getpid():  # a forked child has no business with them
            return
        with self._lock:
            workers, self._workers = self._workers, []
            self._replies.clear()
        for worker in workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in workers:
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join(5)
            if worker.process.exitcode is not None:
                worker.process.close()


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
