"""Functions that make arrays, float32 of floats and int64 of integers unless a dtype is said."""

from __future__ import annotations

import math
from typing import Any, Optional, Union

import numpy as onp

from .. import numpy as mx_np
from ..context import Context
from ..numpy.ndarray import ndarray
from .data_types import float32, int64
from .operands import array_of, device_context

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

Device = Union[Context, str, None]
Shape = Union[int, tuple[int, ...]]


def _kind(values: Any) -> Any:
    """The dtype of new values: bool of bool, int64 of whole numbers, float32 of others."""
    kind = onp.asarray(values).dtype.kind
    if kind == "c":
        raise TypeError("[array_api] values are complex; expected real ones, as no dtype is complex")
    if kind not in "biuf":
        raise TypeError(f"[array_api] values are {str(values)[:40]!r}; expected numbers")
    return onp.dtype(bool) if kind == "b" else float32 if kind == "f" else int64


def asarray(obj: Any, /, *, dtype: Any = None, device: Device = None, copy: Optional[bool] = None) -> Any:
    """An array of the values of ``obj``.

    Parameters
    ----------
    obj : ndarray, number, nested lists of them, or what has NumPy's or Python's buffers
    dtype : dtype, optional
        By default that of an array, and else bool, int64 or float32.
    device : Context or str, optional
        By default that of an array, and else the current one.
    copy : bool, optional
        True always copies; False raises ``ValueError`` where it would have to.

    Examples
    --------
    >>> from mixgrad import array_api as xp
    >>> xp.asarray([1, 2]).dtype, xp.asarray(1.5).dtype, xp.asarray(True).dtype
    (dtype('int64'), dtype('float32'), dtype('bool'))
    """
    where = device_context(device, "asarray")
    if isinstance(obj, ndarray):
        result = mx_np.asarray(obj, dtype, where)
        if result is not obj and copy is False:
            raise ValueError(f"[asarray] copy is False; expected an array of {dtype} on {where}")
        return result.copy() if copy and result is obj else result
    if copy is False:
        raise ValueError(f"[asarray] copy is False, and {type(obj).__name__} is copied; expected an ndarray")
    if isinstance(obj, (list, tuple)):
        obj = _values(obj)
    values = onp.asarray(obj)
    given = isinstance(obj, (memoryview, bytearray)) or hasattr(obj, "__array__")
    kind = _kind(values) if dtype is None and not given else values.dtype if dtype is None else dtype
    if values.dtype.kind in "iu" and onp.dtype(kind).kind in "iu" and values.size:
        limits = onp.iinfo(kind)
        if int(values.max()) > limits.max or int(values.min()) < limits.min:
            raise OverflowError(f"[asarray] values do not fit into {onp.dtype(kind)}")
    if values.dtype.kind == "O" and dtype is None:
        raise OverflowError("[asarray] values fit into no dtype; expected numbers of 64 bits")
    return mx_np.array(values, dtype=kind, ctx=where)


def _values(items: Any) -> Any:
    """Nested lists with NumPy's arrays in place of ours."""
    if isinstance(items, ndarray):
        return items.asnumpy()
    return [_values(one) for one in items] if isinstance(items, (list, tuple)) else items


def arange(
    start: float,
    /,
    stop: Optional[float] = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Device = None,
) -> Any:
    """Numbers from ``start`` up to ``stop``, which is not one of them; int64 if all three are whole."""
    if stop is None:
        start, stop = 0, start
    if not all(math.isfinite(x) for x in (start, stop, step)) or step == 0:
        raise ValueError(
            f"[arange] start is {start}, stop is {stop}, step is {step}; expected finite numbers, and a step "
            "other than 0"
        )
    if dtype is None:
        dtype = float32 if any(isinstance(x, float) for x in (start, stop, step)) else int64
    values = onp.arange(start, stop, step)
    return mx_np.array(values, dtype=dtype, ctx=device_context(device, "arange"))


def empty(shape: Shape, *, dtype: Any = None, device: Device = None) -> Any:
    """An array whose values are whatever its memory holds; float32 by default."""
    return mx_np.empty(shape, dtype or float32, ctx=device_context(device, "empty"))


def zeros(shape: Shape, *, dtype: Any = None, device: Device = None) -> Any:
    """An array of zeros; float32 by default."""
    return mx_np.zeros(shape, dtype or float32, ctx=device_context(device, "zeros"))


