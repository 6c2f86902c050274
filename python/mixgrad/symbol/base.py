"""What all modules of symbols stand on: the object that owns a handle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["SymbolBase", "serve", "symbol_of"]


class SymbolBase:
    """A symbol without operators."""

    __slots__ = ("__weakref__", "_handle")
    is_np = False  # whether it is one of ``mx.sym.np``, whose operators are NumPy's

    def __init__(self, handle: _core.SymbolHandle) -> None:
        self._handle = handle


_served: Any = SymbolBase


def serve(cls: type[SymbolBase]) -> None:
    """From here on functions give symbols of this class."""
    global _served
    _served = cls


def symbol_of(handle: _core.SymbolHandle) -> Symbol:
    """A new symbol."""
    made: Symbol = _served(handle)
    return made
