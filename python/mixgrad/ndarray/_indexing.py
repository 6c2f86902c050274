"""The keys and values of indexing that the array type does not read itself.

Ints, slices, ellipsis, newaxis, and arrays of numbers beside whole axes, are the library's
(``mg_array_index``). What means the same is translated into them here: masks, NumPy's arrays, lists that are
not plain, values that are no arrays. Keys that mix index arrays with partial slices go through a table of
flat positions that NumPy itself computes, so their meaning is NumPy's by construction.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .. import ops as _ops
from ..base import MXIndexError, bfloat16

if TYPE_CHECKING:
    from .ndarray import NDArray


_FLOATS = (np.float16, np.float32, np.float64, bfloat16)


def _is_int(key: Any) -> bool:
    return isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_))


def _expanded(key: Any, ndim: int) -> list[Any]:
    """The key as a list with the ellipsis replaced by full slices."""
    parts = list(key) if isinstance(key, tuple) else [key]
    taken = 0
    for part in parts:
        if part is None or part is Ellipsis:
            continue
        is_mask = hasattr(part, "dtype") and np.dtype(getattr(part, "dtype", None)).kind == "b"
        taken += max(int(part.ndim), 0) if is_mask else 1
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise MXIndexError("[getitem] an index can have only one ellipsis ('...')")
    if taken > ndim:
        raise MXIndexError(f"[getitem] {taken} indices for an array of {ndim} axes")
    fill = [slice(None)] * (ndim - taken)
    if dots:
        return parts[: dots[0]] + fill + parts[dots[0] + 1 :]
    return parts + fill


def _with_empty_ellipsis(normal: tuple[Any, ...], parts: list[Any]) -> list[Any]:
    """The expanded parts, or the key as it is when its ellipsis stands for no axis: NumPy lets even that one
    separate index arrays, which moves their axes to the front."""
    return list(normal) if len(parts) == len(normal) - 1 and any(p is Ellipsis for p in normal) else parts


def _is_basic(part: Any) -> bool:
    return part is None or isinstance(part, slice) or _is_int(part)


def _normalise(x: NDArray, key: Any) -> Any:
    """Arrays and lists in the key become NumPy arrays or NDArrays of integers; masks become integers."""
    from .ndarray import NDArray

    parts = list(key) if isinstance(key, tuple) else [key]
    out: list[Any] = []
    for part in parts:
        if _is_int(part) and not -(2**63) <= int(part) < 2**63:
            raise MXIndexError(f"[getitem] index {part} is outside every axis; expected a number of 64 bits")
        if part is None or part is Ellipsis or isinstance(part, slice) or _is_int(part):
            out.append(part)
            continue
        if isinstance(part, NDArray):
            if part.dtype == np.bool_:
                part = part.asnumpy()
            elif part.ndim == 0:
                out.append(int(part))
                continue
            else:
                if part is key and part.ndim > 1 and part.shape == x.shape and part.dtype in _FLOATS:
                    warnings.warn(
                        "[index] floats in the array's own shape, as comparisons give them, are positions, "
                        "as in MXNet; for a mask write mask.astype('bool')",
                        stacklevel=3,
                    )
                out.append(part)
                continue
        values = np.asarray(part)
        if values.dtype.kind == "b":
            out.append(values)
        elif values.ndim == 0 and values.dtype.kind in "iu":
            out.append(int(values))
        elif (
            values.dtype.kind in "iu"
            or values.size == 0
            or (
                values.dtype.kind == "f"
                and np.all(np.abs(values) < 2**63)
                and np.all(values == np.floor(values))
            )
        ):
            out.append(values.astype(np.int64))
        else:
            raise MXIndexError(
                f"[getitem] arrays used as indices must be integers or booleans; got {values.dtype}"
            )
    return tuple(out)


def _expand_masks(parts: list[Any], shape: tuple[int, ...]) -> list[Any]:
    out: list[Any] = []
    axis = 0
    for part in parts:
        if isinstance(part, np.ndarray) and part.dtype.kind == "b":
            covered = shape[axis : axis + part.ndim]
            if part.shape != covered:
                raise MXIndexError(
                    f"[getitem] a mask of shape {part.shape} does not fit axes of shape {covered}"
                )
            # A mask without axes, such as True, stays as it is: only NumPy's table knows what it means.
            out.extend(part.nonzero() if part.ndim else [part])
            axis += part.ndim
            continue
        out.append(part)
        axis += part is not None and part is not Ellipsis
    return out


def _index_array(part: Any, x: NDArray) -> NDArray:
    from .ndarray import NDArray, array

    if isinstance(part, NDArray):
        return part.detach() if part.dtype == np.int64 else part.detach().astype(np.int64)
    return array(np.asarray(part, dtype=np.int64), ctx=x.context)


def _gather_parts(parts: list[Any], x: NDArray) -> Optional[tuple[tuple[int, ...], list[Any]]]:
    """(axes, index arrays) when the key is full slices and index arrays only."""
    axes, indices = [], []
    for axis, part in enumerate(parts):
        if isinstance(part, slice):
            if part.indices(x.shape[axis]) != (0, x.shape[axis], 1):
                return None
        elif part is None or part is Ellipsis or (isinstance(part, np.ndarray) and part.ndim == 0):
            return None
        else:
            axes.append(axis)
            indices.append(part)
    return tuple(axes), indices


def _flat_positions(x: NDArray, parts: list[Any]) -> np.ndarray:
    """Position in the flattened array of each element that the key selects."""
    table = np.arange(x.size, dtype=np.int64).reshape(x.shape)
    key = tuple(p.asnumpy().astype(np.int64) if hasattr(p, "asnumpy") else p for p in parts)
    try:
        return np.asarray(table[key])
    except IndexError as error:
        raise MXIndexError(f"[getitem] {error}") from None


def get(x: NDArray, key: Any) -> NDArray:
    """``x[key]`` for the keys that the array type does not read itself."""
    normal = _normalise(x, key)
    parts = _expanded(normal, x.ndim)
    if all(p is Ellipsis or _is_basic(p) for p in normal):
        return x[normal]
    parts = _expand_masks(_with_empty_ellipsis(normal, parts), x.shape)
    gather = _gather_parts(parts, x)
    if gather is not None:
        axes, indices = gather
        result: NDArray = _ops._index_gather(x, *[_index_array(i, x) for i in indices], axes=axes)
        return result
    flat = _flat_positions(x, parts)
    picked: NDArray = _ops._index_gather(x.reshape(-1), _index_array(flat.reshape(-1), x), axes=(0,))
    return picked._view(flat.shape)


def _value(x: NDArray, value: Any) -> NDArray:
    """``value`` as an array of x's dtype and device."""
    from .ndarray import NDArray, array

    if isinstance(value, NDArray):
        local: NDArray = value.as_in_context(x.context)
        return local if local._dtype_number == x._dtype_number else local.astype(x.dtype)
    return array(value, ctx=x.context, dtype=x.dtype)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, bool, np.number, np.bool_))


