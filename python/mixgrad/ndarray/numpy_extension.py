"""``mx.nd.npx``: the functions of ``mx.npx``, as blocks call them by ``F.npx``."""

from __future__ import annotations

from typing import Any

from .. import numpy_extension as _functions


def __getattr__(name: str) -> Any:
    return getattr(_functions, name)


def __dir__() -> list[str]:
    return dir(_functions)
