"""What ``with`` statements put in force, on each thread by itself."""

from __future__ import annotations

import threading
from typing import Callable, Generic, TypeVar

__all__ = ["ScopeStack"]

T = TypeVar("T")


class ScopeStack(threading.local, Generic[T]):
    """The scopes of a thread, innermost last; the outermost is always there.

    >>> stack = ScopeStack(lambda: "outermost", "Scope")
    >>> stack.enter("inner")
    >>> stack.current
    'inner'
    >>> stack.leave()
    >>> stack.current
    'outermost'
    """

    def __init__(self, outermost: Callable[[], T], who: str) -> None:
        self._scopes = [outermost()]
        self._who = who

    @property
    def current(self) -> T:
        """The innermost scope."""
        return self._scopes[-1]

    @current.setter
    def current(self, scope: T) -> None:
        self._scopes[-1] = scope

    def enter(self, scope: T) -> None:
        """From now on ``scope`` is in force."""
        self._scopes.append(scope)

    def leave(self) -> None:
        """The scope before is in force again."""
        if len(self._scopes) == 1:
            raise RuntimeError(f"[{self._who}] left without having been entered; use it in a with statement")
        self._scopes.pop()
