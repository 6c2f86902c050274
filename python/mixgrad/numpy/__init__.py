"""NumPy's functions and arrays (``mx.np``): its names, shapes and rules, on devices, with gradients.

Results that MXNet 1.9.1 documents differently from NumPy are as in MXNet: new arrays are float32 unless a
dtype is said, and numbers take the dtype of the array beside them.

>>> import mixgrad as mx
>>> x = mx.np.array([[1, 2], [3, 4]])
>>> x.attach_grad()
>>> with mx.autograd.record():
...     y = mx.np.sum(x[:, 1] ** 2)
>>> y.backward()
>>> x.grad
array([[0., 4.],
       [0., 8.]])
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Optional

import numpy as onp

from .. import _hints
from . import fallback, fallback_linalg
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .elementwise import *  # noqa: F403
from .elementwise import __all__ as _elementwise
from .fallback import *  # noqa: F403
from .fallback import __all__ as _fallback
from .manipulation import *  # noqa: F403
from .manipulation import __all__ as _manipulation
from .ndarray import ndarray
from .products import *  # noqa: F403
from .products import __all__ as _products
from .reductions import *  # noqa: F403
from .reductions import __all__ as _reductions
from .searching import *  # noqa: F403
from .searching import __all__ as _searching

from . import _internal as _internal, _op as _op, linalg, random  # isort: skip

bool = builtins.bool
bool_ = onp.bool_
float16 = onp.float16
float32 = onp.float32
float64 = onp.float64
int8 = onp.int8
int32 = onp.int32
int64 = onp.int64
uint8 = onp.uint8
dtype = onp.dtype
finfo = onp.finfo
iinfo = onp.iinfo

e = onp.e
pi = onp.pi
inf = PINF = onp.inf
NINF = -onp.inf
nan = NAN = NaN = onp.nan
PZERO, NZERO = 0.0, -0.0
newaxis = None


def set_printoptions(precision: Optional[int] = None, threshold: Optional[int] = None, **kwarg: Any) -> None:
    """How arrays are shown; arguments are those of NumPy's function, whose arrays it concerns, too."""
    onp.set_printoptions(precision=precision, threshold=threshold, **kwarg)


def __array_namespace__() -> Any:
    """The array API standard's namespace over these arrays: :mod:`mixgrad.array_api`."""
    from .. import array_api

    return array_api


_CONSTANTS = [
    "NAN",
    "NINF",
    "NZERO",
    "NaN",
    "PINF",
    "PZERO",
    "bool",
    "bool_",
    "dtype",
    "e",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int32",
    "int64",
    "int8",
    "nan",
    "newaxis",
    "pi",
    "uint8",
]

__all__ = [  # noqa: PLE0604
    "__array_namespace__",
    "fallback",
    "fallback_linalg",
    "linalg",
    "ndarray",
    "random",
    "set_printoptions",
    *_CONSTANTS,
    *_creation,
    *_elementwise,
    *_fallback,
    *_manipulation,
    *_products,
    *_reductions,
    *_searching,
]
__all__ = sorted(set(__all__))  # noqa: PLE0605

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
