"""Numbers that stand for arrays where scripts go through :mod:`ctypes`, as callbacks of MXNet's kind do."""

from __future__ import annotations

import ctypes
from typing import Any
from weakref import WeakValueDictionary

from .. import _core

__all__ = ["array_of", "handle_of"]

_arrays: WeakValueDictionary[int, Any] = WeakValueDictionary()


def handle_of(array: _core.NDArrayBase) -> ctypes.c_void_p:
    """A handle that is good for as long as the array lives."""
    _arrays[id(array)] = array
    return ctypes.c_void_p(id(array))


def array_of(handle: Any) -> _core.NDArrayBase:
    """The array that a handle, or the array itself, stands for."""
    if isinstance(handle, _core.NDArrayBase):
        return handle
    number = handle.value or 0 if isinstance(handle, ctypes.c_void_p) else handle
    found = _arrays.get(number) if isinstance(number, int) else None
    if found is None:
        wrong = ValueError if isinstance(number, int) else TypeError
        raise wrong(
            f"[NDArray] handle is {handle!r:.60}; expected an NDArray, or a handle of one that lives "
            "(arrays are made by mx.nd.array, zeros, ones and the like)"
        )
    made: _core.NDArrayBase = found
    return made
