"""Operators by the names that ``mx.np._op`` has in MXNet: without ``_np_``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from ..ndarray._internal import find

_operator, __dir__ = _hints.operators(__name__, find, _ops.NAMES, "_np_")


def __getattr__(name: str) -> Any:
    return _operator(name)
