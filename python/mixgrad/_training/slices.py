"""How a batch is divided over devices, and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from .. import ndarray as nd
from ..base import ShapeError
from ..context import Context
from ..ndarray import NDArray

__all__ = ["contexts_of_groups", "copies_of", "merged", "part_of", "split_input_slice"]


def split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """Return the examples of each device, in proportion to its share of the work.

    >>> split_input_slice(10, [1, 1, 3])
    [slice(0, 2, None), slice(2, 4, None), slice(4, 10, None)]
    """
    total = sum(work_load_list)
    counts = [round(load * batch_size / total) for load in work_load_list]
    counts[-1] += max(0, batch_size - sum(counts))
    slices, end = [], 0
    for count in counts:
        begin, end = min(end, batch_size), min(end + count, batch_size)
        if begin >= end:
            raise ValueError(
                f"[module] {batch_size} examples over {len(counts)} devices leave some without any; expected "
                "at least one each"
            )
        slices.append(slice(begin, end))
    return slices


def part_of(array: NDArray, part: slice, axis: int) -> NDArray:
    """Return the part of a batch that a device gets: the array itself if that is all, or has no such axis."""
    if axis < 0 or (part.start == 0 and part.stop == array.shape[axis]):
        return array
    piece: NDArray = (
        array[part.start : part.stop]
        if axis == 0
        else nd.slice_axis(array, axis=axis, begin=part.start, end=part.stop)
    )
    return piece


def copies_of(
    names: Sequence[str],
    sources: Sequence[Any],
    targets: Sequence[Sequence[tuple[slice, NDArray]]],
    axes: Sequence[int],
    advice: str = "",
) -> list[tuple[NDArray, NDArray]]:
    """Return what has to be copied where, one pair per device and array; refuse what does not fit.

    A source may be a list of parts, cut already. Nothing is copied yet, so that a batch goes in whole or not.
    """
    copies = []
    for name, source, places, axis in zip(names, sources, targets, axes):
        if isinstance(source, (list, tuple)):
            for part, (_, target) in zip(source, places):
                _need_shape(name, part.shape, target.shape, advice)
                copies.append((part, target))
            continue
        whole = places[0][1].shape
        if len(places) > 1 and axis >= 0:
            whole = (*whole[:axis], places[-1][0].stop, *whole[axis + 1 :])
        _need_shape(name, source.shape, whole, advice)
        if len(places) == 1:
            copies.append((source, places[0][1]))
        else:
            copies += [(part_of(source, part, axis), target) for part, target in places]
    return copies


def _need_shape(name: str, shape: tuple[int, ...], bound: tuple[int, ...], advice: str) -> None:
    if shape != bound:
        raise ShapeError(
            f"[forward] {name!r} has shape {shape}; expected {bound}, to which it is bound{advice}"
        )


def merged(arrays: Sequence[Sequence[NDArray]], axes: Sequence[int]) -> list[NDArray]:
    """Return one array per list of parts; without a batch axis the first part stands for all."""
    out = []
    for parts, axis in zip(arrays, axes):
        if axis < 0 or len(parts) == 1:
            out.append(parts[0])
        else:
            first = parts[0].context
            out.append(nd.concat(*[part.as_in_context(first) for part in parts], dim=axis))
    return out


def contexts_of_groups(group2ctxs: Any, count: int) -> list[Optional[dict[str, Union[Context, str]]]]:
    """Return, for each of ``count`` replicas, the device of every group of nodes.

    Parameters
    ----------
    group2ctxs : None, dict or list
        A dict from groups to a Context (or text that names a worker's), or to a list with one per replica (or
        just one); or a list of dicts.
    """
    if group2ctxs is None:
        return [None] * count
    if isinstance(group2ctxs, (list, tuple)):
        if len(group2ctxs) != count:
            raise ValueError(f"[module] group2ctxs has {len(group2ctxs)} entries for {count} devices")
        return list(group2ctxs)
    if not isinstance(group2ctxs, dict):
        raise TypeError(
            f"[module] group2ctxs is {type(group2ctxs).__name__}; expected a dict or a list of dicts"
        )
    replicas: list[dict[str, Union[Context, str]]] = [{} for _ in range(count)]
    for group, given in group2ctxs.items():
        contexts = [given] if isinstance(given, (Context, str)) else list(given)
        if len(contexts) not in (1, count):
            raise ValueError(
                f"[module] group2ctxs[{group!r}] has {len(contexts)} devices; expected 1 or {count}"
            )
        for i, replica in enumerate(replicas):
            replica[group] = contexts[i % len(contexts)]
    return list(replicas)
