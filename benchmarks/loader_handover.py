#!/usr/bin/env python3
"""Milliseconds that a program waits for a batch of 16 MB which a worker process has ready; beside PyTorch and
MXNet.

    loader_handover.py [--megabytes 16] [--passes 4] [--torch PYTHON] [--mxnet PYTHON]

One worker makes all batches of a pass ahead; then the program takes them, one after another. The first pass
is told apart from the later ones: it maps memory that these use again. `taken` is the time of `next`; `taken
and read` has the sum of the batch in it, which reads its numbers once.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BATCHES = 8


class Rows:
    """Arrays of that many bytes, made at once."""

    def __init__(self, size: int) -> None:
        self.values = np.ones((size // 4,), np.float32)

    def __len__(self) -> int:
        return BATCHES

    def __getitem__(self, i: int) -> Any:
        return self.values


def loader_of(library: str, size: int) -> Any:
    if library == "torch":
        torch = importlib.import_module("torch")
        words = {"num_workers": 1, "prefetch_factor": BATCHES, "persistent_workers": True}
        return torch.utils.data.DataLoader(Rows(size), batch_size=1, **words)
    module = importlib.import_module(library)
    return module.gluon.data.DataLoader(Rows(size), batch_size=1, num_workers=1, prefetch=BATCHES)


def measure(library: str, megabytes: int, passes: int) -> dict[str, list[float]]:
    """Of the first pass and of the later ones: medians in ms, without reading and with it."""
    loader = loader_of(library, megabytes << 20)
    taken: list[list[float]] = [[], []]
    used: list[list[float]] = [[], []]
    for number in range(passes):
        if library != "torch":
            loader.refresh()  # its iterators begin when the first batch is asked for
        batches = iter(loader)
        time.sleep(2.5)
        for _ in range(BATCHES):
            start = time.perf_counter()
            batch = next(batches)
            middle = time.perf_counter()
            batch.sum().item() if library == "torch" else batch.sum().asscalar()
            end = time.perf_counter()
            taken[number > 0].append(1e3 * (middle - start))
            used[number > 0].append(1e3 * (end - start))
            del batch
    return {
        ("later passes" if later else "first pass"): [
            round(statistics.median(part[later]), 3) for part in (taken, used)
        ]
        for later in (0, 1)
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=16)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--mxnet", metavar="PYTHON")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(options.child, options.megabytes, options.passes)))
        return
    pythons = {"mixgrad": sys.executable, "torch": options.torch, "mxnet": options.mxnet}
    for library, python in pythons.items():
        if not python:
            continue
        command = [python, __file__, "--child", library]
        command += ["--megabytes", str(options.megabytes), "--passes", str(options.passes)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        for which, (taken, used) in json.loads(done.stdout.splitlines()[-1]).items():
            print(f"{library:8} {which:13} taken {taken:8.3f} ms   taken and read {used:8.3f} ms")


if __name__ == "__main__":
    main()
