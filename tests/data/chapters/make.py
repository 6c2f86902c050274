"""Losses of the chapters (tests/scripts/chapters) by real MXNet, and a comparison with those of mixgrad.

python make.py write PYTHON_WITH_MXNET [SEEDS]      writes losses.json
python make.py compare [SEEDS]                      runs mixgrad and prints both means and their distance
                                                    in standard errors
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHAPTERS = sorted((HERE.parents[1] / "scripts" / "chapters").glob("[a-z]*.py"))
FILE = HERE / "losses.json"


def losses_of(text: str) -> dict[str, float]:
    """What a chapter printed."""
    return {name: float(value) for name, value in re.findall(r"^loss (\S+) (\S+)$", text, re.M)}


def run(command: list[str], seeds: int, names: tuple[str, ...]) -> dict[str, dict[str, list[float]]]:
    """Losses by chapter and name, one for each seed; a chapter that ends by an error is told of."""
    found: dict[str, dict[str, list[float]]] = {}
    for chapter in CHAPTERS:
        if names and chapter.stem not in names:
            continue
        losses = found.setdefault(chapter.stem, {})
        for seed in range(seeds):
            done = subprocess.run(
                [*command, str(chapter), str(seed)],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
            if done.returncode:
                print(f"{chapter.stem} {seed}: {done.stderr[-300:]}", file=sys.stderr)
            for name, value in losses_of(done.stdout).items():
                losses.setdefault(name, []).append(value)
        print(chapter.stem, file=sys.stderr)
    return found


def compare(theirs: dict[str, dict[str, list[float]]], ours: dict[str, dict[str, list[float]]]) -> None:
    """A line for each loss."""
    for chapter, losses in ours.items():
        for name, values in losses.items():
            known = theirs[chapter][name]
            error = (
                statistics.variance(values) / len(values) + statistics.variance(known) / len(known)
            ) ** 0.5
            distance = (statistics.mean(values) - statistics.mean(known)) / (error or 1e-12)
            means = f"{statistics.mean(values):10.5f} {statistics.mean(known):10.5f}"
            print(f"{chapter:24s} {name:20s} {means} {distance:6.2f}")


def main(command: str, *arguments: str) -> None:
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    if command == "write":
        python, seeds, *names = arguments
        known.update(run([python], int(seeds), tuple(names)))
        FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    elif command == "compare":
        seeds, *names = arguments
        compare(known, run([sys.executable, "-m", "mixgrad.mxnet"], int(seeds), tuple(names)))
    else:
        sys.exit(f"make.py: {command!r} is neither write nor compare")


if __name__ == "__main__":
    main(*sys.argv[1:])
