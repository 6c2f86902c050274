"""Calls a function of the array API in mixgrad and in array_api_strict on the same values, and compares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as peer
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mixgrad import array_api as xp

DTYPES = ("bool", "int8", "int32", "int64", "uint8", "float32", "float64")
INTEGERS = ("int8", "int32", "int64", "uint8")
FLOATS = ("float32", "float64")
NUMBERS = (*INTEGERS, *FLOATS)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 2.0, -2.0, 3.0, np.inf, -np.inf, np.nan, 1e30, -1e30)

few = settings(max_examples=15, deadline=None, derandomize=True, database=None)

shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
some = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)


def elements(dtype: str, largest: float = 1e3, nan: bool = False) -> st.SearchStrategy[Any]:
    kind = np.dtype(dtype)
    if kind.kind == "f":
        width = kind.itemsize * 8
        numbers = st.floats(-largest, largest, width=width, allow_subnormal=False)
        return numbers | st.sampled_from([np.nan, np.inf, -np.inf]) if nan else numbers
    if kind.kind == "b":
        return st.booleans()
    limits = np.iinfo(kind)
    top = int(largest)
    return st.integers(max(limits.min, -top), min(limits.max, top))


def arrays(dtype: str, shape: Any = shapes, largest: float = 1e3, nan: bool = False) -> Any:
    return hnp.arrays(dtype, shape, elements=elements(dtype, largest, nan))


def _numpy(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple(map(_numpy, x))
    if isinstance(x, list):
        return [_numpy(one) for one in x]
    if hasattr(x, "asnumpy"):
        return x.asnumpy()
    return np.asarray(x) if isinstance(x, peer._array_object.Array) else x


def _into(namespace: Any, x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return namespace.asarray(x.copy())
    if isinstance(x, (list, tuple)) and any(isinstance(one, np.ndarray) for one in x):
        return type(x)(_into(namespace, one) for one in x)
    return x


def same(ours: Any, theirs: Any, rtol: float | None = None, zeros: bool = False) -> None:
    """The same structure, shapes, dtypes and values; of floats within ``rtol`` or a few units."""
    ours, theirs = _numpy(ours), _numpy(theirs)
    if isinstance(theirs, tuple):
        assert isinstance(ours, tuple), type(ours)
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs):
            same(a, b, rtol, zeros)
        return
    if not isinstance(theirs, np.ndarray):
        assert ours == theirs
        return
    assert isinstance(ours, np.ndarray), type(ours)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    if theirs.dtype.kind != "f":
        np.testing.assert_array_equal(ours, theirs)
        return
    tolerance = rtol if rtol is not None else 16 * float(np.finfo(theirs.dtype).eps)
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
    if zeros:
        at = theirs == 0
        np.testing.assert_array_equal(np.signbit(ours[at]), np.signbit(theirs[at]))


def check(function: Callable[..., Any], *values: Any, rtol: float | None = None, zeros: bool = False) -> None:
    """``function(namespace, *values)`` gives the same in both, or raises in both."""
    with np.errstate(all="ignore"):
        theirs = function(peer, *[_into(peer, x) for x in values])
    ours = function(xp, *[_into(xp, x) for x in values])
    same(ours, theirs, rtol, zeros)
