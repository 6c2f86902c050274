"""All public operators under one name, as in MXNet's ``mx.nd.op``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops

_NAMES = frozenset(_ops.NAMES)


def _find(name: str, shown: str) -> Any:
    return getattr(_ops, name) if name in _NAMES else None


_operator, __dir__ = _hints.operators(__name__, _find, _ops.__all__, "", private=True)


def __getattr__(name: str) -> Any:
    return _operator(name)
