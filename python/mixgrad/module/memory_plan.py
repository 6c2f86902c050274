"""What training a module will take of each worker's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .. import optimizer as opt
from ..ndarray import NDArray

__all__ = ["WorkerMemory", "plan_workers"]


class WorkerMemory(NamedTuple):
    """Memory of one worker by what it is for, in bytes."""

    parameters: int  # arguments of executors, also the inputs of a batch, and auxiliary states
    gradients: int
    working: int  # what the plan of the graph takes, and its outputs
    states: int  # of the optimiser, for the parameters that this worker updates
    store: int  # values and sums of gradients that the store keeps
    copies: int  # of all parameters, on the host

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self)


def plan_workers(
    executors: Sequence[Any],
    params: Sequence[tuple[str, NDArray, bool]],
    copies: Iterable[NDArray],
    optimizer: opt.Optimizer,
    kvstore: str | None,
    num_workers: int,
) -> list[WorkerMemory]:
    """Add up what :meth:`Module.plan_memory` describes.

    Parameters
    ----------
    executors : list of Executor
        One per device.
    params : list of (str, NDArray, bool)
        Name, an array as the optimiser gets it, and whether it has a gradient, in the order in which a store
        gets them.
    copies : iterable of NDArray
        Parameters and states on the host.
    """
    parameters = gradients = working = 0
    for executor in executors:
        here = [
            array
            for names, arrays, workers in (
                (executor._arg_names, executor.arg_arrays, executor.arg_workers),
                (executor._aux_names, executor.aux_arrays, executor.aux_workers),
            )
            for name, array in zip(names, arrays)
            if not workers or executor._has(name)
        ]
        parameters += _bytes_of(here)
        gradients += _bytes_of(executor.grad_arrays)
        working += executor.planned_bytes()[0]
    held = _bytes_of(copies)
    owners = _owners([array.nbytes for _, array, _ in params], num_workers)
    plans = []
    for rank in range(num_workers):
        states = store = 0
        for number, ((_, array, has_gradient), owner) in enumerate(zip(params, owners)):
            if kvstore is not None:
                store += array.nbytes
            if not has_gradient or (kvstore == "collective_sharded" and owner != rank):
                continue
            replicas = len(executors) if kvstore is None else 1
            states += replicas * _bytes_of([optimizer.create_state_multi_precision(number, array)])
            if kvstore is not None:
                store += array.nbytes  # the sum
        plans.append(WorkerMemory(parameters, gradients, working, states, store, held))
    return plans


def _owners(sizes: Sequence[int], num_workers: int) -> list[int]:
    """The worker that updates each value of a sharded store: the one that had the fewest bytes so far."""
    owned, owners = [0] * num_workers, []
    for size in sizes:
        owners.append(owned.index(min(owned)))
        owned[owners[-1]] += size
    return owners


def _bytes_of(values: Iterable[Any]) -> int:
    """Of arrays in lists, tuples and dicts of any depth; None and numbers have none."""
    total = 0
    for value in values:
        if isinstance(value, NDArray):
            total += value.nbytes
        elif isinstance(value, Mapping):
            total += _bytes_of(value.values())
        elif isinstance(value, (list, tuple)):
            total += _bytes_of(value)
    return total
