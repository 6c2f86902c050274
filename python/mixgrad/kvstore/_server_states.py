"""States of optimisers that lie on servers: parts of values as one, and back.

A server keeps the state of each part of a value by itself, with an optimiser that counts the updates of that
part. In a file there is one optimiser and one state for each key, as in a store of one process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import ndarray as nd
from ..base import MXNetError, UnsupportedError
from ..ndarray import NDArray
from ..ndarray.sparse import RowSparseNDArray
from ..optimizer import Optimizer, Updater, get_updater, state_file

__all__ = ["Part", "joined", "refusal_of", "refused", "split", "whole_updater"]

_REFUSAL = "_refusal"  # of an optimiser on a server: why worker 0 refused the last file of states


class Part(NamedTuple):
    """What a server keeps for elements of a value; without ``states`` nothing was updated yet."""

    first: int
    elements: int
    optimizer: Optimizer
    states: dict[Any, Any] | None

    @classmethod
    def of(cls, first: int, elements: int, data: bytes) -> Part:
        """Read what a server sent."""
        states, optimizer = _read(data)
        vars(optimizer).pop(_REFUSAL, None)
        return cls(first, elements, optimizer, states)


def _read(data: bytes) -> tuple[dict[Any, Any] | None, Optimizer]:
    loaded = state_file.load(data)
    return (None, loaded) if isinstance(loaded, Optimizer) else loaded


def refused(data: bytes, why: str) -> bytes:
    """What a server sent, with a text beside it for the other workers."""
    states, optimizer = _read(data)
    setattr(optimizer, _REFUSAL, why)
    return state_file.dump(optimizer if states is None else (states, optimizer))


def refusal_of(data: bytes) -> str:
    """That text; empty if there is none."""
    return str(getattr(_read(data)[1], _REFUSAL, ""))


def joined(key: Any, states: Sequence[Any], parts: Sequence[Part], shape: tuple[int, ...]) -> Any:
    """One state for the value of ``shape``, of those of its parts."""
    if len(states) == 1:
        return states[0]
    first = states[0]
    if any(type(state) is not type(first) for state in states):
        raise MXNetError(f"[kvstore.save_optimizer_states] the parts of key {key!r} have states of two kinds")
    if isinstance(first, (tuple, list)):
        return type(first)(joined(key, column, parts, shape) for column in zip(*states))
    if isinstance(first, NDArray) and not isinstance(first, RowSparseNDArray):
        if all(state.size == part.elements for state, part in zip(states, parts)):
            return nd.concat(*[state.reshape((-1,)) for state in states], dim=0).reshape(shape)
        if all(state.shape == first.shape and bool((state == first).min().asscalar()) for state in states):
            return first
    elif all(state == first for state in states):
        return first
    raise UnsupportedError(
        f"[kvstore.save_optimizer_states] key {key!r} lies on several servers, and its optimiser keeps "
        f"something else there than an element for each of its elements: {first!r:.80}; expected "
        "MXNET_KVSTORE_BIGARRAY_BOUND above its size"
    )


def split(state: Any, part: Part, shape: tuple[int, ...]) -> Any:
    """The state of one part of a value of ``shape``."""
    if isinstance(state, (tuple, list)):
        return type(state)(split(item, part, shape) for item in state)
    is_dense = isinstance(state, NDArray) and not isinstance(state, RowSparseNDArray)
    if is_dense and state.shape == shape and state.size != part.elements:
        return state.reshape((-1,))[part.first : part.first + part.elements].copy()
    return state


def whole_updater(parts: dict[Any, list[Part]], shapes: dict[Any, tuple[int, ...]]) -> Updater:
    """What one process would have that had made the updates of all parts."""
    optimizer: Optimizer | None = None
    counts: dict[int, dict[Any, int]] = {}
    total = 0
    states: dict[Any, Any] = {}
    for key, several in parts.items():
        there = [part.states[key] for part in several if part.states and key in part.states]
        if there and len(there) < len(several):
            raise MXNetError(
                f"[kvstore.save_optimizer_states] an update of key {key!r} is on its way; expected a call "
                "behind a barrier"
            )
        if there:
            states[key] = joined(key, there, several, shapes[key])
        for part in several:
            optimizer = optimizer or part.optimizer
            total = max(total, part.optimizer.num_update)
            for device, table in part.optimizer._all_index_update_counts.items():
                of_device = counts.setdefault(device, {})
                for index, count in table.items():
                    of_device[index] = max(count, of_device.get(index, 0))
    assert optimizer is not None
    optimizer._restore_counts(total, counts)
    updater = get_updater(optimizer)
    updater.states = states
    updater.states_synced = dict.fromkeys(states, False)
    return updater
