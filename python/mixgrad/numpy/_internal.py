"""Operators of NumPy's namespace by the names that ``mx.np._internal`` has in MXNet: without ``_npi_``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from ..ndarray._internal import FUNCTIONS


def _find(name: str, shown: str) -> Any:
    return FUNCTIONS.get(name) or getattr(_ops, name, None)


_operator, __dir__ = _hints.operators(__name__, _find, _ops.NAMES, "_npi_")


def __getattr__(name: str) -> Any:
    return _operator(name)
