"""Operators that take sparse arrays, too (``mx.sym.sparse``): functions of symbols."""

from __future__ import annotations

from typing import Any

from .. import _hints
from ..ndarray.sparse import OPERATORS
from .functions import NAMES, operator

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "_sparse_", "", own=OPERATORS)


def __getattr__(name: str) -> Any:
    return _operator(name)