def _is_wide(value: Any) -> bool:
    """A whole number that operators with a number, which is a double there, would round."""
    return isinstance(value, (int, np.integer)) and not -(2**53) <= int(value) <= 2**53


def assign(x: NDArray, key: Any, value: Any) -> None:
    """``x[key] = value``, in place, for what the array type does not read itself."""
    normal = _normalise(x, key)
    parts = _expanded(normal, x.ndim)
    if all(p is Ellipsis or _is_basic(p) for p in normal):
        if _is_number(value) and not _is_wide(value):
            x[normal] = int(value) if isinstance(value, (int, np.integer)) else float(value)
        else:
            x[normal] = _value(x, value)
        return
    parts = _expand_masks(_with_empty_ellipsis(normal, parts), x.shape)
    rhs = _value(x, value)
    gather = _gather_parts(parts, x)
    if gather is not None:
        axes, indices = gather
        _ops._index_put(x, rhs, *[_index_array(i, x) for i in indices], axes=axes, out=x)
        return
    flat = _flat_positions(x, parts)
    fitted = _fit(rhs, flat.shape).reshape(-1)
    whole = x._view((int(x.size),))
    _ops._index_put(whole, fitted, _index_array(flat.reshape(-1), x), axes=(0,), out=whole)


def _fit(rhs: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Broadcast to the shape of the region; leading axes of extent 1 are dropped as NumPy does."""
    extents = rhs.shape
    while len(extents) > len(shape) and extents[0] == 1:
        extents = extents[1:]
    if len(extents) > len(shape):
        raise ValueError(
            f"[setitem] a value of shape {rhs.shape} does not broadcast to the region's shape {shape}"
        )
    extents = (1,) * (len(shape) - len(extents)) + tuple(extents)
    if any(a not in (1, b) for a, b in zip(extents, shape)):
        raise ValueError(
            f"[setitem] a value of shape {rhs.shape} does not broadcast to the region's shape {shape}"
        )
    shaped: NDArray = rhs if rhs.shape == extents else rhs._view(extents)
    if extents == tuple(shape):
        return shaped
    result: NDArray = _ops._broadcast_to(shaped, shape)
    return result
