"""Random calls of operators, eager and planned, with gradients, in fresh memory of two patterns (tests/operators).

random_operators.py [calls] [seed] [--program FILE]     a million calls by default, under AddressSanitizer and UBSan

The exit status is 1 when a call gave an error of a foreign form, ended the process, took too long, wrote beside an array, or gave
a byte that nobody wrote.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sanitized() -> Path:
    """The program under the sanitizers, built first."""
    subprocess.run(["cmake", "--preset", "asan"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build/asan", "--target", "random_calls"], cwd=ROOT, check=True)
    return ROOT / "build/asan/random_calls"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("calls", nargs="?", type=int, default=1_000_000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--program", type=Path, help="the program random_calls of a build")
    given = parser.parse_args()
    program = given.program or sanitized()
    cases = Path(program).parent / "operator-cases.tsv"
    subprocess.run([sys.executable, ROOT / "tests/operators/operator_cases.py", cases], check=True)
    # Memory that there is not is an error of the library's.
    options = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0:soft_rss_limit_mb=3000"}
    command = [program, cases, str(given.calls), str(given.seed)]
    return subprocess.run(command, env={**os.environ, **options}).returncode


if __name__ == "__main__":
    sys.exit(main())
