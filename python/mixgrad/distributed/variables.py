"""Variables of a model that all workers share."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..kvstore import DistributedKVStore
from ..ndarray import NDArray
from ..optimizer import Optimizer
from .placement import DeviceSetter
from .replicas import STEPS, StepCounter, SyncReplicas, register

__all__ = ["SharedVariables"]

_WHO = "[SharedVariables]"


class SharedVariables:
    """Variables on the ``ps`` tasks of a cluster, this worker's copies of them, and the global step.

    Parameters
    ----------
    values : dict of str to NDArray
        First values by name; those of worker 0 count. The arrays become this worker's copies, and are
        written by :meth:`start` and :meth:`apply`.
    optimizer : Optimizer
        Runs on the servers. With :class:`SyncReplicas` steps are synchronous; with any other, each worker's
        gradients are a step by themselves.
    device : DeviceSetter, optional
        Says on which task each variable lies (:func:`replica_device_setter`); by default the store does.

    Attributes
    ----------
    values : dict of str to NDArray
        This worker's copies.
    store : DistributedKVStore or None
        What connects the workers, once :meth:`start` has been called.
    """

    def __init__(
        self, values: Mapping[str, NDArray], optimizer: Optimizer, device: DeviceSetter | None = None
    ) -> None:
        if STEPS in values:
            raise InvalidArgumentError(f"{_WHO} a variable is called {STEPS!r}, which counts the steps")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{_WHO} got {type(optimizer).__name__}; expected an Optimizer")
        self.values = dict(values)
        self._rule = optimizer if isinstance(optimizer, StepCounter) else StepCounter(optimizer)
        keys = {name: device.key_of(name, value) if device else name for name, value in self.values.items()}
        self._keys = list(keys.values())
        self.store: DistributedKVStore | None = None
        self._steps: NDArray | None = None  # updates of each worker, then all steps
        self.first_step = 0  # what the global step is when training begins
        self._applied, self._before = 0, 0.0

    @property
    def _type(self) -> str:
        return "dist_sync" if isinstance(self._rule, SyncReplicas) else "dist_async"

    def start(self) -> None:
        """Give the variables their first values, those of worker 0, for whom others wait here.

        Where servers have values already, as when this process takes the place of one that ended, those
        stay. Either way this worker then has what the servers have.
        """
        if self.store is not None:
            raise InvalidArgumentError(f"{_WHO} start was called already")
        if isinstance(self._rule, SyncReplicas):
            self._set_policy(self._rule)
        store = DistributedKVStore(self._type)
        if isinstance(self._rule, SyncReplicas) and self._rule.total_num_replicas != store.num_workers:
            raise InvalidArgumentError(
                f"{_WHO} SyncReplicas has {self._rule.total_num_replicas} replicas; there are "
                f"{store.num_workers} workers"
            )
        first = np.zeros(store.num_workers + 1)
        first[-1] = self.first_step
        self._steps = nd.array(first, dtype="float64")
        self.store = store
        register()  # of the servers' data, states have the rule
        store.init([*self._keys, STEPS], [*self.values.values(), self._steps])
        store.set_optimizer(self._rule)
        self.pull()
        self._before = float(self._steps[store.rank].asscalar())

    @staticmethod
    def _set_policy(rule: SyncReplicas) -> None:
        if not rule.policy:
            return
        known = os.environ.setdefault("MIXGRAD_ROUNDS", rule.policy)
        if known != rule.policy:
            raise InvalidArgumentError(
                f"{_WHO} MIXGRAD_ROUNDS is {known!r}, and SyncReplicas is of {rule.policy!r}; "
                "expected one of both"
            )

    def _started(self) -> tuple[DistributedKVStore, NDArray]:
        if self.store is None or self._steps is None:
            raise InvalidArgumentError(f"{_WHO} start was not called yet")
        return self.store, self._steps

    def apply(self, gradients: Mapping[str, NDArray]) -> None:
        """Let the servers take a step along these gradients, one for each variable, and get the new values.

        It returns at once; what reads the values waits. Earlier variables travel first.
        """
        store, steps = self._started()
        if gradients.keys() != self.values.keys():
            raise InvalidArgumentError(
                f"{_WHO} got gradients of {sorted(gradients)}; expected those of {sorted(self.values)}"
            )
        for place, (key, name) in enumerate(zip(self._keys, self.values)):
            store.push(key, gradients[name], priority=-place)
        mine = np.zeros(steps.shape)
        mine[store.rank] = 1
        store.push(STEPS, nd.array(mine, dtype="float64"), priority=-len(self._keys))
        self._applied += 1
        self.pull()

    def pull(self) -> None:
        """Get the values that the servers have, with all of this worker's steps in them; returns at once."""
        store, steps = self._started()
        self._pull_into(store, [*self.values.values(), steps])

    def _pull_into(self, store: DistributedKVStore, arrays: list[NDArray]) -> None:
        for place, (key, array) in enumerate(zip([*self._keys, STEPS], arrays)):
            store.pull(key, out=array, priority=-place)

    def copies(self) -> tuple[dict[str, NDArray], NDArray]:
        """What the servers have now, in arrays of its own, and the counts; returns at once."""
        store, steps = self._started()
        arrays = [nd.zeros(value.shape, dtype=value.dtype) for value in self.values.values()]
        counts = nd.zeros(steps.shape, dtype="float64")
        self._pull_into(store, [*arrays, counts])
        return dict(zip(self.values, arrays)), counts

    @property
    def global_step(self) -> int:
        """Steps of all workers so far, as of the last :meth:`apply` or :meth:`pull`."""
        if self._steps is None:
            return self.first_step
        return int(self._steps[-1].asscalar())

    @property
    def dropped(self) -> int:
        """Steps of this worker whose gradients came too late, and were dropped.

        Steps are counted as a variable of their own: one for which they came late may have counted for some
        others.
        """
        store, steps = self._started()
        return self._applied - round(float(steps[store.rank].asscalar()) - self._before)

    def leave(self) -> None:
        """Take part no more: others do not wait for this worker."""
        self._started()[0].leave()

    def __repr__(self) -> str:
        return f"SharedVariables({len(self.values)} of {self._type})"
