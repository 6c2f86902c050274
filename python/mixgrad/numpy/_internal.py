"""Operators of NumPy's namespace by the names that ``mx.np._internal`` has in MXNet: without ``_npi_``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from ..ndarray._internal import find

_operator, __dir__ = _hints.operators(__name__, find, _ops.NAMES, "_npi_")


def __getattr__(name: str) -> Any:
    return _operator(name)
