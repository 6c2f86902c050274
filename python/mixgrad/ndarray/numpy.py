"""``mx.nd.np``: the functions of ``mx.np``, as blocks call them by ``F.np``."""

from __future__ import annotations

from typing import Any

from .. import numpy as _functions


def __getattr__(name: str) -> Any:
    return getattr(_functions, name)


def __dir__() -> list[str]:
    return dir(_functions)
