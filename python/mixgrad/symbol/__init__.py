"""Symbols: expressions that are built before they run (``mx.sym``)."""

from __future__ import annotations

import importlib
from typing import Any

from .. import _hints
from . import _internal, contrib, image, linalg, op, random, sparse
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .custom import Custom
from .files import *  # noqa: F403
from .files import __all__ as _files
from .functions import NAMES as _NAMES
from .functions import operator as _operator
from .symbol import Group, Symbol, Variable, var

_LAZY = {
    "np": "numpy",
    "npx": "numpy_extension",
    "numpy": "numpy",
    "numpy_extension": "numpy_extension",
}


def __getattr__(name: str) -> Any:
    """Operators by any of their names, and functions in NumPy's manner."""
    if name in _LAZY:
        return importlib.import_module(f".{_LAZY[name]}", __name__)
    return (_operator(name, name) if name in _NAMES else None) or _missing(name)


__all__ = [  # noqa: PLE0604
    "Custom",
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

_missing, __dir__ = _hints.public(__name__, [n for n in _NAMES if not n.startswith("_")])
