"""Functions that make a batch of a list of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ... import numpy as mx_np
from ...base import ShapeError
from ...gluon.data._pool import in_shared_memory
from ...ndarray import NDArray

__all__ = ["default_collate", "default_convert"]


def _is_numbers(dtype: Any) -> bool:
    return dtype.kind in "biuf" or dtype.isbuiltin == 2


def _refused(value: Any) -> TypeError:
    kind = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
    return TypeError(
        f"[default_collate] examples have {kind}: {value!r:.60}; expected arrays, numbers, text, dicts, "
        "tuples or lists of them; collate_fn says what else to do"
    )


def _array(values: Any) -> Any:
    return mx_np.array(values, dtype=values.dtype)


def default_convert(data: Any) -> Any:
    """An example with its NumPy arrays and scalars as arrays of ``mx.np``; all else stays."""
    if isinstance(data, NDArray):
        return data.as_np_ndarray()
    if isinstance(data, (np.ndarray, np.generic)):
        return _array(np.asarray(data)) if _is_numbers(data.dtype) else data
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, (list, tuple)):
        return list(map(default_convert, data))
    return data


def default_collate(batch: Sequence[Any]) -> Any:
    """Stack examples: arrays and numbers into arrays of ``mx.np``, dicts, tuples and lists part by part.

    Text stays a list. In a worker process the arrays are made in memory that it shares with the program.

    Parameters
    ----------
    batch : list
        Examples, all alike.

    Examples
    --------
    >>> from mixgrad import nn
    >>> nn.data.default_collate([{"x": 1.5, "name": "a"}, {"x": 2.5, "name": "b"}])
    {'x': array([1.5, 2.5], dtype=float64), 'name': ['a', 'b']}
    """
    first = batch[0]
    if isinstance(first, (NDArray, np.ndarray, np.generic)):
        return _stacked(batch)
    if isinstance(first, (bool, int, float)):
        values = np.asarray(batch)
        if not _is_numbers(values.dtype):
            raise _refused(next(one for one in batch if not isinstance(one, (bool, int, float))))
        return _array(values)
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, Mapping):
        return _mapping_like(first, {key: default_collate([one[key] for one in batch]) for key in first})
    if not isinstance(first, Sequence):
        raise _refused(first)
    lengths = [len(one) for one in batch]
    if len(set(lengths)) > 1:
        raise ShapeError(f"[default_collate] examples have {lengths} parts; expected as many in each")
    parts = [default_collate(part) for part in zip(*batch)]
    return type(first)(*parts) if hasattr(first, "_fields") else parts


def _mapping_like(source: Mapping[Any, Any], parts: dict[Any, Any]) -> Any:
    if type(source) is dict:
        return parts
    try:
        return type(source)(parts)  # type: ignore[call-arg]
    except TypeError:  # a class that is made in another way
        return parts


def rows_of(tensors: Sequence[Any], places: Sequence[int]) -> Any:
    """The batch of these rows of arrays, as of the list of their tuples, in one step for each array.

    None where that is not possible.
    """
    lengths = {len(one) for one in tensors if type(one) is np.ndarray or isinstance(one, NDArray)}
    if len(lengths) != 1 or not places or not all(type(place) is int for place in places):
        return None
    if max(places) >= max(lengths) or min(places) < 0:
        return None
    if any(type(one) is np.ndarray and not _is_numbers(one.dtype) for one in tensors):
        return None
    if not all(type(one) is np.ndarray or type(one) in (NDArray, mx_np.ndarray) for one in tensors):
        return None
    return [
        _array(one[places]) if type(one) is np.ndarray else mx_np.take(one.as_np_ndarray(), places, axis=0)
        for one in tensors
    ]


def _stacked(batch: Sequence[Any]) -> Any:
    first = batch[0]
    if not isinstance(first, NDArray) and not _is_numbers(first.dtype):
        raise _refused(np.asarray(first))
    shapes = {tuple(np.shape(one)) for one in batch}
    if len(shapes) > 1:
        raise ShapeError(
            f"[default_collate] examples have the shapes {sorted(shapes)}; expected one, or a collate_fn"
        )
    same = all(type(one) is type(first) and one.dtype == first.dtype for one in batch)
    room = in_shared_memory((len(batch), *first.shape), first.dtype, as_np=True) if same else None
    if room is not None:
        for row, one in zip(room[0], batch):
            row[...] = one.asnumpy() if isinstance(one, NDArray) else one
        return room[1]
    if isinstance(first, NDArray):
        return mx_np.stack([one.as_np_ndarray() for one in batch])
    return _array(np.stack(list(batch)))
