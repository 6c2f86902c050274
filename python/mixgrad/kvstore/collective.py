"""The store of several processes that has no servers."""

from __future__ import annotations

from typing import Any

from .._files import PathLike, write_file
from ..optimizer import Optimizer, state_file
from ..optimizer.updater import joined_states
from . import _trace
from ._worker import WorkerKVStore
from .kvstore import _one_key

__all__ = ["CollectiveKVStore"]


class CollectiveKVStore(WorkerKVStore):
    """A store of arrays by key that the workers of several processes share, without servers.

    ``mx.kv.create('collective')`` makes it in processes that ``mixgrad launch -s 0`` started. Every worker
    keeps all values. What the devices of all workers push for a key is added up, first the devices of each
    worker in the order given, then the workers in the order of their ranks, and every worker gets the sum.
    Its optimiser then makes the same update as that of every other one: all have the same values, bit for
    bit. They are those that a ``dist_sync`` store gives, and one process that pushes the same parts in that
    order.

    All workers make the same calls in the same order, each with the same keys, shapes and dtypes. Where they
    differ, where a worker ends or is silent, or where one waits longer than the time limit, nothing can go
    on: every worker gets an error that names the calls, or the worker that is missing.

    One of type ``'collective_sharded'`` keeps what the optimiser knows of a key, such as its momentum, in one
    worker alone, the key's :meth:`owner`. The sum of its gradients goes there, and the updated value from
    there to all: of n workers each has about one nth of the states, for as many bytes sent (stage 1 of ZeRO,
    Rajbhandari et al. 2020). Values are the same, bit for bit.

    ``push`` and ``pull`` return at once; what fails is raised where values are needed. ``init``, ``barrier``
    and ``set_optimizer`` block. Arrays are dense; gradients are not compressed.

    Raises
    ------
    ValueError
        A variable of the environment is missing or makes no sense, or there are servers.
    MXNetError
        Workers were not there within the time limit (``MIXGRAD_TIME_LIMIT``): the message names them.
    """

    @property
    def rounds_done(self) -> int:
        """Always 0: a worker that ended has no successor, so nobody begins in the middle."""
        return self._store.rounds_done

    def _gathers_updates(self) -> bool:
        return self.type == "collective"  # else an updated value leaves as soon as it is there

    def owner(self, key: Any) -> int:
        """The rank of the worker that keeps the optimiser's states of a key.

        In a ``collective`` store every worker keeps all of them: its own rank. Otherwise the worker whose
        keys had the fewest bytes when the key got its first value.

        Raises
        ------
        NotFoundError
            The key has no value yet.
        """
        return self._store.owner(_one_key(key, "kvstore.owner"))

    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Write the states of the optimiser (and its settings, if ``dump_optimizer``) to a file.

        In a ``collective`` store any worker may call it, and writes its own file. In a ``collective_sharded``
        one every worker calls it, and rank 0 gets the states of all and writes the file, which is complete or
        not there.
        """
        if self.type == "collective":
            super().save_optimizer_states(fname, dump_optimizer)
            return
        own = self._states_owner("save_optimizer_states").get_states(dump_optimizer)
        parts = [own]
        for rank in range(1, self.num_workers):
            part = self._store.hand_over(rank, own if rank == self.rank else b"")
            if self.rank == 0:
                parts.append(part)
        if self.rank == 0:
            write_file(fname, joined_states(parts), "kvstore.save_optimizer_states")

    def load_optimizer_states(self, fname: PathLike) -> None:
        """Read states that :meth:`save_optimizer_states` or MXNet wrote; reading them runs no code.

        Every worker reads the whole file, and keeps the states of the keys that it owns.
        """
        super().load_optimizer_states(fname)
        updater = self._states_owner("load_optimizer_states")
        for key in list(updater.states):
            if key in self._forms and self.owner(key) != self.rank:
                del updater.states[key], updater.states_synced[key]

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Let every worker change its values by ``optimizer``, with the sums of gradients.

        Every worker calls it with the same optimiser, and it returns when all have. What is changed later,
        such as a learning rate, must be changed in all workers between the same calls.

        Raises
        ------
        ValueError
            The class or the fields of the optimiser differ between workers; every worker raises it.
        """
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"[kvstore.set_optimizer] expected an Optimizer, got {type(optimizer).__name__}")
        self._store.send_rule(state_file.dump(optimizer))
        _trace.together("set_optimizer")
        super().set_optimizer(optimizer)
