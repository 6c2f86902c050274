"""The C++ programs of the build tree, and reading what they print.

A program prints one figure a line, with the unit of a time (ns), a rate (GB/s) or operations (GFLOP/s):

    queued, one batch      159.3 ns  (158.2 to 160.0)
    allocate 64 B          pool 7.9 ns [6.7, 8.5]   peer 9.6 ns [9.1, 10.7]   ratio 1.21
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from .case import Program
from .libraries import thread_variables

_NUMBER = r"([\d.]+(?:e[+-]?\d+)?)"
_ALONE = re.compile(rf"^(\S.*?)\s+{_NUMBER} (ns|GB/s|GFLOP/s)\s+\({_NUMBER} to {_NUMBER}\)$")
_PAIR = re.compile(
    rf"^(\S.*?)\s+pool\s+{_NUMBER} ns \[{_NUMBER}, {_NUMBER}\]\s+peer\s+{_NUMBER} ns \[{_NUMBER}, {_NUMBER}\]"
)
_SCALE = {"ns": 1e-9, "GB/s": 1e9, "GFLOP/s": 1e9}


class ProgramProblem(Exception):
    """A program that is missing or failed."""


def parse(text: str) -> dict[str, dict[str, float]]:
    """Figures in SI units by line, and within a line by library.

    >>> parse("inline   53.4 ns  (53.2 to 57.8)")
    {'inline': {'mixgrad': 5.34e-08}}
    """
    figures: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        alone, pair = _ALONE.match(line), _PAIR.match(line)
        if alone:
            figures[alone.group(1)] = {"mixgrad": float(alone.group(2)) * _SCALE[alone.group(3)]}
        elif pair:
            name, _, peer = pair.group(1).partition("; peer: ")
            figures[name] = {
                "mixgrad": float(pair.group(2)) * 1e-9,
                peer or "malloc": float(pair.group(5)) * 1e-9,
            }
    return figures


def run(program: Program, build: Path, threads: int, quick: bool = False) -> dict[str, dict[str, float]]:
    """Run a program of the build tree once and return its figures."""
    path = build / "benchmarks" / program.name
    if not path.is_file():
        raise ProgramProblem(
            f"[{program.name}] {path} is not there; build it with "
            f"`cmake --build {build} --target benchmarks`, or name a build tree with --build"
        )
    arguments = program.quick if quick and program.quick else program.arguments
    done = subprocess.run(
        [str(path), *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, **thread_variables(threads)},
    )
    figures = parse(done.stdout)
    if done.returncode or not figures:
        last = ((done.stderr or done.stdout).strip().splitlines() or ["it printed nothing"])[-1]
        raise ProgramProblem(f"[{program.name}] failed with status {done.returncode}: {last}")
    return figures
