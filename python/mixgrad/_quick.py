"""Functions that have a path in C before them, for the calls that scripts usually make."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from . import _core

__all__ = ["explained", "quick"]

F = TypeVar("F", bound=Callable[..., Any])


def explained(function: F) -> F:
    """The function; keywords that it lacks are a ``TypeError`` that says what it has.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.ones(3, dtyp="int32")
    Traceback (most recent call last):
    mixgrad.base.SignatureError: [ones] no argument is called 'dtyp'; nearest: dtype
    """
    return _core.quick("python", function)


def quick(path: str) -> Callable[[F], F]:
    """A decorator: calls go to that path in C; what it declines, to the function, with the same arguments.

    Examples
    --------
    >>> from mixgrad import _core, nd
    >>> isinstance(nd.zeros, _core.QuickFunction)
    True
    """

    def made(function: F) -> F:
        return _core.quick(path, function)

    return made
