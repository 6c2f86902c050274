"""Making arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from .. import _core
from .. import ops as _ops
from .._device import on_device
from .._quick import explained as _explained
from .._quick import quick as _quick
from ..base import DTYPE_NAMES, DTypeLike, dtype_number, extents
from ..context import Context, chosen_context
from . import sparse
from .ndarray import NDArray
from .sparse import array

__all__ = [
    "arange",
    "array",
    "concatenate",
    "empty",
    "eye",
    "from_dlpack",
    "from_numpy",
    "full",
    "linspace",
    "moveaxis",
    "onehot_encode",
    "ones",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "waitall",
    "zeros",
]

ShapeLike = Union[int, Sequence[int]]


@_explained
def empty(
    shape: ShapeLike,
    ctx: Optional[Context] = None,
    dtype: Optional[DTypeLike] = None,
    stype: Optional[str] = None,
) -> NDArray:
    """An array whose values are whatever its memory holds.

    Parameters
    ----------
    shape : int or tuple of int
        Extents.
    ctx : Context, optional
        Device; the current one by default.
    dtype : dtype, optional
        Element type; float32 by default.
    stype : str, optional
        Storage type: 'default' (dense), 'row_sparse' or 'csr', of which the latter two store nothing yet.
    """
    if stype not in (None, "default"):
        return sparse.empty(stype, shape, ctx, dtype)
    numbers = chosen_context(ctx, "empty").numbers
    return _core.create(extents(shape, "empty"), dtype_number("float32" if dtype is None else dtype), numbers)


def _filled(
    op: Any, shape: ShapeLike, ctx: Optional[Context], dtype: DTypeLike, out: Optional[NDArray]
) -> NDArray:
    with on_device(ctx):
        made: NDArray = op(
            extents(shape, op.__name__.lstrip("_")), "", DTYPE_NAMES[dtype_number(dtype)], out=out
        )
    return made


@_quick("zeros")
def zeros(
    shape: ShapeLike,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    stype: Optional[str] = None,
    *,
    out: Optional[NDArray] = None,
) -> NDArray:
    """An array of zeros.

    >>> import mixgrad as mx
    >>> mx.nd.zeros((2, 2)).asnumpy().sum()
    np.float32(0.0)
    """
    if stype not in (None, "default"):
        return sparse.zeros(stype, shape, ctx, dtype)
    return _filled(_ops._zeros, shape, ctx, dtype, out)


@_quick("ones")
def ones(
    shape: ShapeLike,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    *,
    out: Optional[NDArray] = None,
) -> NDArray:
    """An array of ones."""
    return _filled(_ops._ones, shape, ctx, dtype, out)


@_quick("full")
def full(
    shape: ShapeLike,
    val: float,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    out: Optional[NDArray] = None,
) -> NDArray:
    """An array with the value ``val`` everywhere."""
    if isinstance(val, int) and abs(val) > 2**53:  # the operator takes a double
        exact = empty(shape, ctx, dtype) if out is None else out
        exact[:] = val
        return exact
    if isinstance(val, NDArray):
        val = val.asscalar()
    with on_device(ctx):
        made: NDArray = _ops._full(extents(shape, "full"), "", DTYPE_NAMES[dtype_number(dtype)], val, out=out)
    return made


@_quick("arange")
def arange(
    start: float,
    stop: Optional[float] = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
) -> NDArray:
    """Values from ``start`` up to, not including, ``stop``, each ``repeat`` times.

    >>> import mixgrad as mx
    >>> mx.nd.arange(3).asnumpy()
    array([0., 1., 2.], dtype=float32)
    """
    if stop is None:
        start, stop = 0, start
    with on_device(ctx):
        made: NDArray = _ops._arange(
            start=start,
            stop=stop,
            step=step,
            repeat=repeat,
            infer_range=False,  # a symbol's option: an array has a stop
            dtype=DTYPE_NAMES[dtype_number(dtype)],
        )
    return made


@_explained
def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
) -> NDArray:
    """``num`` evenly spaced values from ``start`` to ``stop``, which is the last one if ``endpoint``.

    >>> import mixgrad as mx
    >>> mx.nd.linspace(0, 1, 5).asnumpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    with on_device(ctx):
        made: NDArray = _ops._linspace(start, stop, num, endpoint, dtype=DTYPE_NAMES[dtype_number(dtype)])
    return made


@_explained
def eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    *,
    out: Optional[NDArray] = None,
) -> NDArray:
    """Ones on diagonal ``k``, zeros elsewhere, of shape (N, M), or (N, N) when M is 0."""
    with on_device(ctx):
        made: NDArray = _ops._eye(N, M, k, dtype=DTYPE_NAMES[dtype_number(dtype)], out=out)
    return made


