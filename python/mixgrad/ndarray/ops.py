"""All public operators under one name, as in MXNet's ``mx.nd.op``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops

_NAMES = frozenset(_ops.NAMES)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(_hints.missing_name(__name__, name, _ops.__all__))
    return getattr(_ops, name)


def __dir__() -> list[str]:
    return sorted(_ops.__all__)
