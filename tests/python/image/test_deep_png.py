"""PNG files of 16 bits a sample: their filters, against Pillow (grey) and against PNG's own words."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

import mixgrad as mx
from mixgrad import _core, _deep_png


def png_of(lines: bytes, width: int, height: int, colour: int, interlaced: int = 0) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, interlaced)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def random_lines(seed: int, rows: int, row_bytes: int) -> np.ndarray:
    generator = np.random.RandomState(seed)
    lines = generator.randint(0, 256, (rows, 1 + row_bytes)).astype(np.uint8)
    lines[:, 0] = generator.permutation(np.arange(rows) % 5)
    return lines


def unfiltered(lines: np.ndarray, step: int) -> np.ndarray:
    """As the standard words it, one byte after another."""
    rows = np.zeros((len(lines) + 1, lines.shape[1] - 1), int)
    for y, line in enumerate(lines.astype(int)):
        for x in range(rows.shape[1]):
            a, b = rows[y + 1][x - step] if x >= step else 0, rows[y][x]
            c = rows[y][x - step] if x >= step else 0
            p = a + b - c
            _, _, nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
            guess = (0, a, b, (a + b) // 2, nearest)[line[0]]
            rows[y + 1][x] = (line[1 + x] + guess) % 256
    return rows[1:].astype(np.uint8)


@pytest.mark.parametrize("step", range(1, 9))
@pytest.mark.parametrize("rows, pixels", [(1, 1), (1, 7), (17, 1), (23, 11)])
def test_filters(step: int, rows: int, pixels: int) -> None:
    lines = random_lines(step, rows, pixels * step)
    found = _core.image_unfilter_png(lines, rows, step)
    assert found == unfiltered(lines, step).tobytes()


def test_grey_as_pillow_reads_it() -> None:
    for seed, (height, width) in enumerate([(1, 1), (9, 5), (64, 33), (50, 200)]):
        file = png_of(random_lines(seed, height, width * 2).tobytes(), width, height, 0)
        with Image.open(io.BytesIO(file)) as picture:
            expected = np.asarray(picture).astype(np.uint16)
        assert np.array_equal(_deep_png.read(file)[:, :, 0], expected)


def test_grey_that_pillow_wrote() -> None:
    y, x = np.mgrid[:70, :90]
    smooth = (300 * y + 400 * x + np.random.RandomState(0).randint(0, 50, y.shape)).astype(np.uint16)
    file = io.BytesIO()
    Image.fromarray(smooth).save(file, "PNG")
    assert np.array_equal(_deep_png.read(file.getvalue())[:, :, 0], smooth)


@pytest.mark.parametrize("colour, samples", [(2, 3), (4, 2), (6, 4)])
def test_colours(colour: int, samples: int) -> None:
    lines = random_lines(colour, 12, 10 * samples * 2)
    expected = unfiltered(lines, samples * 2).view(">u2").reshape(12, 10, samples)
    assert np.array_equal(_deep_png.read(png_of(lines.tobytes(), 10, 12, colour)), expected)


def test_interlaced_grey_as_pillow_reads_it() -> None:
    height, width = 13, 10
    passes = (
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    )
    lines = b""
    for number, (x, y, across, down) in enumerate(passes):
        rows, columns = -(-(height - y) // down), -(-(width - x) // across)
        lines += random_lines(number, rows, columns * 2).tobytes()
    file = png_of(lines, width, height, 0, 1)
    with Image.open(io.BytesIO(file)) as picture:
        expected = np.asarray(picture).astype(np.uint16)
    assert np.array_equal(_deep_png.read(file)[:, :, 0], expected)


def test_what_is_refused() -> None:
    lines = random_lines(0, 3, 8)
    lines[1, 0] = 5
    with pytest.raises(mx.base.FileFormatError, match=r"\[image\] .* filter 5; expected 0 to 4"):
        _core.image_unfilter_png(lines, 3, 2)
    with pytest.raises(ValueError, match="filter 5"):  # which is damage to all who read pictures
        _deep_png.read(png_of(lines.tobytes(), 4, 3, 0))
    for pixel in (-1, 0, 3, 9):
        with pytest.raises(mx.base.InvalidArgumentError, match=rf"pixel_bytes={pixel} in rows of 8 bytes"):
            _core.image_unfilter_png(lines, 3, pixel)
    for rows in (0, 2, 100):
        with pytest.raises(ValueError, match=rf"{rows} lines in 27 bytes"):
            _core.image_unfilter_png(lines, rows, 2)
    with pytest.raises(ValueError, match="gaps"):
        _core.image_unfilter_png(lines[:, ::2], 3, 2)
