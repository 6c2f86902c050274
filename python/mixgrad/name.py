"""Automatic names of symbols."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Optional

from . import _hints
from ._scope import ScopeStack

__all__ = ["NameManager", "Prefix", "current"]


class _Current(type):
    @property
    def current(cls) -> NameManager:
        """What is in force on this thread; it can be replaced."""
        return _stack.current

    @current.setter
    def current(cls, scope: NameManager) -> None:
        if not isinstance(scope, NameManager):
            raise TypeError(f"[NameManager] current is {type(scope).__name__}; expected NameManager")
        _stack.current = scope


class _Value:
    """``NameManager._current.value``, as MXNet's scripts reach the manager of their thread."""

    @property
    def value(self) -> NameManager:
        return _stack.current

    @value.setter
    def value(self, scope: NameManager) -> None:
        NameManager.current = scope


class NameManager(metaclass=_Current):
    """Gives nodes without a name one of their operator: ``fullyconnected0``, ``fullyconnected1``, ...

    Used as ``with mx.name.NameManager():`` it counts from 0 inside. Each thread has a manager of its own.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.name.NameManager():
    ...     print(mx.sym.relu(mx.sym.var("x")).name, mx.sym.relu(mx.sym.var("x")).name)
    relu0 relu1
    """

    _current = _Value()

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def get(self, name: Optional[str], hint: str) -> str:
        """``name`` where it is given, else the next name made from ``hint``."""
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"

    def __enter__(self) -> NameManager:
        _stack.enter(self)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        _stack.leave()


def check_name(name: object, who: str) -> None:
    """Refuse what cannot be the name of a node: other types, and text that C and UTF-8 cannot hold."""
    if not isinstance(name, str):
        raise TypeError(f"[{who}] name is {type(name).__name__}; expected str")
    if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
        raise ValueError(f"[{who}] name {name!r} has a zero or half a character; expected text")


class Prefix(NameManager):
    """Puts a prefix before all names, given and automatic.

    Parameters
    ----------
    prefix : str
        What names begin with.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.name.Prefix("net_"):
    ...     net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10, name="fc1")
    >>> net.list_arguments()
    ['data', 'net_fc1_weight', 'net_fc1_bias']
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        check_name(prefix, "Prefix")
        self._prefix = prefix

    def get(self, name: Optional[str], hint: str) -> str:
        """The prefix and the name."""
        return self._prefix + super().get(name, hint)


_stack = ScopeStack(NameManager, "NameManager")


def current() -> NameManager:
    """The manager that names symbols made by this thread now."""
    return _stack.current


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
