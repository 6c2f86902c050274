"""All operators, also those whose names begin with an underscore, as in MXNet's ``mx.nd._internal``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from . import extents, pictures

# Functions that have operators' names.
FUNCTIONS = {**extents.NAMES, **pictures.NAMES}


def _find(name: str, shown: str) -> Any:
    return FUNCTIONS.get(name) or getattr(_ops, name, None)


_operator, __dir__ = _hints.operators(__name__, _find, _ops.NAMES, "", own=FUNCTIONS, private=True)


def __getattr__(name: str) -> Any:
    found = globals()[name] = _operator(name)
    return found
