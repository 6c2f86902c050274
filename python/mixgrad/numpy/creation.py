"""Functions that make arrays."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as onp

from .. import _core
from ..base import DTYPE_NAMES, DTypeLike, bfloat16, dtype_number, extents
from ..context import Context, chosen_context
from ..ndarray.ndarray import array as _nd_array
from . import operands
from .operands import dtype_name, dtype_of, is_number, is_symbol, made, tensor
from .operators import operators as _ops

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = [
    "arange",
    "array",
    "asarray",
    "blackman",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "genfromtxt",
    "hamming",
    "hanning",
    "identity",
    "indices",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tri",
    "zeros",
    "zeros_like",
]

ShapeLike = Union[int, Sequence[int]]


def _shape(shape: Any, who: str) -> tuple[int, ...]:
    return extents(shape, who) if not isinstance(shape, tuple) or shape else ()


def _one_shape(who: str, shape: Any, *others: Any) -> None:
    """Raise where extents were given one by one, of which the second is no dtype."""
    if type(others[0]) is int and isinstance(shape, int):
        extents = (shape, *(one for one in others if type(one) is int))
        raise TypeError(f"[{who}] extents come as one shape: {extents}; a dtype goes by keyword")


def _only_c(order: str, who: str) -> None:
    if order != "C":
        raise NotImplementedError(f"[{who}] order is {order!r}; expected 'C', the one order of memory")


def array(object: Any, dtype: DTypeLike = None, ctx: Optional[Context] = None) -> ndarray:
    """An array with the values of ``object``.

    Parameters
    ----------
    object : number, nested lists, NumPy array or ndarray
        The values.
    dtype : dtype, optional
        By default that of an array, bool of bools (float32 in MXNet, where such an array is no mask), and
        float32 of all else.
    ctx : Context, optional
        Device; the current one by default.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.np.array([1, 2])
    array([1., 2.])
    >>> mx.np.array([1, 2], dtype="int32")
    array([1, 2], dtype=int32)
    >>> mx.np.array([10, 20])[mx.np.array([False, True])]
    array([20.])
    """
    if isinstance(object, _core.NDArrayBase):
        kind = dtype_of(object) if dtype is None else dtype
        return _nd_array(object, ctx, kind)._as(operands.array_class)
    if isinstance(object, (list, tuple)) and any(isinstance(x, _core.NDArrayBase) for x in object):
        return _stacked(object, dtype, ctx)
    if dtype is None:
        has_dtype = isinstance(object, (onp.ndarray, onp.generic)) and object.dtype.name in operands._NAMES
        dtype = object.dtype if has_dtype else onp.bool_ if _is_bools(object) else onp.float32
    context = chosen_context(ctx, "array")
    number = dtype_number(dtype)
    if DTYPE_NAMES[number] == "bfloat16" or dtype is bfloat16:
        return _nd_array(object, ctx, dtype)._as(operands.array_class)
    from ..ndarray._numpy import host_values

    values = host_values(float("nan") if object is None else object, number)
    return _core.create_from(values, values.shape, number, context.numbers)._as(operands.array_class)


def _is_bools(values: Any) -> bool:
    """Whether all numbers of these nested lists are bools."""
    first = values
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    return isinstance(first, (bool, onp.bool_)) and onp.asarray(values).dtype == onp.bool_


def _stacked(object: Any, dtype: DTypeLike, ctx: Optional[Context]) -> Any:
    """An array of arrays: the values, without their gradients."""
    found = next(x for x in object if isinstance(x, _core.NDArrayBase))
    kind = dtype_of(found) if dtype is None else dtype
    return array(onp.array([operands.plain(x) for x in object]), dtype=kind, ctx=ctx)


def asarray(a: Any, dtype: DTypeLike = None, ctx: Optional[Context] = None) -> ndarray:
    """The array itself where it is one of that dtype and device, else a new one of its values.

    Parameters
    ----------
    a : number, nested lists, NumPy array or ndarray
    dtype, ctx
        As of :func:`array`.
    """
    if isinstance(a, _core.NDArrayBase):
        x = tensor(a)
        same = dtype is None or dtype_number(dtype) == x._dtype_number
        if same and (ctx is None or ctx == x.context):
            return x
    return array(a, dtype, ctx)


def empty(
    shape: ShapeLike, dtype: DTypeLike = onp.float32, order: str = "C", ctx: Optional[Context] = None
) -> ndarray:
    """An array whose values are whatever its memory holds.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype
        float32 by default.
    order : {'C'}
    ctx : Context, optional
        Device; the current one by default.
    """
    _one_shape("empty", shape, dtype, order)
    _only_c(order, "empty")
    numbers = chosen_context(ctx, "empty").numbers
    kind = dtype_number("float32" if dtype is None else dtype)
    return _core.create(_shape(shape, "empty"), kind, numbers)._as(operands.array_class)


def zeros(
    shape: ShapeLike, dtype: DTypeLike = None, order: str = "C", ctx: Optional[Context] = None
) -> ndarray:
    """An array of zeros, float32 by default.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
    order : {'C'}
    ctx : Context, optional
        Device; the current one by default.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.np.zeros((2, 0)).shape, mx.np.zeros(())
    ((2, 0), array(0.))
    """
    _one_shape("zeros", shape, dtype, order)
    _only_c(order, "zeros")
    return made("_npi_zeros", shape=_shape(shape, "zeros"), dtype=dtype_name(dtype), ctx=ctx)


def ones(
    shape: ShapeLike, dtype: DTypeLike = onp.float32, order: str = "C", ctx: Optional[Context] = None
) -> ndarray:
    """An array of ones, float32 by default.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype
    order : {'C'}
    ctx : Context, optional
        Device; the current one by default.
    """
    _one_shape("ones", shape, dtype, order)
    _only_c(order, "ones")
    return made("_npi_ones", shape=_shape(shape, "ones"), dtype=dtype_name(dtype), ctx=ctx)


def full(
    shape: ShapeLike,
    fill_value: Any,
    dtype: DTypeLike = None,
    order: str = "C",
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """An array with one value everywhere, or with values that broadcast to the shape.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : number or array
    dtype : dtype, optional
        By default bool of a bool, the dtype of an array, else float32.
    order : {'C'}
    ctx : Context, optional
        Device; the current one by default.
    out : ndarray, optional
        Receives the result.
    """
    _only_c(order, "full")
    if not is_number(fill_value):
        from .manipulation import broadcast_to

        values = tensor(fill_value)
        values = values if ctx is None or is_symbol(values) else values.as_in_context(ctx)
        values = values if dtype is None else values.astype(dtype)
        result = broadcast_to(values, _shape(shape, "full"))
        return result if out is None else operands.delivered(result, out)
    if dtype is None and isinstance(fill_value, (bool, onp.bool_)):
        dtype = onp.bool_
    whole = isinstance(fill_value, (int, onp.integer)) and abs(int(fill_value)) > 2**53
    if whole and out is None:
        exact = empty(shape, dtype, ctx=ctx)
        exact[()] = int(fill_value)
        return exact
    value = float(fill_value)
    return made(
        "_npi_full", shape=_shape(shape, "full"), value=value, dtype=dtype_name(dtype), ctx=ctx, out=out
    )


def empty_like(
    prototype: Any, dtype: DTypeLike = None, order: str = "C", subok: bool = False, shape: Any = None
) -> ndarray:
    """An array of the shape and dtype of another one, with whatever values.

    Parameters
    ----------
    prototype : ndarray
    dtype : dtype, optional
        By default the array's.
    order : {'C'}
    subok : bool
        Refused unless False.
    shape : None
        Refused, as in MXNet.
    """
    _only_c(order, "empty_like")
    if subok or shape is not None:
        raise NotImplementedError(f"[empty_like] subok is {subok}, shape is {shape}; expected False and None")
    return full_like(prototype, 0, dtype)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: DTypeLike = None,
    order: str = "C",
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """An array of the shape and dtype of another one, with one value everywhere.

    Parameters
    ----------
    a : ndarray
    fill_value : number
    dtype : dtype, optional
        By default the array's.
    order : {'C'}
    ctx : Context, optional
        Device; by default the array's.
    out : ndarray, optional
        Receives the result.
    """
    _only_c(order, "full_like")
    result = _ops._npi_full_like(tensor(a), float(fill_value), dtype=dtype_name(dtype, None), out=out)
    return result if ctx is None or out is not None or is_symbol(result) else result.as_in_context(ctx)


def zeros_like(
    a: Any, dtype: DTypeLike = None, order: str = "C", ctx: Optional[Context] = None, out: Any = None
) -> ndarray:
    """An array of zeros of the shape and dtype of another one; arguments as of :func:`full_like`."""
    return full_like(a, 0, dtype, order, ctx, out)


def ones_like(
    a: Any, dtype: DTypeLike = None, order: str = "C", ctx: Optional[Context] = None, out: Any = None
) -> ndarray:
    """An array of ones of the shape and dtype of another one; arguments as of :func:`full_like`."""
    return full_like(a, 1, dtype, order, ctx, out)


def arange(
    start: float,
    stop: Optional[float] = None,
    step: float = 1,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
) -> ndarray:
    """Numbers from ``start`` up to ``stop``, which is not one of them; float32 by default.

    Parameters
    ----------
    start, stop, step : number
        With one alone, it is ``stop`` and ``start`` is 0.
    dtype : dtype, optional
    ctx : Context, optional
        Device; the current one by default.
    """
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    if step == 0:
        raise ZeroDivisionError("[arange] step is 0; expected another number")
    kind = dtype_name(dtype)
    if not operands._mode.symbols and ((stop - start) / step <= 0 or max(abs(start), abs(stop)) > 2**24):
        return array(onp.arange(start, stop, step), dtype=kind, ctx=ctx)
    return made("_npi_arange", start=start, stop=stop, step=step, dtype=kind, ctx=ctx)


def linspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = None,
    axis: int = 0,
    ctx: Optional[Context] = None,
) -> Any:
    """Numbers at equal distances.

    Parameters
    ----------
    start, stop : number
    num : int
        How many.
    endpoint : bool
        Whether ``stop`` is the last one.
    retstep : bool
        Also give the distance.
    dtype : dtype, optional
        float32 by default.
    axis : {0}
    ctx : Context, optional
        Device; the current one by default.
    """
    if axis != 0 or not (is_number(start) and is_number(stop)):
        raise NotImplementedError(
            f"[linspace] axis is {axis}, start is {type(start).__name__}, stop {type(stop).__name__}; "
            "expected 0 and numbers"
        )
    if num < 0:
        raise ValueError(f"[linspace] num is {num}; expected 0 or more")
    result = made(
        "_npi_linspace", start=start, stop=stop, num=num, endpoint=endpoint, dtype=dtype_name(dtype), ctx=ctx
    )
    if not retstep:
        return result
    parts = num - 1 if endpoint else num
    return result, (stop - start) / parts if parts > 0 else onp.nan


def logspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DTypeLike = None,
    axis: int = 0,
    ctx: Optional[Context] = None,
) -> ndarray:
    """Powers of ``base`` whose exponents are at equal distances; arguments as of :func:`linspace`."""
    if axis != 0 or not (is_number(start) and is_number(stop)):
        raise NotImplementedError(f"[logspace] axis is {axis}; expected 0, and numbers as start and stop")
    return made(
        "_npi_logspace",
        start=start,
        stop=stop,
        num=num,
        endpoint=endpoint,
        base=base,
        dtype=dtype_name(dtype),
        ctx=ctx,
    )


def eye(
    N: int, M: Optional[int] = None, k: int = 0, dtype: DTypeLike = onp.float32, **kwargs: Any
) -> ndarray:
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default.
    k : int
        Which diagonal; above 0 to the right of the main one.
    dtype : dtype
        float32 by default.
    **kwargs
        ``ctx``, and ``order`` if it is 'C'.
    """
    ctx = kwargs.pop("ctx", None)
    _only_c(kwargs.pop("order", "C"), "eye")
    if kwargs:
        raise TypeError(f"[eye] unexpected arguments {sorted(kwargs)}; it takes N, M, k, dtype, ctx")
    for word, value in (("N", N), ("M", M), ("k", k)):
        if value is not None and not hasattr(value, "__index__"):
            raise TypeError(f"[eye] {word} is {type(value).__name__}; expected a whole number")
    if N < 0 or (M is not None and M < 0):
        raise ValueError(f"[eye] N is {N}, M is {M}; expected 0 or more")
    return made("_npi_eye", N=N, M=M, k=k, dtype=dtype_name(dtype), ctx=ctx)


