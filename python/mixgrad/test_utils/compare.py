"""Comparison of arrays, with tolerances that follow from their dtypes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ..ndarray import NDArray

__all__ = [
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err",
    "compare_ndarray_tuple",
    "default_atols",
    "default_numeric_eps",
    "default_rtols",
    "effective_dtype",
    "get_atol",
    "get_etol",
    "get_rtol",
    "get_tolerance",
    "get_tols",
    "same",
    "same_array",
]

Array = npt.NDArray[Any]
Tolerance = Union[None, float, Mapping[Any, float]]

_EXACT = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_RTOLS = {np.dtype(t): v for t, v in (("float16", 1e-2), ("float32", 1e-4), ("float64", 1e-5))}
_ATOLS = {np.dtype(t): v for t, v in (("float16", 1e-1), ("float32", 1e-3), ("float64", 1e-20))}
for _name in _EXACT:
    _RTOLS[np.dtype(_name)] = 0
    _ATOLS[np.dtype(_name)] = 0
# Steps of finite differences: about the cube root of the dtype's spacing, as powers of two.
_STEPS = {np.dtype(t): 2.0**-n for t, n in (("float16", 6), ("float32", 9), ("float64", 14))}
# For dtypes NumPy does not have (bfloat16): half of float16's digits.
_OTHER = 1e-1


def default_rtols() -> dict[Any, float]:
    """Return the default relative tolerance by dtype."""
    return dict(_RTOLS)


def default_atols() -> dict[Any, float]:
    """Return the default absolute tolerance by dtype."""
    return dict(_ATOLS)


def default_numeric_eps() -> dict[Any, float]:
    """Return the default step of finite differences by dtype."""
    return dict(_STEPS)


def get_rtol(rtol: float | None = None, dtype: Any = np.float64) -> float:
    """Return ``rtol``, or the default of ``dtype``."""
    return _RTOLS.get(np.dtype(dtype), _OTHER) if rtol is None else rtol


def get_atol(atol: float | None = None, dtype: Any = np.float64) -> float:
    """Return ``atol``, or the default of ``dtype``."""
    return _ATOLS.get(np.dtype(dtype), _OTHER) if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """Return ``etol``, the share of elements that may differ, 0 by default."""
    return 0 if etol is None else etol


def effective_dtype(dat: Any) -> Any:
    """Return the dtype whose precision the numbers of ``dat`` have."""
    return np.dtype(dat.dtype) if hasattr(dat, "dtype") else np.asarray(dat).dtype


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[Any, float]) -> float:
    """Return the tolerance for ``dat``: ``tol`` itself, its entry for the dtype, or the default's entry."""
    if isinstance(tol, (int, float)):
        return tol
    dtype = effective_dtype(dat)
    fallback = default_tol.get(dtype, _OTHER)
    return fallback if tol is None else tol.get(dtype, fallback)


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """Return ``(rtol, atol)`` for comparing two arrays: the wider of both arrays' tolerances.

    Parameters
    ----------
    x, y : NDArray, numpy.ndarray or number
        What is compared.
    rtol, atol : float, dict of dtype to float, or None
        Tolerances; None means the defaults of the dtypes.
    """
    return (
        max(get_tolerance(x, rtol, _RTOLS), get_tolerance(y, rtol, _RTOLS)),
        max(get_tolerance(x, atol, _ATOLS), get_tolerance(y, atol, _ATOLS)),
    )


def _values(x: Any) -> Array:
    return x.asnumpy() if isinstance(x, NDArray) else np.asarray(x)


def same(a: Any, b: Any) -> bool:
    """Whether two arrays have the same shape and equal elements (nan differs from everything)."""
    return bool(np.array_equal(_values(a), _values(b)))


def same_array(array1: NDArray, array2: NDArray) -> bool:
    """Whether two arrays share their memory (found out by changing one for a moment)."""
    if array1.shape != array2.shape:
        return False
    before = array1.copy()
    array1[:] = before + 1
    shared = same(array1, array2)
    array1[:] = before
    return shared and same(array1, array2)


def _errors(a: Array, b: Array, rtol: float, atol: float, equal_nan: bool) -> Array:
    """Error of each element in units of the tolerance; above 1 is too large, nan where only one is nan."""
    if a.dtype.kind not in "fc" and b.dtype.kind not in "fc" and rtol == atol == 0:
        return np.where(a == b, 0.0, np.inf)
    kind = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    x, y = np.broadcast_arrays(a.astype(kind), b.astype(kind))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        difference = np.abs(x - y)
        allowed = atol + rtol * np.abs(y)
        error = np.where(difference == 0, 0.0, difference / allowed)
    error = np.where(x == y, 0.0, error)  # equal infinities
    # A finite number is infinitely far from an infinite one.
    error = np.where((np.isinf(x) | np.isinf(y)) & (x != y), np.inf, error)
    nans = np.isnan(x) | np.isnan(y)
    error = np.where(nans, np.nan, error)
    if equal_nan:
        error = np.where(np.isnan(x) & np.isnan(y), 0.0, error)
    return np.asarray(error)


