"""Functions that have a path in C before them, for the calls that scripts usually make."""

from __future__ import annotations

from functools import wraps
from inspect import CO_VARKEYWORDS
from typing import Any, Callable, TypeVar, cast

from . import _core, _hints, _words

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
    code = function.__code__
    if code.co_flags & CO_VARKEYWORDS:
        return function
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    words = _words.CREATION if "ctx" in known else None

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for word in kwargs:
            if word not in known:
                listed = [name for name in known if name != "self"]
                _hints.refuse_arguments(function.__name__, {word: None}, listed, words)
        return function(*args, **kwargs)

    return cast(F, call)


def quick(path: str) -> Callable[[F], F]:
    """A decorator: calls go to that path in C; what it declines, to the function, with the same arguments.

    Examples
    --------
    >>> from mixgrad import _core, nd
    >>> isinstance(nd.zeros, _core.QuickFunction)
    True
    """

    def made(function: F) -> F:
        return _core.quick(path, explained(function))

    return made
