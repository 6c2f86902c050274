"""Functions that reduce arrays over axes, and those that run along one."""

from __future__ import annotations

from typing import Any, Optional

from .. import numpy as mx_np
from ..numpy.ndarray import ndarray
from ..numpy.operands import alike
from .data_types import int64
from .operands import Axes, array_of, whole_axis

__all__ = [
    "all",
    "any",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]


def _numbers(x: Any, who: str, kinds: str = "iuf") -> Any:
    if array_of(x, who).dtype.kind not in kinds:
        expected = "floating-point numbers" if kinds == "f" else "numbers"
        raise TypeError(f"[{who}] the array is of {x.dtype}; expected {expected}")
    return x


def _widened(x: ndarray, dtype: Any) -> Any:
    """In the dtype of a sum or product: int64 of integers, unless said."""
    wanted = dtype if dtype is not None else x.dtype if x.dtype.kind == "f" else int64
    return x.astype(wanted, copy=False)


def _axes(axis: Axes, ndim: int, who: str) -> Any:
    if axis is None:
        return None
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    whole = [whole_axis(a, ndim, who) for a in axes]
    if len(set(whole)) < len(whole):
        raise ValueError(f"[{who}] axis is {axis}; expected every axis once")
    return tuple(whole)


def _reduced(name: str, x: Any, axis: Axes, keepdims: bool) -> Any:
    axes = _axes(axis, x.ndim, name)
    if axes == ():
        return x.astype("bool") if name in ("all", "any") else x.copy()
    return getattr(mx_np, name)(x, axes, keepdims=keepdims)


def sum(x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum over axes; of integers as int64 unless a dtype is said.

    Parameters
    ----------
    x : ndarray
        Of numbers.
    axis : int or tuple of int, optional
        All axes by default.
    dtype : dtype, optional
        Into which elements come first.
    keepdims : bool
        Keep the axes with extent 1.
    """
    return _reduced("sum", _widened(_numbers(x, "sum"), dtype), axis, keepdims)


def prod(x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Product over axes; arguments as of :func:`sum`."""
    return _reduced("prod", _widened(_numbers(x, "prod"), dtype), axis, keepdims)


def max(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """Largest element over axes; NaN if one is. Arguments as of :func:`sum`."""
    return _reduced("max", _numbers(x, "max"), axis, keepdims)


def min(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """Smallest element over axes; NaN if one is. Arguments as of :func:`sum`."""
    return _reduced("min", _numbers(x, "min"), axis, keepdims)


def mean(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """Mean of floats over axes; arguments as of :func:`sum`."""
    return _reduced("mean", _numbers(x, "mean", "f"), axis, keepdims)


def var(x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Variance of floats over axes.

    Parameters
    ----------
    x : ndarray
    axis : int or tuple of int, optional
    correction : number
        Sums of squares are divided by the number of elements less this.
    keepdims : bool
    """
    x = _numbers(x, "var", "f")
    axes = _axes(axis, x.ndim, "var")
    axes = tuple(range(x.ndim)) if axes is None else axes
    count = 1
    for a in axes:
        count *= x.shape[a]
    apart = x - _reduced("mean", x, axes, True)
    total = _reduced("sum", apart * apart, axes, keepdims)
    left = count - correction if count > correction else 0
    return total / left if left else total / mx_np.zeros((), x.dtype, ctx=x.context)


def std(x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Standard deviation of floats over axes; arguments as of :func:`var`."""
    return mx_np.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def all(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """Whether all elements are not 0, over axes."""
    return _reduced("all", array_of(x, "all"), axis, keepdims)


def any(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """Whether some element is not 0, over axes."""
    return _reduced("any", array_of(x, "any"), axis, keepdims)


def count_nonzero(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Any:
    """How many elements are not 0, over axes, as int64."""
    counted = (array_of(x, "count_nonzero") != 0).astype(int64)
    return _reduced("sum", counted, axis, keepdims)


def _along(x: ndarray, axis: Optional[int], who: str) -> int:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"[{who}] axis is None and shape is {x.shape}; expected one axis, or axis")
        return 0
    return whole_axis(axis, x.ndim, who)


def _part(x: Any, axis: int, begin: Optional[int], end: Optional[int]) -> Any:
    places = (*((slice(None),) * axis), slice(begin, end))
    return x[places]


def _with_initial(first: int, result: Any, axis: int) -> Any:
    shape = (*result.shape[:axis], 1, *result.shape[axis + 1 :])
    return mx_np.concatenate([mx_np.full(shape, first, result.dtype, ctx=result.context), result], axis)


def cumulative_sum(
    x: Any, /, *, axis: Optional[int] = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """Sums of the first elements along an axis; of integers as int64 unless a dtype is said.

    Parameters
    ----------
    x : ndarray
    axis : int
        May be left out of an array of one axis.
    dtype : dtype, optional
    include_initial : bool
        Whether the first sum is that of no elements.
    """
    x = _widened(_numbers(x, "cumulative_sum"), dtype)
    axis = _along(x, axis, "cumulative_sum")
    result = mx_np.cumsum(x, axis)
    return _with_initial(0, result, axis) if include_initial else result


def cumulative_prod(
    x: Any, /, *, axis: Optional[int] = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """Products of the first elements along an axis; arguments as of :func:`cumulative_sum`."""
    x = _widened(_numbers(x, "cumulative_prod"), dtype)
    axis = _along(x, axis, "cumulative_prod")
    result, step = x, 1
    # Each step doubles how many elements every product has.
    while step < x.shape[axis]:
        more = _part(result, axis, step, None) * _part(result, axis, None, -step)
        result = mx_np.concatenate([_part(result, axis, None, step), more], axis)
        step *= 2
    result = result.copy() if result is x else result
    return _with_initial(1, result, axis) if include_initial else result


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along an axis, ``n`` times.

    Parameters
    ----------
    x : ndarray
    axis : int
    n : int
    prepend, append : ndarray, optional
        Put before and behind the array first.
    """
    x = _numbers(x, "diff")
    axis = whole_axis(axis, x.ndim, "diff")
    if n < 0:
        raise ValueError(f"[diff] n is {n}; expected 0 or more")
    if n == 0:
        return x.copy()
    parts = [array_of(one, "diff") for one in (prepend, x, append) if one is not None]
    if len(parts) > 1:
        x = mx_np.concatenate(alike(parts), axis)
    for _ in range(n):
        x = _part(x, axis, 1, None) - _part(x, axis, None, -1)
    return x
