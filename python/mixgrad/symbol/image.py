"""Operators on pictures, as in MXNet's ``mx.sym.image``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "_image_", hidden=_hints.OF_PLANNED_IMAGES)


def __getattr__(name: str) -> Any:
    return _operator(name)
