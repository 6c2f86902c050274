"""Raw records of long rows, which several threads read from a local file straight into batches."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO, pack, unpack

ROW = 20_000  # rows of 16 KiB or more are read by the threads that decode


def row_of(number: int) -> np.ndarray:
    return np.random.RandomState(number).randint(0, 256, ROW).astype(np.uint8)


@pytest.fixture()
def files(tmp_path: Path) -> tuple[str, str]:
    """Fifty records, of which one holds the magic word and lies in two parts."""
    path, index = str(tmp_path / "raw.rec"), str(tmp_path / "raw.idx")
    with MXIndexedRecordIO(index, path, "w") as record:
        for i in range(50):
            content = bytearray(row_of(i).tobytes())
            if i == 20:
                content[400:404] = b"\x0a\x23\xd7\xce"
            record.write_idx(i, pack(IRHeader(0, float(i), i, 0), bytes(content)))
    return path, index


def examples(batches: Any) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        data = batch.data[0].asnumpy()
        for i, label in enumerate(batch.label[0].asnumpy()):
            yield int(label), data[i].tobytes()


@pytest.mark.parametrize(
    "options",
    [{}, {"path_imgidx": True, "shuffle": True}, {"shuffle": True}],
    ids=["file", "index", "chunks"],
)
def test_the_same_rows_by_any_number_of_threads(files: tuple[str, str], options: dict[str, Any]) -> None:
    path, index = files
    options = {**options, **({"path_imgidx": index} if "path_imgidx" in options else {}), "seed": 3}
    epochs = []
    for threads in (1, 2, 7):
        batches = mx.io.RawRecordIter(path, (ROW,), 8, preprocess_threads=threads, **options)
        epochs.append(list(examples(batches)))
        assert sorted({label for label, _ in epochs[-1]}) == list(range(50))
    assert epochs[0] == epochs[1] == epochs[2]
    for label, row in epochs[0]:
        assert label == 20 or row == row_of(label).tobytes()


def test_a_state_goes_on_with_the_next_row(files: tuple[str, str]) -> None:
    path, index = files
    options: dict[str, Any] = {"path_imgidx": index, "shuffle": True, "seed": 1}
    batches = mx.io.RawRecordIter(path, (ROW,), 6, preprocess_threads=2, **options)
    expected = [*examples(batches)]
    batches.reset()
    expected += [*examples(batches)]
    seen: list[tuple[int, bytes]] = []
    state = None
    while len(seen) < len(expected):
        batches = mx.io.RawRecordIter(path, (ROW,), 6, preprocess_threads=1 + len(seen) % 4, **options)
        if state:
            batches.load_state_dict(state)
        try:
            for _ in range(4):
                batch = batches.next()
                seen += [*examples([batch])]
        except StopIteration:
            batches.reset()
        state = batches.state_dict()
    assert seen == expected


@pytest.mark.parametrize("cut, after, missing", [(39, 5032, 8), (35, 5, 27)], ids=["row", "head"])
def test_a_file_that_became_shorter(files: tuple[str, str], cut: int, after: int, missing: int) -> None:
    """Of a row the head behind it is missed first: it tells that the row is whole."""
    path, index = files
    offsets = [int(line.split("\t")[1]) for line in Path(index).read_text().splitlines()]
    batches = mx.io.RawRecordIter(path, (ROW,), 10, prefetch_buffer=0, preprocess_threads=2)
    labels = [label for label, _ in examples([batches.next()])]
    os.truncate(path, offsets[cut] + after)
    position = offsets[cut + 1] if after > 32 else offsets[cut] + after
    for _ in range(2):
        labels += [label for label, _ in examples([batches.next()])]
    assert labels == list(range(30))
    for _ in range(3):
        with pytest.raises(mx.base.FileError) as caught:
            batches.next()
        assert str(caught.value) == (
            f"[RawRecordIter] cannot read {missing} bytes at {position} of '{path}': "
            "the file became shorter after it was opened"
        )


def damage(content: bytearray, stored: int, random: np.random.RandomState) -> bytearray:
    """Some bytes changed, lost or too many, most of them where a record begins."""
    out = bytearray(content)
    for _ in range(random.randint(1, 4)):
        at = (
            random.randint(len(out))
            if random.rand() < 0.4
            else random.randint(6) * stored + random.randint(36)
        )
        at = min(at, len(out) - 1)
        kind = random.randint(5)
        if kind == 0:
            out[at] = random.randint(256)
        elif kind == 1:
            del out[at : at + random.choice([1, 4, 100, 5000])]
        elif kind == 2:
            out[at:at] = bytes(random.choice([1, 4, 8, 64]))
        elif kind == 3:
            out[at : at + 4] = b"\x0a\x23\xd7\xce"
        else:
            del out[max(at, 1) :]
    return out


@pytest.mark.filterwarnings("ignore:.*is damaged")
@pytest.mark.parametrize("row", [60, ROW], ids=["short", "long"])
def test_what_is_damaged_is_the_same_in_batches_and_alone(row: int, tmp_path: Path) -> None:
    """A record that lost bytes, or may have, is not given, however the file is read."""
    path, index = str(tmp_path / "raw.rec"), str(tmp_path / "raw.idx")
    with MXIndexedRecordIO(index, path, "w") as record:
        for i in range(6):
            record.write_idx(i, pack(IRHeader(0, float(i), i, 0), row_of(i)[:row].tobytes()))
    whole = bytearray(Path(path).read_bytes())
    random = np.random.RandomState(row)
    given = 0
    for _ in range(60):
        Path(path).write_bytes(damage(whole, len(whole) // 6, random))
        expected = []
        with MXRecordIO(path, "r", damaged="skip") as record:
            while (content := record.read()) is not None:
                with contextlib.suppress(mx.base.FileFormatError):
                    numbers = unpack(content)[1]
                    if len(numbers) == row:
                        expected.append(bytes(numbers))
        options = {"damaged": "skip", "round_batch": False, "preprocess_threads": random.randint(1, 4)}
        batches = mx.io.RawRecordIter(path, (row,), random.randint(1, 9), **options)
        got = []
        for batch in batches:
            data = batch.data[0].asnumpy()
            got += [example.tobytes() for example in data[: len(data) - batch.pad]]
        assert got == expected
        given += len(got)
    assert given > 60
