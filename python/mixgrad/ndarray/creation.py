"""Making arrays, and storing them in files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from .. import _core
from .. import ops as _ops
from .._device import on_device
from ..base import DTYPE_NAMES, DTypeLike, dtype_number
from ..context import Context, current_context
from .ndarray import NDArray, array

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
    "load",
    "load_frombuffer",
    "moveaxis",
    "onehot_encode",
    "ones",
    "save",
    "save_tobuffer",
    "waitall",
    "zeros",
]

ShapeLike = Union[int, Sequence[int]]


def _extents(shape: ShapeLike) -> tuple[int, ...]:
    return (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(s) for s in shape)


def empty(shape: ShapeLike, ctx: Optional[Context] = None, dtype: DTypeLike = "float32") -> NDArray:
    """An array whose values are whatever its memory holds.

    Parameters
    ----------
    shape : int or tuple of int
        Extents.
    ctx : Context, optional
        Device; the current one by default.
    dtype : dtype
        Element type.
    """
    context = current_context() if ctx is None else ctx
    made: NDArray = _core.create(_extents(shape), dtype_number(dtype), context.numbers)
    return made


def _filled(
    op: Any, shape: ShapeLike, ctx: Optional[Context], dtype: DTypeLike, out: Optional[NDArray]
) -> NDArray:
    with on_device(ctx):
        made: NDArray = op(_extents(shape), "", DTYPE_NAMES[dtype_number(dtype)], out=out)
    return made


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
        raise NotImplementedError(f"[zeros] storage type {stype!r} is not supported; expected 'default'")
    return _filled(_ops._zeros, shape, ctx, dtype, out)


def ones(
    shape: ShapeLike,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    *,
    out: Optional[NDArray] = None,
) -> NDArray:
    """An array of ones."""
    return _filled(_ops._ones, shape, ctx, dtype, out)


def full(
    shape: ShapeLike,
    val: float,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
    out: Optional[NDArray] = None,
) -> NDArray:
    """An array with the value ``val`` everywhere."""
    with on_device(ctx):
        made: NDArray = _ops._full(_extents(shape), "", DTYPE_NAMES[dtype_number(dtype)], val, out=out)
    return made


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
            infer_range=infer_range,
            dtype=DTYPE_NAMES[dtype_number(dtype)],
        )
    return made


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
) -> NDArray:
    """``num`` evenly spaced values from ``start`` to ``stop``."""
    span = stop - start
    step = span / ((num - 1) if endpoint else num) if num > (1 if endpoint else 0) else 0.0
    values = start + np.arange(num, dtype=np.float64) * step
    return array(values, ctx=ctx, dtype=dtype)


def eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: Optional[Context] = None,
    dtype: DTypeLike = "float32",
) -> NDArray:
    """Ones on diagonal ``k``, zeros elsewhere, of shape (N, M), or (N, N) when M is 0."""
    return array(np.eye(N, M or N, k), ctx=ctx, dtype=dtype)


def from_numpy(ndarray: np.ndarray, zero_copy: bool = True) -> NDArray:
    """An array of a C-contiguous NumPy array; with ``zero_copy`` over the same memory.

    The NumPy array must not be written while operations on the result are under way.
    """
    if not zero_copy:
        return array(ndarray, dtype=ndarray.dtype)
    if not ndarray.flags.c_contiguous:
        raise ValueError(
            "[from_numpy] the array is not C-contiguous; pass a contiguous copy or zero_copy=False"
        )
    if not ndarray.flags.writeable:
        raise ValueError("[from_numpy] the array is read-only; pass a copy or zero_copy=False")
    return from_dlpack(ndarray)


def from_dlpack(source: Any) -> NDArray:
    """An array over the memory of another library's tensor, or of a DLPack capsule.

    >>> import mixgrad as mx, numpy as np
    >>> a = np.zeros(3, dtype=np.float32)
    >>> b = mx.nd.from_dlpack(a)
    >>> b[:] = 7
    >>> b.wait_to_read(); a
    array([7., 7., 7.], dtype=float32)
    """
    capsule = source.__dlpack__() if hasattr(source, "__dlpack__") else source
    made: NDArray = _core.from_dlpack(capsule)
    return made


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Joins arrays along an axis; one array is returned as it is when ``always_copy`` is False."""
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
    ndim = tensor.ndim
    src = [s % ndim if -ndim <= s < ndim else s for s in _extents(source)]
    dst = [d % ndim if -ndim <= d < ndim else d for d in _extents(destination)]
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
    result: NDArray = _ops.one_hot(indices, depth=out.shape[1], out=out)
    return result


