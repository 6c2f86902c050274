"""All public operators under one name, as in MXNet's ``mx.sym.op``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator


def __getattr__(name: str) -> Any:
    found = None if name.startswith("_") else operator(name, name)
    if found is None:
        raise AttributeError(_hints.missing_name(__name__, name, __dir__()))
    return found


def __dir__() -> list[str]:
    return sorted(n for n in NAMES if not n.startswith("_"))
