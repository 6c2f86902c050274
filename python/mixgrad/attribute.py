"""Attributes that all symbols made in a scope get."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Optional

from . import _hints
from ._scope import ScopeStack

__all__ = ["AttrScope", "current"]


class _Current(type):
    @property
    def current(cls) -> AttrScope:
        """What is in force on this thread; it can be replaced."""
        return _stack.current

    @current.setter
    def current(cls, scope: AttrScope) -> None:
        if not isinstance(scope, AttrScope):
            raise TypeError(f"[AttrScope] current is {type(scope).__name__}; expected AttrScope")
        _stack.current = scope


class _Value:
    """``AttrScope._current.value``, as MXNet's scripts reach the scope of their thread."""

    @property
    def value(self) -> AttrScope:
        return _stack.current

    @value.setter
    def value(self, scope: AttrScope) -> None:
        AttrScope.current = scope


class AttrScope(metaclass=_Current):
    """Attributes for every symbol made inside ``with mx.AttrScope(...)``.

    Parameters
    ----------
    **attributes : str
        ``ctx_group``, ``mirror_stage``, ``lr_mult`` and the like, or names of the form ``__name__``.
        Variables take any name.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.AttrScope(ctx_group="stage1"):
    ...     net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10, name="fc1")
    >>> net.attr("ctx_group")
    'stage1'
    """

    _current = _Value()

    def __init__(self, **attributes: str) -> None:
        for key, value in attributes.items():
            if not isinstance(value, str):
                raise ValueError(f"[AttrScope] {key} is {type(value).__name__}; expected str")
        self._attributes = dict(attributes)

    @property
    def _attr(self) -> dict[str, str]:
        return self._attributes

    def get(self, attr: Optional[Mapping[str, str]]) -> dict[str, str]:
        """The scope's attributes with these over them."""
        return {**self._attributes, **(attr or {})}

    def __enter__(self) -> AttrScope:
        inner = AttrScope()
        inner._attributes = {**_stack.current._attributes, **self._attributes}
        _stack.enter(inner)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        _stack.leave()


_stack = ScopeStack(AttrScope, "AttrScope")


def current() -> AttrScope:
    """The scope of this thread."""
    return _stack.current


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
