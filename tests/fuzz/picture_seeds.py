"""Writes the pictures that fuzzing starts from, JPEG files and headers of others: picture_seeds.py FOLDER."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png() -> bytes:
    """Four by four pixels of three channels."""
    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + bytes(range(12)) for _ in range(4))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def main() -> None:
    """Write the files."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    record = (Path(__file__).parents[1] / "data/pictures/batches.rec").read_bytes()
    at = number = 0
    while at + 8 < len(record):
        length = struct.unpack_from("<I", record, at + 4)[0] & ((1 << 29) - 1)
        (folder / f"jpeg{number}").write_bytes(record[at + 32 : at + 8 + length])
        at, number = at + 8 + (length + 3) // 4 * 4, number + 1
    others = {
        "png": png(),
        "gif": b"GIF89a" + struct.pack("<HH", 5, 6) + bytes(20),
        "bmp": b"BM" + bytes(12) + struct.pack("<IiiHH", 40, 5, -6, 1, 24) + bytes(40),
        "webp": b"RIFF"
        + struct.pack("<I", 40)
        + b"WEBPVP8X"
        + struct.pack("<I", 10)
        + bytes(4)
        + b"\4\0\0\5\0\0"
        + bytes(20),
        "tiff": b"II*\0" + struct.pack("<IHHHIIHHIIHHII", 8, 3, 256, 3, 1, 4, 257, 3, 1, 5, 274, 3, 1, 6),
        "pnm": b"P6 # words\n4 5 255\n" + bytes(60),
    }
    for name, content in others.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
