"""Functions that sort, search, choose and count."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Optional, overload

import numpy as onp

from .. import _hints
from ..base import UnknownExtentsError
from ..ndarray import extents as _extents
from .operands import from_numpy, is_number, is_symbol, plain, tensor, together
from .operators import operators as _ops

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "bincount",
    "diag_indices_from",
    "histogram",
    "nonzero",
    "sort",
    "take",
    "unique",
    "unravel_index",
    "where",
]


@overload
def where(condition: Any) -> tuple[ndarray, ...]: ...
@overload
def where(condition: Any, x: Any, y: Any) -> ndarray: ...
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Elements of ``x`` where the condition is not 0, else of ``y``; shapes broadcast.

    Parameters
    ----------
    condition : array
    x, y : array or number, optional
        Without them the places where the condition is not 0, as of :func:`nonzero`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a = mx.np.array([1, 2, 3])
    >>> mx.np.where(a > 1, a, 0)
    array([0., 2., 3.])
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("[where] x or y is given; expected both or none of them")
    if is_number(condition):
        if is_number(x) and is_number(y):
            return x if condition else y
        condition = tensor(bool(condition)).astype("bool")
    condition = tensor(condition)
    if is_number(x) and is_number(y):
        return _ops._npi_where_scalar2(condition, float(x), float(y))
    if is_number(x):
        return _ops._npi_where_lscalar(condition, tensor(y), float(x))
    if is_number(y):
        return _ops._npi_where_rscalar(condition, tensor(x), float(y))
    return together(lambda a, b: _ops._npi_where(condition, a, b), [tensor(x), tensor(y)])


def nonzero(a: Any) -> tuple[Any, ...]:
    """Places of the elements that are not 0: for each axis an array of int64. Waits for the values."""
    a = tensor(a)
    if is_symbol(a):
        raise UnknownExtentsError("[nonzero] how many depends on the elements, which a symbol has not")
    places = _extents.nonzero(a)
    places = places if type(places) is type(a) else places._as(type(a))
    return tuple(places[:, axis] for axis in range(max(a.ndim, 1)))


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Optional[int] = None,
) -> Any:
    """The distinct elements, or slices along an axis, in ascending order. Waits for the values.

    Parameters
    ----------
    ar : ndarray
    return_index, return_inverse, return_counts : bool
        Also give where each occurs first, which of them every element is, how often each occurs, as int64.
    axis : int, optional
    """
    ar = tensor(ar)
    if is_symbol(ar):
        raise UnknownExtentsError("[unique] how many depends on the elements, which a symbol has not")
    result = _extents.unique(ar, return_index, return_inverse, return_counts, axis)
    if isinstance(result, list):
        return tuple(one._as(type(ar)) for one in result)
    return result._as(type(ar))


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """How often each number from 0 to the largest occurs, or the sum of its weights. Waits for the values."""
    x = tensor(x)
    if is_symbol(x):
        raise UnknownExtentsError("[bincount] the size depends on the elements, which a symbol has not")
    result = _extents.bincount(x, None if weights is None else tensor(weights), minlength)
    return result._as(type(x))


def sort(a: Any, axis: Optional[int] = -1, kind: Any = None, order: Any = None) -> ndarray:
    """The elements in ascending order along an axis, or of all flattened.

    Parameters
    ----------
    a : ndarray
    axis : int or None
    kind : optional
        Accepted for NumPy's sake.
    order : None
        Refused: arrays have no fields.
    """
    _no_fields(order, "sort")
    a = tensor(a)
    if not is_symbol(a) and a.ndim == 0:
        return a.reshape(-1) if axis is None else a
    if axis is None:
        a, axis = _ops._np_reshape(a, -1), -1
    return _ops._npi_sort(a, axis=axis, is_ascend=True)


def argsort(a: Any, axis: Optional[int] = -1, kind: Any = None, order: Any = None) -> ndarray:
    """Places of the elements in ascending order, as int64; arguments as of :func:`sort`."""
    _no_fields(order, "argsort")
    a = tensor(a)
    if not is_symbol(a) and a.ndim == 0:
        return from_numpy(onp.zeros((1,), onp.int64), a.context)
    if axis is None:
        a, axis = _ops._np_reshape(a, -1), -1
    return _ops._npi_argsort(a, axis=axis, is_ascend=True, dtype="int64")


def _no_fields(order: Any, who: str) -> None:
    if order is not None:
        raise NotImplementedError(f"[{who}] order is {order!r:.40}; expected None, arrays have no fields")


def argmax(a: Any, axis: Optional[int] = None, out: Any = None) -> ndarray:
    """Where the largest element lies, as int64: along an axis, or counted through the array."""
    return _ops._npi_argmax(tensor(a), axis, out=out)


def argmin(a: Any, axis: Optional[int] = None, out: Any = None) -> ndarray:
    """Where the smallest element lies, as int64: along an axis, or counted through the array."""
    return _ops._npi_argmin(tensor(a), axis, out=out)


def take(a: Any, indices: Any, axis: Optional[int] = None, mode: str = "raise", out: Any = None) -> ndarray:
    """Slices of an array at places along an axis, or elements of it flattened.

    Parameters
    ----------
    a : ndarray
    indices : array or int
        Places.
    axis : int, optional
    mode : {'raise', 'clip', 'wrap'}
        What a place outside of the axis is: an error, which waits for the values, the nearer end, or one
        counted from the other end.
    out : ndarray, optional
        Receives the result.
    """
    if mode not in ("raise", "clip", "wrap"):
        raise NotImplementedError(f"[take] mode is {mode!r:.40}; expected 'raise', 'clip' or 'wrap'")
    a = tensor(a)
    places = (
        tensor(onp.asarray(indices) if not hasattr(indices, "_dtype_number") else indices)
        if not is_symbol(indices)
        else tensor(indices)
    )
    if not is_symbol(places) and places.size == 0:
        places = places.astype("int64")
    if axis is None:
        a, axis = _ops._np_reshape(a, -1), 0
    return _ops._npi_take(a, places, axis=axis, mode=mode, out=out)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> list[Any]:
    """Counts how many values lie in each bin, and gives the edges of the bins.

    Parameters
    ----------
    a : ndarray
    bins : int or ndarray
        How many bins of equal width, or their edges, ascending.
    range : (float, float)
        Lower end of the first and upper end of the last bin; needed where ``bins`` is a number.
    normed, weights, density
        Refused, as in MXNet.
    """
    for word, value in (("normed", normed), ("weights", weights), ("density", density)):
        if value:
            raise NotImplementedError(f"[histogram] {word} is given; expected None")
    a = tensor(a)
    if is_number(bins):
        if range is None:
            raise NotImplementedError("[histogram] range is None; expected both ends, or the edges as bins")
        return list(_ops._npi_histogram(a, bin_cnt=int(bins), range=tuple(range)))
    edges = tensor(bins, a)
    return list(together(_ops._npi_histogram, [a, edges]))


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Any, ...]:
    """Places counted through an array as indices along each axis.

    Parameters
    ----------
    indices : array or int
    shape : tuple of int
    order : {'C'}
    """
    if order != "C":
        raise NotImplementedError(f"[unravel_index] order is {order!r}; expected 'C'")
    if is_number(indices):
        places: tuple[Any, ...] = tuple(onp.unravel_index(indices, shape))
        return places
    x = tensor(indices)
    extents = (int(shape),) if is_number(shape) else tuple(shape)
    if is_symbol(x) or x.size:
        rows = _ops._npi_unravel_index(x, shape=extents)
        return tuple(rows[i] for i in onp.arange(len(extents)).tolist())
    found: tuple[Any, ...] = from_numpy(onp.unravel_index(plain(x), shape), x.context)
    return found


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """Indices of the main diagonal of an array whose axes have one extent, as int64."""
    arr = tensor(arr)
    if is_symbol(arr):
        raise UnknownExtentsError("[diag_indices_from] the number of axes of a symbol is not known")
    rows = _ops._npi_diag_indices_from(arr)
    return tuple(rows[i] for i in onp.arange(arr.ndim).tolist())


_hints.say_ours_in(sys.modules[__name__], __all__)
