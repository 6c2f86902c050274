"""Files of events as TensorBoard reads them: records with checksums, of messages of Protocol Buffers."""

from __future__ import annotations

import math
import os
import socket
import struct
import time
from collections.abc import Mapping
from pathlib import Path

__all__ = ["EventFile", "crc32c"]


def _table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _table()


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum.

    >>> from mixgrad.distributed._events import crc32c
    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # negative numbers as 64 bits of two's complement
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def _single(value: float) -> bytes:
    """A number of 4 bytes; what float32 cannot hold becomes infinite."""
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, value))


def _text(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _time() -> bytes:
    return _varint(1 << 3 | 1) + struct.pack("<d", time.time())


class EventFile:
    """A new file of events in a folder, to which scalars are added."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        name = f"events.out.tfevents.{time.time():.0f}.{socket.gethostname()}.{os.getpid()}"
        self.path = Path(folder) / name
        self._file = open(self.path, "ab")  # noqa: SIM115  (until close)
        self._write(_time() + _text(3, b"brain.Event:2"))

    def _write(self, event: bytes) -> None:
        length = struct.pack("<Q", len(event))
        self._file.write(length + _masked(length) + event + _masked(event))
        self._file.flush()

    def add(self, scalars: Mapping[str, float], step: int) -> None:
        """Write numbers by name, of one step."""
        values = b"".join(
            _text(1, _text(1, name.encode()) + _varint(2 << 3 | 5) + _single(value))
            for name, value in scalars.items()
        )
        self._write(_time() + _varint(2 << 3) + _varint(step) + _text(5, values))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
