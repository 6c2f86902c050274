"""The store that the workers of several processes share."""

from __future__ import annotations

import math
from typing import Any, Callable

from .._files import PathLike, read_file, write_file
from ..base import RefusedValueError, UnsupportedError
from ..ndarray import NDArray
from ..optimizer import Optimizer, Updater, state_file
from ..optimizer.state_file import check_start
from . import _trace
from ._server_states import Part, refusal_of, refused, split, whole_updater
from ._worker import WorkerKVStore

__all__ = ["DistributedKVStore"]


class DistributedKVStore(WorkerKVStore):
    """A store of arrays by key whose values live in servers, as ``mx.kv.create('dist_sync')`` makes it.

    What several devices of this worker push for a key is added here first, in the order given, and servers
    add the workers' sums in the order of their ranks: results do not depend on who comes first. With
    ``dist_sync`` a push counts when all workers have pushed the key; a pull gives the value that has this
    worker's pushes in it. With ``dist_async`` each push counts by itself.

    With :meth:`set_gradient_compression`, which every worker calls with the same parameters, the sum of the
    worker's devices travels compressed.

    ``push`` and ``pull`` return at once; what fails in a server or takes longer than the time limit is raised
    where values are needed, and names the processes that were waited for. ``init``, ``barrier``,
    ``set_optimizer``, ``set_gradient_compression`` and ``row_sparse_pull`` block.
    """

    def __init__(self, name: str) -> None:
        self._has_optimizer = False
        super().__init__(name)

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
        super().leave()

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Let servers change stored weights by ``optimizer``, with the gradients that are pushed.

        Every worker calls it, and it returns when all have; the optimiser of rank 0 counts. What travels is
        its class name and fields, as in a file of :mod:`mixgrad.optimizer.state_file`: servers know the
        classes that mixgrad registers.
        """
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"[kvstore.set_optimizer] expected an Optimizer, got {type(optimizer).__name__}")
        self._store.send_rule(state_file.dump(optimizer))
        _trace.together("set_optimizer")
        self._has_optimizer = True

    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], None] | None) -> None:
        """Always an ``UnsupportedError``: servers run no functions of workers, but for ``None``."""
        self._store.set_updater(updater)

    _set_updater = set_updater

    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Write the states of the servers' optimisers (and their settings, if ``dump_optimizer``) to a file.

        Any worker may call it, by itself. All that it pushed is in the states. The file is the one that a
        store of one process writes, and either kind of store reads it: parts of large values are put
        together. The optimiser's counts are those of the key that was updated most.

        Raises
        ------
        ValueError
            ``set_optimizer`` was not called.
        UnsupportedError
            The optimiser keeps for a part of a large value what cannot be put together.
        """
        who = "save_optimizer_states"
        write_file(fname, self._gathered(who)[0].get_states(dump_optimizer), f"kvstore.{who}")

    def load_optimizer_states(self, fname: PathLike) -> None:
        """Give the servers' optimisers the states that a store of any kind, or MXNet, wrote.

        Every worker calls it, and it returns when all have; the file that rank 0 reads counts. States of
        keys that it does not name begin anew. Reading the file runs no code.

        Raises
        ------
        ValueError
            ``set_optimizer`` was not called, or the file holds no states, or those of something else. Nothing
            is changed then, and every worker raises an error that says what rank 0 found.
        """
        who = "load_optimizer_states"
        self._check_optimizer(who)
        # What tells the others of a refusal: a key whose state is small, as every worker reads it.
        key = min(self._forms, key=lambda one: math.prod(self._forms[one][0]))
        if self.rank != 0:
            self._store.set_states([], [], [])
            self._store.barrier()
            why = refusal_of(self._store.states(key)[0][2])
            if why:
                raise RefusedValueError(f"[kvstore.{who}] worker 0 refused the file: {why}")
            return
        try:
            states = self._states_of(fname, who)
        except Exception as error:
            # The others go through two barriers, then this one's third: they make no updates meanwhile.
            self._store.barrier()
            parts = [refused(data, f"{error}" or repr(error)) for _, _, data in self._store.states(key)]
            self._store.set_states([key] * len(parts), list(range(len(parts))), parts)
            raise
        self._store.set_states(*states)
        self._store.barrier()

    def _states_of(self, fname: PathLike, who: str) -> tuple[list[Any], list[int], list[bytes]]:
        """Keys, parts and their states, of a file."""
        keys: list[Any] = []
        numbers: list[int] = []
        several: list[bytes] = []
        content = read_file(fname, f"kvstore.{who}", check_start)
        updater, parts = self._gathered(who)
        updater.set_states(content, self._like)
        for key, of_key in parts.items():
            for number, part in enumerate(of_key):
                value: Any = updater.optimizer
                if key in updater.states:
                    state = split(updater.states[key], part, self._forms[key][0])
                    value = ({key: state}, updater.optimizer)
                keys.append(key)
                numbers.append(number)
                several.append(state_file.dump(value))
        return keys, numbers, several

    def _check_optimizer(self, who: str) -> None:
        if not self._has_optimizer:
            raise RefusedValueError(f"[kvstore.{who}] the store has no optimiser; call set_optimizer first")
        if not self._forms:
            raise RefusedValueError(f"[kvstore.{who}] the store has no values; call init first")

    def _gathered(self, who: str) -> tuple[Updater, dict[Any, list[Part]]]:
        """The states of all servers."""
        self._check_optimizer(who)
        parts = {key: [Part.of(*part) for part in self._store.states(key)] for key in self._forms}
        return whole_updater(parts, {key: shape for key, (shape, _) in self._forms.items()}), parts

    def _send_command_to_servers(self, head: int, body: str) -> None:
        raise UnsupportedError(
            f"[kvstore] command {head!r} to servers: they take no other than the optimiser of set_optimizer"
        )