def _compatible(a: Array, b: Array, use_broadcast: bool) -> bool:
    if a.shape == b.shape:
        return True
    if not use_broadcast:
        return False
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return True


def almost_equal(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Whether ``abs(a - b) <= atol + rtol * abs(b)`` everywhere.

    See :func:`assert_almost_equal` for the parameters.

    Examples
    --------
    >>> from mixgrad import test_utils
    >>> test_utils.almost_equal(1.0, 1.0 + 1e-6), test_utils.almost_equal(1.0, 1.1)
    (True, False)
    """
    x, y = _values(a), _values(b)
    if not _compatible(x, y, use_broadcast):
        return False
    return bool((_errors(x, y, *get_tols(x, y, rtol, atol), equal_nan) <= 1).all())


def assert_almost_equal(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: tuple[str, str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Check that ``abs(a - b) <= atol + rtol * abs(b)`` everywhere.

    Parameters
    ----------
    a, b : NDArray, numpy.ndarray or number
        Result and expected value.
    rtol, atol : float, or dict of dtype to float, optional
        Tolerances; by default the wider one of the two dtypes' (:func:`default_rtols`).
    names : tuple of str
        What the two are called in the message.
    equal_nan : bool
        Whether nan equals nan.
    use_broadcast : bool
        Whether the shapes may differ if they broadcast.
    mismatches : tuple of int
        How many of the largest errors the message lists (the second number is accepted for old tests).

    Raises
    ------
    AssertionError
        The message says how many elements differ, where the largest errors are, and both values there.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.assert_almost_equal(mx.nd.ones((2,)), 1.0)
    """
    _check(a, b, rtol, atol, 0.0, names, equal_nan, use_broadcast, mismatches[0])


def assert_allclose(a: Any, b: Any, rtol: float = 1e-07, atol: float = 0, equal_nan: bool = True) -> None:
    """As :func:`assert_almost_equal`, with the defaults of ``numpy.testing.assert_allclose``."""
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_with_err(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: tuple[str, str] = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """As :func:`assert_almost_equal`, but the share ``etol`` of the elements may differ."""
    _check(a, b, rtol, atol, get_etol(etol), names, equal_nan, True, mismatches[0])


def assert_almost_equal_ignore_nan(
    a: Any, b: Any, rtol: Tolerance = None, atol: Tolerance = None, names: tuple[str, str] = ("a", "b")
) -> None:
    """As :func:`assert_almost_equal`, leaving out elements that are nan in either array."""
    x, y = np.broadcast_arrays(_values(a), _values(b))
    keep = ~(np.isnan(x) | np.isnan(y))
    assert_almost_equal(x[keep], y[keep], rtol, atol, names)


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Tolerance = None, atol: Tolerance = None) -> None:
    """Check that two trees of tuples, arrays and None (optimiser states) are almost equal."""
    if t1 is None or t2 is None:
        assert t1 is t2, f"one is None: {t1!r} and {t2!r}"
        return
    if isinstance(t1, (tuple, list)):
        assert len(t1) == len(t2), f"lengths differ: {len(t1)} and {len(t2)}"
        for left, right in zip(t1, t2):
            compare_ndarray_tuple(left, right, rtol, atol)
        return
    assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def _check(
    a: Any,
    b: Any,
    rtol: Tolerance,
    atol: Tolerance,
    etol: float,
    names: tuple[str, str],
    equal_nan: bool,
    use_broadcast: bool,
    listed: int,
) -> None:
    x, y = _values(a), _values(b)
    if not _compatible(x, y, use_broadcast):
        raise AssertionError(f"shapes differ: {names[0]} has {x.shape} and {names[1]} has {y.shape}")
    relative, absolute = get_tols(x, y, rtol, atol)
    error = _errors(x, y, relative, absolute, equal_nan)
    wrong = ~(error <= 1)
    count = int(wrong.sum())
    if count <= etol * error.size:
        return
    shape = error.shape
    lines = [
        f"{names[0]} and {names[1]} differ in {count} of {error.size} elements "
        f"({100.0 * count / error.size:.3g}%), rtol={relative:g}, atol={absolute:g}; "
        f"shapes {x.shape} and {y.shape}, dtypes {x.dtype} and {y.dtype}",
        "largest errors, in units of the tolerance:",
    ]
    x, y = np.broadcast_to(x, shape), np.broadcast_to(y, shape)
    rank = np.where(np.isnan(error), np.inf, error).ravel()
    for flat in np.argsort(-rank, kind="stable")[: max(1, min(listed, count))]:
        at = tuple(int(i) for i in np.unravel_index(flat, shape))
        lines.append(f"  {error[at]:.6g} at {at}: {names[0]}={x[at].item()!r}, {names[1]}={y[at].item()!r}")
    raise AssertionError("\n".join(lines))
