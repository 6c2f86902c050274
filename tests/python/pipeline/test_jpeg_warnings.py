"""JPEG files that libjpeg warns of: harmless ones are read, what lacks pixels is damaged."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXRecordIO, pack

Image = pytest.importorskip("PIL.Image")
KINDS = ("base", "progressive", "restarts")


def jpeg(kind: str) -> bytes:
    coarse = np.random.RandomState(1).randint(0, 255, (5, 6, 3)).astype(np.uint8)
    file = io.BytesIO()
    options = {"progressive": True} if kind == "progressive" else {}
    if kind == "restarts":
        options = {"restart_marker_rows": 1}
    Image.fromarray(coarse).resize((64, 48), Image.BICUBIC).save(file, "JPEG", quality=85, **options)
    return file.getvalue()


def harmless(kind: str) -> dict[str, bytes]:
    whole = jpeg(kind)
    scan = whole.index(b"\xff\xda")
    out = {
        "bytes behind the end": whole + b"anything",
        "bytes before the end": whole[:-2] + b"\x12\x34\x56\x00\x78" * 3 + whole[-2:],
        "bytes before a table": whole[:20] + b"abcde" + whole[20:],
        "bytes before the scan": whole[:scan] + b"abcde" + whole[scan:],
        "another revision of JFIF": whole[:11] + b"\x05" + whole[12:],
    }
    if kind != "progressive":  # which may lack whole scans then
        out["no mark of the end"] = whole[:-2]
        out["no end, and bytes before the scan"] = whole[:scan] + b"abcde" + whole[scan:-2]
    return out


def damaged(kind: str) -> dict[str, bytes]:
    whole = jpeg(kind)
    scan = whole.index(b"\xff\xda")
    out = {
        "the last bytes are missing": whole[:-3],
        "a part is missing": whole[:-40],
        "a part is missing before the end": whole[:-40] + whole[-2:],
        "a part is missing behind harmless bytes": whole[:scan] + b"abcde" + whole[scan:-40],
        "... before the end": whole[:scan] + b"abcde" + whole[scan:-40] + whole[-2:],
        "half is missing": whole[: len(whole) // 2],
    }
    if kind == "progressive":
        out["no mark of the end"] = whole[:-2]
        last = whole.rindex(b"\xff\xc4")  # with the last scan
        out["the last scan is missing"] = whole[:last]
    return out


def record(path: Path, content: bytes) -> Path:
    with MXRecordIO(path, "w") as file:
        file.write(pack(IRHeader(0, 5.0, 7, 0), content))
    return path


# All of the picture, and parts of it for which not all rows are decoded.
SHAPES = ({"data_shape": (3, 48, 64)}, {"data_shape": (3, 8, 16)}, {"data_shape": (3, 12, 16), "resize": 16})


@pytest.mark.parametrize("kind", KINDS)
def test_harmless_files(tmp_path: Path, kind: str) -> None:
    whole = jpeg(kind)
    expected = [_batch(record(tmp_path / "whole.rec", whole), **shape) for shape in SHAPES]
    for what, content in harmless(kind).items():
        pixels = mx.image.imdecode(content).asnumpy()
        np.testing.assert_array_equal(pixels, mx.image.imdecode(whole).asnumpy(), what)
        path = record(tmp_path / "one.rec", content)
        for shape, batch in zip(SHAPES, expected):
            np.testing.assert_array_equal(_batch(path, **shape), batch, what)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files(tmp_path: Path, kind: str) -> None:
    whole = record(tmp_path / "whole.rec", jpeg(kind))
    for what, content in damaged(kind).items():
        with pytest.raises(mx.base.FileFormatError, match="JPEG"):
            print(what, mx.image.imdecode(content).asnumpy().shape)
        path = record(tmp_path / "one.rec", content)
        for shape in SHAPES:
            wrong = r"one\.rec' at 0, record 7: JPEG"
            if shape is SHAPES[0] or not content.endswith(b"\xff\xd9"):
                with pytest.raises(mx.base.FileFormatError, match=wrong):
                    print(what, _batch(path, **shape))
                continue
            try:
                np.testing.assert_array_equal(_batch(path, **shape), _batch(whole, **shape), what)
            except mx.base.FileFormatError as error:  # what is missing lies in the part, or before it
                assert re.search(wrong, str(error))


def _batch(path: Path, **options: object) -> np.ndarray:
    answer: np.ndarray = mx.io.ImageRecordIter(path, batch_size=1, **options).next().data[0].asnumpy()
    return answer