def ones(shape: Shape, *, dtype: Any = None, device: Device = None) -> Any:
    """An array of ones; float32 by default."""
    return mx_np.ones(shape, dtype or float32, ctx=device_context(device, "ones"))


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: Device = None) -> Any:
    """An array with one value everywhere; its dtype is that of the number unless said."""
    kind = _kind(fill_value) if dtype is None else dtype
    if type(fill_value) is int:
        asarray(fill_value, dtype=kind)  # refuses what the dtype cannot hold
    return mx_np.full(shape, fill_value, kind, ctx=device_context(device, "full"))


def _like(x: Any, who: str, device: Device) -> tuple[ndarray, Context]:
    x = array_of(x, who)
    return x, device_context(device, who) or x.context


def empty_like(x: Any, /, *, dtype: Any = None, device: Device = None) -> Any:
    """An array of the shape, dtype and device of another one, with whatever values."""
    x, where = _like(x, "empty_like", device)
    return empty(x.shape, dtype=dtype or x.dtype, device=where)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Device = None) -> Any:
    """An array of zeros of the shape, dtype and device of another one."""
    x, where = _like(x, "zeros_like", device)
    return zeros(x.shape, dtype=dtype or x.dtype, device=where)


def ones_like(x: Any, /, *, dtype: Any = None, device: Device = None) -> Any:
    """An array of ones of the shape, dtype and device of another one."""
    x, where = _like(x, "ones_like", device)
    return ones(x.shape, dtype=dtype or x.dtype, device=where)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Device = None) -> Any:
    """An array with one value, of the shape, dtype and device of another one."""
    x, where = _like(x, "full_like", device)
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=where)


def eye(
    n_rows: int, n_cols: Optional[int] = None, /, *, k: int = 0, dtype: Any = None, device: Device = None
) -> Any:
    """A matrix with ones on a diagonal and zeros elsewhere; float32 by default."""
    return mx_np.eye(n_rows, n_cols, k, dtype or float32, ctx=device_context(device, "eye"))


def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Device = None,
    endpoint: bool = True,
) -> Any:
    """``num`` numbers at equal distances; float32 by default."""
    values = onp.linspace(start, stop, num, endpoint=endpoint)
    return mx_np.array(values, dtype=dtype or float32, ctx=device_context(device, "linspace"))


def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Any, ...]:
    """Coordinates of a grid, one array for each axis.

    Parameters
    ----------
    *arrays : ndarray
        Of one axis each, and one dtype.
    indexing : {'xy', 'ij'}
        Whether the second array, or the first, runs along the first axis.
    """
    xs = [array_of(x, "meshgrid") for x in arrays]
    if len({x.dtype for x in xs}) > 1:
        raise ValueError("[meshgrid] arrays have several dtypes; expected one")
    return tuple(mx_np.meshgrid(*xs, indexing=indexing)) if xs else ()


def tril(x: Any, /, *, k: int = 0) -> Any:
    """Matrices with zeros above a diagonal."""
    return mx_np.tril(_matrices(x, "tril"), k)


def triu(x: Any, /, *, k: int = 0) -> Any:
    """Matrices with zeros below a diagonal."""
    x = _matrices(x, "triu")
    rows, columns = (onp.arange(extent) for extent in x.shape[-2:])
    kept = mx_np.array(columns[None] - rows[:, None] >= k, dtype="bool", ctx=x.context)
    return mx_np.where(kept, x, zeros_like(x))


def _matrices(x: Any, who: str) -> Any:
    if array_of(x, who).ndim < 2:
        raise ValueError(f"[{who}] shape is {x.shape}; expected two axes at least")
    return x


def from_dlpack(x: Any, /, *, device: Device = None, copy: Optional[bool] = None) -> Any:
    """An array on the memory of another library's, which has ``__dlpack__``.

    Parameters
    ----------
    x : object with ``__dlpack__`` and ``__dlpack_device__``
    device : Context or str, optional
        Where the array shall lie; a copy if that is another place.
    copy : bool, optional
        True copies; False raises ``ValueError`` where ``device`` asks for a copy.
    """
    from ..ndarray import from_dlpack as taken

    result = taken(x)._as(ndarray)
    where = device_context(device, "from_dlpack")
    if where is not None and where != result.context:
        if copy is False:
            raise ValueError(f"[from_dlpack] copy is False; the memory is not on {where}")
        return result.as_in_context(where)
    return result.copy() if copy else result
