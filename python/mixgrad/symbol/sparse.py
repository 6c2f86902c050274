"""Operators under MXNet's sparse names; all arrays are dense."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "_sparse_", "")


def __getattr__(name: str) -> Any:
    return _operator(name)
