"""The array API standard's namespace, over arrays of ``mx.np``: its names, signatures and rules.

It is what ``x.__array_namespace__()`` gives. Here integers stay integers, as the standard says, where
``mx.np`` makes floats of lists as MXNet does. Gradients flow through what the operators compute.

>>> import mixgrad as mx
>>> from mixgrad import array_api as xp
>>> x = xp.asarray([[3, 1], [2, 2]])
>>> x.dtype, x.__array_namespace__() is xp
(dtype('int64'), True)
>>> xp.unique_values(x)
array([1, 2, 3], dtype=int64)
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _numpy

from .. import _hints as _hints
from . import linalg
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .data_types import *  # noqa: F403
from .data_types import __all__ as _data_types
from .elementwise import *  # noqa: F403
from .elementwise import __all__ as _elementwise
from .info import __array_namespace_info__
from .linalg import matmul, tensordot, vecdot
from .manipulation import *  # noqa: F403
from .manipulation import __all__ as _manipulation
from .reductions import *  # noqa: F403
from .reductions import __all__ as _reductions
from .searching import *  # noqa: F403
from .searching import __all__ as _searching

__array_api_version__ = "2025.12"

e = _numpy.e
inf = _numpy.inf
nan = _numpy.nan
pi = _numpy.pi
newaxis = None

__all__ = [  # noqa: PLE0604
    "__array_api_version__",
    "__array_namespace_info__",
    "e",
    "inf",
    "linalg",
    "matmul",
    "nan",
    "newaxis",
    "pi",
    "tensordot",
    "vecdot",
    *_creation,
    *_data_types,
    *_elementwise,
    *_manipulation,
    *_reductions,
    *_searching,
]

if not _TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
