"""The store that the workers of several processes share."""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from collections.abc import Mapping
from typing import Any, Callable

from ..base import MXNetError, UnsupportedError
from ..ndarray import NDArray
from ..optimizer import Optimizer, state_file
from . import _metrics, _zeromq
from .kvstore import KVStore

__all__ = ["DistributedKVStore"]

_open_stores: weakref.WeakSet[DistributedKVStore] = weakref.WeakSet()


def _end(store: DistributedKVStore, at_exit: bool) -> None:
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


class DistributedKVStore(KVStore):
    """A store of arrays by key whose values live in servers, as ``mx.kv.create('dist_sync')`` makes it.

    What several devices of this worker push for a key is added here first, in the order given, and servers
    add the workers' sums in the order of their ranks: results do not depend on who comes first. With
    ``dist_sync`` a push counts when all workers have pushed the key; a pull gives the value that has this
    worker's pushes in it. With ``dist_async`` each push counts by itself.

    ``push`` and ``pull`` return at once; what fails in a server or takes longer than the time limit is raised
    where values are needed, and names the processes that were waited for. ``init``, ``barrier``,
    ``set_optimizer`` and ``row_sparse_pull`` block.
    """

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

    @property
    def rounds_done(self) -> int:
        """Synchronous updates that were over when this process gave its keys their first values.

        It is not 0 in a process that takes the place of a worker that ended: what it pulls first are the
        values after so many updates, and its next push is the one after them. A script that starts its loop
        there, and gave all keys their first values in one call, ends with the values of a run without the
        interruption.
        """
        return self._store.rounds_done

    def leave(self) -> None:
        """Tell the others not to wait for this worker any more; later calls raise ``MXNetError``.

        It waits for this worker's updates to be over: for processes that live as long as their time limit
        (``MIXGRAD_TIME_LIMIT``), for dead ones ``MIXGRAD_LEAVE_LIMIT`` seconds.

        The end of a process with exit code 0 does it, too. One that ends with another code, by an exception,
        by a signal, or with an update that failed, does not leave: others wait for the process that takes its
        place. Such an update makes the exit code 1, unless this function has told of it.

        Raises
        ------
        MXNetError
            An update of this worker failed, or waits for dead processes; the message names them.
        """
        _open_stores.discard(self)
        self._is_open = False
        self._store.leave()

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Let servers change stored weights by ``optimizer``, with the gradients that are pushed.

        Every worker calls it, and it returns when all have; the optimiser of rank 0 counts. What travels is
        its class name and fields, as in a file of :mod:`mixgrad.optimizer.state_file`: servers know the
        classes that mixgrad registers.
        """
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"[kvstore.set_optimizer] expected an Optimizer, got {type(optimizer).__name__}")
        self._store.send_rule(state_file.dump(optimizer))

    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], None] | None) -> None:
        """Always an ``UnsupportedError``: servers run no functions of workers, but for ``None``."""
        self._store.set_updater(updater)

    _set_updater = set_updater

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Always an ``UnsupportedError``: gradients travel whole."""
        raise UnsupportedError(
            f"[kvstore.set_gradient_compression] {dict(compression_params)!r}: gradients between processes "
            "are not compressed in this build"
        )

    def save_optimizer_states(self, fname: Any, dump_optimizer: bool = False) -> None:
        """Always an ``UnsupportedError``: the states are the servers'."""
        raise UnsupportedError(
            "[kvstore.save_optimizer_states] the states of a store of several processes are its servers', "
            "which write none in this build"
        )

    def load_optimizer_states(self, fname: Any) -> None:
        """Always an ``UnsupportedError``: the states are the servers'."""
        raise UnsupportedError(
            "[kvstore.load_optimizer_states] the states of a store of several processes are its servers', "
            "which read none in this build"
        )

    def _send_command_to_servers(self, head: int, body: str) -> None:
        raise UnsupportedError(
            f"[kvstore] command {head!r} to servers: they take no other than the optimiser of set_optimizer"
        )
