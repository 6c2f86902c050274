"""Single pictures: reading, sizes, windows, borders, and what is refused."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from image.answers import png

import mixgrad as mx

PICTURE = np.random.RandomState(1).randint(0, 256, (20, 30, 3)).astype(np.uint8)


def pnm(picture: np.ndarray) -> bytes:
    """The file of a picture with one channel or three."""
    kind = {1: b"P5", 3: b"P6"}[picture.shape[2]]
    return kind + b" %d %d 255\n" % (picture.shape[1], picture.shape[0]) + picture.tobytes()


def lightness(picture: np.ndarray) -> np.ndarray:
    return picture @ np.array([0.299, 0.587, 0.114])


@pytest.mark.parametrize(
    "buf",
    [
        pnm(PICTURE),
        bytearray(pnm(PICTURE)),
        np.frombuffer(pnm(PICTURE), np.uint8),
        np.frombuffer(pnm(PICTURE), np.int8),
        mx.nd.array(np.frombuffer(pnm(PICTURE), np.uint8), dtype="uint8"),
    ],
    ids=["bytes", "bytearray", "numpy", "int8", "NDArray"],
)
def test_imdecode(buf: Any) -> None:
    picture = mx.image.imdecode(buf)
    assert picture.dtype == np.uint8
    assert (picture.asnumpy() == PICTURE).all()
    assert (mx.image.imdecode(buf, to_rgb=0).asnumpy() == PICTURE[:, :, ::-1]).all()
    grey = mx.image.imdecode(buf, 0).asnumpy()
    assert grey.shape == (20, 30, 1)
    assert np.abs(grey[:, :, 0] - lightness(PICTURE)).max() <= 1.001


def test_grey_of_png() -> None:
    """By libpng's weights, cut off: what real MXNet gives for these colours; rounding would give others."""
    pytest.importorskip("PIL")
    colours = [(99, 206, 239), (189, 230, 118), (144, 73, 8), (228, 231, 190), (155, 112, 158), (208, 7, 204)]
    colours += [(143, 113, 181), (231, 80, 27), (44, 205, 203), (65, 175, 30), (212, 86, 125)]
    colours += [(146, 254, 121)]
    grey = mx.image.imdecode(png(np.array([colours], np.uint8)), 0).asnumpy()
    assert grey.ravel().tolist() == [177, 204, 86, 225, 130, 89, 129, 119, 156, 125, 128, 206]


def test_grey_of_png_of_16_bits() -> None:
    pytest.importorskip("PIL")
    answers = np.load(Path(__file__).parents[2] / "data" / "pictures" / "deep.npz")
    for name in [name for name in answers.files if name[-1].isalpha()]:
        for flag in (0, 1):
            picture = mx.image.imdecode(answers[name], flag, to_rgb=0).asnumpy()
            assert (picture.squeeze() == answers[f"{name} {flag}"]).all(), (name, flag)


def test_imdecode_into_an_array() -> None:
    out = mx.nd.zeros((20, 30, 3), dtype="uint8")
    assert mx.image.imdecode(pnm(PICTURE), out=out) is out
    assert (out.asnumpy() == PICTURE).all()
    with pytest.raises(
        mx.base.ShapeError, match=r"\[imdecode\] out has shape \(2, 2, 3\); the picture has \(20"
    ):
        mx.image.imdecode(pnm(PICTURE), out=mx.nd.zeros((2, 2, 3), dtype="uint8"))


def test_imread(tmp_path: Path) -> None:
    file = tmp_path / "a picture.ppm"
    file.write_bytes(pnm(PICTURE))
    for name in (file, str(file)):
        assert (mx.image.imread(name).asnumpy() == PICTURE).all()
    assert mx.image.imread(file, flag=0).shape == (20, 30, 1)
    assert (mx.img.image.imread(file, to_rgb=False).asnumpy() == PICTURE[:, :, ::-1]).all()


