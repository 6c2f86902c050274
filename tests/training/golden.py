"""Answers of real MXNet 1.9.1 to the scenarios.

From tests/, with an interpreter that has mxnet: ``python -m training.golden`` replaces golden.json.gz;
with names of files of scenarios, those answers only.
"""

from __future__ import annotations

import gzip
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

FILE = Path(__file__).with_name("golden.json.gz")


def scenarios() -> Iterator[tuple[str, Callable[[Any], Any], float]]:
    """Name, function of the package, and relative tolerance of every scenario."""
    from . import scenarios as package

    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for name, function in list(vars(module).items()):
            code = getattr(function, "__code__", None)
            if (
                name.startswith("_")
                or code is None
                or code.co_varnames[:1] != ("mx",)
                or function.__module__ != module.__name__
            ):
                continue
            key = f"{info.name}.{name}"
            if code.co_argcount == 1:
                yield key, function, module.TOLERANCE
            else:
                for case in getattr(module, f"{name.upper()}_CASES", getattr(module, "CASES", [])):
                    label = "-".join(map(str, case)) if isinstance(case, tuple) else str(case)
                    yield f"{key}[{label}]", (lambda mx, f=function, c=case: f(mx, c)), module.TOLERANCE


def load() -> dict[str, Any]:
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        return dict(json.load(file))


def main() -> None:
    import mxnet as mx

    chosen = tuple(f"{name}." for name in sys.argv[1:])
    answers = {k: v for k, v in load().items() if not k.startswith(chosen)} if chosen else {}
    for name, function, _ in scenarios():
        if chosen and not name.startswith(chosen):
            continue
        print(name, flush=True)  # the last one tells where MXNet itself ends
        try:
            answers[name] = function(mx)
        except Exception as error:
            print(f"  MXNet refuses: {error}")
    text = json.dumps(answers, separators=(",", ":"), sort_keys=True)
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(answers)} scenarios, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
