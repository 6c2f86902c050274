"""Headers and pictures in records (pack, unpack, pack_img, unpack_img)."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, pack, pack_img, unpack, unpack_img

pytest.importorskip("PIL")
HEADER = IRHeader(0, 1, 2, 0)


def picture(channels=3, height=40, width=50):
    y, x = np.mgrid[:height, :width]
    planes = [(x * 3 + y * (i + 1)) % 200 + 20 for i in range(max(channels, 1))]
    image = np.stack(planes, 2).astype(np.uint8)
    return image if channels else image[:, :, 0]


def test_headers():
    assert pack(IRHeader(5, 4.5, 1, 2), b"xx") == struct.pack("<IfQQ", 0, 4.5, 1, 2) + b"xx"
    assert pack((0, 4, 1, 0), b"xx") == struct.pack("<IfQQ", 0, 4, 1, 0) + b"xx"
    labels = pack(IRHeader(0, [1, 2, 3], 1, 2), b"xx")
    assert labels == struct.pack("<IfQQ", 3, 0, 1, 2) + np.array([1, 2, 3], np.float32).tobytes() + b"xx"
    header, rest = unpack(labels)
    assert (header.flag, header.id, header.id2, rest) == (3, 1, 2, b"xx")
    assert header.label.dtype == np.float32 and header.label.tolist() == [1, 2, 3]
    assert unpack(pack(IRHeader(0, 4.5, 1, 2), b"xx")) == (IRHeader(0, 4.5, 1, 2), b"xx")
    assert unpack(pack(IRHeader(0, np.ones((2, 2)), 1, 2), b""))[0].flag == 4
    assert unpack(pack(IRHeader(0, [], 1, 2), b"x")) == (IRHeader(0, 0.0, 1, 2), b"x")


def test_wrong_headers():
    with pytest.raises(ValueError, match=r"\[unpack\] a record of 2 bytes"):
        unpack(b"xx")
    with pytest.raises(ValueError, match=r"\[unpack\] the header says that 9 labels follow"):
        unpack(struct.pack("<IfQQ", 9, 0, 0, 0) + b"xx")
    with pytest.raises(ValueError, match=r"\[pack\] HEADER\(flag=0, label=1, id=-1"):
        pack(IRHeader(0, 1, -1, 0), b"xx")
    with pytest.raises(TypeError):
        pack(HEADER, "text")


@pytest.mark.parametrize("channels", [0, 1, 3, 4])
def test_png_gives_the_same_pixels(channels):
    image = picture(channels)
    header, decoded = unpack_img(pack_img(HEADER, image, quality=3, img_fmt=".png"))
    assert header == IRHeader(0, 1.0, 2, 0)
    np.testing.assert_array_equal(decoded, image[:, :, 0] if channels == 1 else image)


def test_flags_of_decoding():
    image = picture()
    record = pack_img(HEADER, image, quality=3, img_fmt=".png")
    for flag, shape in {-1: (40, 50, 3), 0: (40, 50), 1: (40, 50, 3), 2: (40, 50), 4: (40, 50, 3)}.items():
        assert unpack_img(record, flag)[1].shape == shape
    blue, green, red = (image[:, :, i].astype(float) for i in range(3))
    grey = unpack_img(record, 0)[1]
    assert np.abs(grey - (0.114 * blue + 0.587 * green + 0.299 * red)).max() <= 1
    assert unpack_img(pack_img(HEADER, picture(0)), 1)[1].shape == (40, 50, 3)
    assert unpack_img(pack_img(HEADER, picture(4), img_fmt=".png", quality=3), 1)[1].shape == (40, 50, 3)


def test_jpeg_is_close():
    y, x = np.mgrid[:64, :64]
    image = np.stack([x * 2, y * 2, x + y], 2).astype(np.uint8)
    for quality, most in [(95, 3), (60, 12)]:
        decoded = unpack_img(pack_img(HEADER, image, quality=quality))[1]
        assert np.abs(decoded.astype(int) - image).mean() < most
    assert len(pack_img(HEADER, image, quality=10)) < len(pack_img(HEADER, image, quality=95))
    decoded = unpack_img(pack_img(HEADER, image.astype(np.float32)))[1]
    assert decoded.dtype == np.uint8 and np.abs(decoded.astype(int) - image).mean() < 3


def test_what_is_no_picture():
    assert unpack_img(pack(HEADER, b"not a picture"))[1] is None
    assert unpack_img(pack(HEADER, pack_img(HEADER, picture())[24:60]))[1] is None
    with pytest.raises(ValueError, match=r"\[unpack_img\] the picture has no bytes"):
        unpack_img(pack(HEADER, b""))
    with pytest.raises(ValueError, match=r"\[pack_img\] no pictures of kind '.xyz'"):
        pack_img(HEADER, picture(), img_fmt=".xyz")
    with pytest.raises(ValueError, match=r"\[pack_img\] got list"):
        pack_img(HEADER, [[1, 2]])
    with pytest.raises(ValueError, match=r"\[pack_img\] a picture of shape \(40, 50, 2\)"):
        pack_img(HEADER, picture(2))
    with pytest.raises(ValueError, match="iscolor is 17"):
        unpack_img(pack_img(HEADER, picture()), 17)


def test_arrays_are_pictures():
    image = picture()
    record = pack_img(HEADER, mx.nd.array(image, dtype="uint8"), quality=3, img_fmt=".png")
    np.testing.assert_array_equal(unpack_img(record)[1], image)


def test_png_of_16_bits():
    """Filters, interlacing, alpha, a transparent colour: what OpenCV reads (make_deep.py)."""
    answers = np.load(Path(__file__).parents[2] / "data" / "pictures" / "deep.npz")
    compared = 0
    for key in answers.files:
        name, _, flag = key.rpartition(" ")
        if not flag.lstrip("-").isdigit():
            continue
        _, picture = unpack_img(pack(IRHeader(0, 1, 2, 3), answers[name].tobytes()), int(flag))
        assert picture.dtype == answers[key].dtype and np.array_equal(picture, answers[key]), key
        compared += 1
    assert compared == 12 * 7


def test_damaged_png_of_16_bits():
    content = np.load(Path(__file__).parents[2] / "data" / "pictures" / "deep.npz")["rgb"].tobytes()
    assert unpack_img(pack(HEADER, content), -1)[1].dtype == np.uint16
    changed = bytearray(content)
    changed[content.index(b"IDAT") + 10] ^= 1
    for damaged in (bytes(changed), content[:-30], content[:60]):
        assert unpack_img(pack(HEADER, damaged), -1)[1] is None
    # Whole chunks of pixels that are too few, or of a filter that is none.
    start, end = content.index(b"IDAT") - 4, content.index(b"IEND") - 4
    for data in (zlib.compress(b"\0"), zlib.compress(b"\7" * 100_000), b"no stream"):
        chunk = struct.pack(">I", len(data)) + b"IDAT" + data
        chunk += struct.pack(">I", zlib.crc32(chunk[4:]))
        assert unpack_img(pack(HEADER, content[:start] + chunk + content[end:]), -1)[1] is None
