"""Nested lists of arrays or symbols, flattened and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .base import RefusedTypeError

# What stands for one item in a layout; a list stands for a list.
ITEM = 0


def flatten(nested: Any, kind: type, what: str) -> tuple[list[Any], Any]:
    """All items in order, and the layout that :func:`regroup` takes.

    Examples
    --------
    >>> from mixgrad._nested import flatten
    >>> flatten([1, [2, 3]], int, "[example] numbers")
    ([1, 2, 3], [0, [0, 0]])
    """
    if isinstance(nested, kind):
        return [nested], ITEM
    if not isinstance(nested, (list, tuple)):
        raise RefusedTypeError(
            f"{what} has {type(nested).__name__}; expected {kind.__name__}, or a list of such, also nested"
        )
    items: list[Any] = []
    layout = []
    for part in nested:
        inner, below = flatten(part, kind, what)
        items.extend(inner)
        layout.append(below)
    return items, layout


def regroup(items: Sequence[Any], layout: Any) -> Any:
    """The nested list of these items.

    Examples
    --------
    >>> from mixgrad._nested import regroup
    >>> regroup([1, 2, 3], [0, [0, 0]])
    [1, [2, 3]]
    """
    rest = list(items)

    def build(part: Any) -> Any:
        return rest.pop(0) if part == ITEM else [build(below) for below in part]

    return build(layout)
