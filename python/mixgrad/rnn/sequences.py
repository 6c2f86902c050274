"""A sequence as one symbol, or as a list with a symbol per step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from .. import symbol as sym
from ..symbol import Symbol

Inputs = Union[Symbol, Sequence[Symbol]]


def time_axis(layout: str, who: str) -> int:
    """The axis of the steps in a layout such as ``"NTC"``."""
    if "T" not in layout:
        raise ValueError(f"[{who}] the layout {layout!r} has no axis T")
    return layout.index("T")


def as_steps(inputs: Any, length: Optional[int], axis: int, who: str) -> list[Symbol]:
    """A symbol per step; one symbol is split along ``axis``."""
    if not isinstance(inputs, Symbol):
        steps = list(inputs)
        if length is not None and len(steps) != length:
            raise ValueError(f"[{who}] {len(steps)} inputs for {length} steps")
        return steps
    if len(inputs.list_outputs()) != 1:
        raise ValueError(
            f"[{who}] inputs is a group of {len(inputs.list_outputs())} symbols; expected one symbol "
            "or a list"
        )
    return list(sym.split(inputs, axis=axis, num_outputs=length, squeeze_axis=True))


def as_sequence(inputs: Any, axis: int) -> Symbol:
    """One symbol; steps are stacked along ``axis``."""
    if isinstance(inputs, Symbol):
        return inputs
    sequence: Symbol = sym.Concat(*(sym.expand_dims(step, axis=axis) for step in inputs), dim=axis)
    return sequence


def arranged(inputs: Any, length: Optional[int], axis: int, merge: Optional[bool], who: str) -> Any:
    """As one symbol (``merge`` is True), as a list (False), or as it is (None)."""
    if merge is None:
        return inputs
    return as_sequence(inputs, axis) if merge else as_steps(inputs, length, axis, who)
