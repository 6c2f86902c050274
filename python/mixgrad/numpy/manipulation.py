"""Functions that arrange the elements of arrays: shapes, joining, splitting, repeating."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as onp

from .. import _core, _hints
from ..base import InvalidArgumentError, MXIndexError, ShapeError, UnknownExtentsError, whole
from .operands import (
    delivered,
    is_number,
    is_symbol,
    listed,
    plain,
    tensor,
    tensors,
    together,
)
from .operators import operators as _ops

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = [
    "append",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "column_stack",
    "concatenate",
    "delete",
    "diag",
    "diagflat",
    "diagonal",
    "dsplit",
    "dstack",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "insert",
    "may_share_memory",
    "moveaxis",
    "pad",
    "ravel",
    "repeat",
    "reshape",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "row_stack",
    "shape",
    "shares_memory",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "tril",
    "triu",
    "vsplit",
    "vstack",
]

Sections = Union[int, Sequence[int]]


def shape(a: Any) -> tuple[int, ...]:
    """The extents of an array."""
    return a.shape if isinstance(a, _core.NDArrayBase) else onp.shape(a)


def reshape(a: Any, newshape: Any, order: str = "C", out: Any = None) -> ndarray:
    """The elements in another shape.

    Parameters
    ----------
    a : ndarray
    newshape : int or tuple of int
        Extents; -1 is one that follows from the others.
    order : {'C'}
    out : ndarray, optional
        Receives the result.
    """
    if order != "C":
        raise NotImplementedError(f"[reshape] order is {order!r}; expected 'C', the one order of memory")
    return _ops._np_reshape(tensor(a), newshape, out=out)


def ravel(x: Any, order: str = "C") -> ndarray:
    """The elements along one axis."""
    if order != "C":
        raise NotImplementedError(f"[ravel] order is {order!r}; expected 'C', the one order of memory")
    return x if is_number(x) else reshape(x, -1)


def transpose(a: Any, axes: Any = None) -> ndarray:
    """The array with its axes in another order, by default the reverse one.

    Parameters
    ----------
    a : ndarray
    axes : tuple of int, optional
        For each axis of the result, that of ``a``.
    """
    return _ops._np_transpose(tensor(a), axes=axes)


def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """The array with two axes exchanged."""
    return _ops._npi_swapaxes(tensor(a), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> ndarray:
    """The array with axes moved to other places.

    Parameters
    ----------
    a : ndarray
    source, destination : int or tuple of int
        Where axes are and where they go; the others keep their order.
    """
    one = isinstance(source, int), isinstance(destination, int)
    return _ops._np_moveaxis(
        tensor(a), (source,) if one[0] else tuple(source), (destination,) if one[1] else tuple(destination)
    )


def rollaxis(a: Any, axis: int, start: int = 0) -> ndarray:
    """The array with one axis moved before another one."""
    a = tensor(a)
    place = axis + a.ndim if axis < 0 else axis
    start = start + a.ndim if start < 0 else start
    if not 0 <= place < a.ndim or not 0 <= start <= a.ndim:
        raise ShapeError(f"[rollaxis] axis is {axis}, start {start}; the array has {a.ndim} axes")
    return moveaxis(a, place, start - 1 if place < start else start)


def expand_dims(a: Any, axis: Any) -> ndarray:
    """The array with a new axis of extent 1, or several."""
    a = tensor(a)
    if isinstance(axis, (tuple, list)):
        count = a.ndim + len(axis)
        places = [whole(x, "expand_dims", "axis", -count, count - 1) % count for x in axis]
        if len(set(places)) < len(places):
            raise InvalidArgumentError(f"[expand_dims] axis is {axis!r:.60}, which names one twice")
        for one in sorted(places):
            a = _ops._npi_expand_dims(a, one)
        return a
    return _ops._npi_expand_dims(a, axis)


def squeeze(a: Any, axis: Any = None, out: Any = None) -> ndarray:
    """The array without axes of extent 1: all of them, or those given."""
    return _ops._np_squeeze(tensor(a), axis=axis, out=out)


def broadcast_to(array: Any, shape: Any) -> ndarray:
    """The array repeated along axes of extent 1 and new leading ones.

    Parameters
    ----------
    array : ndarray or number
    shape : tuple of int
    """
    if is_number(array):
        from .creation import full

        return full(shape, array)
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    return _ops._npi_broadcast_to(tensor(array), extents)


def broadcast_arrays(*args: Any) -> list[Any]:
    """The arrays broadcast against one another.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [x.shape for x in mx.np.broadcast_arrays(mx.np.ones((3, 1)), mx.np.ones(2))]
    [(3, 2), (3, 2)]
    """
    arrays = [tensor(x) for x in args]
    whole = onp.broadcast_shapes(*(x.shape for x in arrays))
    return [x if x.shape == whole else broadcast_to(x, whole) for x in arrays]


def _atleast(name: str, arys: tuple[Any, ...]) -> Any:
    for x in arys:
        if isinstance(x, (list, tuple)):
            raise TypeError(f"[{name}] got a {type(x).__name__}; expected arrays one by one")
    results = listed(getattr(_ops, "_np_" + name)(*[tensor(x) for x in arys]))
    return results[0] if len(results) == 1 else results


def atleast_1d(*arys: Any) -> Any:
    """The arrays with at least one axis; a list of several."""
    return _atleast("atleast_1d", arys)


def atleast_2d(*arys: Any) -> Any:
    """The arrays with at least two axes; a list of several."""
    return _atleast("atleast_2d", arys)


def atleast_3d(*arys: Any) -> Any:
    """The arrays with at least three axes; a list of several."""
    return _atleast("atleast_3d", arys)


# Joining.


def concatenate(seq: Any, axis: Optional[int] = 0, out: Any = None) -> ndarray:
    """Arrays one after another along an axis.

    Parameters
    ----------
    seq : list of ndarray
    axis : int or None
        None flattens them first.
    out : ndarray, optional
        Receives the result.
    """
    return together(_ops._npi_concatenate, tensors(seq, "concatenate"), axis=axis, out=out)


def stack(arrays: Any, axis: int = 0, out: Any = None) -> ndarray:
    """Arrays of one shape along a new axis."""
    return together(_ops._npi_stack, tensors(arrays, "stack"), axis=axis, out=out)


def vstack(arrays: Any, out: Any = None) -> ndarray:
    """Arrays one below another."""
    return together(_ops._npi_vstack, tensors(arrays, "vstack"), out=out)


row_stack = vstack


def hstack(arrays: Any) -> ndarray:
    """Arrays one beside another: along the second axis, or the only one."""
    return together(_ops._npi_hstack, tensors(arrays, "hstack"))


def dstack(arrays: Any) -> ndarray:
    """Arrays along the third axis."""
    return together(_ops._npi_dstack, tensors(arrays, "dstack"))


def column_stack(tup: Any) -> ndarray:
    """Arrays as columns of a matrix."""
    return together(_ops._npi_column_stack, tensors(tup, "column_stack"))


def append(arr: Any, values: Any, axis: Optional[int] = None) -> ndarray:
    """The array with others' values behind its own, flattened without an axis."""
    first = tensor(arr, values if isinstance(values, _core.NDArrayBase) else None)
    return concatenate([first, tensor(values, first)], axis)


