#!/usr/bin/env python3
"""Records per second: written, read in order, by key one at a time and many at a time; beside real MXNet.

    record_reading.py [--records 100000] [--bytes 4096] [--mxnet PYTHON] [--folder /tmp]

Each figure is the best of three passes over the same keys; files lie in the page cache. Beside the seconds of
the clock stand those of the processor, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BATCH = 256


def best(passes: int, records: int, run: Callable[[], object]) -> list[float]:
    """Records per second of the clock and of the processor."""
    rates = [0.0, 0.0]
    for _ in range(passes):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        rates[0] = max(rates[0], records / (time.perf_counter() - clock))
        rates[1] = max(rates[1], records / (time.process_time() - processor))
    return rates


def measure(recordio: Any, folder: str, records: int, size: int) -> dict[str, list[float]]:
    """The rates of one library. The first one to run leaves its file to the other."""
    paths = f"{folder}/a.idx", f"{folder}/a.rec"
    source = random.Random(0).randbytes(size + records)

    def write() -> None:
        writer = recordio.MXIndexedRecordIO(*paths, "w")
        for key in range(records):
            writer.write_idx(key, source[key : key + size])
        writer.close()

    rates = {"written": best(1, records, write)}
    reader = recordio.MXIndexedRecordIO(*paths, "r")
    keys = list(range(records))
    random.Random(1).shuffle(keys)

    def in_order() -> None:
        reader.reset()
        while reader.read() is not None:
            pass

    rates["read in order"] = best(3, records, in_order)
    reader.reset()
    rates["read_idx"] = best(3, records, lambda: [reader.read_idx(key) and None for key in keys])
    if hasattr(reader, "read_batch"):
        batches = [keys[i : i + BATCH] for i in range(0, records, BATCH)]
        many = best(3, records, lambda: [reader.read_batch(batch) and None for batch in batches])
        rates[f"read_batch of {BATCH}"] = many
    return rates


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--bytes", type=int, default=4096)
    peer_python = ROOT / "benchmarks" / ".envs" / "mxnet" / "bin" / "python"
    parser.add_argument("--mxnet", type=Path, default=peer_python)
    parser.add_argument("--folder")
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        peer = importlib.import_module("mxnet.recordio")
        print(json.dumps(measure(peer, options.folder, options.records, options.bytes)))
        return 0
    from mixgrad import recordio

    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        table = {"mixgrad": measure(recordio, folder, options.records, options.bytes)}
        if options.mxnet.exists():
            command = [str(options.mxnet), __file__, "--peer", "--folder", folder]
            command += ["--records", str(options.records), "--bytes", str(options.bytes)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            table["MXNet"] = json.loads(done.stdout.splitlines()[-1])
    print(f"| {options.records} records of {options.bytes} bytes | " + " | ".join(table) + " |")
    print("|---|" + "---|" * len(table))
    for row in table["mixgrad"]:
        cells = ["{:,.0f} ({:,.0f})".format(*rates[row]) if row in rates else "" for rates in table.values()]
        print(f"| {row}, per second (of the processor) | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
