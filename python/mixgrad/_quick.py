"""Functions that have a path in C before them, for the calls that scripts usually make."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, TypeVar

from . import _core

__all__ = ["quick"]

F = TypeVar("F", bound=Callable[..., Any])


def quick(path: str) -> Callable[[F], F]:
    """A decorator: calls go to that path in C; what it declines, to the function, with the same arguments.

    Examples
    --------
    >>> from mixgrad import _core, nd
    >>> isinstance(nd.zeros, _core.QuickFunction)
    True
    """
    return partial(_core.quick, path)
