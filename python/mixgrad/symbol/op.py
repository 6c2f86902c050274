"""All public operators under one name, as in MXNet's ``mx.sym.op``."""

from __future__ import annotations

from typing import Any

from .functions import NAMES, operator


def __getattr__(name: str) -> Any:
    found = None if name.startswith("_") else operator(name, name)
    if found is None:
        raise AttributeError(f"mixgrad.sym.op has no operator {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted(n for n in NAMES if not n.startswith("_"))
