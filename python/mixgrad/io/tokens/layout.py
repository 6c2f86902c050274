"""Files of tokens: what their bytes mean (docs/token-files.md)."""

from __future__ import annotations

import struct
import zlib
from typing import Any, NamedTuple

import numpy as np

from ...base import FileFormatError, InvalidArgumentError

__all__ = [
    "HEADER_BYTES",
    "MAGIC",
    "Footer",
    "footer_bytes",
    "header_bytes",
    "read_footer",
    "read_header",
    "token_dtype",
]

MAGIC = b"MGTOKENS"
_END = b"MGTOKEND"
_VERSION = 1
HEADER_BYTES = FOOTER_BYTES = 64
_HEADER = struct.Struct("<8sII48x")
_FOOTER = struct.Struct("<8sQQII28xI")  # the last word is the checksum of what stands before it


class Footer(NamedTuple):
    """What the end of a file says of it."""

    tokens: int
    documents: int
    tokens_checksum: int
    index_checksum: int


def token_dtype(dtype: Any, who: str) -> np.dtype[Any]:
    """The type of tokens in a file: uint16 or uint32, little-endian."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"[{who}] dtype is {dtype!r:.60}; expected 'uint16' or 'uint32'") from None
    if kind not in (np.uint16, np.uint32):
        raise InvalidArgumentError(f"[{who}] dtype is {kind.name}; expected 'uint16' or 'uint32'")
    little: np.dtype[Any] = kind.newbyteorder("<")
    return little


def header_bytes(dtype: np.dtype[Any]) -> bytes:
    """The first bytes of a file."""
    return _HEADER.pack(MAGIC, _VERSION, dtype.itemsize)


def read_header(content: bytes, name: str, who: str) -> np.dtype[Any]:
    """The type of the tokens, from the first bytes."""
    if len(content) < HEADER_BYTES:
        raise FileFormatError(f"[{who}] {name!r} is cut short: it has {len(content)} bytes")
    _, version, width = _HEADER.unpack(content)
    if version != _VERSION:
        raise FileFormatError(f"[{who}] {name!r} is of version {version}; expected {_VERSION}")
    if width not in (2, 4):
        raise FileFormatError(f"[{who}] {name!r} has tokens of {width} bytes; expected 2 or 4")
    return np.dtype("<u2" if width == 2 else "<u4")


def index_offset(tokens: int, width: int) -> int:
    """Where the index begins: the first multiple of 8 behind the tokens."""
    return (HEADER_BYTES + tokens * width + 7) // 8 * 8


def footer_bytes(footer: Footer) -> bytes:
    """The last bytes of a file."""
    content = _FOOTER.pack(_END, *footer, 0)
    return content[:-4] + struct.pack("<I", zlib.crc32(content[:-4]))


def read_footer(content: bytes, size: int, width: int, name: str, who: str) -> Footer:
    """What the last bytes of a file of ``size`` bytes say, once they fit the file."""
    if size < HEADER_BYTES + FOOTER_BYTES or content[: len(_END)] != _END:
        raise FileFormatError(f"[{who}] {name!r} is cut short or damaged: its {size} bytes have no end mark")
    _, tokens, documents, *checksums, own = _FOOTER.unpack(content)
    if zlib.crc32(content[:-4]) != own:
        raise FileFormatError(f"[{who}] {name!r} is damaged: the checksum of its end differs")
    expected = index_offset(tokens, width) + 8 * documents + FOOTER_BYTES
    if expected != size:
        raise FileFormatError(
            f"[{who}] {name!r} has {size} bytes; {tokens} tokens of {width} bytes in {documents} "
            f"documents are {expected}"
        )
    return Footer(tokens, documents, *checksums)