def waitall() -> None:
    """Blocks until all work is done; raises the first failure nobody has seen yet."""
    _core.wait_all()


# Files.

Saved = Union[NDArray, Sequence[NDArray], Mapping[str, NDArray]]


def _named(data: Saved) -> tuple[list[NDArray], Optional[list[str]]]:
    if isinstance(data, NDArray):
        return [data], None
    if isinstance(data, Mapping):
        names = list(data)
        if not all(isinstance(name, str) for name in names):
            raise TypeError("[save] names must be text")
        arrays = [data[name] for name in names]
    else:
        names, arrays = None, list(data)
    for item in arrays:
        if not isinstance(item, NDArray):
            raise TypeError(f"[save] expected NDArrays; got {type(item).__name__}")
    return arrays, names


def _is_uri(fname: str) -> bool:
    return "://" in fname


def _open_uri(fname: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise ImportError(
            f"[save] {fname!r} is a URI: install fsspec (pip install 'mixgrad[io]') to use it"
        ) from None
    filesystem, path = fsspec.core.url_to_fs(fname)
    return filesystem, path


def save(fname: Union[str, os.PathLike[str]], data: Saved, format: Optional[str] = None) -> None:
    """Writes arrays to a file: MXNet's .params, or safetensors by name. The file appears complete or not at
    all.

    Parameters
    ----------
    fname : str or path
        Local path, or a URI such as ``s3://bucket/key`` or ``hdfs://host/path`` that fsspec understands.
    data : NDArray, list of NDArray, or dict of str to NDArray
        What to store. Blocks until the values are computed.
    format : {'params', 'safetensors'}, optional
        By default by the name's ending.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.save("memory://weights.params", {"w": mx.nd.ones((2,))})
    >>> mx.nd.load("memory://weights.params")["w"].shape
    (2,)
    """
    name = os.fspath(fname)
    arrays, names = _named(data)
    kind = format or ("safetensors" if name.endswith(".safetensors") else "params")
    if not _is_uri(name):
        _core.save(name, kind, arrays, names)
        return
    content = _core.save_buffer(kind, arrays, names)
    filesystem, path = _open_uri(name)
    temporary = f"{path}.tmp-{os.getpid()}"
    try:
        with filesystem.open(temporary, "wb") as file:
            file.write(content)
        filesystem.mv(temporary, path)
    except BaseException:
        if filesystem.exists(temporary):
            filesystem.rm(temporary)
        raise


def save_tobuffer(data: Saved, format: str = "params") -> bytes:
    """The bytes that :func:`save` would write."""
    arrays, names = _named(data)
    return bytes(_core.save_buffer(format, arrays, names))


def _delivered(loaded: tuple[list[NDArray], Optional[list[str]]]) -> Union[list[NDArray], dict[str, NDArray]]:
    arrays, names = loaded
    return arrays if names is None else dict(zip(names, arrays))


def load(fname: Union[str, os.PathLike[str]]) -> Union[list[NDArray], dict[str, NDArray]]:
    """Reads arrays from a file of any version of MXNet's .params, or from safetensors.

    Parameters
    ----------
    fname : str or path
        Local path or URI, as in :func:`save`.

    Returns
    -------
    list of NDArray, or dict of str to NDArray
        As they were saved; arrays are placed on the current device.

    Raises
    ------
    FileFormatError
        When the file is damaged or of another format.
    """
    name = os.fspath(fname)
    if not _is_uri(name):
        return _delivered(_core.load(name))
    filesystem, path = _open_uri(name)
    with filesystem.open(path, "rb") as file:
        return load_frombuffer(file.read())


def load_frombuffer(buf: Union[bytes, bytearray, memoryview]) -> Union[list[NDArray], dict[str, NDArray]]:
    """Reads arrays from bytes, as :func:`load` does from a file.

    >>> import mixgrad as mx
    >>> mx.nd.load_frombuffer(mx.nd.save_tobuffer([mx.nd.ones((3,))]))[0].shape
    (3,)
    """
    return _delivered(_core.load_buffer(buf))