def test_files_that_are_no_pictures(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"\[imread\].*none.png"):
        mx.image.imread(tmp_path / "none.png")
    (tmp_path / "empty.png").write_bytes(b"")
    with pytest.raises(mx.MXNetError, match=r"\[imread\].*empty.png.*empty"):
        mx.image.imread(tmp_path / "empty.png")
    (tmp_path / "text.png").write_bytes(b"clearly no picture")
    with pytest.raises(mx.MXNetError, match=r"text.png"):
        mx.image.imread(tmp_path / "text.png").asnumpy()
    with pytest.raises(mx.MXNetError):
        mx.image.imread(tmp_path).asnumpy()


@pytest.mark.parametrize(
    "content", [b"", b"x", b"clearly no picture", b"\xff\xd8" + bytes(100), pnm(PICTURE)[:-1]]
)
def test_bytes_that_are_no_pictures(content: bytes) -> None:
    with pytest.raises(mx.MXNetError):
        mx.image.imdecode(content).asnumpy()


def test_decoding_is_a_task() -> None:
    """A picture whose header is right but whose pixels end early fails where it is read."""
    from io import BytesIO

    image = pytest.importorskip("PIL.Image")
    file = BytesIO()
    image.fromarray(PICTURE).save(file, "PNG")
    broken = mx.image.imdecode(file.getvalue()[:-600] + bytes(600))
    assert broken.shape == (20, 30, 3)
    smaller = mx.image.imresize(broken, 3, 3)
    with pytest.raises(mx.MXNetError):
        smaller.asnumpy()


@pytest.mark.parametrize("buf", ["text", None, 3, [1, 2], memoryview(b"P6")])
def test_buffers_of_other_kinds(buf: Any) -> None:
    with pytest.raises(TypeError, match=r"\[imdecode\] buf is"):
        mx.image.imdecode(buf)


def test_options_of_decoding() -> None:
    with pytest.raises(mx.MXNetError, match=r"\[imdecode\] flag is 2; expected 0"):
        mx.image.imdecode(pnm(PICTURE), 2)
    with pytest.raises(mx.MXNetError, match=r"\[imdecode\] to_rgb is 'x'"):
        mx.image.imdecode(pnm(PICTURE), to_rgb="x")  # type: ignore[arg-type]
    with pytest.raises(mx.MXNetError, match=r"dtype float32; expected uint8"):
        mx.image.imdecode(mx.nd.zeros((5,)))


def test_operators_of_the_registry() -> None:
    names = mx.nd._internal
    content = mx.nd.array(np.frombuffer(pnm(PICTURE), np.uint8), dtype="uint8")
    for name in ("_cvimdecode", "_npi_cvimdecode"):
        assert (getattr(names, name)(content).asnumpy() == PICTURE).all()
    picture = mx.nd.array(PICTURE, dtype="uint8")
    assert names._npi_cvimresize(picture, w=15, h=10).shape == (10, 15, 3)
    src = mx.sym.Variable("src")
    resized = mx.sym._internal._cvimresize(src, w=3, h=4)
    assert resized.infer_shape(src=(20, 30, 3))[1] == [(4, 3, 3)]
    with pytest.raises(NotImplementedError, match=r"\[_cvimread\]"):
        mx.sym._internal._cvimread  # noqa: B018


def test_old_imdecode() -> None:
    """As networks take pictures, into one place of a batch; real MXNet has the name, but each call fails."""
    batch = mx.nd.zeros((2, 3, 9, 8))
    mx.nd.imdecode(pnm(PICTURE), clip_rect=(2, 3, 10, 12), out=batch, index=1, mean=mx.nd.ones((3, 1, 1)))
    expected = PICTURE[3:12, 2:10].transpose(2, 0, 1).astype(np.float32) - 1
    assert (batch[1].asnumpy() == expected).all()
    assert (batch[0].asnumpy() == 0).all()
    assert mx.nd.imdecode(pnm(PICTURE), channels=1).shape == (1, 20, 30)
    for words in (
        {"clip_rect": (0, 0, 31, 2)},
        {"clip_rect": (5, 5, 5, 9)},
        {"channels": 2},
        {"out": batch, "index": 2},
    ):
        with pytest.raises(mx.MXNetError, match=r"\[imdecode\]"):
            mx.nd.imdecode(pnm(PICTURE), **words)  # type: ignore[arg-type]


