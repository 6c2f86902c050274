"""Raw records to batches against copying memory, and the first batch of a large file.

    python benchmarks/pipeline/raw_records.py FOLDER [--gigabytes 10]

Writes FOLDER/raw.rec (600 MB, read from the page cache) and a sparse FOLDER/sparse.rec of the size asked for,
whose first records are real.
"""

from __future__ import annotations

import argparse
import struct
import time
from pathlib import Path

import numpy as np

import mixgrad as mx

SHAPE = (224, 224, 3)
ROW = int(np.prod(SHAPE))


def record(number: int, content: bytes) -> bytes:
    """A record of a picture's header and bytes."""
    data = struct.pack("<IfQQ", 0, number % 1000, number, 0) + content
    return struct.pack("<II", 0xCED7230A, len(data)) + data + b"\0" * (-len(data) % 4)


def batches_per_second(path: Path, batch_size: int, seconds: float, prefetch: int) -> float:
    """Bytes of batches in a second, after an epoch that does not count."""
    batches = mx.io.RawRecordIter(path, SHAPE, batch_size, round_batch=False, prefetch_buffer=prefetch)
    for batch in batches:
        batch.data[0].wait_to_read()
    batches.reset()
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        try:
            batch = batches.next()
        except StopIteration:
            batches.reset()
            continue
        batch.data[0].wait_to_read()
        done += batch.data[0].size
    return done / (time.perf_counter() - begin)


def copies_per_second(batch_size: int, seconds: float) -> float:
    """Bytes that one thread copies in a second, from a large array into batches that are used again."""
    shape = (4000 // batch_size, batch_size * ROW)
    source = np.random.default_rng(0).integers(0, 255, shape, dtype=np.uint8)
    targets = [np.ones(batch_size * ROW, np.uint8) for _ in range(4)]
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for i, row in enumerate(source):
            np.copyto(targets[i % 4], row)
            done += row.size
    return done / (time.perf_counter() - begin)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=4)
    given = parser.parse_args()
    raw, sparse = given.folder / "raw.rec", given.folder / "sparse.rec"
    content = np.random.default_rng(1).integers(0, 255, ROW, dtype=np.uint8).tobytes()
    if not raw.exists():
        raw.write_bytes(b"".join(record(i, content) for i in range(4000)))
    for _ in range(3):
        copied = copies_per_second(128, given.seconds)
        read = batches_per_second(raw, 128, given.seconds, 2)
        print(f"raw records {read / 1e9:.2f} GB/s, copying {copied / 1e9:.2f} GB/s: {read / copied:.0%}")
    with sparse.open("wb") as file:
        for i in range(2000):
            file.write(record(i, content))
        file.truncate(given.gigabytes << 30)
    begin = time.perf_counter()
    batches = mx.io.RawRecordIter(sparse, SHAPE, 128)
    batches.next().data[0].wait_to_read()
    print(f"first batch of {given.gigabytes} GB after {1000 * (time.perf_counter() - begin):.0f} ms")


if __name__ == "__main__":
    main()
