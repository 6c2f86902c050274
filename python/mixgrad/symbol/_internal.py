"""All operators, also those whose names begin with an underscore, as in MXNet's ``mx.sym._internal``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator


def __getattr__(name: str) -> Any:
    found = operator(name, name)
    if found is None:
        raise AttributeError(_hints.missing_name(__name__, name, __dir__()))
    return found


def __dir__() -> list[str]:
    return sorted(NAMES)
