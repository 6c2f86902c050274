"""Nested lists of inputs and outputs as flat ones, and back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Union

from ...ndarray import NDArray
from ...symbol import Symbol

__all__ = ["Structure", "flatten", "gather", "regroup"]

# -1 for None, 0 for an array, otherwise the structures of a list's items; of a symbol its number of outputs,
# if it has several.
Structure = Union[int, "list[Structure]"]


def flatten(values: Any, what: str) -> tuple[list[Any], Any]:
    """All arrays or symbols of nested lists, and how these are nested.

    Parameters
    ----------
    values : NDArray, Symbol, None, or nested list or tuple of these
        What a block is called with, or gives.
    what : str
        'input' or 'output', for messages.

    Raises
    ------
    ValueError
        Something else is among them.
    """
    if isinstance(values, NDArray):
        return [values], 0
    if isinstance(values, Symbol):
        return [values], len(values) if len(values) > 1 else 0
    if values is None:
        return [None], -1
    if not isinstance(values, (list, tuple)):
        raise ValueError(
            f"[HybridBlock] the {what} of a hybridised block has {type(values).__name__}; expected NDArray, "
            "Symbol, None, or nested lists of these"
        )
    flat: list[Any] = []
    structure: list[Any] = []
    for value in values:
        more, inner = flatten(value, what)
        flat.extend(more)
        structure.append(inner)
    return flat, structure


def regroup(flat: Iterator[Any], structure: Any) -> Any:
    """The nested lists of a structure, with the arrays of a flat list, which has none for None."""
    if structure == -1:
        return None
    if structure == 0:
        return next(flat)
    if isinstance(structure, int):
        return list(islice(flat, structure))
    return [regroup(flat, inner) for inner in structure]


def gather(values: Any, arrays: list[NDArray], symbols: list[Symbol]) -> None:
    """Collect the arrays and symbols of nested lists; others, such as numbers, are passed by."""
    if isinstance(values, NDArray):
        arrays.append(values)
    elif isinstance(values, Symbol):
        symbols.append(values)
    elif isinstance(values, (list, tuple)):
        for value in values:
            gather(value, arrays, symbols)
