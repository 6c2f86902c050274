"""What NumPy's functions do with arrays of ``mx.np``: they call ours if there is one, or use copies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as onp

from .. import numpy as mx_np
from .elementwise import _DEFAULTS
from .fallback import through_numpy

# As in MXNet: what NumPy's functions are answered by functions of the same name.
FUNCTIONS = [
    "all",
    "any",
    "sometrue",
    "argmin",
    "argmax",
    "around",
    "round",
    "round_",
    "argsort",
    "sort",
    "append",
    "broadcast_arrays",
    "broadcast_to",
    "clip",
    "concatenate",
    "copy",
    "cumsum",
    "diag",
    "diagonal",
    "diagflat",
    "dot",
    "expand_dims",
    "fix",
    "flip",
    "flipud",
    "fliplr",
    "inner",
    "insert",
    "max",
    "amax",
    "mean",
    "min",
    "amin",
    "nonzero",
    "ones_like",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "prod",
    "product",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "split",
    "array_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "squeeze",
    "stack",
    "std",
    "sum",
    "swapaxes",
    "take",
    "tensordot",
    "tile",
    "transpose",
    "unique",
    "unravel_index",
    "diag_indices_from",
    "delete",
    "var",
    "vdot",
    "vstack",
    "column_stack",
    "hstack",
    "dstack",
    "zeros_like",
    "linalg.norm",
    "linalg.cholesky",
    "linalg.inv",
    "linalg.solve",
    "linalg.tensorinv",
    "linalg.tensorsolve",
    "linalg.pinv",
    "linalg.eigvals",
    "linalg.eig",
    "linalg.eigvalsh",
    "linalg.eigh",
    "shape",
    "trace",
    "tril",
    "meshgrid",
    "outer",
    "einsum",
    "polyval",
    "shares_memory",
    "may_share_memory",
    "quantile",
    "percentile",
    "diff",
    "ediff1d",
    "resize",
    "where",
    "full_like",
    "bincount",
    "empty_like",
    "nan_to_num",
    "isnan",
    "isfinite",
    "isposinf",
    "isneginf",
    "isinf",
    "pad",
]
UFUNCS = [
    "abs",
    "fabs",
    "add",
    "arctan2",
    "copysign",
    "degrees",
    "hypot",
    "lcm",
    "subtract",
    "multiply",
    "true_divide",
    "negative",
    "power",
    "mod",
    "matmul",
    "absolute",
    "rint",
    "sign",
    "exp",
    "log",
    "log2",
    "log10",
    "expm1",
    "sqrt",
    "square",
    "cbrt",
    "reciprocal",
    "invert",
    "bitwise_not",
    "remainder",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "arcsin",
    "arccos",
    "arctan",
    "arcsinh",
    "arccosh",
    "arctanh",
    "maximum",
    "minimum",
    "ceil",
    "trunc",
    "floor",
    "bitwise_and",
    "bitwise_xor",
    "bitwise_or",
    "logical_not",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
]
_MORE = [
    "floor_divide",
    "logical_and",
    "logical_or",
    "logical_xor",
    "isnan",
    "isinf",
    "isfinite",
    "log1p",
    "ldexp",
    "radians",
    "deg2rad",
    "rad2deg",
]


def _find(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


@cache
def functions() -> dict[Any, Callable[..., Any]]:
    """Ours for NumPy's functions that are no ufuncs."""
    found = {_find(onp, name): _find(mx_np, name) for name in FUNCTIONS}
    found.pop(None, None)
    return found


@cache
def ufuncs() -> dict[str, Callable[..., Any]]:
    """Ours for names of NumPy's ufuncs."""
    names = {getattr(onp, name).__name__: name for name in (*UFUNCS, *_MORE)}
    return {called: getattr(mx_np, name) for called, name in names.items()}


def apply_ufunc(ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """``ndarray.__array_ufunc__``."""
    own = ufuncs().get(ufunc.__name__)
    if method != "__call__" or own is None:
        return through_numpy(getattr(ufunc, method), inputs, _without_tuple(kwargs))
    words = {
        word: v for word, v in _without_tuple(kwargs).items() if v is not _DEFAULTS.get(word, words_missing)
    }
    if any(isinstance(words.get("out"), kind) for kind in (onp.ndarray,)):
        raise TypeError(f"[{ufunc.__name__}] out is a NumPy array; expected an array of mx.np")
    return own(*inputs, **words)


words_missing = object()


def _without_tuple(kwargs: dict[str, Any]) -> dict[str, Any]:
    """NumPy gives ``out`` as a tuple, of one array for most functions."""
    out = kwargs.get("out")
    if isinstance(out, tuple):
        kwargs = {**kwargs, "out": out[0] if len(out) == 1 else out}
    return kwargs


def apply_function(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """``ndarray.__array_function__``."""
    own = functions().get(function)
    if own is not None:
        return own(*args, **kwargs)
    return through_numpy(function, args, kwargs)
