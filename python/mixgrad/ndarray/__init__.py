"""Arrays and the operators on them (``mx.nd``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _hints
from .. import ops as _ops
from ..ops import *  # noqa: F403
from . import _internal, contrib, image, linalg, random, sparse
from . import ops as op
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .files import *  # noqa: F403
from .files import __all__ as _files
from .ndarray import NDArray
from .pictures import imdecode
from .wrappers import *  # noqa: F403
from .wrappers import __all__ as _wrappers

if TYPE_CHECKING:
    from .cached_op import CachedOp

__all__ = [  # noqa: PLE0604
    "CachedOp",
    "NDArray",
    "contrib",
    "imdecode",
    "image",
    "linalg",
    "op",
    "random",
    "sparse",
    *_creation,
    *_files,
    *_wrappers,
]

_missing, _listed = _hints.public(__name__, _ops.__all__)

if not TYPE_CHECKING:
    __dir__ = _listed

    def __getattr__(name: str) -> Any:
        """Operators whose names begin with an underscore, and what not every program uses."""
        if name == "CachedOp":
            from .cached_op import CachedOp

            return CachedOp
        return getattr(_internal, name) if name in _INTERNAL else _missing(name)


_INTERNAL = frozenset(_ops.NAMES).difference(_ops.__all__) | frozenset(_internal.FUNCTIONS)
