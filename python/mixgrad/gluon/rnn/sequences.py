"""A sequence as one array or symbol, or as a list with one for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from ... import ndarray as nd
from ... import symbol as sym
from ...base import InvalidArgumentError, RefusedValueError
from ...ndarray import NDArray
from ...symbol import Symbol

__all__ = ["Arranged", "arranged", "is_merged", "masked", "reversed_steps", "time_axis"]


class Arranged(NamedTuple):
    """A sequence in one of its forms."""

    values: Any  # one array or symbol, or a list
    axis: int  # of the steps, in the layout
    F: Any  # the module whose operators take them
    batch_size: int  # 0 for symbols


def is_merged(values: Any) -> bool:
    """Whether a sequence is one array or symbol."""
    return isinstance(values, (NDArray, Symbol))


def time_axis(layout: str, who: str) -> tuple[int, int]:
    """The axes of the steps and of the batch in a layout such as ``"NTC"``."""
    if "T" not in layout or "N" not in layout:
        raise InvalidArgumentError(f"[{who}] layout is {layout!r}; expected 'NTC' or 'TNC'")
    return layout.index("T"), layout.index("N")


def arranged(length: Optional[int], inputs: Any, layout: str, merge: Optional[bool], who: str) -> Arranged:
    """A sequence as one (``merge`` is True), as a list (False), or as it is (None).

    Parameters
    ----------
    length : int or None
        Number of steps.
    inputs : NDArray, Symbol or list of them
        In ``layout``; elements of a list are those of one step.
    layout : str
        Axes of the batch, the steps and the numbers.
    merge : bool or None
        The form that is wanted.
    who : str
        What messages begin with.
    """
    axis, batch_axis = time_axis(layout, who)
    if inputs is None:
        raise RefusedValueError(
            f"[{who}] inputs is None; expected a sequence, or a list with one for each step"
        )
    if isinstance(inputs, Symbol):
        if len(inputs.list_outputs()) != 1:
            raise RefusedValueError(
                f"[{who}] inputs is a group of {len(inputs.list_outputs())} symbols; expected one, or a list"
            )
        if merge is False:
            parts = sym.split(inputs, axis=axis, num_outputs=length, squeeze_axis=True)
            return Arranged(list(parts) if length != 1 else [parts], axis, sym, 0)
        return Arranged(inputs, axis, sym, 0)
    if isinstance(inputs, NDArray):
        count, batch_size = inputs.shape[axis], inputs.shape[batch_axis]
        if length is not None and count != length:
            raise RefusedValueError(
                f"[{who}] inputs of shape {inputs.shape} in {layout}; expected {length} steps"
            )
        if merge is False:
            parts = nd.split(inputs, axis=axis, num_outputs=count, squeeze_axis=True)
            return Arranged(list(parts) if count != 1 else [parts], axis, nd, batch_size)
        return Arranged(inputs, axis, nd, batch_size)
    steps = list(inputs)
    if not steps or (length is not None and len(steps) != length):
        raise RefusedValueError(f"[{who}] inputs has {len(steps)} steps; expected {length or 'at least one'}")
    F = sym if isinstance(steps[0], Symbol) else nd
    batch_size = 0 if F is sym else steps[0].shape[batch_axis if batch_axis < axis else batch_axis - 1]
    if merge:
        return Arranged(F.stack(*steps, axis=axis), axis, F, batch_size)
    return Arranged(steps, axis, F, batch_size)


def masked(F: Any, data: Any, length: int, valid_length: Any, axis: int, merge: Optional[bool]) -> Any:
    """A sequence with zeros in the steps behind the lengths of its examples."""
    whole = data if is_merged(data) else F.stack(*data, axis=axis)
    whole = F.SequenceMask(whole, sequence_length=valid_length, use_sequence_length=True, axis=axis)
    if merge:
        return whole
    parts = F.split(whole, axis=axis, num_outputs=length, squeeze_axis=True)
    return list(parts) if length != 1 else [parts]


def reversed_steps(F: Any, steps: Sequence[Any], valid_length: Any) -> list[Any]:
    """The steps from the last to the first; with lengths, those of each example within its own."""
    if valid_length is None:
        return list(reversed(steps))
    whole = F.SequenceReverse(F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True)
    parts = F.split(whole, axis=0, num_outputs=len(steps), squeeze_axis=True)
    return list(parts) if len(steps) != 1 else [parts]
