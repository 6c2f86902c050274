"""What a worker's stores of several processes have in common: how it joins one and leaves it."""

from __future__ import annotations

import atexit
import os
import sys
import weakref

from ..base import MXNetError
from . import _metrics, _zeromq
from .kvstore import KVStore

__all__ = ["WorkerKVStore"]

_open_stores: weakref.WeakSet[WorkerKVStore] = weakref.WeakSet()


def _end(store: WorkerKVStore, at_exit: bool) -> None:
    """Ends a worker's part in its store. What failed is told on the error output, and by the exit code."""
    store._is_open = False
    try:
        store._store.end(at_exit)
    except MXNetError as error:
        print(f"mixgrad: error: {error}", file=sys.stderr, flush=True)


def _end_all() -> None:
    """At the end of a worker: one that did its work leaves when the exit code shows it. One that an exception
    ends goes without a word: others wait for whoever takes its place, and say for whom they wait."""
    failed = hasattr(sys, "last_value") and not hasattr(sys, "ps1")  # an interactive one goes on after errors
    for store in list(_open_stores):
        if failed:
            store._is_open = False
            store._store.abandon()
        else:
            _end(store, at_exit=True)


class WorkerKVStore(KVStore):
    """A store that the workers of several processes share."""

    _is_open = False

    def __init__(self, name: str) -> None:
        _zeromq.load()
        super().__init__(name)
        self._is_open = True
        if not _open_stores:
            atexit.unregister(_end_all)
            atexit.register(_end_all)
        _open_stores.add(self)
        if _metrics.start("worker", lambda: self.rank):
            self._store = _metrics.CountedStore(self._store)  # type: ignore[assignment]
        if mark := os.environ.get("MIXGRAD_JOINED"):  # the launcher waits for servers that have workers
            open(mark, "a").close()

    def __del__(self) -> None:
        # Without a frame below it is the end of the script that lets the store go, perhaps by sys.exit(3).
        if self._is_open:
            _end(self, at_exit=sys._getframe().f_back is None)

    def __repr__(self) -> str:
        return f"KVStore({self.type!r}, worker {self.rank} of {self.num_workers})"

    def leave(self) -> None:
        """Take part no more, when what this worker pushed is over; later calls raise ``MXNetError``."""
        _open_stores.discard(self)
        self._is_open = False
        self._store.leave()
