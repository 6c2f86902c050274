"""NumPy's indexing, translated into views and operators.

Basic keys (ints, slices, ellipsis, newaxis) become a view where the region is contiguous and one strided
copy where it is
not. Index and mask arrays become one gather or scatter. Keys that mix index arrays with partial slices go
through a table of
flat positions that NumPy itself computes, so their meaning is NumPy's by construction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from .. import _core
from .. import ops as _ops
from ..base import MXIndexError

if TYPE_CHECKING:
    from .ndarray import NDArray


class _Region(NamedTuple):
    """A basic key: one (begin, step, size) per axis, and the shape of the result."""

    begin: list[int]
    step: list[int]
    size: list[int]
    shape: tuple[int, ...]


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


def _region(parts: list[Any], shape: tuple[int, ...]) -> _Region:
    begin, step, size, result = [], [], [], []
    axis = 0
    for part in parts:
        if part is None:
            result.append(1)
            continue
        extent = shape[axis]
        if _is_int(part):
            at = int(part)
            if not -extent <= at < extent:
                raise MXIndexError(f"[getitem] index {at} is outside axis {axis} of extent {extent}")
            begin.append(at + extent if at < 0 else at)
            step.append(1)
            size.append(1)
        else:
            first, last, stride = part.indices(extent)
            count = len(range(first, last, stride))
            begin.append(first if count else 0)
            step.append(stride if count > 1 else 1)  # of one element, any step means the same
            size.append(count)
            result.append(count)
        axis += 1
    return _Region(begin, step, size, tuple(result))


def _contiguous_rows(region: _Region, shape: tuple[int, ...]) -> Optional[tuple[int, int, int]]:
    """(axis, begin, end) when the region is one contiguous run of rows of that axis, with single indices
    before it."""
    axis = 0
    while axis < len(shape) and region.size[axis] == 1:
        axis += 1
    axis = min(axis, len(shape) - 1)
    if region.size[axis] > 1 and region.step[axis] != 1:
        return None
    for later in range(axis + 1, len(shape)):
        if region.size[later] != shape[later] or (region.step[later] != 1 and shape[later] > 1):
            return None
    row = 0
    for i in range(axis):
        row = row * shape[i] + region.begin[i]
    begin = row * shape[axis] + region.begin[axis]
    return axis, begin, begin + region.size[axis]


def _view(x: NDArray, region: _Region) -> Optional[NDArray]:
    """The region as a view, if it is contiguous."""
    shape = x.shape
    if not shape:
        return x._view(region.shape)
    rows = _contiguous_rows(region, shape)
    if rows is None or 0 in region.size:
        return None
    axis, begin, end = rows
    merged = x
    if axis > 0:
        merged = x._view((int(np.prod(shape[: axis + 1], dtype=np.int64)), *shape[axis + 1 :]))
    if (begin, end) != (0, merged.shape[0]):
        merged = merged._rows(begin, end)
    return merged if merged.shape == region.shape else merged._view(region.shape)


def _is_basic(part: Any) -> bool:
    return part is None or isinstance(part, slice) or _is_int(part)


def _normalise(x: NDArray, key: Any) -> Any:
    """Arrays and lists in the key become NumPy arrays or NDArrays of integers; masks become integers."""
    from .ndarray import NDArray

    parts = list(key) if isinstance(key, tuple) else [key]
    out: list[Any] = []
    for part in parts:
        if part is None or part is Ellipsis or isinstance(part, slice) or _is_int(part):
            out.append(part)
            continue
        if isinstance(part, NDArray):
            if part.dtype is np.bool_:
                part = part.asnumpy()
            elif part.ndim == 0:
                out.append(int(part))
                continue
            else:
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
        return part.detach() if part.dtype is np.int64 else part.detach().astype(np.int64)
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
    """``x[key]``."""
    recorded = _core.is_recording() and x._recorded
    if _is_int(key) and x.ndim > 0 and not recorded:  # the most frequent key, without the general machinery
        extent = x.shape[0]
        at = int(key)
        if not -extent <= at < extent:
            raise MXIndexError(f"[getitem] index {at} is outside axis 0 of extent {extent}")
        at += extent if at < 0 else 0
        row: NDArray = x._rows(at, at + 1)._view(x.shape[1:] if x.ndim > 1 else (1,))
        return row
    normal = _normalise(x, key)
    basic = all(p is Ellipsis or _is_basic(p) for p in normal)
    parts = _expanded(normal, x.ndim)
    if basic:
        region = _region(parts, x.shape)
        # MXNet has no 0-d arrays: indexing all axes gives one element in one axis.
        shape = region.shape if region.shape or x.ndim == 0 else (1,)
        if not recorded:
            view = _view(x, region._replace(shape=shape))
            if view is not None:
                return view
        taken: NDArray = _ops._strided_slice(x, region.begin, region.step, region.size) if x.ndim else x
        return taken if taken.shape == shape else taken._view(shape)
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
    """``x[key] = value``, in place."""
    normal = _normalise(x, key)
    basic = all(p is Ellipsis or _is_basic(p) for p in normal)
    parts = _expanded(normal, x.ndim)
    if basic:
        region = _region(parts, x.shape)
        if _is_number(value) and not _is_wide(value):
            scalar = int(value) if isinstance(value, (int, np.integer)) else float(value)
            if x.ndim == 0 or (tuple(region.size) == x.shape and not (_core.is_recording() and x._recorded)):
                _ops._full(x.shape, "", x._dtype_name(), scalar, out=x)
            else:
                _ops._strided_slice_assign_scalar(x, region.begin, region.step, region.size, scalar, out=x)
            return
        rhs = _value(x, value)
        if rhs.shape != region.shape:
            rhs = _fit(rhs, region.shape)
        sized = rhs._view(tuple(region.size)) if rhs.shape != tuple(region.size) else rhs
        if tuple(region.size) == x.shape and all(s == 1 for s in region.step):
            sized._copy_into(x)
        else:
            _ops._strided_slice_assign(x, sized, region.begin, region.step, region.size, out=x)
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
