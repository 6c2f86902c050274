"""The functions of ``mx.npx`` on symbols (``mx.sym.npx``)."""

from __future__ import annotations

from typing import Any

from .. import numpy_extension as _functions
from .numpy import Functions, symbolic

random = Functions(_functions.random)
image = _functions.image


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    found = getattr(_functions, name)
    return symbolic(found) if callable(found) and not isinstance(found, type) else found


def __dir__() -> list[str]:
    return dir(_functions)
