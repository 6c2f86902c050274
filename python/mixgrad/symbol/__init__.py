"""Symbols: expressions that are built before they run (``mx.sym``)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable

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

if TYPE_CHECKING:
    from . import numpy, numpy_extension

    np, npx = numpy, numpy_extension

_LAZY = {
    "np": "numpy",
    "npx": "numpy_extension",
    "numpy": "numpy",
    "numpy_extension": "numpy_extension",
}


def __getattr__(name: str) -> Callable[..., Symbol]:
    """Operators by any of their names, and functions in NumPy's manner."""
    if name in _LAZY:
        found: Any = importlib.import_module(f".{_LAZY[name]}", __name__)
        return found  # type: ignore[no-any-return]
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
