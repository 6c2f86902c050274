"""Decoding pictures: headers, limits, damage, formats, orientation."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core

Image = pytest.importorskip("PIL.Image")

# Four colours, so that every turn of the picture can be told from the others.
PIXELS = np.zeros((24, 40, 3), np.uint8)
PIXELS[:12, :20] = [250, 10, 10]
PIXELS[:12, 20:] = [10, 250, 10]
PIXELS[12:, :20] = [10, 10, 250]
PIXELS[12:, 20:] = [240, 240, 240]


def encoded(form: str, pixels: np.ndarray = PIXELS, **options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, form, **options)
    return file.getvalue()


def noisy(height: int = 64, width: int = 96) -> bytes:
    return encoded("JPEG", np.random.randint(0, 255, (height, width, 3), dtype=np.uint8), quality=90)  # noqa: NPY002


FORMS = {
    "JPEG": "jpeg",
    "PNG": "png",
    "GIF": "gif",
    "BMP": "bmp",
    "WEBP": "webp",
    "TIFF": "tiff",
    "PPM": "pnm",
}


@pytest.mark.parametrize("form", FORMS)
def test_probe_and_decode(form: str) -> None:
    content = encoded(form)
    name, width, height, channels, orientation, _ = _core.image_probe(content)
    assert (name, width, height, channels, orientation) == (FORMS[form], 40, 24, 3, 1)
    pixels = _core.image_decode(content).asnumpy()
    assert pixels.shape == (24, 40, 3) and pixels.dtype == np.uint8
    near = 40 if form in ("JPEG", "WEBP") else 0
    assert np.abs(pixels[4:8, 4:8].astype(int) - [250, 10, 10]).max() <= near
    reversed_pixels = _core.image_decode(content, bgr=True).asnumpy()
    assert np.array_equal(reversed_pixels[..., ::-1], pixels)
    assert _core.image_decode(content, channels=1).shape == (24, 40, 1)


def test_formats_that_only_packages_know() -> None:
    content = encoded("TGA")
    assert _core.image_probe(content)[1:4] == (40, 24, 3)
    assert np.array_equal(_core.image_decode(content).asnumpy(), PIXELS)


def test_alpha_and_sixteen_bits() -> None:
    clear = np.dstack([PIXELS, np.full((24, 40), 128, np.uint8)])
    content = encoded("PNG", clear)
    assert _core.image_probe(content)[3] == 4
    assert np.array_equal(_core.image_decode(content, channels=0).asnumpy(), clear)
    assert np.array_equal(_core.image_decode(content).asnumpy(), PIXELS)
    deep = np.arange(24 * 40, dtype=np.uint16).reshape(24, 40) * 60
    assert np.array_equal(
        _core.image_decode(encoded("PNG", deep), channels=1).asnumpy()[..., 0], (deep >> 8).astype(np.uint8)
    )


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation(orientation: int) -> None:
    from PIL import ImageOps

    exif = Image.Exif()
    exif[0x112] = orientation
    content = encoded("JPEG", exif=exif, quality=100, subsampling=0)
    turned = _core.image_decode(content).asnumpy()
    with Image.open(io.BytesIO(content)) as image:
        expected = np.asarray(ImageOps.exif_transpose(image))
    assert turned.shape == expected.shape
    assert np.abs(turned.astype(int) - expected).max() <= 2
    assert _core.image_decode(content, oriented=False).shape == (24, 40, 3)
    assert _core.image_probe(content)[4] == orientation


def test_smaller_scales() -> None:
    content = noisy(61, 99)
    if not _core.image_probe(content)[5]:
        pytest.skip("no libturbojpeg")
    for eighths in range(1, 9):
        shape = _core.image_decode(content, eighths=eighths).shape
        assert shape == (-(-61 * eighths // 8), -(-99 * eighths // 8), 3)
    with pytest.raises(mx.MXNetError, match="cannot be decoded at a smaller scale"):
        _core.image_decode(encoded("PNG"), eighths=4)


def jpeg_of_size(width: int, height: int, frame: int = 0xC0) -> bytes:
    """A JPEG file of 1 KB that promises so many pixels."""
    sof = struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1])
    content = b"\xff\xd8\xff" + bytes([frame]) + struct.pack(">H", len(sof) + 2) + sof
    content += b"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00"
    return content + bytes(1024 - len(content))


def png_of_size(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(900)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "content",
    [
        jpeg_of_size(60000, 60000),
        jpeg_of_size(60000, 60000, 0xC2),
        jpeg_of_size(8000, 8000),
        png_of_size(60000, 60000),
        png_of_size(9000, 9000),
    ],
    ids=["jpeg", "progressive", "jpeg below the limit", "png", "png below the limit"],
)
def test_bombs_are_refused_before_memory_is_taken(content: bytes) -> None:
    before = mx.memory.memory_stats()["allocations"] if hasattr(mx.memory, "memory_stats") else 0
    for call in (_core.image_probe, _core.image_decode):
        with pytest.raises(mx.MXNetError, match=r"^\[image\] (JPEG|PNG) of \d+ x \d+ pixels in \d+ bytes"):
            call(content)
    assert before == (mx.memory.memory_stats()["allocations"] if hasattr(mx.memory, "memory_stats") else 0)


def test_the_limit_can_be_set() -> None:
    content, before = encoded("JPEG"), _core.image_most_pixels()
    try:
        _core.image_set_most_pixels(100)
        with pytest.raises(mx.MXNetError, match="expected at most 100 pixels"):
            _core.image_decode(content)
    finally:
        _core.image_set_most_pixels(before)
    assert _core.image_decode(content).shape == (24, 40, 3)


def test_cut_pictures_are_errors_for_who_reads_them() -> None:
    content = noisy()
    for size in range(len(content) // 2, len(content), 97):
        pixels = _core.image_decode(content[:size], name="cut.jpg")  # a header that is whole
        with pytest.raises(mx.MXNetError, match=r"^\[image\] cut\.jpg: JPEG is damaged: "):
            pixels.asnumpy()
    for size in range(200):
        with pytest.raises(mx.MXNetError, match=r"^\[image\]"):
            _core.image_decode(content[:size]).asnumpy()


def test_a_changed_byte_of_a_png_is_an_error() -> None:
    content = encoded("PNG")
    for at in range(8, len(content) - 12, 5):
        changed = bytearray(content)
        changed[at] ^= 0x41
        with pytest.raises(mx.MXNetError, match=r"^\[image\]"):
            _core.image_decode(bytes(changed), name="p.png").asnumpy()


@pytest.mark.parametrize("form", ["GIF", "BMP", "WEBP", "TIFF", "PPM"])
def test_cut_pictures_of_other_formats(form: str) -> None:
    content = encoded(form)
    for size in (0, 1, 5, 20, len(content) // 2):
        with pytest.raises(mx.MXNetError, match=r"^\[image\]"):
            _core.image_decode(content[:size]).asnumpy()


def test_what_is_no_picture() -> None:
    with pytest.raises(mx.MXNetError, match="are no picture of a known format"):
        _core.image_decode(b"plain text that is long enough to be looked at")
    with pytest.raises(mx.MXNetError, match="channels=2; expected 0, 1, 3 or 4"):
        _core.image_decode(encoded("PNG"), channels=2)


def test_an_absent_library_is_named() -> None:
    with pytest.raises(mx.MXNetError, match=r"\[image\] /nowhere/libturbojpeg\.so"):
        _core.image_load_jpeg("/nowhere/libturbojpeg.so")
    with pytest.raises(mx.MXNetError, match="has no tjInitDecompress"):
        _core.image_load_jpeg("libm.so.6")
    assert _core.image_decode(encoded("JPEG")).shape == (24, 40, 3)


def test_libjpeg_alone(tmp_path: Path) -> None:
    """A system whose libturbojpeg cannot be loaded: the same pixels, and scales."""
    (tmp_path / "libturbojpeg.so.0").write_text("not a library")
    (tmp_path / "boat.jpg").write_bytes(encoded("JPEG"))
    program = (
        "import sys, zlib\n"
        "from mixgrad import _core\n"
        "try:\n"
        "    _core.image_load_jpeg('libturbojpeg.so.0')\n"
        "    print('it loads')\n"
        "except Exception:\n"
        "    content = open(sys.argv[1], 'rb').read()\n"
        "    pixels = [_core.image_decode(content, eighths=eighths).asnumpy() for eighths in (8, 4)]\n"
        "    print([zlib.crc32(each.tobytes()) for each in pixels])\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "boat.jpg")]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if "cannot be decoded at a smaller scale" in done.stderr:
        pytest.skip("no libjpeg of libjpeg-turbo")
    expected = [
        zlib.crc32(_core.image_decode(encoded("JPEG"), eighths=eighths).asnumpy().tobytes())
        for eighths in (8, 4)
    ]
    assert (done.stdout.strip(), done.stderr) == (str(expected), "")
