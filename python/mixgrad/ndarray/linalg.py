"""Linear algebra, as in MXNet's ``mx.nd.linalg``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops

_PREFIX = "_linalg_"


def __getattr__(name: str) -> Any:
    found = getattr(_ops, _PREFIX + name, None)
    if found is None:
        raise AttributeError(_hints.missing_name(__name__, name, __dir__()))
    return found


def __dir__() -> list[str]:
    return [n[len(_PREFIX) :] for n in _ops.NAMES if n.startswith(_PREFIX)]
