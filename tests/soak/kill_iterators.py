#!/usr/bin/env python3
"""Programs that read batches are killed (SIGKILL) at random places; each goes on with the very next batch.

A program keeps the position of its iterator and a digest of all batches so far in one file, as a checkpoint
does. It is started again until it has done its passes; then the digest must be the one of a program that
nobody killed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import mixgrad as mx
from mixgrad._files import write_file

ROWS, BATCH, PASSES = 2000, 7, 3


def arrays(folder: Path) -> Any:
    return mx.io.NDArrayIter(np.arange(ROWS), None, BATCH, True, "roll_over", seed=3)


def csv(folder: Path) -> Any:
    path = folder / "rows.csv"
    if not path.exists():
        write_file(path, b"".join(b"%d,%d\n" % (i, 2 * i) for i in range(ROWS)), "kill_iterators")
    return mx.io.PrefetchingIter(mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=BATCH))


def tokens(folder: Path) -> Any:
    path = folder / "tokens"
    if not path.exists():
        with mx.io.TokenWriter(path) as writer:
            for i in range(ROWS):
                writer.append(range(i % 19))
    return mx.io.TokenIter(path, BATCH, 4, by="document", shuffle=True, last_batch_handle="roll_over")


def examples(folder: Path) -> Any:
    return mx.io.IterableIter(lambda: iter(range(ROWS)), batch_size=BATCH, prefetch=3)


KINDS: dict[str, Callable[[Path], Any]] = {kind.__name__: kind for kind in (arrays, csv, tokens, examples)}


def read(kind: str, folder: Path, pause: float) -> None:
    """The program: goes on from the checkpoint in the folder, and ends after some passes."""
    it, place = KINDS[kind](folder), folder / "checkpoint.json"
    kept = {"passes": 0, "batches": 0, "digest": ""}
    if place.exists():
        kept = json.loads(place.read_bytes())
        it.load_state_dict(kept["state"])
    while kept["passes"] < PASSES:
        try:
            batch = it.next()
            seen = [array.asnumpy().tobytes() for array in (*batch.data, *(batch.label or []))]
            digest = hashlib.sha256(b"".join([str(kept["digest"]).encode(), *seen])).hexdigest()
            kept |= {"batches": int(kept["batches"]) + 1, "digest": digest}
        except StopIteration:
            it.reset()
            kept["passes"] = int(kept["passes"]) + 1
        kept["state"] = it.state_dict()
        write_file(place, json.dumps(kept).encode(), "kill_iterators")
        time.sleep(pause)


def result(folder: Path) -> tuple[int, str]:
    kept = json.loads((folder / "checkpoint.json").read_bytes())
    return kept["batches"], kept["digest"]


def start(kind: str, folder: Path, pause: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "--read", kind, str(folder), str(pause)])


def killed_often(kind: str, folder: Path, kills: int) -> int:
    """How often a program was killed before it came to its end."""
    place, done = folder / "checkpoint.json", 0
    while True:
        before = place.read_bytes() if place.exists() else b""
        child = start(kind, folder, 0.01 if done < kills else 0)
        while done < kills and child.poll() is None and (not place.exists() or place.read_bytes() == before):
            time.sleep(0.001)  # it goes on first
        try:
            child.wait(random.uniform(0, 0.15) if done < kills else 600)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            done += 1
            continue
        if child.returncode:
            sys.exit(f"kill_iterators: {kind} failed after {done} kills")
        return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30, help="of each iterator")
    parser.add_argument("--read", nargs=3, metavar=("KIND", "FOLDER", "PAUSE"))
    options = parser.parse_args()
    if options.read:
        read(options.read[0], Path(options.read[1]), float(options.read[2]))
        return 0
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as cut:
            read(kind, Path(whole), 0)
            done = killed_often(kind, Path(cut), options.kills)
            batches, digest = result(Path(whole))
            if result(Path(cut)) != (batches, digest):
                sys.exit(f"kill_iterators: {kind} gave other batches after {done} kills")
            print(f"{kind:9s} {batches} batches, killed {done} times: the same batches", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
