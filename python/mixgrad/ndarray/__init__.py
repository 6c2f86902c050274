"""Arrays and the operators on them (``mx.nd``)."""

from __future__ import annotations

from typing import Any

from .. import ops as _ops
from . import contrib, linalg, random
from . import ops as op
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .files import *  # noqa: F403
from .files import __all__ as _files
from .ndarray import NDArray
from .wrappers import *  # noqa: F403
from .wrappers import __all__ as _wrappers

_internal = _ops


def __getattr__(name: str) -> Any:
    """Operators by any of their names, without importing each one."""
    value = getattr(_ops, name, None) if name in _NAMES else None
    if value is None:
        raise AttributeError(f"mixgrad.nd has no operator or function {name!r}")
    return value


_NAMES = frozenset(_ops.NAMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *(n for n in _NAMES if not n.startswith("_"))})


__all__ = ["NDArray", "contrib", "linalg", "op", "random", *_creation, *_files, *_wrappers]  # noqa: PLE0604
