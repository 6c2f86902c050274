"""Functions that users hand to training loops."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

__all__ = ["BatchEndParam", "as_list", "call_all", "check_callbacks"]

# What a batch_end_callback gets: numbers of epoch and batch, the metric, and the local variables of the loop.
BatchEndParam = namedtuple("BatchEndParam", ["epoch", "nbatch", "eval_metric", "locals"])


def as_list(value: Any) -> list[Any]:
    """Return a list: of nothing for None, of one for what is no list or tuple."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def check_callbacks(who: str, **callbacks: Any) -> None:
    """Refuse what cannot be called, before a loop begins; the names are those of the arguments."""
    for name, given in callbacks.items():
        for one in as_list(given):
            if not callable(one):
                kind = type(one).__name__
                raise TypeError(
                    f"[{who}] {name} is {kind}: {one!r:.60}; expected a function or a list of functions"
                )


def call_all(callbacks: Any, *args: Any) -> None:
    """Call a callback, each of a list of them, or none."""
    for callback in as_list(callbacks):
        callback(*args)