def identity(n: int, dtype: DTypeLike = None, ctx: Optional[Context] = None) -> ndarray:
    """A square matrix with ones on the main diagonal and zeros elsewhere."""
    if not hasattr(n, "__index__") or n < 0:
        raise ValueError(f"[identity] n is {n!r:.40}; expected a whole number from 0 on")
    return made("_npi_identity", shape=(n, n), dtype=dtype_name(dtype), ctx=ctx)


def tri(
    N: int, M: Optional[int] = None, k: int = 0, dtype: DTypeLike = None, ctx: Optional[Context] = None
) -> ndarray:
    """A matrix with ones on and below a diagonal and zeros elsewhere."""
    return _ops._npi_tril(ones((N, N if M is None else M), dtype_name(dtype), ctx=ctx), k=k)


def indices(
    dimensions: Sequence[int], dtype: DTypeLike = onp.int32, ctx: Optional[Context] = None
) -> ndarray:
    """For each axis of a shape, the index along it of every place: (axes, *dimensions), int32 by default."""
    if not isinstance(dimensions, (tuple, list)):
        raise ValueError(f"[indices] dimensions is {dimensions!r:.60}; expected a tuple of ints")
    return made("_npi_indices", dimensions=tuple(dimensions), dtype=dtype_name(dtype), ctx=ctx)