# Splitting.


def _cut(name: str, ary: Any, indices: Any, axis: int) -> list[Any]:
    if isinstance(indices, (onp.ndarray, _core.NDArrayBase)) and indices.ndim > 0:
        indices = plain(indices).tolist()
    if isinstance(indices, (list, tuple, range)):
        if not is_symbol(ary):
            extent = ary.shape[axis]
            cuts = [slice(0, i).indices(extent)[1] for i in indices]
            if cuts != sorted(cuts):  # parts that overlap, or none of it, as in NumPy
                ary = swapaxes(ary, 0, axis)
                return [swapaxes(ary[a:b], 0, axis) for a, b in zip([0, *cuts], [*cuts, extent])]
        return listed(_ops._npi_split(ary, (0, *(int(i) for i in indices)), axis, False, 0))
    if not hasattr(indices, "__index__"):
        raise ValueError(
            f"[{name}] indices_or_sections is {type(indices).__name__}; expected an int or a tuple of ints"
        )
    sections = operator.index(indices)
    if sections < 1:
        raise ValueError(f"[{name}] {sections} sections; expected at least 1")
    return listed(_ops._npi_split(ary, (), axis, False, sections))


def split(ary: Any, indices_or_sections: Sections, axis: int = 0) -> list[Any]:
    """Parts of an array along an axis.

    Parameters
    ----------
    ary : ndarray
    indices_or_sections : int, or tuple of int
        How many parts of one extent, or the places at which a new part begins.
    axis : int

    Returns
    -------
    list of ndarray
    """
    ary = tensor(ary)
    if not is_symbol(ary) and isinstance(indices_or_sections, int):
        extent = ary.shape[axis]
        if indices_or_sections < 1 or extent % indices_or_sections:
            raise ValueError(
                f"[split] axis {axis} of extent {extent} in {indices_or_sections} parts; expected a divisor"
            )
    return _cut("split", ary, indices_or_sections, axis)


