"""Damaged and unfit records, iterators that threads share, and forks while pictures are decoded."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, pack, pack_img

SKIPPED = "ignore:.*is damaged and read without that"


def record_file(folder: Path, count: int, damaged: tuple[int, ...] = ()) -> str:
    path = str(folder / "small.rec")
    with MXIndexedRecordIO(str(folder / "small.idx"), path, "w") as record:
        for i in range(count):
            noise = np.random.RandomState(i).randint(0, 255, (16, 16, 3)).astype(np.uint8)
            content = bytearray(pack_img(IRHeader(0, float(i), i, 0), noise, img_fmt=".png"))
            if i in damaged:
                content[-100:-96] = bytes(4)
            record.write_idx(i, bytes(content))
    return path


def labels(batches: Any) -> list[list[float]]:
    return [batch.label[0].asnumpy()[: len(batch.index) - batch.pad].tolist() for batch in batches]


@pytest.mark.filterwarnings(SKIPPED)
def test_a_batch_of_nothing_but_damage_is_skipped(tmp_path: Path) -> None:
    path = record_file(tmp_path, 7, (2, 3, 6))
    one = mx.io.ImageRecordIter(path, (3, 16, 16), 1, damaged="skip", round_batch=False)
    assert labels(one) == [[0], [1], [4], [5]] and one.skipped == 3
    two = mx.io.ImageRecordIter(path, (3, 16, 16), 2, damaged="skip")
    assert labels(two) == [[0, 1], [4, 5]] and two.skipped == 3  # the last one holds only what fills it
    two.reset()
    assert labels(two)[:2] == [[1], [4]]  # what filled that one, 0, was the next epoch's


def test_each_damaged_place_of_a_chunk_is_named_once(tmp_path: Path) -> None:
    path = record_file(tmp_path, 12)
    offsets = [int(line.split("\t")[1]) for line in (tmp_path / "small.idx").read_text().splitlines()]
    content = bytearray(Path(path).read_bytes())
    for i in (4, 8):
        content[offsets[i] : offsets[i] + 4] = b"none"
    Path(path).write_bytes(content)
    batches = mx.io.ImageRecordIter(path, (3, 16, 16), 1, shuffle=True, round_batch=False)
    failures, taken = 0, []
    for _ in range(20):
        try:
            taken.append(batches.next().label[0].asnumpy()[0])
        except StopIteration:
            break
        except mx.MXNetError as error:
            assert "is damaged at" in str(error)
            failures += 1
    # A record may have lost its end where none begins behind it.
    assert failures == 2 and sorted(taken) == [0, 1, 2, 5, 6, 9, 10, 11]


def test_raw_records_with_other_labels(tmp_path: Path) -> None:
    path = str(tmp_path / "raw.rec")
    with mx.recordio.MXRecordIO(path, "w") as record:
        for i in range(6):
            header = IRHeader(0, float(i), i, 0) if i == 3 else IRHeader(0, [i, i], i, 0)
            record.write(pack(header, np.full(8, i, np.uint8).tobytes()))
    options: dict[str, Any] = {"label_width": 2, "round_batch": False}
    with pytest.raises(mx.MXNetError, match=r"raw\.rec' at \d+, record 3: a record with 1 labels"):
        labels(mx.io.RawRecordIter(path, (8,), 1, **options))
    with pytest.warns(UserWarning) if not mx.io.image_record._told_of_damage else _nothing():
        skipping = mx.io.RawRecordIter(path, (8,), 1, damaged="skip", **options)
        assert labels(skipping) == [[[i, i]] for i in (0, 1, 2, 4, 5)] and skipping.skipped == 1


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...


def test_the_attribute_batch_size_is_the_programs(tmp_path: Path) -> None:
    batches = mx.io.ImageRecordIter(record_file(tmp_path, 8), (3, 16, 16), 8)
    batches.batch_size = 1
    assert batches.next().index.tolist() == list(range(8))


def test_widest_label_of_a_part_of_an_index(tmp_path: Path) -> None:
    path, index = str(tmp_path / "boxes.rec"), str(tmp_path / "boxes.idx")
    with MXIndexedRecordIO(index, path, "w") as record:
        for i in range(4):
            label = [2, 5] + [0, 0.1, 0.1, 0.5, 0.5] * (3 if i == 2 else 1)
            side = 64 if i == 3 else 8  # so that half of the bytes are not half of the records
            noise = np.random.RandomState(i).randint(0, 255, (side, side, 3)).astype(np.uint8)
            record.write_idx(i, pack_img(IRHeader(0, label, i, 0), noise, img_fmt=".png"))
    part = mx.io.ImageDetRecordIter(path, (3, 8, 8), 2, path_imgidx=index, num_parts=2, part_index=1)
    assert part.next().label[0].asnumpy()[:, 3].tolist() == [17, 7]


def test_a_reader_that_threads_share(tmp_path: Path) -> None:
    path = record_file(tmp_path, 50)
    record = MXIndexedRecordIO(str(tmp_path / "small.idx"), path, "r")
    expected = [record.read_idx(i) for i in range(50)]
    wrong: list[Any] = []

    def read(seed: int) -> None:
        for i in np.random.RandomState(seed).randint(50, size=1500):
            try:
                if record.read_idx(int(i)) != expected[i]:
                    wrong.append(i)
            except mx.MXNetError as error:
                wrong.append(error)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_iterator_that_threads_share(tmp_path: Path) -> None:
    batches = mx.io.ImageRecordIter(record_file(tmp_path, 200), (3, 16, 16), 2)._batches
    taken: list[int] = []

    def take() -> None:
        while (got := batches.next()) is not None:
            taken.extend(np.frombuffer(got[3], np.uint64).tolist())

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(200))


def test_bytes_with_gaps_are_refused() -> None:
    backwards = memoryview(bytes(100))[::-1]
    with pytest.raises(ValueError, match=r"^\[image\] bytes with gaps"):
        mx._core.image_probe(backwards)
    with pytest.raises(ValueError, match=r"^\[image\] bytes with gaps"):
        mx._core.image_decode(backwards)


FORKS = """
import os, sys
import mixgrad as mx
batches = mx.io.ImageRecordIter(sys.argv[1], (3, 16, 16), 10)
batches.next()  # pictures are being decoded by Pillow, which nobody has imported yet
child = os.fork()
count = sum(batch.data[0].asnumpy().shape[0] for batch in batches)
if child == 0:
    os._exit(0 if count == 90 else 1)
assert count == 90 and os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forks_while_pictures_are_decoded(tmp_path: Path) -> None:
    path = record_file(tmp_path, 100)
    for _ in range(4):
        subprocess.run([sys.executable, "-c", FORKS, path], check=True, timeout=15)


SHORT_OF_MEMORY = """
import resource, sys
import mixgrad as mx
batches = mx.io.ImageRecordIter(sys.argv[1], (3, 2000, 2000), 4, preprocess_threads=2)  # 192 MB a batch
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
most = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (used + (150 << 20), most))
try:
    batches.next()
except mx.MXNetError as error:
    print("refused:", type(error).__name__)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
print(batches.next().label[0].asnumpy().tolist())
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's size of the process")
def test_a_batch_that_finds_no_memory_is_tried_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY, record_file(tmp_path, 4)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "refused: OutOfMemoryError\n[0.0, 1.0, 2.0, 3.0]\n"