def _window(name: str, M: int, dtype: DTypeLike, ctx: Optional[Context]) -> Any:
    return made("_npi_" + name, M=int(M), dtype=dtype_name(dtype), ctx=ctx)


def hanning(M: int, dtype: DTypeLike = onp.float32, ctx: Optional[Context] = None) -> ndarray:
    """The Hann window of ``M`` points."""
    return _window("hanning", M, dtype, ctx)


def hamming(M: int, dtype: DTypeLike = onp.float32, ctx: Optional[Context] = None) -> ndarray:
    """The Hamming window of ``M`` points."""
    return _window("hamming", M, dtype, ctx)


def blackman(M: int, dtype: DTypeLike = onp.float32, ctx: Optional[Context] = None) -> ndarray:
    """The Blackman window of ``M`` points."""
    return _window("blackman", M, dtype, ctx)


def copy(a: Any, out: Any = None) -> ndarray:
    """A new array with the same elements."""
    return _ops._np_copy(tensor(a), out=out)


def meshgrid(*xi: Any, **kwargs: Any) -> list[Any]:
    """Coordinates of a grid: of each array one with an axis for every array.

    Parameters
    ----------
    *xi : ndarray
        Of one axis, or none.
    copy : bool
        Accepted for NumPy's sake: arrays are always new.
    sparse : bool
        Keep extent 1 on the axes of the others.
    indexing : {'xy', 'ij'}
        'xy' exchanges the first two axes.
    """
    sparse, indexing = kwargs.pop("sparse", False), kwargs.pop("indexing", "xy")
    kwargs.pop("copy", True)
    if kwargs:
        raise TypeError(f"[meshgrid] unexpected arguments {sorted(kwargs)}; it takes copy, sparse, indexing")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"[meshgrid] indexing is {indexing!r}; expected 'xy' or 'ij'")
    from .manipulation import broadcast_arrays, reshape

    count = len(xi)
    output = []
    for place, x in enumerate(xi):
        axis = 1 - place if indexing == "xy" and count > 1 and place < 2 else place
        output.append(reshape(tensor(x), (1,) * axis + (-1,) + (1,) * (count - 1 - axis)))
    return output if sparse else broadcast_arrays(*output)


def genfromtxt(*args: Any, **kwargs: Any) -> Any:
    """Numbers read from text by NumPy's function of that name, whose arguments it takes, and ``ctx``."""
    ctx, dtype = kwargs.pop("ctx", None), kwargs.get("dtype", onp.float32)
    return array(onp.genfromtxt(*args, **kwargs), dtype=dtype, ctx=ctx)
