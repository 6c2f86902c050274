"""Protocol buffers on the wire: fields of messages as bytes, by number and kind."""

from __future__ import annotations

import struct
from collections.abc import Iterable

__all__ = ["chunk", "double", "number", "packed_doubles", "single", "text"]

_VARINT, _EIGHT_BYTES, _CHUNK, _FOUR_BYTES = 0, 1, 2, 5
_WORD = (1 << 64) - 1


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as 64 bits of two's complement."""
    value &= _WORD
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def number(field: int, value: int) -> bytes:
    """An integer or a bool."""
    return _varint(field << 3 | _VARINT) + _varint(value)


def double(field: int, value: float) -> bytes:
    """A number of 8 bytes."""
    return _varint(field << 3 | _EIGHT_BYTES) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    """A number of 4 bytes; what float32 cannot hold becomes infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if value > 0 else float("-inf"))
    return _varint(field << 3 | _FOUR_BYTES) + packed


def chunk(field: int, content: bytes) -> bytes:
    """Bytes, or a message in a message."""
    return _varint(field << 3 | _CHUNK) + _varint(len(content)) + content


def text(field: int, value: str) -> bytes:
    """A string."""
    return chunk(field, value.encode())


def packed_doubles(field: int, values: Iterable[float]) -> bytes:
    """A repeated number of 8 bytes, packed."""
    found = list(values)
    return chunk(field, struct.pack(f"<{len(found)}d", *found))