def test_sizes_that_make_no_sense() -> None:
    picture = mx.nd.array(PICTURE, dtype="uint8")
    for call in (
        lambda: mx.image.imresize(picture, 0, 3),
        lambda: mx.image.imresize(picture, 3, -1),
        lambda: mx.image.imresize(picture, 3, 3, 7),
        lambda: mx.image.imresize(picture[0], 3, 3),
        lambda: mx.image.resize_short(picture, 0),
        lambda: mx.image.resize_short(picture, 9, 11),
        lambda: mx.image.resize_short(mx.nd.zeros((0, 3, 3)), 9),
        lambda: mx.image.fixed_crop(picture, -1, 0, 3, 3),
        lambda: mx.image.fixed_crop(picture, 30, 0, 3, 3),
        lambda: mx.image.fixed_crop(picture, 3, 0, 0, 3),
        lambda: mx.image.random_size_crop(picture, (3, 3), 0.5, (0, 1)),
        lambda: mx.image.copyMakeBorder(picture, -1, 0, 0, 0),
        lambda: mx.image.copyMakeBorder(picture, 1, 0, 0, 0, type=7),
    ):
        with pytest.raises(mx.MXNetError, match=r"\["):
            call()
    with pytest.raises(TypeError, match=r"\[resize_short\] src is ndarray"):
        mx.image.resize_short(PICTURE, 5)


def test_windows_of_every_size_stay_inside() -> None:
    picture = mx.nd.array(PICTURE, dtype="uint8")
    for seed in range(100):
        random.seed(seed)
        size = (random.randint(1, 40), random.randint(1, 40))
        for cut, (x, y, w, h) in (
            mx.image.random_crop(picture, size),
            mx.image.center_crop(picture, size),
            mx.image.random_size_crop(picture, size, (0.05, 1.5), (0.3, 3)),
        ):
            assert cut.shape == (size[1], size[0], 3)
            assert 0 <= x < x + w <= 30 and 0 <= y < y + h <= 20


def test_old_name_of_area() -> None:
    picture = mx.nd.array(PICTURE, dtype="uint8")
    with pytest.warns(DeprecationWarning, match="old name of area"):
        window = mx.image.random_size_crop(picture, (3, 3), 0.1, (1, 1), min_area=0.5)[1]
    assert window[2] * window[3] > 250
    with pytest.raises(TypeError, match="no argument is called 'min_are'"):
        mx.image.random_size_crop(picture, (3, 3), 0.1, (1, 1), min_are=0.5)


def test_rotation() -> None:
    planes = mx.nd.array(PICTURE.transpose(2, 0, 1))
    assert np.abs((mx.image.imrotate(planes, 180) - planes[:, ::-1, ::-1]).asnumpy()).max() < 0.02
    ones = mx.nd.ones((1, 9, 13))
    for angle in range(-180, 181, 7):
        assert mx.image.imrotate(ones, angle, zoom_in=True).asnumpy().min() > 0.8
        whole = mx.image.imrotate(ones, angle, zoom_out=True).asnumpy()
        assert whole.sum() < 1.001 * ones.size
    assert np.isfinite(mx.image.imrotate(mx.nd.ones((2, 1, 1)), 33, zoom_in=True).asnumpy()).all()


def test_rotations_that_make_no_sense() -> None:
    planes = mx.nd.ones((3, 4, 5))
    batch = mx.nd.stack(planes, planes)
    for kind, text, call in (
        (ValueError, "both True", lambda: mx.image.imrotate(planes, 3, True, True)),
        (TypeError, "float32", lambda: mx.image.imrotate(planes.astype("uint8"), 3)),
        (TypeError, "float32", lambda: mx.image.imrotate(planes.asnumpy(), 3)),
        (ValueError, "shape (4, 5)", lambda: mx.image.imrotate(planes[0], 3)),
        (TypeError, "one picture takes one number", lambda: mx.image.imrotate(planes, mx.nd.array([3]))),
        (ValueError, "3 angles for 2", lambda: mx.image.imrotate(batch, mx.nd.array([1, 2, 3]))),
        (ValueError, "two angles", lambda: mx.image.random_rotate(planes, (1, 2, 3))),
    ):
        with pytest.raises(kind, match=re.escape(text)):
            call()
