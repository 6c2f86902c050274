"""What a worker's stores of several processes have in common: how it joins one and leaves it."""

from __future__ import annotations

import atexit
import os
import sys
import weakref

from ..base import MXNetError
from . import _metrics, _trace, _zeromq
from .kvstore import KVStore

__all__ = ["WorkerKVStore", "keep_stores"]

_open_stores: weakref.WeakSet[WorkerKVStore] = weakref.WeakSet()
_kept: list[WorkerKVStore] | None = None


def keep_stores() -> list[WorkerKVStore]:
    """The stores that this process makes from here on, which stay open until the caller ends them.

    For who runs a worker's function: that its stores go with their last name would tell others that the
    worker has left, before its result is anywhere.
    """
    global _kept
    _kept = [] if _kept is None else _kept
    return _kept


def open_collective(function: str) -> WorkerKVStore:
    """The store without servers that this process has open, for what its workers do together beside it.

    Raises
    ------
    ValueError
        There is none, or more than one.
    """
    found = [store for store in _open_stores if store._is_open and store.type.startswith("collective")]
    if len(found) != 1:
        raise ValueError(
            f"[{function}] group2ctx names workers, and {len(found) or 'no'} stores of type 'collective' are "
            "open; expected one, which mx.kv.create('collective') makes"
        )
    return found[0]


def _end(store: WorkerKVStore, at_exit: bool) -> None:
    """Ends a worker's part in its store. What failed is told on the error output, and by the exit code."""
    store._is_open = False
    store._write_trace()
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
        _trace.start()
        self._is_open = True
        if not _open_stores:
            atexit.unregister(_end_all)
            atexit.register(_end_all)
        _open_stores.add(self)
        if _kept is not None:
            _kept.append(self)
        self._core_store = self._store
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
        self._write_trace()
        self._store.leave()

    def barrier(self) -> None:
        """Wait until every worker is here."""
        super().barrier()
        _trace.together("barrier")

    _barrier = barrier

    def _write_trace(self) -> None:
        """The file that ``MIXGRAD_TRACE`` asks for, while this worker's number is known."""
        if _trace.runs():
            _trace.finish("worker", self.rank, is_first=self._store.rounds_done == 0)
