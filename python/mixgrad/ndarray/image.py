"""Operators on pictures, as in MXNet's ``mx.nd.image``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from .ops import _find

_operator, __dir__ = _hints.operators(__name__, _find, _ops.NAMES, "_image_", hidden=_hints.OF_PLANNED_IMAGES)


def __getattr__(name: str) -> Any:
    return _operator(name)
