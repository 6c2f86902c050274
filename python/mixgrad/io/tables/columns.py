"""Columns of rows: which ones become arrays of batches, under which names, in which types."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ...base import DTypeError, InvalidArgumentError, NotFoundError, ShapeError, UnsupportedError

__all__ = [
    "Block",
    "Columns",
    "block_rows",
    "carried_dtype",
    "chosen_keys",
    "joined",
    "named_columns",
    "stacked",
    "whole",
]

# Some rows: an array per column, all with as many entries along the first axis.
Block = dict[Hashable, npt.NDArray[Any]]
# A column, several, or columns by the names that their arrays shall have.
Columns = Union[str, int, Sequence[Union[str, int]], Mapping[str, Union[str, int]]]

_CARRIED = {"bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64"}
_WIDER = {"int16": np.int32, "uint16": np.int32, "uint32": np.int64}


def named_columns(
    spec: Optional[Columns], there: Iterable[Hashable], default: str, who: str, besides: Sequence[Any] = ()
) -> list[tuple[str, Any]]:
    """Names of arrays and their columns; without a spec, of all columns but ``besides``."""
    known = list(there)
    if spec is None:
        spec = [key for key in known if key not in besides]  # type: ignore[misc]
    else:
        chosen_keys(spec, who, default)
    if isinstance(spec, Mapping):
        named = list(spec.items())
    else:
        keys = [spec] if isinstance(spec, (str, int)) else list(spec)
        single = len(keys) == 1
        named = [
            (key if isinstance(key, str) else default if single else f"_{i}_{default}", key)
            for i, key in enumerate(keys)
        ]
    for _, key in named:
        if key not in known:
            shown = ", ".join(repr(one) for one in known[:20]) or "none"
            raise NotFoundError(f"[{who}] there is no column {key!r:.80}; there are {shown:.500}")
    return named


def chosen_keys(columns: Optional[Columns], who: str, what: str) -> list[Any]:
    """The columns that a choice names."""
    if columns is None:
        return []
    if isinstance(columns, (str, int)):
        return [columns]
    if not isinstance(columns, (Mapping, list, tuple)):
        raise TypeError(
            f"[{who}] {what} is {type(columns).__name__}: {columns!r:.60}; expected a column, a list of "
            "them, or a dict of names and columns"
        )
    keys = list(columns.values() if isinstance(columns, Mapping) else columns)
    for key in keys:
        if not isinstance(key, (str, int)):
            raise TypeError(f"[{who}] {what} names the column {key!r:.60}; expected text, or a number")
    return keys


def carried_dtype(dtype: Any, who: str, column: Any) -> np.dtype[Any]:
    """The type that arrays of batches have: the column's own, or the next wider one where arrays lack it."""
    try:
        kind: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError):
        raise DTypeError(f"[{who}] dtype is {dtype!r:.60}; expected the name of a dtype") from None
    if kind.name in _CARRIED:
        return kind
    if kind.name in _WIDER:
        wider: np.dtype[Any] = np.dtype(_WIDER[kind.name])
        return wider
    raise UnsupportedError(
        f"[{who}] column {column!r:.80} is of type {kind.name}, which arrays do not have; expected numbers: "
        "leave the column out, or convert it to one of " + ", ".join(sorted(_CARRIED))
    )


def block_rows(block: Block, who: str) -> int:
    """How many rows a block has; ``ShapeError`` where its columns disagree."""
    counts = {key: len(array) for key, array in block.items()}
    if len(set(counts.values())) != 1:
        raise ShapeError(f"[{who}] columns have different numbers of rows: {counts!s:.300}")
    return next(iter(counts.values()))


def joined(pieces: Sequence[Block], key: Hashable, who: str) -> npt.NDArray[Any]:
    """One column of several blocks, one after the other."""
    arrays = [piece[key] for piece in pieces]
    shapes = {array.shape[1:] for array in arrays}
    if len(shapes) > 1:
        raise ShapeError(
            f"[{who}] column {key!r:.80} has examples of the shapes {sorted(shapes)}; expected one"
        )
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def stacked(values: Sequence[Any], key: Hashable, who: str, first: int) -> npt.NDArray[Any]:
    """Values of a column as an array; ``first`` is the number of the first one, for messages."""
    arrays = [_value(value, key, who, first + i) for i, value in enumerate(values)]
    for i, array in enumerate(arrays):
        if array.shape != arrays[0].shape:
            raise ShapeError(
                f"[{who}] example {first + i} has shape {array.shape} in column {key!r:.80}; example {first} "
                f"has {arrays[0].shape}: expected one shape"
            )
    return np.stack(arrays)


def _value(value: Any, key: Hashable, who: str, number: int) -> npt.NDArray[Any]:
    try:
        array = value.asnumpy() if hasattr(value, "asnumpy") else np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"[{who}] example {number} in column {key!r:.80} is no array: {error}") from None
    if array.dtype.kind not in "biuf":
        raise UnsupportedError(
            f"[{who}] example {number} has {type(value).__name__} {value!r:.40} in column {key!r:.80}; "
            "expected numbers or arrays of them"
        )
    if array.ndim == 0 and isinstance(value, float):
        return array.astype(np.float32)  # a number of Python becomes what arrays are by default
    checked: npt.NDArray[Any] = array
    return checked


def whole(value: Any, who: str, what: str, least: int, most: int = 2**62) -> int:
    """A whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        upper = f" and at most {most}" if isinstance(value, (int, np.integer)) and value > most else ""
        raise InvalidArgumentError(
            f"[{who}] {what} is {value!r:.60}; expected a whole number of at least {least}{upper}"
        )
    return int(value)
