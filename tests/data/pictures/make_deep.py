"""PNG files of 16 bits a sample, and what OpenCV reads from them: what real MXNet's ``unpack_img`` gives.

    PYTHON tests/data/pictures/make_deep.py    # with numpy and opencv-python-headless

Writes ``deep.npz`` beside itself: of each file its bytes (``NAME``) and the pixels by flag (``NAME FLAG``).
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np

GREY, RGB, GREY_ALPHA, RGBA = 0, 2, 4, 6
SAMPLES = {GREY: 1, RGB: 3, GREY_ALPHA: 2, RGBA: 4}
FLAGS = (-1, 0, 1, 2, 3, 4, 6)
# Of Adam7: first column and row, steps.
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def filtered(pixels: np.ndarray, random: np.random.Generator) -> bytes:
    """Rows, each by a filter of its own."""
    height = len(pixels)
    rows = np.ascontiguousarray(pixels.astype(">u2")).view(np.uint8).reshape(height, -1).astype(int)
    step = pixels.shape[2] * 2
    out = b""
    above = np.zeros(rows.shape[1], int)
    for row in rows:
        kind = int(random.integers(0, 5))
        left = np.concatenate([np.zeros(step, int), row[:-step]])
        corner = np.concatenate([np.zeros(step, int), above[:-step]])
        near = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
        paeth = np.where(
            (near[0] <= near[1]) & (near[0] <= near[2]), left, np.where(near[1] <= near[2], above, corner)
        )
        guess = [np.zeros_like(row), left, above, (left + above) // 2, paeth][kind]
        out += bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes()
        above = row
    return out


def png(pixels: np.ndarray, colour: int, random: np.random.Generator, interlaced: bool, more: bytes) -> bytes:
    """A file's content; ``more``: chunks before the pixels."""
    height, width = pixels.shape[:2]
    data = b""
    for x, y, across, down in PASSES if interlaced else ((0, 0, 1, 1),):
        part = pixels[y::down, x::across]
        if part.size:
            data += filtered(part, random)
    head = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, interlaced)
    packed = zlib.compress(data)
    parts = [chunk(b"IDAT", packed[:40]), chunk(b"IDAT", packed[40:]), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + b"".join(parts)


def main() -> None:
    """Write the files and what OpenCV reads."""
    random = np.random.default_rng(16)
    found: dict[str, np.ndarray] = {}
    for name, colour in (("grey", GREY), ("rgb", RGB), ("grey-alpha", GREY_ALPHA), ("rgba", RGBA)):
        for interlaced in (False, True):
            for clear in (False, True):
                if clear and colour not in (GREY, RGB):
                    continue
                height, width = (int(n) for n in random.integers(9, 24, 2))
                slope = np.linspace(0, 20000, height)[:, None, None] + np.linspace(0, 40000, width)[:, None]
                noise = random.integers(0, 5000, (height, width, SAMPLES[colour]))
                pixels = (slope + noise).astype(np.uint16)
                pixels[:2] = pixels[:2, :1]
                more = chunk(b"tRNS", pixels[0, 0].astype(">u2").tobytes()) if clear else b""
                content = png(pixels, colour, random, interlaced, more)
                label = f"{name}{' interlaced' if interlaced else ''}{' clear' if clear else ''}"
                found[label] = np.frombuffer(content, np.uint8)
                for flag in FLAGS:
                    read = cv2.imdecode(found[label], flag)
                    if read is not None:
                        found[f"{label} {flag}"] = read
    np.savez_compressed(Path(__file__).with_name("deep.npz"), **found)
    print(cv2.__version__, {key: (value.dtype.name, value.shape) for key, value in found.items()})


if __name__ == "__main__":
    main()
