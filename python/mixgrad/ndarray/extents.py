"""Operators of NumPy's namespace whose results are as large as the elements say, which they wait for."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from ..base import DTYPE_NAMES, DTypeError, InvalidArgumentError, MXIndexError, OutOfMemoryError, ShapeError
from .contrib import boolean_mask
from .creation import array
from .ndarray import NDArray

__all__ = ["NAMES", "bincount", "nonzero", "unique"]

INTEGERS = ("int32", "int64", "int8", "uint8")


def _given(what: str, data: Any) -> NDArray:
    if not isinstance(data, NDArray):
        raise TypeError(f"[{what}] got {data!r:.60}; expected an NDArray")
    return data


def _delivered(values: np.ndarray, dtype: Any, beside: NDArray, out: Optional[NDArray]) -> NDArray:
    made: NDArray = array(values, ctx=beside.context, dtype=dtype)
    return made if out is None else made.copyto(out)


def nonzero(x: NDArray, out: Optional[NDArray] = None, name: Optional[str] = None) -> NDArray:
    """The places of the elements that are not 0: a row of int64 each, with a column per axis.

    Parameters
    ----------
    x : NDArray
        Any array; a number counts as an array of one axis. NaN is not 0.
    out : NDArray, optional
        Receives the result.
    name : str, optional
        Accepted for MXNet's sake.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd._internal._npi_nonzero(mx.nd.array([[1, 0], [0, 2]])).asnumpy().tolist()
    [[0, 0], [1, 1]]
    """
    values = np.atleast_1d(_given("nonzero", x).asnumpy())
    return _delivered(np.argwhere(values), "int64", x, out)


def unique(
    data: NDArray,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Optional[int] = None,
    name: Optional[str] = None,
) -> Union[NDArray, list[NDArray]]:
    """The distinct elements, or slices along an axis, in ascending order.

    Parameters
    ----------
    data : NDArray
        Any array. NaN equals NaN.
    return_index : bool
        Also give where each occurs first, as int64.
    return_inverse : bool
        Also give which of them every element is, as int64.
    return_counts : bool
        Also give how often each occurs, as int64.
    axis : int, optional
        The axis of the slices; None for elements.
    name : str, optional
        Accepted for MXNet's sake.

    Examples
    --------
    >>> import mixgrad as mx
    >>> found, counts = mx.nd._internal._npi_unique(mx.nd.array([3, 1, 3]), return_counts=True)
    >>> found.asnumpy().tolist(), counts.asnumpy().tolist()
    ([1.0, 3.0], [1, 2])
    """
    values = np.atleast_1d(_given("unique", data).asnumpy())
    if axis is not None and not -values.ndim <= axis < values.ndim:
        raise MXIndexError(f"[unique] axis is {axis}; expected one of {values.ndim} axes")
    if axis is None:
        values = values.reshape(-1)
    found, *places = np.unique(values, True, True, True, axis)
    wanted = [part for part, flag in zip(places, (return_index, return_inverse, return_counts)) if flag]
    first = _delivered(found, data.dtype, data, None)
    rest = [_delivered(part.reshape(-1), "int64", data, None) for part in wanted]
    return [first, *rest] if rest else first


def bincount(
    data: NDArray,
    weights: Optional[NDArray] = None,
    minlength: int = 0,
    has_weights: bool = False,
    out: Optional[NDArray] = None,
    name: Optional[str] = None,
) -> NDArray:
    """How often each number from 0 to the largest occurs.

    Parameters
    ----------
    data : NDArray
        Integers from 0 on, along one axis.
    weights : NDArray, optional
        What each counts, in the dtype of the result; without them 1, in the dtype of ``data``.
    minlength : int
        How many numbers are counted at least.
    has_weights : bool
        Accepted for MXNet's sake: whether ``weights`` are given says it.
    out : NDArray, optional
        Receives the result.
    name : str, optional
        Accepted for MXNet's sake.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd._internal._npi_bincount(mx.nd.array([1, 3, 1], dtype="int32")).asnumpy().tolist()
    [0, 2, 0, 1]
    """
    if _given("bincount", data).ndim != 1:
        raise ShapeError(f"[bincount] data has shape {data.shape}; expected one axis")
    dtype = DTYPE_NAMES[data._dtype_number]
    if dtype not in INTEGERS:
        raise DTypeError(f"[bincount] data is of {dtype}; expected integers")
    if minlength < 0:
        raise InvalidArgumentError(f"[bincount] minlength is {minlength}; expected a number from 0 on")
    if weights is not None and _given("bincount", weights).shape != data.shape:
        raise ShapeError(f"[bincount] weights have shape {weights.shape}; expected {data.shape}")
    numbers = data.asnumpy().astype(np.int64)
    if numbers.size and numbers.min() < 0:
        raise InvalidArgumentError(f"[bincount] data holds {numbers.min()}; expected numbers from 0 on")
    each = 1 if weights is None else weights.asnumpy()
    kind = np.int64 if np.asarray(each).dtype.kind in "iu" else np.float64
    most = int(numbers.max(initial=-1)) + 1
    try:
        counts = np.zeros(max(minlength, most), kind)
    except (MemoryError, ValueError) as error:
        raise OutOfMemoryError(f"[bincount] no room for {max(minlength, most)} counts") from error
    np.add.at(counts, numbers, each)
    return _delivered(counts, (data if weights is None else weights).dtype, data, out)


# What MXNet calls them.
NAMES = {
    "_contrib_boolean_mask": boolean_mask,
    "_npi_bincount": bincount,
    "_npi_boolean_mask": boolean_mask,
    "_npi_nonzero": nonzero,
    "_npi_unique": unique,
    "_npx_nonzero": nonzero,
}
