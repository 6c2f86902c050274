"""The threads of a DataLoader that has threads in place of processes."""

from __future__ import annotations

import atexit
import concurrent.futures
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Optional

from ... import _np_semantics
from ._pool import LoaderTimeoutError, WorkerDiedError, forked, make_batch

__all__ = ["ThreadPool"]

_Future = concurrent.futures.Future
_Work = queue.SimpleQueue[Optional[tuple["_Future[Any]", Any]]]
_SECONDS = 1.5  # which a program that ends gives to batches in the making


def _serve(work: _Work, make: Callable[[Any], Any], modes: tuple[bool, bool]) -> None:
    _np_semantics.set_np(*modes)
    while (item := work.get()) is not None:
        future, indices = item
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(make(indices))
            except BaseException as error:
                future.set_exception(error)
        del future, indices, item


class ThreadPool:
    """Threads that make batches, with the same methods as the pool of processes.

    A dataset that hangs holds up neither the loader, whose timeout ends the wait, nor a program that ends.
    """

    def __init__(self, count: int, dataset: Any, batchify_fn: Callable[[Any], Any]) -> None:
        modes = (_np_semantics.is_np_shape(), _np_semantics.is_np_array())

        def make(indices: Any) -> Any:
            return make_batch(dataset, batchify_fn, indices)

        self._work: _Work = queue.SimpleQueue()
        self._threads = [
            threading.Thread(
                target=_serve, args=(self._work, make, modes), name=f"mixgrad-loader_{i}", daemon=True
            )
            for i in range(count)
        ]
        self._made: dict[tuple[int, int], _Future[Any]] = {}
        self._passes = 0
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._is_open = True
        for thread in self._threads:
            _threads.add(thread)
            thread.start()
        _pools.add(self)

    @property
    def is_usable(self) -> bool:
        """Whether there are threads: not once it was closed, nor in a forked child."""
        return self._is_open and self._pid == os.getpid()

    def new_pass(self) -> int:
        with self._lock:
            self._passes += 1
            return self._passes

    def push(self, key: tuple[int, int], indices: Any, seed: Optional[list[int]]) -> None:
        future = self._made[key] = _Future()
        self._work.put((future, indices))

    def pull(self, key: tuple[int, int], seconds: float) -> Any:
        future = self._made.pop(key)
        if self._pid != os.getpid():
            raise WorkerDiedError(forked)
        if not concurrent.futures.wait([future], seconds).done:
            future.cancel()
            raise LoaderTimeoutError(
                f"[DataLoader] no thread has made batch {key[1]} within {seconds:g} s; give a larger timeout "
                "if its examples take longer than that"
            )
        return future.result()

    def forget(self, number: int, keys: list[tuple[int, int]]) -> None:
        for key in keys:
            future = self._made.pop(key, None)
            if future is not None:
                future.cancel()

    def close(self) -> None:
        self._is_open = False
        for future in list(self._made.values()):
            future.cancel()
        for _ in self._threads:
            self._work.put(None)


_pools: weakref.WeakSet[ThreadPool] = weakref.WeakSet()
_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()  # of pools that are closed, too


@atexit.register
def _end() -> None:
    """Before the interpreter ends: threads inside of the library would end in the midst of it."""
    for pool in list(_pools):
        if pool.is_usable:
            pool.close()
    until = time.monotonic() + _SECONDS
    for thread in list(_threads):
        thread.join(max(0.0, until - time.monotonic()))
