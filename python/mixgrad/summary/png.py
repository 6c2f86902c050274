"""Pictures as PNG files, by zlib alone."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

__all__ = ["encode", "pixels_of"]

_KINDS = {1: 0, 2: 4, 3: 2, 4: 6}  # grey, grey and alpha, RGB, RGBA: by samples of a pixel
_GAP = 1  # pixels between pictures of a grid


def _chunk(kind: bytes, content: bytes) -> bytes:
    crc = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc)


def encode(pixels: np.ndarray) -> bytes:
    """A PNG file of uint8 samples of shape (height, width, samples)."""
    height, width, samples = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _KINDS[samples], 0, 0, 0)
    rows = np.zeros((height, 1 + width * samples), np.uint8)  # a row begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(rows.tobytes())),
            _chunk(b"IEND", b""),
        ]
    )


def pixels_of(image: Any, layout: str, who: str) -> np.ndarray:
    """uint8 samples (height, width, samples) of numbers from 0 to 1, or of uint8; batches become a grid."""
    values = np.asarray(image.asnumpy() if hasattr(image, "asnumpy") else image)
    if (
        not isinstance(layout, str)
        or sorted(layout) not in (["C", "H", "W"], ["C", "H", "N", "W"], ["H", "W"])
        or len(layout) != values.ndim
    ):
        raise ValueError(
            f"[{who}] layout is {layout!r} of a picture of shape {values.shape}; expected 'CHW', 'HWC', "
            "'HW', 'NCHW' or 'NHWC', a letter for each axis"
        )
    if values.dtype != np.uint8:
        if values.dtype != bool and not np.issubdtype(values.dtype, np.floating):
            raise TypeError(f"[{who}] the picture is {values.dtype}; expected uint8, or floats from 0 to 1")
        scaled = np.clip(np.nan_to_num(values), 0, 1).astype(np.float32) * 255
        values = np.rint(scaled).astype(np.uint8)
    axes = [layout.index(axis) for axis in "NHWC" if axis in layout]
    values = values.transpose(axes)
    values = values[..., None] if "C" not in layout else values
    values = _grid(values) if "N" in layout else values
    if values.shape[2] not in _KINDS or 0 in values.shape:
        raise ValueError(
            f"[{who}] the picture has shape {np.shape(image)} in the layout {layout!r}; expected 1 to 4 "
            "channels"
        )
    return values


def _grid(pictures: np.ndarray) -> np.ndarray:
    """Pictures (count, height, width, samples) in rows, about as many rows as columns."""
    count, height, width, samples = pictures.shape
    columns = int(np.ceil(np.sqrt(count)))
    rows = -(-count // max(columns, 1))
    whole = np.zeros((rows * (height + _GAP), columns * (width + _GAP), samples), np.uint8)
    for i, picture in enumerate(pictures):
        top, left = i // columns * (height + _GAP), i % columns * (width + _GAP)
        whole[top : top + height, left : left + width] = picture
    return whole[:-_GAP, :-_GAP]
