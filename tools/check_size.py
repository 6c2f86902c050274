"""Report the stripped size of libmixgrad, and the time `import mixgrad` takes beside numpy's.

The size has a limit and fails above it; times are reported only.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 10_000_000


def stripped_size(library: Path) -> int:
    """Bytes of the library without symbols and debugging information."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / library.name
        shutil.copyfile(library, copy)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return copy.stat().st_size


def import_seconds(module: str) -> float:
    """Wall time of a fresh interpreter that imports the module."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True, cwd="/")
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("library", nargs="?", type=Path, default=ROOT / "build" / "release" / "libmixgrad.so")
    parser.add_argument("--size-only", action="store_true", help="do not time the import")
    options = parser.parse_args()
    size = stripped_size(options.library)
    print(f"libmixgrad, stripped: {size / 1e6:.2f} MB, limit {LIMIT / 1e6:.2f} MB")
    spec = importlib.util.find_spec("mixgrad")
    if not options.size_only and spec and spec.origin:
        times: dict[str, list[float]] = {"numpy": [], "mixgrad": []}
        for _ in range(7):  # in turn, so that a slow moment meets both; the first pair warms the file cache
            for module, seconds in times.items():
                seconds.append(import_seconds(module))
        numpy, mixgrad = (statistics.median(times[module][1:]) for module in ("numpy", "mixgrad"))
        print(
            f"interpreter + import, median of 6: numpy {numpy * 1e3:.0f} ms, mixgrad {mixgrad * 1e3:.0f} ms "
            f"(numpy included), {mixgrad / numpy:.2f} times numpy's"
        )
    return 0 if size <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
