"""Operators under MXNet's sparse names; all arrays are dense."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator

_PREFIX = "_sparse_"


def __getattr__(name: str) -> Any:
    found = operator(_PREFIX + name, name) or (None if name.startswith("_") else operator(name, name))
    if found is None:
        raise AttributeError(_hints.missing_name(__name__, name, __dir__()))
    return found


def __dir__() -> list[str]:
    return sorted(n[len(_PREFIX) :] for n in NAMES if n.startswith(_PREFIX))
