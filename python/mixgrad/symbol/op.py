"""All public operators under one name, as in MXNet's ``mx.sym.op``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "")


def __getattr__(name: str) -> Any:
    return _operator(name)
