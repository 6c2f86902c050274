"""All operators, also those whose names begin with an underscore, as in MXNet's ``mx.sym._internal``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .functions import NAMES, operator

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "", private=True)


def __getattr__(name: str) -> Any:
    return _operator(name)
