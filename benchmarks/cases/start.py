"""Start-up: importing a package in a fresh interpreter, and what the libraries weigh."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from bench.case import Call, Case, Goal, Setup

LIMIT = 8 * 1024 * 1024  # also of tools/check_size.py


def _interpreter(line: str) -> Setup:
    def setup() -> Call:
        def call() -> None:
            subprocess.run([sys.executable, "-c", line], check=True, stdin=subprocess.DEVNULL)

        return call

    return setup


def _stripped(path: Path) -> int:
    """Bytes of a library without symbols, as a package would ship it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return copy.stat().st_size


def _libraries(package: str) -> set[Path]:
    """The shared libraries of an installed package and of those that pip put beside it, links resolved."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"[size] {package} is not installed")
    folder = Path(spec.origin).parent
    beside = folder.parent / f"{package}.libs"
    places = [place for place in (folder, beside) if place.is_dir()]
    found = {path.resolve() for place in places for path in place.rglob("*.so*") if path.is_file()}
    return {path for path in found if ".debug" not in path.suffixes}


def _size(package: str, with_onednn: bool = False) -> Setup:
    def setup() -> Call:
        paths = _libraries(package)
        if with_onednn:
            files = metadata.distribution("onednn-cpu-gomp").files or []
            paths |= {Path(str(f.locate())).resolve() for f in files if f.name.startswith("libdnnl.so")}
        # Peers' libraries are measured as their wheels bring them: they are stripped already.
        return lambda: sum(_stripped(p) if package == "mixgrad" else p.stat().st_size for p in paths)

    return setup


CASES = [
    Case(
        "import",
        "import in a fresh interpreter",
        {
            "mixgrad": _interpreter("import mixgrad"),
            "python": _interpreter("pass"),
            "numpy": _interpreter("import numpy"),
            "torch": _interpreter("import torch"),
            "mxnet": _interpreter("import mxnet"),
        },
        unit="import",
        goal=Goal(("torch",)),
        tolerance=None,
    ),
    Case(
        "size",
        "shared libraries, stripped",
        {
            "mixgrad": _size("mixgrad"),
            "mixgrad_onednn": _size("mixgrad", with_onednn=True),
            "torch": _size("torch"),
            "mxnet": _size("mxnet"),
        },
        unit="B",
        goal=Goal(limit=LIMIT),
        measure="value",
    ),
]
