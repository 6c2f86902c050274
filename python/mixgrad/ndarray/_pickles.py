"""MXNet's pickles of arrays: their state is one record of a .params file."""

from __future__ import annotations

import struct
from typing import Any

from .. import _core
from ..base import FileFormatError

__all__ = ["array_of", "record_of"]

_ONE_ARRAY = struct.pack("<QQQ", 0x112, 0, 1)  # a file's mark, a reserved word, the number of arrays
_NO_NAMES = struct.pack("<Q", 0)


def record_of(array: _core.NDArrayBase) -> bytearray:
    """The record of one array."""
    data = _core.save_buffer("params", [array.detach()], None)
    return bytearray(data[len(_ONE_ARRAY) : len(data) - len(_NO_NAMES)])


def array_of(state: Any) -> _core.NDArrayBase:
    """The array of a state; those of GPUs come to the host where there is none."""
    record = state.get("handle") if isinstance(state, dict) else None
    if not isinstance(record, (bytes, bytearray)):
        raise FileFormatError(
            f"[unpickle] the state is {state!r:.60}; expected a dict with the array's bytes as 'handle'"
        )
    arrays, _ = _core.load_buffer(_ONE_ARRAY + bytes(record) + _NO_NAMES)
    if len(arrays) != 1 or arrays[0] is None:
        raise FileFormatError("[unpickle] the state holds no values; expected an array")
    return arrays[0]
