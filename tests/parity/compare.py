"""Run every case through mixgrad and compare with MXNet's answers.

From tests/: python -m parity.compare [ANSWERS.npz] [--markdown REPORT.md] [--only PATTERN] [--verbose]
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from .case import Array, Case
from .cases import CASES, known
from .runner import Missing, run
from .store import load

GOLDEN = Path(__file__).with_name("golden.npz")

# Relative and absolute tolerance per element type; everything else must be equal.
TOLERANCE = {"float16": (2e-3, 2e-3), "float32": (2e-5, 2e-6), "float64": (1e-9, 1e-11)}


def _numbers(case: Case, got: Array, expected: Array) -> str:
    """Problem with the numbers, or nothing."""
    rtol, atol = TOLERANCE.get(expected.dtype.name, (0.0, 0.0))
    if expected.dtype.kind == "f":
        rtol = case.rtol if case.rtol >= 0 else rtol
        atol = case.atol if case.atol >= 0 else atol
    a, b = got.astype("float64"), expected.astype("float64")
    if np.allclose(a, b, rtol, atol, equal_nan=True):
        return ""
    bad = ~np.isclose(a, b, rtol, atol, equal_nan=True)
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{int(bad.sum())} of {bad.size} differ, first at {at}: {got[at]} instead of {expected[at]}"


def _moments(got: dict[str, Array], expected: dict[str, Array], i: int) -> str:
    """Problem with the mean or spread of a random result, or nothing."""
    (mean, spread), (mean0, spread0) = got[f"out{i}"], expected[f"out{i}"]
    count = max(int(np.prod(expected[f"shape{i}"])), 1)
    if abs(mean - mean0) > 6 * spread0 * (2 / count) ** 0.5 + 1e-6:
        return f"mean {mean:.4f} instead of {mean0:.4f}"
    if abs(spread - spread0) > 0.06 * spread0:
        return f"spread {spread:.4f} instead of {spread0:.4f}"
    return ""


def differences(case: Case, got: dict[str, Array], expected: dict[str, Array]) -> list[str]:
    """Every way in which an answer differs from MXNet's."""
    if set(got) != set(expected):
        return [f"results {sorted(got)} instead of {sorted(expected)}"]
    problems = []
    for key, want in expected.items():
        have = got[key]
        if key.startswith(("dtype", "shape")):
            problem = "" if np.array_equal(have, want) else f"{have} instead of {want}"
        elif case.moments:
            problem = _moments(got, expected, int(key[3:]))
        elif have.dtype != want.dtype:
            problem = f"dtype {have.dtype} instead of {want.dtype}"
        elif have.shape != want.shape:
            problem = f"shape {have.shape} instead of {want.shape}"
        else:
            problem = _numbers(case, have, want)
        if problem:
            problems.append(f"{key}: {problem}")
    return problems


def check(mx: Any, case: Case, expected: dict[str, Array]) -> list[str]:
    """Problems of one case; raises `Missing` when the operator does not exist."""
    try:
        got = run(mx, case)
    except Missing:
        raise
    except Exception as error:
        if case.error:
            return []
        lines = str(error).strip().splitlines() or [""]
        return [f"{type(error).__name__}: {lines[0][:200]}"]
    if case.error:
        return [f"accepted what MXNet refuses: {[f'{k} {v.dtype}{list(v.shape)}' for k, v in got.items()]}"]
    return differences(case, got, expected)


def survey(mx: Any, answers: dict[str, dict[str, Array]], only: str = "*") -> dict[str, dict[str, list[str]]]:
    """Outcome per operator: names of cases that passed, known differences, failures with reasons, missing."""
    table: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for case in CASES:
        if not fnmatchcase(case.name, only):
            continue
        row = table[case.op]
        try:
            problems = check(mx, case, answers[case.name])
        except Missing:
            row["missing"].append(case.name)
            continue
        if not problems:
            row["pass"].append(case.name)
        elif known(case):
            row["known"].append(case.name)
        else:
            row["fail"].append(f"{case.name}: {'; '.join(problems)}")
    return table


def _markdown(table: dict[str, dict[str, list[str]]], totals: dict[str, int]) -> str:
    lines = ["# Parity with MXNet 1.9.1", "", ", ".join(f"{n} {k}" for k, n in totals.items()), ""]
    lines += ["| operator | pass | known | fail | missing |", "|---|---|---|---|---|"]
    for op, row in sorted(table.items()):
        lines.append(f"| {op} | " + " | ".join(str(len(row[k])) for k in totals) + " |")
    failures = [f"- {text}" for _, row in sorted(table.items()) for text in row["fail"]]
    return "\n".join([*lines, "", "## Failures", "", *failures, ""])


def main() -> int:
    """Compare, print, and report by the exit status."""
    import mixgrad

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", nargs="?", type=Path, default=GOLDEN)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--only", default="*")
    parser.add_argument("--verbose", action="store_true", help="show operators that pass, too")
    options = parser.parse_args()

    table = survey(mixgrad, load(options.answers), options.only)
    totals = {
        kind: sum(len(row[kind]) for row in table.values()) for kind in ("pass", "known", "fail", "missing")
    }
    for op, row in sorted(table.items()):
        if options.verbose or row["fail"] or row["missing"]:
            print(f"{op:40s}" + "".join(f" {kind} {len(row[kind]):3d}" for kind in totals))
        for text in row["fail"]:
            print(f"    {text}")
    print(", ".join(f"{number} {kind}" for kind, number in totals.items()))
    if options.markdown:
        options.markdown.write_text(_markdown(table, totals), encoding="utf-8")
    return 1 if totals["fail"] or totals["missing"] else 0


if __name__ == "__main__":
    sys.exit(main())