def array_split(ary: Any, indices_or_sections: Sections, axis: int = 0) -> list[Any]:
    """Parts of an array along an axis; the first are longer by one where the number is no divisor."""
    ary = tensor(ary)
    if isinstance(indices_or_sections, int) and is_symbol(ary):
        raise UnknownExtentsError("[array_split] the extent of a symbol is not known; expected places")
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise ValueError(f"[array_split] {indices_or_sections} sections; expected at least 1")
        whole, more = divmod(ary.shape[axis], indices_or_sections)
        ends = onp.cumsum([whole + 1] * more + [whole] * (indices_or_sections - more))[:-1]
        indices_or_sections = tuple(ends.tolist())
        if not indices_or_sections:
            return [_ops._np_copy(ary)]
    return _cut("array_split", ary, indices_or_sections, axis)


def hsplit(ary: Any, indices_or_sections: Sections) -> list[Any]:
    """Parts along the second axis, or the only one."""
    ary = tensor(ary)
    if not is_symbol(ary) and ary.ndim < 1:
        raise ValueError("[hsplit] the array has no axes; expected at least one")
    if is_symbol(ary):
        whole = isinstance(indices_or_sections, int)
        given = () if whole else (0, *indices_or_sections)  # type: ignore[misc]
        return listed(_ops._npi_hsplit(ary, given, 1, False, indices_or_sections if whole else 0))
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def vsplit(ary: Any, indices_or_sections: Sections) -> list[Any]:
    """Parts along the first axis of two or more."""
    ary = tensor(ary)
    if not is_symbol(ary) and ary.ndim < 2:
        raise ValueError(f"[vsplit] the array has {ary.ndim} axes; expected at least two")
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Sections) -> list[Any]:
    """Parts along the third axis."""
    ary = tensor(ary)
    if not is_symbol(ary) and ary.ndim < 3:
        raise ValueError(f"[dsplit] the array has {ary.ndim} axes; expected at least three")
    return split(ary, indices_or_sections, 2)


# Repeating and turning.


def repeat(a: Any, repeats: Any, axis: Optional[int] = None) -> ndarray:
    """Each element, or slice along an axis, several times.

    Parameters
    ----------
    a : ndarray
    repeats : int, or tuple of int
        How often: all, or each.
    axis : int, optional
        None flattens first.
    """
    a = tensor(a)
    if not hasattr(repeats, "__index__") or isinstance(repeats, (_core.NDArrayBase, onp.ndarray)):
        times = onp.asarray(plain(repeats)).reshape(-1)
        if times.size != 1:
            places = onp.repeat(onp.arange(a.size if axis is None else a.shape[axis]), times)
            from .searching import take

            return take(a, places, axis, "clip")
        repeats = int(times[0])
    return _ops._np_repeat(a, repeats, axis)


def tile(A: Any, reps: Any) -> Any:
    """The array several times along each axis."""
    if is_number(A):
        return onp.tile(A, reps)
    times = plain(reps)
    return _ops._npi_tile(tensor(A), (times,) if isinstance(times, (int, onp.integer)) else tuple(times))


