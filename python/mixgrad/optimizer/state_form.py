"""The form of optimiser states: None, one array of a shape, or a tuple of such."""

from __future__ import annotations

from numbers import Number
from typing import Any

from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from .base import Optimizer, State

__all__ = ["check_can_be_states", "check_form"]


def _is_known(optimizer: Optimizer) -> bool:
    """Whether this package makes the states: what a user's class keeps may be anything, and may grow."""
    names = ("create_state", "create_state_multi_precision")
    return all(getattr(type(optimizer), name).__module__.startswith("mixgrad.") for name in names)


def check_can_be_states(states: Any, who: str, optimizer: Optimizer | None = None) -> None:
    """Raise ``ValueError`` unless this maps indices to what an optimiser may keep for a weight.

    What lies inside of lists, tuples and dicts is not looked at: classes of users may keep anything there.
    """
    if not isinstance(states, dict):
        raise ValueError(f"[{who}] expected states by index, got {type(states).__name__}")
    if optimizer is not None and not _is_known(optimizer):
        return
    for index, state in states.items():
        if isinstance(state, (Number, str, bytes, Optimizer, LRScheduler)):
            raise ValueError(
                f"[{who}] the file holds {str(state)[:40]} ({type(state).__name__}) for index {index!r:.60}; "
                "expected None, an array or a tuple of arrays"
            )


def check_form(optimizer: Optimizer, index: Any, weight: NDArray, state: State, who: str) -> None:
    """Raise ``ValueError`` unless a loaded state has the form that the optimiser gives a weight.

    Users' classes are not asked: that would make states more often than they expect.
    """
    if not _is_known(optimizer):
        return
    wanted = optimizer.create_state_multi_precision(index, weight)
    if not _alike(state, wanted):
        raise ValueError(
            f"[{who}] the states that were loaded hold {_text(state)} for {optimizer._name_of(index)}; "
            f"expected {_text(wanted)}, as {type(optimizer).__name__} keeps for a weight of shape "
            f"{weight.shape}"
        )


def _alike(found: Any, wanted: Any) -> bool:
    if wanted is None or found is None:
        return wanted is found
    if isinstance(wanted, NDArray):
        return isinstance(found, NDArray) and found.shape == wanted.shape
    for kind in (tuple, list):
        if isinstance(wanted, kind):
            return isinstance(found, kind) and len(found) == len(wanted) and all(map(_alike, found, wanted))
    if isinstance(wanted, Number):
        return isinstance(found, Number)
    return isinstance(found, type(wanted)) or isinstance(wanted, type(found))


def _text(state: Any) -> str:
    if state is None:
        return "None"
    if isinstance(state, NDArray):
        return f"an array of shape {state.shape}"
    if isinstance(state, (tuple, list)):
        inner = ", ".join(_text(part) for part in state[:4]) + (", ..." if len(state) > 4 else "")
        return f"a {type(state).__name__} of {len(state)} ({inner})"
    return f"{type(state).__name__}"
