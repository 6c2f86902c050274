#!/usr/bin/env python3
"""2,000 processes leave in every state that the programs of tests/leaving know, each with its own code."""

from __future__ import annotations

import argparse
import collections
import fcntl
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from leaving import programs

ROOT = Path(__file__).resolve().parents[2]
# Parts of the whole; where a language's tools are missing the others take its part.
SHARES = {"C": 0.3, "Python": 0.3, "Go": 0.1, "Rust": 0.1, "R": 0.1, "Node": 0.1}
TOOLS = {"Go": "go", "Rust": "cargo", "R": "Rscript", "Node": "em++"}


def found(out: Path, library: Path, languages: list[str]) -> tuple[list[programs.Program], list[str]]:
    """The programs of this machine in these languages, and what it cannot run."""
    runs: list[programs.Program] = []
    skipped = []
    makers = {
        "C": programs.c_programs,
        "Python": programs.python_programs,
        "Go": programs.go_programs,
        "Rust": programs.rust_programs,
        "R": programs.r_programs,
        "Node": programs.node_programs,
    }
    for language, make in makers.items():
        if language not in languages:
            continue
        if language not in TOOLS or shutil.which(TOOLS[language]):
            runs += make(out, library)
        else:
            skipped.append(f"{language}: this machine has no {TOOLS[language]}")
    return runs, skipped


def planned(runs: list[programs.Program], processes: int) -> list[tuple[programs.Program, str]]:
    """Every language's share, its states in turn."""
    states = collections.defaultdict(list)
    for program in runs:
        for state in program.states:
            states[program.language].append((program, state))
    shares = sum(SHARES[language] for language in states)
    plan = []
    for language, of_language in states.items():
        count = round(processes * SHARES[language] / shares)
        plan += [of_language[i % len(of_language)] for i in range(count)]
    return plan


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--processes", type=int, default=2000)
    parser.add_argument(
        "--library", type=Path, default=ROOT / "build" / "release", help="folder of libmixgrad.so"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "leaving", help="folder for what is built"
    )
    parser.add_argument("--languages", nargs="*", default=sorted(SHARES), choices=sorted(SHARES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    # Programs are built into the folder: another soak would take them away while this one runs them.
    with (out / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            parser.error(f"another soak uses {out}; give this one a folder of its own with --out")
        return soak(out, options)


def soak(out: Path, options: argparse.Namespace) -> int:
    runs, skipped = found(out, options.library.resolve(), options.languages)
    plan = planned(runs, options.processes)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: item[0].run(item[1]), plan)
        wrong = [(item, text) for item, text in zip(plan, results) if text]
    for _, text in wrong:
        print(text)
    print(f"{'language':<10}{'states':>8}{'processes':>11}{'wrong':>7}")
    for language in dict.fromkeys(program.language for program, _ in plan):
        mine = [state for program, state in plan if program.language == language]
        bad = sum(item[0].language == language for item, _ in wrong)
        print(f"{language:<10}{len(set(mine)):>8}{len(mine):>11}{bad:>7}")
    for text in skipped:
        print(f"skipped: {text}")
    states = {state for _, state in plan}
    print(
        f"{len(plan)} processes in {len(states)} states: {len(plan) - len(wrong)} passed, {len(wrong)} failed"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