def resize(a: Any, new_shape: Any) -> ndarray:
    """The elements, as often as needed, in another shape."""
    extents = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    a = tensor(a).reshape(-1)
    count = int(onp.prod(extents, dtype=onp.int64))
    if any(extent < 0 for extent in extents):
        raise ValueError(f"[resize] new_shape is {extents}; expected extents from 0 on")
    if not is_symbol(a) and a.size == 0:
        from .creation import zeros

        return zeros(extents, a.dtype, ctx=a.context)
    if is_symbol(a):
        raise UnknownExtentsError("[resize] the size of a symbol is not known; expected an array")
    times = -(-count // a.size)
    return reshape((_ops._npi_tile(a, (times,)) if times > 1 else a)[:count], extents)


def flip(m: Any, axis: Any = None, out: Any = None) -> ndarray:
    """The array with the order of elements reversed along axes, by default all."""
    if is_number(m):
        return onp.flip(m, axis)
    m = tensor(m)
    axes = tuple(range(m.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if len(axes) > 1 and not is_symbol(m) and len({a % m.ndim for a in axes if m.ndim}) < len(axes):
        raise ValueError(f"[flip] axis is {axes}; expected every axis once")
    result = _ops._npi_flip(m, axes) if axes else _ops._np_copy(m)
    return delivered(result, out)


def flipud(m: Any) -> ndarray:
    """The array with the order along the first axis reversed."""
    return flip(m, 0)


def fliplr(m: Any) -> ndarray:
    """The array with the order along the second axis reversed."""
    return flip(m, 1)


def roll(a: Any, shift: Any, axis: Any = None) -> ndarray:
    """The array with elements moved along axes; those behind the end come in front."""
    return _ops._np_roll(tensor(a), shift=shift, axis=axis)


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> ndarray:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
    return _ops._npi_rot90(tensor(m), k=k, axes=tuple(axes))


def tril(m: Any, k: int = 0) -> ndarray:
    """The array with zeros above a diagonal."""
    return _ops._npi_tril(tensor(m), k=k)


def triu(m: Any, k: int = 0) -> ndarray:
    """The array with zeros below a diagonal."""
    m = tensor(m)
    if m.ndim == 0:
        raise ShapeError("[triu] the array has no axes; expected at least one")
    if m.ndim < 2:
        m = broadcast_to(m, (m.shape[0],) * 2)
    return swapaxes(_ops._npi_tril(swapaxes(m, -1, -2), k=-k), -1, -2)


def diag(array: Any, k: int = 0) -> ndarray:
    """The diagonal of a matrix, or a matrix with that diagonal."""
    return _ops._np_diag(tensor(array), k=k)


def diagflat(array: Any, k: int = 0) -> ndarray:
    """A matrix with the elements, flattened, on a diagonal."""
    return _ops._np_diagflat(tensor(array), k=k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """The diagonals of the planes of two axes."""
    return _ops._np_diagonal(tensor(a), offset, axis1, axis2)


def pad(x: Any, pad_width: Any = None, mode: str = "constant", **kwargs: Any) -> ndarray:
    """The array with a border.

    Parameters
    ----------
    x : ndarray
    pad_width : ((before, after), ...), (before, after) or int
        Of each axis, or of all.
    mode : {'constant', 'edge', 'reflect', 'symmetric', 'maximum', 'minimum'}
        What the border holds.
    **kwargs
        ``constant_values`` of 'constant'; ``reflect_type='even'``; ``stat_length=None``.
    """
    x = tensor(x)
    if callable(mode):
        raise NotImplementedError("[pad] mode is a function; expected a name")
    allowed = {
        "constant": ["constant_values"],
        "edge": [],
        "reflect": ["reflect_type"],
        "symmetric": ["reflect_type"],
        "maximum": ["stat_length"],
        "minimum": ["stat_length"],
    }
    if mode not in allowed:
        kind = (
            NotImplementedError if mode in ("empty", "linear_ramp", "wrap", "mean", "median") else ValueError
        )
        raise kind(f"[pad] mode is {mode!r:.40}; expected one of {', '.join(allowed)}")
    unknown = set(kwargs) - set(allowed[mode])
    if unknown:
        raise ValueError(f"[pad] mode {mode!r} does not take {sorted(unknown)}")
    if kwargs.get("reflect_type", "even") != "even" or kwargs.get("stat_length") is not None:
        raise NotImplementedError("[pad] expected reflect_type='even' and stat_length=None")
    if isinstance(pad_width, (list, onp.ndarray, _core.NDArrayBase)):
        pad_width = plain(pad_width)
        pad_width = pad_width.tolist() if isinstance(pad_width, onp.ndarray) else pad_width
    width = onp.asarray(pad_width)
    if width.dtype.kind not in "iu":
        raise TypeError("[pad] pad_width holds no whole numbers; expected pairs of ints")
    if is_symbol(x):
        pairs = tuple(tuple(int(n) for n in pair) for pair in width)
    else:
        pairs = tuple((int(a), int(b)) for a, b in onp.broadcast_to(width, (x.ndim, 2)))
    value = kwargs.get("constant_values", 0)
    if not is_number(value):
        values = onp.asarray(plain(value))
        if values.size and (values == values.flat[0]).all():
            value = values.flat[0].item()
        else:
            from .fallback import through_numpy

            return through_numpy(onp.pad, (x, pairs, mode), kwargs)
    return _ops._npi_pad(x, pairs, mode=mode, constant_value=float(value), reflect_type="even")


def _object(obj: Any) -> Any:
    """What ``insert`` and ``delete`` take as places: an int, a slice, or a NumPy array of ints."""
    if isinstance(obj, slice) or is_number(obj):
        return obj
    if isinstance(obj, _core.NDArrayBase) and obj.ndim == 0:
        return int(obj)
    return onp.asarray(plain(obj))


def delete(arr: Any, obj: Any, axis: Optional[int] = None) -> ndarray:
    """The array without some slices along an axis.

    Parameters
    ----------
    arr : ndarray
    obj : int, slice, or array of int
        Which. As in MXNet, numbers outside of 0 to the extent in an array of ``mx.np`` delete nothing.
    axis : int, optional
        None flattens first.
    """
    arr, of_np, obj = tensor(arr), isinstance(obj, _core.NDArrayBase), _object(obj)
    if is_symbol(arr):
        if isinstance(obj, slice):
            return _ops._npi_delete(arr, start=obj.start, stop=obj.stop, step=obj.step, axis=axis)
        if is_number(obj):
            return _ops._npi_delete(arr, int_ind=int(obj), axis=axis)
        raise NotImplementedError("[delete] places of a symbol; expected an int or a slice")
    extent = arr.size if axis is None else arr.shape[axis]
    if isinstance(obj, onp.ndarray) and obj.dtype.kind == "f" and obj.size == 0:
        obj = obj.astype(onp.int64)
    if of_np and isinstance(obj, onp.ndarray) and obj.dtype.kind in "iu":
        obj = obj[(obj >= 0) & (obj < extent)]  # as in MXNet, where others delete nothing
    elif is_number(obj) and not -extent <= obj < extent:
        raise MXIndexError(f"[delete] obj is {obj}; the axis has an extent of {extent}")
    left = onp.delete(onp.arange(extent), obj)
    from .searching import take

    return take(arr, left, axis, "clip")


def insert(arr: Any, obj: Any, values: Any, axis: Optional[int] = None) -> ndarray:
    """The array with values put before places along an axis.

    Parameters
    ----------
    arr : ndarray
    obj : int, slice, or array of int
        The places.
    values : array or number
        What to insert; broadcasts.
    axis : int, optional
        None flattens first.
    """
    arr = tensor(arr)
    if is_symbol(arr) or is_symbol(values):
        return _inserted(arr, obj, values, axis)
    obj = _object(obj)
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    axis = axis % arr.ndim if arr.ndim else axis
    extent = arr.shape[axis]
    values = tensor(values, arr).astype(arr.dtype, copy=False)
    if is_number(obj) or (isinstance(obj, onp.ndarray) and obj.size == 1 and obj.dtype.kind in "iu"):
        # One place takes as many slices as the values have; NumPy moves their first axis there.
        values = (
            values.reshape((1,) * (arr.ndim - values.ndim) + values.shape)
            if values.ndim < arr.ndim
            else values
        )
        if is_number(obj) and values.ndim:
            values = moveaxis(values, 0, axis)
        count = values.shape[axis] if values.ndim else 1
        places = onp.full(count, int(obj if is_number(obj) else obj.reshape(-1)[0]))
    else:
        places = onp.arange(extent)[obj] if isinstance(obj, slice) else onp.asarray(obj).reshape(-1)
        if places.dtype.kind == "b":
            places = onp.flatnonzero(places)
        count = len(places)
    if any(not -extent <= int(at) <= extent for at in places):
        raise IndexError(f"[insert] places {places.tolist()}; expected -{extent} to {extent}")
    whole = (*arr.shape[:axis], count, *arr.shape[axis + 1 :])
    values = broadcast_to(values, whole)
    order = onp.insert(onp.arange(extent), places.astype(onp.int64), extent + onp.arange(count))
    from .searching import take

    return take(concatenate([arr, values], axis), order, axis, "clip")


def _inserted(arr: Any, obj: Any, values: Any, axis: Optional[int]) -> Any:
    """Symbols of :func:`insert`."""
    words: dict[str, Any] = {"axis": axis}
    if isinstance(obj, slice):
        words.update(start=obj.start, stop=obj.stop, step=obj.step)
        if is_number(values):
            return _ops._npi_insert_slice(arr, val=float(values), **words)
        return _ops._npi_insert_slice(arr, tensor(values), **words)
    if is_number(obj):
        words["int_ind"] = int(obj)
        if is_number(values):
            return _ops._npi_insert_scalar(arr, val=float(values), **words)
        return _ops._npi_insert_scalar(arr, tensor(values), **words)
    if is_number(values):
        return _ops._npi_insert_tensor(arr, obj=tensor(obj), val=float(values), **words)
    return _ops._npi_insert_tensor(arr, tensor(values), tensor(obj), **words)


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether two arrays may lie on the same memory."""
    if not all(isinstance(x, _core.NDArrayBase) for x in (a, b)):
        return bool(onp.may_share_memory(plain(a), plain(b)))
    return bool(_ops._npi_share_memory(a, b).item())


def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether two arrays lie on the same memory."""
    return may_share_memory(a, b, max_work)


_hints.say_ours_in(sys.modules[__name__], __all__)
