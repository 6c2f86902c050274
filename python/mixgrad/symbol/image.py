"""Operators on pictures, as in MXNet's ``mx.sym.image``."""

from __future__ import annotations

from typing import Any

from .functions import NAMES, operator

_PREFIX = "_image_"


def __getattr__(name: str) -> Any:
    found = operator(_PREFIX + name, name)
    if found is None:
        raise AttributeError(f"mixgrad.sym.image has no operator {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted(n[len(_PREFIX) :] for n in NAMES if n.startswith(_PREFIX))
