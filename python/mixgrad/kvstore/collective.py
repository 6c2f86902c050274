"""The store of several processes that has no servers."""

from __future__ import annotations

from ..optimizer import Optimizer, state_file
from . import _trace
from ._worker import WorkerKVStore

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
