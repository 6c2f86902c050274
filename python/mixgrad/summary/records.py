"""Records of event files: length, its checksum, content, its checksum; checksums are masked CRC-32C."""

from __future__ import annotations

import struct

from .. import _core

__all__ = ["crc32c", "framed", "masked"]

_MASK = 0xA282EAD8


def crc32c(content: bytes) -> int:
    """The checksum of some bytes.

    Examples
    --------
    >>> from mixgrad.summary.records import crc32c
    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    return _core.crc32c(content)


def masked(crc: int) -> int:
    """A checksum as files have it: turned and shifted, so that checksums of checksums stay good ones."""
    return ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF


def framed(content: bytes) -> bytes:
    """A record of a file."""
    length = struct.pack("<Q", len(content))
    return b"".join(
        [
            length,
            struct.pack("<I", masked(crc32c(length))),
            content,
            struct.pack("<I", masked(crc32c(content))),
        ]
    )
