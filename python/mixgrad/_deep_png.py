"""PNG files of 16 bits a sample, with all of them: of colours Pillow gives the upper 8 alone."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from . import _core

__all__ = ["grey_of", "is_deep_png", "read"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB = 2
_SAMPLES = {0: 1, _RGB: 3, 4: 2, 6: 4}  # by the file's type of colour
# Of interlaced files: first column and row, steps to the next ones.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
# What libpng makes of red, green and blue, in parts of 2**15.
_WEIGHTS = (9797, 19234, 3737)


def is_deep_png(data: bytes) -> bool:
    """Whether it is a PNG file of 16 bits a sample."""
    return data[:8] == _SIGNATURE and data[24:25] == b"\x10"


def grey_of(colours: np.ndarray) -> np.ndarray:
    """What libpng makes of samples as of `read`, or of uint8 alike: uint8 is cut off, uint16 rounded."""
    if colours.shape[2] < 3:
        return colours[:, :, 0]
    red, green, blue = (colours[:, :, i].astype(np.uint32) * weight for i, weight in enumerate(_WEIGHTS))
    total = red + green + blue
    rounding = 1 << 14 if colours.dtype == np.uint16 else 0
    grey: np.ndarray = ((total + rounding) >> 15).astype(colours.dtype)
    return grey


def read(data: bytes) -> np.ndarray:
    """Return the samples, uint16 of shape (height, width, samples): grey, grey and alpha, RGB or RGBA.

    A colour that is transparent becomes an alpha of 0. ``data`` is what `is_deep_png` says yes to; ValueError
    for a file that is damaged.
    """
    width = height = colour = interlaced = 0
    clear = None
    packed = []
    for kind, content in _chunks(data):
        if kind == b"IHDR":
            width, height, _, colour, _, _, interlaced = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed.append(content)
        elif kind == b"tRNS" and colour == _RGB:
            clear = np.frombuffer(content, ">u2", 3)
    if colour not in _SAMPLES or width < 1 or height < 1:
        raise ValueError(f"type of colour {colour}, {width} x {height} pixels")
    samples = _SAMPLES[colour]
    shapes = [
        (y, x, down, across, -(-(height - y) // down), -(-(width - x) // across))
        for x, y, across, down in (_PASSES if interlaced else ((0, 0, 1, 1),))
        if y < height and x < width
    ]
    wanted = sum(rows * (1 + columns * samples * 2) for *_, rows, columns in shapes)
    unpacking = zlib.decompressobj()
    try:
        filtered = unpacking.decompress(b"".join(packed), wanted)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(filtered) < wanted:
        raise ValueError(f"{len(filtered)} bytes of {wanted}")
    lines = memoryview(filtered)
    pixels = np.empty((height, width, samples), np.uint16)
    at = 0
    for y, x, down, across, rows, columns in shapes:
        size = rows * (1 + columns * samples * 2)
        content = _core.image_unfilter_png(lines[at : at + size], rows, samples * 2)
        pixels[y::down, x::across] = np.frombuffer(content, ">u2").reshape(rows, columns, samples)
        at += size
    if clear is not None:
        alpha = np.where((pixels == clear).all(2), 0, 65535).astype(np.uint16)
        pixels = np.concatenate([pixels, alpha[:, :, None]], 2)
    return pixels


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        check = data[at + 8 + size : at + 12 + size]
        if check != struct.pack(">I", zlib.crc32(kind + content)):
            raise ValueError(f"the chunk at {at} is damaged")
        yield kind, content
        if kind == b"IEND":
            return
        at += 12 + size
    raise ValueError("it ends before its IEND")
