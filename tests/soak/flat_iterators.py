#!/usr/bin/env python3
"""Passes of each iterator leave resident memory flat.

Each runs in a process of its own: two passes first, so that pools and caches are filled, then the measured
ones, in five runs. What leaks grows from each run to the next; a single step counts only if it is large.
All threads of a process share one arena of malloc: with more of them, a thread that comes with a pass now and
then gets one of its own, which keeps some blocks (up to 7 MiB for hdf5 in 60 passes; 0.1 with one arena).
Iterators whose package is missing are left out and named.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np

import mixgrad as mx

ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
RUNS = 5
# Bytes of growth from run to run: of iterators that start threads in each pass, and of others; all of it.
THREADED, PLAIN, TOTAL = 256 << 10, 128 << 10, 16 << 20
ROWS, WIDTH, BATCH = 4000, 256, 50  # 4 MB of float32


def resident() -> int:
    """Bytes of memory this process occupies."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def rows() -> Any:
    return np.arange(ROWS * WIDTH, dtype="float32").reshape(ROWS, WIDTH)


def arrays(folder: Path) -> Any:
    return mx.io.NDArrayIter(rows(), np.arange(ROWS), BATCH, shuffle=True, last_batch_handle="roll_over")


def csv(folder: Path) -> Any:
    np.savetxt(folder / "rows.csv", rows()[:, :16], delimiter=",")
    return mx.io.CSVIter(data_csv=folder / "rows.csv", data_shape=(16,), batch_size=BATCH)


def libsvm(folder: Path) -> Any:
    (folder / "rows.t").write_text("".join(f"{i} {i % 99}:1 {100 + i % 99}:2\n" for i in range(ROWS)))
    return mx.io.LibSVMIter(data_libsvm=folder / "rows.t", data_shape=(200,), batch_size=BATCH)


def mnist(folder: Path) -> Any:
    head = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in (ROWS, 16, 16))
    (folder / "images").write_bytes(head + bytes(ROWS * 256))
    (folder / "labels").write_bytes(bytes([0, 0, 8, 1]) + ROWS.to_bytes(4, "big") + bytes(ROWS))
    return mx.io.MNISTIter(image=folder / "images", label=folder / "labels", batch_size=BATCH)


def prefetching(folder: Path) -> Any:
    return mx.io.PrefetchingIter(mx.io.ResizeIter(arrays(folder), 60))


def sentences(folder: Path) -> Any:
    return mx.rnn.BucketSentenceIter([list(range(10 + i % 40)) for i in range(ROWS)], BATCH)


def hdf5(folder: Path) -> Any:
    import h5py

    with h5py.File(folder / "rows.h5", "w") as file:
        file.create_dataset("x", data=rows(), chunks=(100, WIDTH))
    return mx.io.HDF5Iter(folder / "rows.h5", batch_size=BATCH, shuffle=True, block_rows=400)


def parquet(folder: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({f"c{i}": column for i, column in enumerate(rows().T[:128])})
    pq.write_table(table, folder / "rows.parquet", row_group_size=400)
    return mx.io.ParquetIter(folder / "rows.parquet", batch_size=BATCH, shuffle=True)


def examples(folder: Path) -> Any:
    data = rows()
    return mx.io.IterableIter(lambda: iter(data), batch_size=BATCH, prefetch=2)


def tokens(folder: Path) -> Any:
    with mx.io.TokenWriter(folder / "tokens") as writer:
        for i in range(400):
            writer.append(np.arange(i * 5))
    return mx.io.TokenIter(folder / "tokens", BATCH, 64, by="document", shuffle=True)


THREADS = {"prefetching", "hdf5", "parquet", "examples", "tokens"}
PACKAGES = {"hdf5": "h5py", "parquet": "pyarrow"}
KINDS: dict[str, Callable[[Path], Any]] = {
    kind.__name__: kind
    for kind in (arrays, csv, libsvm, mnist, prefetching, sentences, hdf5, parquet, examples, tokens)
}


def one_pass(it: Any) -> int:
    count = 0
    for batch in it:
        for array in (*batch.data, *(batch.label or [])):
            array.wait_to_read()
        count += 1
        it.state_dict()
    it.reset()
    return count


def limit_of(kind: str) -> int:
    return THREADED if kind in THREADS else PLAIN


def grows(sizes: list[int], limit: int) -> bool:
    """Whether sizes after passes rise again and again."""
    each = len(sizes) // RUNS
    most = [max(sizes[run * each : (run + 1) * each]) for run in range(RUNS)]
    growths = sorted(after - before for before, after in zip(most, most[1:]))
    return growths[1] > limit or sum(growths) > TOTAL


def measure(kind: str, passes: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        it = KINDS[kind](Path(folder))
        for _ in range(2):
            one_pass(it)
        batches, sizes = 0, []
        for _ in range(passes):
            batches += one_pass(it)
            sizes.append(resident())
        growth = max(sizes[-passes // RUNS :]) - max(sizes[: passes // RUNS])
        print(f"{kind:12s} {passes} passes, {batches:,} batches: {growth / 1024:+,.0f} KiB", flush=True)
    if batches == 0:
        sys.exit(f"flat_iterators: {kind} gave no batches")
    return 1 if grows(sizes, limit_of(kind)) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=sorted(KINDS))
    parser.add_argument("--passes", type=int, default=20, help="5 or more")
    options = parser.parse_args()
    if options.kind is not None:
        return measure(options.kind, options.passes)
    failed = []
    for kind in KINDS:
        if kind in PACKAGES and importlib.util.find_spec(PACKAGES[kind]) is None:
            print(f"{kind:12s} left out: {PACKAGES[kind]} is not installed")
            continue
        command = [sys.executable, __file__, kind, "--passes", str(options.passes)]
        if subprocess.run(command, env={**os.environ, **ENVIRONMENT}, check=False).returncode:
            failed.append(kind)
    print(f"grew: {', '.join(failed)}" if failed else "all of them stay flat")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
