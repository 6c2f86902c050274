"""First values of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Optional

from ..base import InvalidArgumentError
from ..initializer import InitDesc
from ..ndarray import NDArray

__all__ = ["fill_params"]


def fill_params(
    params: Iterable[tuple[str, NDArray]],
    given: Optional[Mapping[str, NDArray]],
    initializer: Any,
    attributes: Mapping[str, Mapping[str, str]],
    who: str = "",
) -> None:
    """Copy the values that are given, and have the others made, in the order of ``params``.

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
    who : str, optional
        If this is given, ``given`` must have all names; messages begin with it.
    """
    for name, array in params:
        if given is not None and name in given:
            if given[name] is not array:
                given[name].copyto(array)
        elif given is not None and who:
            raise InvalidArgumentError(f"[{who}] {name!r} is missing; allow_missing=True fills it in")
        elif initializer is not None:
            initializer(InitDesc(name, attributes.get(name)), array)
