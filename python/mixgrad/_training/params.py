"""First values of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Optional

from ..base import InvalidArgumentError, ShapeError
from ..initializer import InitDesc
from ..ndarray import NDArray

__all__ = ["fill_params", "need_shapes"]


def need_shapes(
    who: str, given: Mapping[str, NDArray], shapes: Mapping[str, tuple[int, ...]], why: str = ""
) -> None:
    """Refuse values whose shape is not that of the parameter of their name; others do not matter here."""
    for name, value in given.items():
        if name not in shapes:
            continue
        if not isinstance(value, NDArray):
            raise TypeError(f"[{who}] parameter {name!r} is {type(value).__name__}; expected NDArray")
        if value.shape != shapes[name]:
            raise ShapeError(
                f"[{who}] parameter {name!r} has shape {value.shape}; expected {shapes[name]}{why}"
            )


def fill_params(
    params: Iterable[tuple[str, NDArray]],
    given: Optional[Mapping[str, NDArray]],
    initializer: Any,
    attributes: Mapping[str, Mapping[str, str]],
    who: str,
    complete: bool,
) -> None:
    """Copy the values that are given, and have the others made, in the order of ``params``.

    Values that do not fit are refused before the first is copied.

    Parameters
    ----------
    params : pairs of str and NDArray
        What is filled.
    given : dict of str to NDArray, optional
        Values by name.
    initializer : Initializer or None
        Makes the others; None leaves them alone.
    attributes : dict of dict
        Of the graph's variables, for the initialiser.
    who : str
        What messages begin with.
    complete : bool
        Whether ``given``, if there is any, must have all names.
    """
    params = list(params)
    if given is not None:
        shapes = {name: array.shape for name, array in params}
        missing = [name for name in shapes if name not in given] if complete else []
        if missing:
            raise InvalidArgumentError(f"[{who}] {missing[0]!r} is missing; allow_missing=True fills it in")
        need_shapes(who, given, shapes, " for the inputs of now: it is of another network or other inputs")
    for name, array in params:
        if given is not None and name in given:
            if given[name] is not array:
                given[name].copyto(array)
        elif initializer is not None:
            initializer(InitDesc(name, attributes.get(name)), array)