def _made_writable(values: np.ndarray) -> bool:
    """Whether the memory is NumPy's own, so that it can be written; the array is writable then."""
    owner = values
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    try:
        if owner.base is None and owner.flags.owndata:
            values.flags.writeable = True
    except ValueError:  # a view of an array that somebody made read-only
        pass
    return bool(values.flags.writeable)


def from_numpy(ndarray: np.ndarray, zero_copy: bool = True) -> NDArray:
    """An array of a C-contiguous NumPy array; with ``zero_copy`` over the same memory.

    With ``zero_copy`` the NumPy array is read-only from then on, as in MXNet: operations that are under way
    would not see when it is written. It shows what is written into the result. Memory that is read-only
    itself, such as a file's that was mapped for reading, is copied.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"[from_numpy] got {type(ndarray).__name__}; expected a NumPy array")
    if not zero_copy:
        return array(ndarray, dtype=ndarray.dtype)
    if not ndarray.flags.c_contiguous:
        raise ValueError(
            "[from_numpy] the array is not C-contiguous; pass a contiguous copy or zero_copy=False"
        )
    if not ndarray.flags.writeable and not _made_writable(ndarray):
        return array(ndarray, dtype=ndarray.dtype)
    made = from_dlpack(ndarray)
    ndarray.flags.writeable = False
    return made


def from_dlpack(dlpack: Any) -> NDArray:
    """An array over the memory of another library's tensor, or of a DLPack capsule.

    >>> import mixgrad as mx, numpy as np
    >>> a = np.zeros(3, dtype=np.float32)
    >>> b = mx.nd.from_dlpack(a)
    >>> b[:] = 7
    >>> b.wait_to_read(); a
    array([7., 7., 7.], dtype=float32)
    """
    capsule = dlpack.__dlpack__() if hasattr(dlpack, "__dlpack__") else dlpack
    if type(capsule).__name__ != "PyCapsule":
        raise TypeError(f"[from_dlpack] got {type(dlpack).__name__}; expected a tensor or a DLPack capsule")
    made: NDArray = _core.from_dlpack(capsule)
    return made


def to_dlpack_for_read(data: NDArray) -> Any:
    """A DLPack capsule over an array's memory, for reading: its values are computed.

    >>> import mixgrad as mx
    >>> mx.nd.from_dlpack(mx.nd.to_dlpack_for_read(mx.nd.ones((2,)))).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return _need_array(data, "to_dlpack_for_read").to_dlpack_for_read()


def to_dlpack_for_write(data: NDArray) -> Any:
    """A DLPack capsule over an array's memory, for writing: nothing reads or writes it any more."""
    return _need_array(data, "to_dlpack_for_write").to_dlpack_for_write()


def _need_array(data: Any, who: str) -> NDArray:
    if not isinstance(data, NDArray):
        raise TypeError(f"[{who}] got {type(data).__name__}; expected an NDArray")
    return data


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Joins arrays along an axis; one array is returned as it is when ``always_copy`` is False."""
    if not isinstance(arrays, (list, tuple)):
        raise TypeError(f"[concatenate] got {type(arrays).__name__}; expected a list of NDArray")
    if not arrays:
        raise ValueError("[concatenate] expected at least one array")
    if not always_copy and len(arrays) == 1:
        return arrays[0]
    joined: NDArray = _ops.concat(*arrays, dim=axis)
    return joined


def moveaxis(tensor: NDArray, source: ShapeLike, destination: ShapeLike) -> NDArray:
    """Moves axes to new places, the others stay in order.

    >>> import mixgrad as mx
    >>> mx.nd.moveaxis(mx.nd.zeros((2, 3, 4)), 0, 2).shape
    (3, 4, 2)
    """
    if not isinstance(tensor, NDArray):
        raise TypeError(f"[moveaxis] got {type(tensor).__name__}; expected an NDArray")
    ndim = tensor.ndim
    src = [s % ndim if -ndim <= s < ndim else s for s in extents(source, "moveaxis")]
    dst = [d % ndim if -ndim <= d < ndim else d for d in extents(destination, "moveaxis")]
    if (
        len(src) != len(dst)
        or len(set(src)) != len(src)
        or len(set(dst)) != len(dst)
        or max(src + dst) >= ndim
    ):
        raise ValueError(f"[moveaxis] axes {source} to {destination} of an array of {ndim} axes")
    order = [axis for axis in range(ndim) if axis not in src]
    for d, s in sorted(zip(dst, src)):
        order.insert(d, s)
    moved: NDArray = _ops.transpose(tensor, axes=order)
    return moved


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Writes rows with a single 1 at ``indices`` into ``out``, of shape (N, classes)."""
    if not isinstance(out, NDArray) or out.ndim != 2:
        raise TypeError(f"[onehot_encode] out is {out!r:.60}; expected an NDArray of shape (N, classes)")
    result: NDArray = _ops.one_hot(indices, depth=out.shape[1], out=out)
    return result


def waitall() -> None:
    """Blocks until all work is done; raises the first failure since the last that was raised."""
    _core.wait_all()
