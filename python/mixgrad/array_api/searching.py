"""Functions that search, sort and choose elements, and those of sets."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as onp

from .. import numpy as mx_np
from ..numpy.ndarray import ndarray
from ..numpy.operands import alike
from .manipulation import broadcast_shapes
from .operands import array_of, computed_by_numpy, pair, whole_axis

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "isin",
    "nonzero",
    "searchsorted",
    "sort",
    "take",
    "take_along_axis",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "where",
]


class UniqueAll(NamedTuple):
    """What :func:`unique_all` gives."""

    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCounts(NamedTuple):
    """What :func:`unique_counts` gives."""

    values: ndarray
    counts: ndarray


class UniqueInverse(NamedTuple):
    """What :func:`unique_inverse` gives."""

    values: ndarray
    inverse_indices: ndarray


def _extreme(name: str, x: Any, axis: Optional[int], keepdims: bool) -> Any:
    x = array_of(x, name)
    if x.dtype.kind == "b":
        raise TypeError(f"[{name}] the array is of bool; expected numbers")
    if axis is None:
        result = getattr(mx_np, name)(x.reshape(-1), 0)
        return result.reshape((1,) * x.ndim) if keepdims else result
    axis = whole_axis(axis, x.ndim, name)
    result = getattr(mx_np, name)(x, axis)
    return result.reshape((*x.shape[:axis], 1, *x.shape[axis + 1 :])) if keepdims else result


def argmax(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """Index of the first largest element, in the array or along an axis, as int64."""
    return _extreme("argmax", x, axis, keepdims)


def argmin(x: Any, /, *, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """Index of the first smallest element, in the array or along an axis, as int64."""
    return _extreme("argmin", x, axis, keepdims)


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Indices that sort along an axis; equal elements keep their order, whatever ``stable`` says."""
    x = array_of(x, "argsort")
    if x.dtype.kind == "b":
        raise TypeError("[argsort] the array is of bool; expected numbers")
    axis = whole_axis(axis, x.ndim, "argsort")
    if not descending:
        return mx_np.argsort(x, axis)
    last = x.shape[axis] - 1
    return last - mx_np.flip(mx_np.argsort(mx_np.flip(x, axis), axis), axis)


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The elements in order along an axis."""
    x = array_of(x, "sort")
    if x.dtype.kind == "b":
        raise TypeError("[sort] the array is of bool; expected numbers")
    result = mx_np.sort(x, whole_axis(axis, x.ndim, "sort"))
    return mx_np.flip(result, axis) if descending else result


def nonzero(x: Any, /) -> tuple[Any, ...]:
    """Indices of elements that are not 0, one array for each axis."""
    if array_of(x, "nonzero").ndim == 0:
        raise ValueError("[nonzero] the array has no axes; expected one at least")
    return tuple(mx_np.nonzero(x))


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Where elements of ``x2`` belong in the sorted ``x1``; computed by NumPy.

    Parameters
    ----------
    x1 : ndarray
        Of one axis.
    x2 : ndarray or number
    side : {'left', 'right'}
        Before or behind equal elements.
    sorter : ndarray, optional
        Indices that sort ``x1``.
    """
    a, b = pair(x1, x2, "searchsorted")
    return computed_by_numpy(onp.searchsorted, a, b, side, sorter)


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Elements of ``x1`` where the condition holds, and of ``x2`` elsewhere; they broadcast."""
    if array_of(condition, "where").dtype.kind != "b":
        raise TypeError(f"[where] condition is of {condition.dtype}; expected bool")
    if not isinstance(x1, ndarray) and not isinstance(x2, ndarray):
        from .creation import asarray
        from .data_types import result_type

        parts = [asarray(x, device=condition.context) for x in (x1, x2)]
        kind = result_type(*(x.dtype for x in parts))
        return mx_np.where(condition, *(x.astype(kind) for x in parts))
    return mx_np.where(condition, *pair(x1, x2, "where"))


def _whole(indices: Any, who: str) -> Any:
    indices = array_of(indices, who)
    if onp.dtype(indices.dtype).kind not in "iu":
        raise TypeError(f"[{who}] indices are of {onp.dtype(indices.dtype)}; expected whole numbers")
    return indices


def take(x: Any, indices: Any, /, *, axis: Optional[int] = None) -> Any:
    """Slices of ``x`` along an axis, which may be left out of an array of one."""
    x, indices = array_of(x, "take"), _whole(indices, "take")
    if axis is None and x.ndim != 1:
        raise ValueError(f"[take] axis is None and shape is {x.shape}; expected one axis, or axis")
    axis = whole_axis(0 if axis is None else axis, x.ndim, "take")
    flat = mx_np.take(x, indices.reshape(-1), axis, "raise")
    return flat.reshape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """Elements at places along an axis, which differ from slice to slice.

    Parameters
    ----------
    x : ndarray
    indices : ndarray
        As many axes as ``x``; their other extents broadcast.
    axis : int
    """
    x, indices = array_of(x, "take_along_axis"), _whole(indices, "take_along_axis")
    axis = whole_axis(axis, x.ndim, "take_along_axis")
    if indices.ndim != x.ndim:
        raise ValueError(f"[take_along_axis] {indices.ndim} axes of indices; expected {x.ndim}, those of x")
    others = broadcast_shapes(*((*one.shape[:axis], 1, *one.shape[axis + 1 :]) for one in (x, indices)))
    # As many rows as there are other places, end to end, of which each place takes from its own.
    rows, places = (
        mx_np.moveaxis(
            mx_np.broadcast_to(one, (*others[:axis], one.shape[axis], *others[axis + 1 :])), axis, -1
        )
        for one in (x, indices.astype("int64", copy=False))
    )
    extent = x.shape[axis]
    count = int(onp.prod(rows.shape[:-1], dtype=onp.int64))
    first = onp.arange(count).reshape((*rows.shape[:-1], 1)) * extent
    places = mx_np.where(places < 0, places + extent, places)
    outside = mx_np.logical_or(places < 0, places >= extent)  # is in no row, and not in the next one either
    places = mx_np.where(outside, count * extent, places + mx_np.array(first, "int64", x.context))
    found = mx_np.take(rows.reshape(-1), places, 0, "raise")
    return mx_np.moveaxis(found, -1, axis)


def _distinct(x: Any) -> tuple[Any, Any, Any, Any]:
    """Of a NumPy array what :class:`UniqueAll` has; ``numpy.unique`` before 1.24 takes all NaN as one."""
    flat = x.reshape(-1)
    order = onp.argsort(flat, kind="stable")
    ordered = flat[order]
    first = onp.ones(len(flat), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    inverse = onp.empty(len(flat), onp.int64)
    inverse[order] = onp.cumsum(first) - 1
    counts = onp.diff(onp.append(onp.flatnonzero(first), len(flat)))
    return ordered[first], order[first], inverse.reshape(x.shape), counts


def _unique(x: Any, who: str) -> tuple[Any, Any, Any, Any]:
    found: tuple[Any, Any, Any, Any] = computed_by_numpy(_distinct, array_of(x, who))
    return found


def unique_all(x: Any, /) -> UniqueAll:
    """The distinct elements in order, where each stands first, which one each element is, how many are.

    Computed by NumPy. Every NaN is distinct.
    """
    return UniqueAll(*_unique(x, "unique_all"))


def unique_counts(x: Any, /) -> UniqueCounts:
    """The distinct elements in order, and how many are each; see :func:`unique_all`."""
    values, _, _, counts = _unique(x, "unique_counts")
    return UniqueCounts(values, counts)


def unique_inverse(x: Any, /) -> UniqueInverse:
    """The distinct elements in order, and which one each element is; see :func:`unique_all`."""
    values, _, inverse, _ = _unique(x, "unique_inverse")
    return UniqueInverse(values, inverse)


def unique_values(x: Any, /) -> Any:
    """The distinct elements in order; see :func:`unique_all`."""
    return _unique(x, "unique_values")[0]


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Whether each element of ``x1`` is one of ``x2``; computed by NumPy.

    Parameters
    ----------
    x1, x2 : ndarray, or one a number
    invert : bool
        Whether it is none.
    """
    a, b = alike(pair(x1, x2, "isin"))
    return computed_by_numpy(onp.isin, a, b, invert=invert)
