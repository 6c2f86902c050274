"""Symbols: expressions that are built before they run (``mx.sym``)."""

from __future__ import annotations

from typing import Any

from . import _internal, contrib, image, linalg, op, random, sparse
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .files import *  # noqa: F403
from .files import __all__ as _files
from .functions import NAMES as _NAMES
from .functions import operator as _operator
from .symbol import Group, Symbol, Variable, var


def __getattr__(name: str) -> Any:
    """Operators by any of their names."""
    found = _operator(name, name) if name in _NAMES else None
    if found is None:
        raise AttributeError(f"mixgrad.sym has no operator or function {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *(n for n in _NAMES if not n.startswith("_"))})


__all__ = [  # noqa: PLE0604
    "Group",
    "Symbol",
    "Variable",
    "_internal",
    "contrib",
    "image",
    "linalg",
    "op",
    "random",
    "sparse",
    "var",
    *_creation,
    *_files,
]
