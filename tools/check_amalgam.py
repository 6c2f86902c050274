"""Build the single file at full speed, whole and cut to networks; report seconds, memory and stripped size.

Fails above the limits. Models come from the installed package (`mixgrad.models`).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS, BYTES = 90.0, 2 * 1024**3


@dataclass(frozen=True)
class Case:
    name: str
    profile: str
    model: str  # of mixgrad.models; "": all operators of the profile
    limit: int  # bytes of the stripped library; 0: none


CASES = (
    Case("predict", "predict", "", 1_200_000),
    Case("predict-all", "predict-all", "", 1_400_000),
    Case("mobilenet-v2", "predict", "mobilenet-v2-1.0", 380_000),
    Case("lenet", "predict", "lenet", 320_000),
    Case("train", "train", "", 0),
)


def write(case: Case, folder: Path) -> Path:
    command = [sys.executable, str(ROOT / "tools" / "amalgamate.py"), "--write", str(folder)]
    command += ["--profile", case.profile]
    if case.model:
        import mixgrad

        folder.mkdir(parents=True, exist_ok=True)
        model = folder / f"{case.model}-symbol.json"
        mixgrad.models.get_symbol(case.model).save(str(model))
        command += ["--model", str(model)]
    subprocess.run(command, check=True)
    return folder / "mixgrad-all.cc"


def build(source: Path, compiler: str) -> tuple[float, int, int]:
    """Seconds, bytes of memory at most so far, bytes of the stripped library. Warnings are errors."""
    library = source.with_name(f"{compiler}.so")
    flags = ["-std=c++17", "-O3", "-pthread", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    start = time.perf_counter()
    subprocess.run([compiler, *flags, str(source), "-o", str(library)], check=True)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    subprocess.run(["strip", str(library)], check=True)
    return seconds, memory, library.stat().st_size


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "amalgam-full")
    parser.add_argument("--only", default="", help="one case by name")
    parser.add_argument("--compilers", default=os.environ.get("AMALGAM_COMPILERS", "g++,clang++-14"))
    options = parser.parse_args()
    good = True
    for case in CASES:
        if options.only not in ("", case.name):
            continue
        source = write(case, options.folder / case.name)
        for compiler in options.compilers.split(","):
            seconds, memory, size = build(source, compiler)
            fits = seconds <= SECONDS and memory <= BYTES and (case.limit == 0 or size <= case.limit)
            good = good and fits
            limit = f", limit {case.limit}" if case.limit else ""
            print(
                f"{case.name} with {compiler}: {seconds:.0f} s, at most {memory / 1e6:.0f} MB, "
                f"stripped library {size} bytes{limit}{'' if fits else ': TOO MUCH'}",
                flush=True,
            )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
