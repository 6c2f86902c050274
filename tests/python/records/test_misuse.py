"""mx.recordio, given what makes no sense: errors that say what arrived, and files that stay as they were."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO, pack, pack_img, unpack


@pytest.fixture
def words(tmp_path: Path) -> Any:
    with MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w") as record:
        for key in range(20):
            record.write_idx(key, b"%d" % key * (key + 1))
    return lambda **options: MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r", **options)


@pytest.mark.parametrize("key", [-1, 20, None, "0", 1.5, [], np.arange(2)])
def test_keys_that_are_not_there(words: Any, key: Any) -> None:
    record = words()
    for read in (record.read_idx, record.seek, lambda key: record.read_batch([1, key])):
        with pytest.raises(KeyError, match=r"^\[MXIndexedRecordIO\.\w+\] .* has no record of key"):
            read(key)
    with pytest.raises(TypeError, match=r"\[MXIndexedRecordIO.read_batch\] keys is 5"):
        record.read_batch(5)


@pytest.mark.parametrize(
    "options",
    [
        {"num_parts": 0},
        {"num_parts": 1.5},
        {"num_parts": 2**70},
        {"part_index": -1},
        {"part_index": "0"},
        {"part_index": None},
        {"remote": 5},
        {"damaged": []},
    ],
)
def test_options(words: Any, options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(mx.base.InvalidArgumentError, match=rf"\[MXIndexedRecordIO\] {name} is"):
        words(**options)


@pytest.mark.parametrize("key", ["a\tb", "a\nb", "", " a", "a\x0bb"])
def test_keys_that_an_index_cannot_hold(tmp_path: Path, key: str) -> None:
    with MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w", str) as record:
        record.write_idx("a key", b"1")
        with pytest.raises(mx.base.InvalidArgumentError, match=r"\[MXIndexedRecordIO.write_idx\] the key is"):
            record.write_idx(key, b"2")
    assert MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r", str).keys == ["a key"]
    numbered = MXIndexedRecordIO(tmp_path / "b.idx", tmp_path / "b.rec", "w")
    with pytest.raises(mx.base.InvalidArgumentError, match="expected one of type int"):
        numbered.write_idx(None, b"1")


def test_index_and_records_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.rec"
    path.write_bytes(b"before")
    with pytest.raises(mx.base.InvalidArgumentError, match="as index and as record file"):
        MXIndexedRecordIO(path, path, "w")
    assert path.read_bytes() == b"before"


@pytest.mark.parametrize("line", ["0\t-1", "0\t99999999999999999999999", "\udcff\t0"])
def test_lines_of_an_index(words: Any, tmp_path: Path, line: str) -> None:
    (tmp_path / "b.idx").write_bytes(line.encode(errors="surrogateescape"))
    with pytest.raises(mx.base.FileFormatError, match="line 1"):
        MXIndexedRecordIO(tmp_path / "b.idx", tmp_path / "a.rec", "r")


@pytest.mark.parametrize("data", [None, 1, "text", [1], np.zeros((2, 4))[:, ::2], memoryview(b"abcd")[::2]])
def test_records_that_are_no_bytes(tmp_path: Path, data: Any) -> None:
    with MXRecordIO(tmp_path / "a.rec", "w") as record:
        with pytest.raises(TypeError, match=r"\[record\] got"):
            record.write(data)
        record.write(b"whole")
    assert MXRecordIO(tmp_path / "a.rec", "r").read() == b"whole"
    with pytest.raises(TypeError, match=r"\[pack\] got"):
        pack(IRHeader(0, 1, 2, 3), data)
    with pytest.raises(TypeError, match=r"\[unpack\] got"):
        unpack(data)


@pytest.mark.parametrize(
    "header",
    [None, 1, (1, 2), (0, 1, 2, 3, 4), (0, "a", 1, 0), (0, object(), 1, 0), (0, 1e300, 1, 0), (0, 1, "a", 0)],
)
def test_headers(header: Any) -> None:
    with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[pack\]"):
        pack(header, b"")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quality": None}, "quality is None"),
        ({"quality": float("nan")}, "quality is nan"),
        ({"img_fmt": None}, "img_fmt is None"),
        ({"img_fmt": ".h5"}, "cannot be written as HDF5|can be written"),
        ({"img": np.full((2, 2), np.nan)}, "NaN"),
        ({"img": np.zeros((2, 2), complex)}, "complex"),
        ({"img": np.zeros((1, 70000), np.uint8)}, "70000 x 1 pixels"),
    ],
)
def test_pictures(change: dict[str, Any], message: str) -> None:
    pytest.importorskip("PIL")
    with pytest.raises(mx.base.InvalidArgumentError, match=rf"\[pack_img\].*({message})"):
        pack_img(IRHeader(0, 1, 2, 3), **{"img": np.zeros((2, 2), np.uint8), **change})


def test_several_threads_share_a_reader_and_a_writer(words: Any, tmp_path: Path) -> None:
    record = words()
    errors: list[Any] = []
    writer = MXRecordIO(tmp_path / "b.rec", "w")

    def use(number: int) -> None:
        try:
            for i in range(300):
                key = (i * 7 + number) % 20
                wanted = b"%d" % key * (key + 1)
                assert record.read_idx(key) == wanted
                assert record.read_batch([key, key]) == [wanted] * 2
                record.tell()
                writer.write(wanted)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    assert not errors
    written = list(iter(MXRecordIO(tmp_path / "b.rec", "r").read, None))
    assert len(written) == 1200
    assert {bytes(one) for one in written} == {b"%d" % key * (key + 1) for key in range(20)}
