"""Functions that give arrays other shapes, join them and cut them."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as onp

from .. import numpy as mx_np
from ..numpy.ndarray import ndarray
from .operands import Axes, array_of, arrays_of, whole_axis

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which shapes broadcast."""
    return tuple(onp.broadcast_shapes(*shapes))


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> Any:
    """The array repeated along axes of extent 1 and new leading ones."""
    return mx_np.broadcast_to(array_of(x, "broadcast_to"), shape)


def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """Arrays in the shape to which they broadcast; each keeps its dtype."""
    shape = broadcast_shapes(*(array_of(x, "broadcast_arrays").shape for x in arrays))
    return tuple(mx_np.broadcast_to(x, shape) for x in arrays)


def concat(arrays: Union[tuple[Any, ...], list[Any]], /, *, axis: Optional[int] = 0) -> Any:
    """Arrays one after the other along an axis, in their common dtype; None flattens them first."""
    xs = arrays_of(arrays, "concat")
    if axis is None:
        return mx_np.concatenate([x.reshape(-1) for x in xs], 0)
    return mx_np.concatenate(xs, whole_axis(axis, xs[0].ndim, "concat"))


def stack(arrays: Union[tuple[Any, ...], list[Any]], /, *, axis: int = 0) -> Any:
    """Arrays of one shape along a new axis, in their common dtype."""
    xs = arrays_of(arrays, "stack")
    return mx_np.stack(xs, whole_axis(axis, xs[0].ndim + 1, "stack"))


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, without it."""
    x = array_of(x, "unstack")
    axis = whole_axis(axis, x.ndim, "unstack")
    return tuple(mx_np.moveaxis(x, axis, 0))


def expand_dims(x: Any, /, axis: Union[int, tuple[int, ...]] = 0) -> Any:
    """The array with new axes of extent 1 at places of the result."""
    x = array_of(x, "expand_dims")
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    ndim = x.ndim + len(axes)
    places = {whole_axis(a, ndim, "expand_dims") for a in axes}
    if len(places) < len(axes):
        raise ValueError(f"[expand_dims] axis is {axis}; expected every axis once")
    extents = iter(x.shape)
    return x.reshape(tuple(1 if a in places else next(extents) for a in range(ndim)))


def squeeze(x: Any, /, axis: Union[int, tuple[int, ...]]) -> Any:
    """The array without axes of extent 1."""
    x = array_of(x, "squeeze")
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    gone = {whole_axis(a, x.ndim, "squeeze") for a in axes}
    if any(x.shape[a] != 1 for a in gone):
        raise ValueError(f"[squeeze] axis is {axis} of shape {x.shape}; expected axes of extent 1")
    return x.reshape(tuple(extent for a, extent in enumerate(x.shape) if a not in gone))


def flip(x: Any, /, *, axis: Axes = None) -> Any:
    """The array with the order of elements reversed along axes, by default all."""
    return mx_np.flip(array_of(x, "flip"), axis)


def matrix_transpose(x: Any, /) -> Any:
    """The array with its last two axes exchanged."""
    if array_of(x, "matrix_transpose").ndim < 2:
        raise ValueError(f"[matrix_transpose] shape is {x.shape}; expected two axes at least")
    return mx_np.swapaxes(x, -1, -2)


def moveaxis(x: Any, source: Union[int, tuple[int, ...]], destination: Union[int, tuple[int, ...]], /) -> Any:
    """The array with axes moved to other places; the rest keep their order."""
    x = array_of(x, "moveaxis")
    whole = [
        [whole_axis(a, x.ndim, "moveaxis") for a in ((one,) if isinstance(one, int) else one)]
        for one in (source, destination)
    ]
    if any(len(set(one)) < len(one) for one in whole) or len(whole[0]) != len(whole[1]):
        raise ValueError(f"[moveaxis] axes {source} to {destination}; expected as many, every one once")
    left = iter(a for a in range(x.ndim) if a not in whole[0])
    placed = dict(zip(whole[1], whole[0]))
    return permute_dims(x, tuple(placed[a] if a in placed else next(left) for a in range(x.ndim)))


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Any:
    """The array with its axes in another order."""
    x = array_of(x, "permute_dims")
    order = [whole_axis(a, x.ndim, "permute_dims") for a in axes]
    if sorted(order) != list(range(x.ndim)):
        raise ValueError(f"[permute_dims] axes are {axes} of {x.ndim}; expected every axis once")
    return mx_np.transpose(x, tuple(order)) if order else x.copy()


def repeat(x: Any, repeats: Any, /, *, axis: Optional[int] = None) -> Any:
    """Each element, or slice along an axis, several times: all as often, or each as an array says."""
    return mx_np.repeat(array_of(x, "repeat"), repeats, axis)


def reshape(x: Any, /, shape: tuple[int, ...], *, copy: Optional[bool] = None) -> Any:
    """The elements in another shape; -1 is an extent that follows from the others.

    Parameters
    ----------
    x : ndarray
    shape : tuple of int
    copy : bool, optional
        Without True the result lies on the memory of ``x``.
    """
    result = array_of(x, "reshape").reshape(shape)
    return result.copy() if copy else result


def roll(x: Any, /, shift: Union[int, tuple[int, ...]], *, axis: Axes = None) -> Any:
    """The array with elements moved along axes; those behind the end come in front."""
    x = array_of(x, "roll")
    if axis is None:
        if not isinstance(shift, int):
            raise ValueError(f"[roll] shift is {shift} and axis is None; expected an int")
        return mx_np.roll(x, shift) if x.size else x.copy()
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    shifts = (shift,) * len(axes) if isinstance(shift, int) else tuple(shift)
    if len(shifts) != len(axes):
        raise ValueError(f"[roll] shift is {shift}, axis is {axis}; expected one shift for each axis")
    result: ndarray = x
    for a, by in zip(axes, shifts):
        if x.shape[whole_axis(a, x.ndim, "roll")]:
            result = mx_np.roll(result, by, a)
    return result.copy() if result is x else result


def tile(x: Any, repetitions: tuple[int, ...], /) -> Any:
    """The array several times along each axis; the shorter of shape and repetitions gains leading ones."""
    x = array_of(x, "tile")
    return mx_np.tile(x, tuple(repetitions)) if repetitions else x.copy()
