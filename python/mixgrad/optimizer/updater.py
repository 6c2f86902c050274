"""The updater of a key-value store: one optimiser, and the states of all weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from .. import _core
from ..ndarray import NDArray
from . import state_file
from .base import Optimizer, State, Step
from .state_form import check_can_be_states, check_form

__all__ = ["Updater", "get_updater", "joined_states"]


# Fields of an optimiser that count its updates.
_COUNTS = ("num_update", "_all_index_update_counts")
# What the class of the optimiser stands under beside them, which older files lack.
_MAKER = "optimizer"
_SAME_RULE = {"ccsgd": "sgd"}


def _checked_counts(value: Any) -> tuple[int, dict[int, dict[Any, int]]]:
    """The counts of a states file; ``ValueError`` if they are something else."""
    if isinstance(value, dict) and set(value) - {_MAKER} == set(_COUNTS):
        total, by_device = (value[name] for name in _COUNTS)
        tables = list(by_device.values()) if isinstance(by_device, dict) else [None]
        whole = [total, *(n for table in tables if isinstance(table, dict) for n in table.values())]
        if all(isinstance(t, dict) for t in tables) and all(isinstance(n, int) for n in whole):
            return total, by_device
    raise ValueError(f"[Updater.set_states] expected counts of updates, got {str(value)[:60]}")


def _maker(optimizer: Optimizer) -> str:
    return type(optimizer).__name__.lower()


def _check_maker(found: Any, optimizer: Optimizer) -> None:
    """Raise ``ValueError`` if states that name the class of their optimiser are another's."""
    wanted = _maker(optimizer)
    if isinstance(found, str):
        other = Optimizer.opt_registry.get(found.lower())
        if other is None or issubclass(other, type(optimizer)) or issubclass(type(optimizer), other):
            return  # the form of the states decides
    if _SAME_RULE.get(str(found), found) != _SAME_RULE.get(wanted, wanted):
        raise ValueError(
            f"[Updater.set_states] the file holds states of the optimizer {str(found)[:60]!r}; expected "
            f"those of {wanted!r}"
        )


