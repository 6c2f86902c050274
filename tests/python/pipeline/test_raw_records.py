"""Raw records of long rows, which several threads read from a local file straight into batches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, pack

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


@pytest.mark.parametrize("cut, after, wanted", [(39, 5032, ROW - 5000), (35, 5, 27)], ids=["row", "head"])
def test_a_file_that_became_shorter(files: tuple[str, str], cut: int, after: int, wanted: int) -> None:
    path, index = files
    offsets = [int(line.split("\t")[1]) for line in Path(index).read_text().splitlines()]
    batches = mx.io.RawRecordIter(path, (ROW,), 10, prefetch_buffer=0, preprocess_threads=2)
    labels = [label for label, _ in examples([batches.next()])]
    os.truncate(path, offsets[cut] + after)
    for _ in range(2):
        labels += [label for label, _ in examples([batches.next()])]
    assert labels == list(range(30))
    for _ in range(3):
        with pytest.raises(mx.base.FileError) as caught:
            batches.next()
        assert str(caught.value) == (
            f"[RawRecordIter] cannot read {wanted} bytes at {offsets[cut] + after} of '{path}': "
            "the file became shorter after it was opened"
        )
