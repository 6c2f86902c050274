"""Operators as methods of symbols, those that MXNet's symbols have."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Optional

from .. import ops as _ops
from .functions import operator
from .symbol import Symbol

_MORE = ("broadcast_axes", "nansum", "reshape", "split_v2")
_ALIASES = {"astype": "cast"}
NAMES: frozenset[str] = frozenset(
    [n for n in vars(_ops.ArrayMethods) if not n.startswith("_")] + [*_MORE, *_ALIASES]
)


@cache
def method(name: str) -> Optional[Callable[..., Symbol]]:
    """The method of that name; None when there is none."""
    if name not in NAMES:
        return None
    if name == "split_v2":
        from .creation import split_v2

        return split_v2
    if name == "reshape":
        return _reshape
    function = operator(_ALIASES.get(name, name), _ALIASES.get(name, name))
    if function is None:
        return None
    call = function

    def bound(self: Symbol, *args: Any, **kwargs: Any) -> Symbol:
        kwargs.pop("inplace", None)
        return call(self, *args, **kwargs)

    bound.__name__ = bound.__qualname__ = name
    bound.__doc__ = f"See :func:`mixgrad.sym.{name}`."
    return bound


def _reshape(self: Symbol, *shape: Any, **kwargs: Any) -> Symbol:
    """See :func:`mixgrad.sym.reshape`; the shape is one tuple or several numbers."""
    function = operator("reshape", "reshape")
    assert function is not None
    if len(shape) == 1 and not hasattr(shape[0], "__index__"):
        kwargs["shape"] = shape[0]
    elif shape:
        kwargs["shape"] = shape
    return function(self, **kwargs)
