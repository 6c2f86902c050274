"""Functions that reduce arrays over axes, and those that run along one."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Optional

import numpy as onp

from .. import _hints
from ..autograd import is_recording
from ..base import DTypeLike
from .elementwise import multiply
from .operands import delivered, dtype_name, dtype_of, is_number, is_recorded, is_symbol, tensor
from .operators import operators as _ops
from .quantiles import percentile_with_gradient

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "average",
    "cumsum",
    "diff",
    "ediff1d",
    "max",
    "mean",
    "median",
    "min",
    "percentile",
    "prod",
    "product",
    "quantile",
    "sometrue",
    "std",
    "sum",
    "trace",
    "var",
]

Axes = Any


def _masked(a: Any, where: Any, neutral: Any) -> Any:
    if where is None or where is True:
        return a
    from .searching import where as choose

    return choose(where, a, neutral)


def _out_and_keepdims(out: Any, keepdims: Any) -> tuple[Any, Any]:
    """Both, given in NumPy's order or in that of MXNet 1.9.1, which has ``keepdims`` before ``out``."""
    if not isinstance(out, bool):
        return out, keepdims
    return (None if keepdims is False else keepdims), out


def sum(
    a: Any,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> ndarray:
    """Sum over axes; of bool as int64.

    Parameters
    ----------
    a : ndarray
    axis : int or tuple of int, optional
        All axes by default.
    dtype : dtype, optional
        Of the result.
    out : ndarray, optional
        Receives the result.
    keepdims : bool
        Keep the axes with extent 1.
    initial : number, optional
        Added to the sum.
    where : array, optional
        Which elements count.

    Notes
    -----
    Arguments by place may also come in the order of MXNet 1.9.1: ``keepdims``, ``initial``, ``out``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.np.sum(mx.np.ones((2, 3)), axis=0)
    array([2., 2., 2.])
    """
    if isinstance(out, bool):  # the order of MXNet 1.9.1: keepdims, initial, out
        keepdims, initial, out = out, (None if keepdims is False else keepdims), initial
    a = _masked(tensor(a), where, 0)
    result = _ops._np_sum(a, axis, dtype_name(dtype, None), keepdims, out=out if initial is None else None)
    return result if initial is None else delivered(result + initial, out)


def prod(
    a: Any,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> ndarray:
    """Product over axes; arguments as of :func:`sum`."""
    a = _masked(tensor(a), where, 1)
    result = _ops._np_prod(a, axis, dtype_name(dtype, None), keepdims, out=out if initial is None else None)
    return result if initial is None else delivered(result * initial, out)


product = prod


def max(a: Any, axis: Axes = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Largest element over axes; arguments as of :func:`sum`."""
    out, keepdims = _out_and_keepdims(out, keepdims)
    return _ops._np_max(tensor(a), axis, keepdims, out=out)


def min(a: Any, axis: Axes = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Smallest element over axes; arguments as of :func:`sum`."""
    out, keepdims = _out_and_keepdims(out, keepdims)
    return _ops._np_min(tensor(a), axis, keepdims, out=out)


amax = max
amin = min


def all(a: Any, axis: Axes = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Whether all elements are not 0, over axes, as bool."""
    out, keepdims = _out_and_keepdims(out, keepdims)
    return _ops._np_all(tensor(a), axis, keepdims, out=out)


def any(a: Any, axis: Axes = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Whether some element is not 0, over axes, as bool."""
    out, keepdims = _out_and_keepdims(out, keepdims)
    return _ops._np_any(tensor(a), axis, keepdims, out=out)


sometrue = any


def mean(
    a: Any,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Any = None,
    keepdims: bool = False,
    where: Any = None,
) -> ndarray:
    """Mean over axes; of integers float32. Arguments as of :func:`sum`."""
    a = tensor(a)
    if where is None or where is True:
        return _ops._npi_mean(a, axis, dtype_name(dtype, None), keepdims, out=out)
    from .manipulation import broadcast_to

    mask = broadcast_to(tensor(where), a.shape)
    return delivered(
        sum(a, axis, dtype, None, keepdims, None, mask) / sum(mask, axis, None, None, keepdims), out
    )


def _spread(name: str, a: Any, axis: Axes, dtype: DTypeLike, out: Any, ddof: int, keepdims: bool) -> Any:
    if is_number(a):
        return getattr(onp, name)(a, axis, dtype, ddof=ddof, keepdims=keepdims)
    return getattr(_ops, "_npi_" + name)(tensor(a), axis, dtype_name(dtype, None), ddof, keepdims, out=out)


def std(
    a: Any, axis: Axes = None, dtype: DTypeLike = None, out: Any = None, ddof: int = 0, keepdims: bool = False
) -> ndarray:
    """Standard deviation over axes.

    Parameters
    ----------
    a : ndarray
    axis : int or tuple of int, optional
    dtype : dtype, optional
        Of the result; by default the array's.
    out : ndarray, optional
        Receives the result.
    ddof : int
        The divisor is the number of elements less this.
    keepdims : bool
    """
    return _spread("std", a, axis, dtype, out, ddof, keepdims)


def var(
    a: Any, axis: Axes = None, dtype: DTypeLike = None, out: Any = None, ddof: int = 0, keepdims: bool = False
) -> ndarray:
    """Variance over axes; arguments as of :func:`std`."""
    return _spread("var", a, axis, dtype, out, ddof, keepdims)


def average(a: Any, axis: Axes = None, weights: Any = None, returned: bool = False, out: Any = None) -> Any:
    """Mean over axes, each element with a weight.

    Parameters
    ----------
    a : ndarray
    axis : int or tuple of int, optional
    weights : ndarray, optional
        Of the shape of ``a``, or of its extent along the axis.
    returned : bool
        Also give the sum of the weights.
    out : ndarray, optional
        Receives the result.
    """
    a = tensor(a)
    if not is_symbol(a) and "float" not in dtype_of(a):
        a = a.astype("float32")
    if weights is None:
        found = _ops._npi_average(a, axis=axis, returned=returned, weighted=False)
    else:
        weights = tensor(weights, a)
        found = _ops._npi_average(a, weights, axis=axis, returned=returned, weighted=True)
    if not returned:
        return delivered(found, out) if out is not None else found
    return [found[0], found[1]]


def cumsum(a: Any, axis: Optional[int] = None, dtype: DTypeLike = None, out: Any = None) -> ndarray:
    """Sums of the elements up to each, along an axis or of all flattened.

    Parameters
    ----------
    a : array
    axis : int, optional
        Axis to sum along.
    dtype : dtype, optional
        Element type of the result, which the elements take before they are added; by default the array's,
        int64 for bool. Sums of float16 are rounded at each step, as in NumPy.
    out : ndarray, optional
        Receives the result.
    """
    return _ops._np_cumsum(tensor(a), axis, dtype_name(dtype, None), out=out)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None) -> ndarray:
    """Sums of the diagonals of the planes of two axes."""
    return _ops._np_trace(tensor(a), offset, axis1, axis2, out=out)


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> ndarray:
    """Differences of neighbours along an axis, ``n`` times."""
    if prepend is not None or append is not None:
        raise NotImplementedError("[diff] prepend or append is given; expected None")
    return _ops._npi_diff(tensor(a), n=n, axis=axis)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ndarray:
    """Differences of neighbours of the flattened array, with values in front and behind."""
    from .manipulation import concatenate

    ary = tensor(ary)
    middle = _ops._npi_ediff1d(ary)
    parts = [part for part in (to_begin, middle, to_end) if part is not None]
    if len(parts) == 1:
        return middle
    return concatenate([x if x is middle else _flat(x, middle) for x in parts], 0)


def _flat(x: Any, like: Any) -> Any:
    from .manipulation import reshape

    flat = reshape(tensor(x, like), -1)
    return flat if is_symbol(flat) or flat.dtype == like.dtype else flat.astype(like.dtype)


_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def percentile(
    a: Any,
    q: Any,
    axis: Axes = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> ndarray:
    """Values below which a percentage of the elements lies.

    Parameters
    ----------
    a : ndarray
    q : number or array
        Percentages.
    axis : int or tuple of int, optional
    out : ndarray, optional
        Receives the result.
    overwrite_input : None
    interpolation : {'linear', 'lower', 'higher', 'midpoint', 'nearest'}
        What counts between two elements.
    keepdims : bool

    Notes
    -----
    The gradient goes to the elements at or between which the value lies, in equal shares to equal ones. In
    graphs it is 0 where ``q`` is a symbol.
    """
    if overwrite_input is not None:
        raise NotImplementedError("[percentile] overwrite_input is given; expected None")
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(
            f"[percentile] interpolation is {interpolation!r}; expected one of {', '.join(_INTERPOLATIONS)}"
        )
    a = tensor(a)
    q = q if is_number(q) else tensor(q)
    if is_number(q) if is_symbol(a) else is_recording() and is_recorded(a) and "float" in dtype_of(a):
        return delivered(percentile_with_gradient(a, q, axis, interpolation, keepdims), out)
    words = {"axis": axis, "interpolation": interpolation, "keepdims": keepdims, "out": out}
    if is_number(q):
        return _ops._npi_percentile(a, q_scalar=float(q), **words)
    return _ops._npi_percentile(a, q, **words)


def quantile(
    a: Any,
    q: Any,
    axis: Axes = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> ndarray:
    """Values below which a share, from 0 to 1, of the elements lies; arguments as of :func:`percentile`."""
    return percentile(
        a,
        q * 100 if is_number(q) else multiply(tensor(q), 100),
        axis,
        out,
        overwrite_input,
        interpolation,
        keepdims,
    )


def median(
    a: Any, axis: Axes = None, out: Any = None, overwrite_input: Any = None, keepdims: bool = False
) -> ndarray:
    """The element in the middle of the sorted ones over axes; arguments as of :func:`percentile`."""
    return percentile(a, 50, axis, out, overwrite_input, "linear", keepdims)


_hints.say_ours_in(sys.modules[__name__], __all__)