class Updater:
    """A function ``(index, grad, weight)`` that makes states as needed and updates weights in place.

    Parameters
    ----------
    optimizer : Optimizer
        The rule.

    Examples
    --------
    >>> import mixgrad as mx
    >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
    >>> w = mx.nd.ones((2,))
    >>> updater(0, mx.nd.ones((2,)), w)
    >>> saved = updater.get_states()
    >>> other = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
    >>> other.set_states(saved)
    >>> other(0, mx.nd.ones((2,)), w)
    >>> w.asnumpy().tolist()
    [-0.25, -0.25]
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, State] = {}
        # False for states that were loaded and still have to follow their weight's device.
        self.states_synced: dict[Any, bool] = {}
        self.aggregate_updates = optimizer.aggregate_num > 0

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.optimizer!r} with {len(self.states)} states>"

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or each of a list of weights.

        Parameters
        ----------
        index : hashable, or list of hashable
            Key of the weight.
        grad, weight : NDArray, or list of NDArray
            Gradient and weight of equal shape.
        """
        if not isinstance(index, (list, tuple)):
            index, grad, weight = [index], [grad], [weight]
        if not len(index) == len(grad) == len(weight):
            raise ValueError(
                f"[Updater] expected as many gradients and weights as indices, got {len(index)} indices, "
                f"{len(grad)} gradients and {len(weight)} weights"
            )
        if all(map(self.states_synced.get, index)):
            states = [self.states[key] for key in index]
        else:
            states = [self._state_of(key, one) for key, one in zip(index, weight)]
        recorded = _core.set_recording(False)  # a program that uses mx.nn, too, records all the time
        try:
            if len(states) == 1 and not self.optimizer._takes_lists():
                self.optimizer.update_multi_precision(index[0], weight[0], grad[0], states[0])
            elif states:
                self.optimizer.update_many(index, weight, grad, states)
        finally:
            _core.set_recording(recorded)

    def graph_steps(self, indices: Sequence[Any], weights: Sequence[NDArray]) -> list[Step]:
        """Return what takes the updates of weights inside a graph, see :meth:`Optimizer.graph_step`.

        Raises
        ------
        ValueError
            The optimiser takes such a step by several operators, or in a way of its own.
        """
        self.optimizer.check_graph_steps(indices, weights)
        steps = []
        for index, weight in zip(indices, weights):
            step = self.optimizer.graph_step(weight, self._state_of(index, weight))
            assert step is not None
            steps.append(step)
        return steps

    def _state_of(self, index: Any, weight: NDArray) -> State:
        """The state of a weight, made when it is first needed, on the weight's device."""
        if not isinstance(weight, NDArray):
            name = self.optimizer._name_of(index)
            raise TypeError(f"[Updater] the weight of {name} is {type(weight).__name__}; expected NDArray")
        if index not in self.states:
            self.states[index] = self.optimizer.create_state_multi_precision(index, weight)
        elif not self.states_synced[index]:
            check_form(self.optimizer, index, weight, self.states[index], "Updater")
            self.states[index] = self.sync_state_context(self.states[index], weight.context)
        self.states_synced[index] = True
        return self.states[index]

    def sync_state_context(self, state: State, context: Any) -> State:
        """Return the state with all its arrays on the device ``context``."""
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)(self.sync_state_context(item, context) for item in state)
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Return all states as bytes, with the optimiser's own fields if ``dump_optimizer``.

        How many updates were made is among them in any case, so that schedules and bias corrections go on
        where they were, and so is the optimiser's class. See :mod:`mixgrad.optimizer.state_file` for the
        format, which runs nothing when it is read.
        """
        if dump_optimizer:
            return state_file.dump((self.states, self.optimizer))
        counts = {name: getattr(self.optimizer, name) for name in _COUNTS}
        return state_file.dump((self.states, {**counts, _MAKER: _maker(self.optimizer)}))

    def set_states(
        self, states: bytes, weight_of: Callable[[Any], NDArray | None] = lambda index: None
    ) -> None:
        """Replace all states (and the optimiser, if it was saved) by those of :meth:`get_states`.

        States of another optimiser, or of weights of other shapes, are refused: here, where the file names
        the optimiser or ``weight_of`` gives the weight, otherwise by the first update, before it changes
        anything.

        Parameters
        ----------
        states : bytes
            What :meth:`get_states` or MXNet made.
        weight_of : function, optional
            Gives the weight of an index, or an array like it; None for a weight that is not known.

        Raises
        ------
        ValueError
            The bytes are not states, are damaged, name a class that this program has not registered, or are
            states of something else. Nothing is changed then.
        """
        loaded = state_file.load(states)
        optimizer, counts = self.optimizer, None
        if isinstance(loaded, tuple) and len(loaded) == 2:
            loaded, rest = loaded
            if isinstance(rest, Optimizer):
                optimizer = rest
            else:
                counts = _checked_counts(rest)
                _check_maker(rest.get(_MAKER), optimizer)
        check_can_be_states(loaded, "Updater.set_states", optimizer)
        for index, state in loaded.items():
            weight = weight_of(index)
            if weight is not None:
                check_form(optimizer, index, weight, state, "Updater.set_states")
        if counts is not None:
            optimizer._restore_counts(*counts)
        self.optimizer = optimizer
        self.states = loaded
        self.states_synced = dict.fromkeys(loaded, False)
        self.aggregate_updates = optimizer.aggregate_num > 0


def joined_states(parts: Sequence[bytes]) -> bytes:
    """States of different weights in one, from :meth:`Updater.get_states` of as many updaters.

    What else the first one holds, the optimiser or its counts, is the whole's, with the counts of all.
    """
    states: dict[Any, State] = {}
    total, by_device = 0, {}  # type: int, dict[int, dict[Any, int]]
    rest: Any = None
    for part in parts:
        some, more = state_file.load(part)
        states.update(some)
        counts = [getattr(more, name) if isinstance(more, Optimizer) else more[name] for name in _COUNTS]
        total = max(total, counts[0])
        for device, table in counts[1].items():
            by_device.setdefault(device, {}).update(table)
        rest = more if rest is None else rest
    if isinstance(rest, Optimizer):
        rest._restore_counts(total, by_device)
    elif rest is not None:
        rest.update(zip(_COUNTS, (total, by_device)))
    return state_file.dump((states, rest))


def get_updater(optimizer: Optimizer) -> Updater:
    """Return an :class:`Updater` for ``optimizer``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> update = mx.optimizer.get_updater(mx.optimizer.create("test"))
    >>> w = mx.nd.zeros((2,))
    >>> update(0, mx.nd.ones((2,)), w)
    >>> w.asnumpy().tolist()
    [1.0, 1.0]
    """
    return Updater(optimizer)
