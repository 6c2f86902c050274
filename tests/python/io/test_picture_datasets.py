"""Data sets of records and picture files."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.io import datasets


def png(grey: int, size: tuple[int, int] = (6, 4)) -> bytes:
    pillow = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    pillow.new("RGB", size, (grey, grey, grey)).save(out, "PNG")
    return out.getvalue()


def test_records(tmp_path: Path) -> None:
    path = tmp_path / "words"
    with mx.recordio.MXIndexedRecordIO(f"{path}.idx", f"{path}.rec", "w") as record:
        for key, word in ((7, b"one"), (3, b""), (5, b"three")):
            record.write_idx(key, word)
    words = datasets.RecordFileDataset(f"{path}.rec")
    assert [words[i] for i in range(len(words))] == [b"one", b"", b"three"] and words[-1] == b"three"
    with pytest.raises(IndexError):
        words[3]
    with pytest.raises(mx.MXNetError, match=r"cannot open .*missing.rec"):
        datasets.RecordFileDataset(tmp_path / "missing.rec")


def test_pictures_in_records(tmp_path: Path) -> None:
    path = tmp_path / "pictures"
    with mx.recordio.MXIndexedRecordIO(f"{path}.idx", f"{path}.rec", "w") as record:
        record.write_idx(0, mx.recordio.pack(mx.recordio.IRHeader(0, 4.0, 0, 0), png(10)))
        record.write_idx(1, mx.recordio.pack(mx.recordio.IRHeader(0, [1.0, 2.0], 1, 0), png(20)))
        record.write_idx(2, mx.recordio.pack(mx.recordio.IRHeader(0, 4.0, 2, 0), b"no picture"))
    pictures = datasets.ImageRecordDataset(f"{path}.rec")
    data, label = pictures[0]
    assert data.shape == (4, 6, 3) and data.dtype == np.uint8 and (data.asnumpy() == 10).all() and label == 4
    assert pictures[1][1].tolist() == [1, 2]
    assert datasets.ImageRecordDataset(f"{path}.rec", flag=0)[1][0].shape == (4, 6, 1)
    twice = datasets.ImageRecordDataset(f"{path}.rec", transform=lambda data, label: label * 2)
    assert twice[0] == 8
    with pytest.raises(mx.MXNetError):
        pictures[2][0].asnumpy()


def test_folders_of_pictures(tmp_path: Path) -> None:
    for folder, name, grey in (("bus", "b.png", 1), ("bus", "a.PNG", 2), ("car", "c.jpeg", 3)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_bytes(png(grey))
    (tmp_path / "car" / "notes.txt").write_text("x")
    (tmp_path / "readme").write_text("x")
    with pytest.warns(UserWarning) as said:
        pictures = datasets.ImageFolderDataset(tmp_path)
    assert sorted(str(w.message).split("'")[1] for w in said) == [
        str(tmp_path / "car" / "notes.txt"),
        str(tmp_path / "readme"),
    ]
    assert pictures.synsets == ["bus", "car"] and len(pictures) == 3
    assert [(os.path.basename(path), label) for path, label in pictures.items] == [
        ("a.PNG", 0),
        ("b.png", 0),
        ("c.jpeg", 1),
    ]
    assert [int(pictures[i][0].asnumpy()[0, 0, 0]) for i in range(3)] == [2, 1, 3]
    with pytest.raises(OSError, match="cannot read the folder"):
        datasets.ImageFolderDataset(tmp_path / "missing")


def test_lists_of_pictures(tmp_path: Path) -> None:
    for name, grey in (("a.png", 1), ("b c.png", 2)):
        (tmp_path / name).write_bytes(png(grey))
    (tmp_path / "all.lst").write_text("0\t3\ta.png\n\n1\t0.5\t2\tb c.png\n")
    for pictures in (
        datasets.ImageListDataset(tmp_path, "all.lst"),
        datasets.ImageListDataset(tmp_path, [(3, "a.png"), ([0.5, 2], "b c.png")]),
    ):
        assert [(int(d.asnumpy()[0, 0, 0]), y.tolist()) for d, y in (pictures[i] for i in range(2))] == [
            (1, [3]),
            (2, [0.5, 2]),
        ]
    assert datasets.ImageListDataset(tmp_path, "all.lst", flag=0)[0][0].shape == (4, 6, 1)
    for content, match in (
        ("0\ta.png\n", "line 1 .*2 fields"),
        ("0\tx\ta.png\n", "line 1"),
        (b"\xff", "no text"),
    ):
        (tmp_path / "bad.lst").write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(mx.MXNetError, match=match):
            datasets.ImageListDataset(tmp_path, "bad.lst")
    for bad in (None, [3], ["x.png"], [("x", "y")]):
        with pytest.raises(TypeError, match=r"\[ImageListDataset\]"):
            datasets.ImageListDataset(tmp_path, bad)
