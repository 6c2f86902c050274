"""Operators under the names that MXNet gives them for sparse arrays."""

from __future__ import annotations

from typing import Any

from .. import _hints
from ..ndarray.sparse import OPERATORS, OWN_NAMES
from .functions import operator

__all__: list[str] = []

_missing, __dir__ = _hints.public(__name__, OPERATORS)


def __getattr__(name: str) -> Any:
    if name in OPERATORS:
        return operator(OWN_NAMES.get(name, name), name)
    return _missing(name)
