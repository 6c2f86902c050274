"""Functions that make a batch of a list of examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ... import _hints, _np_semantics
from ... import ndarray as nd
from ...base import ShapeError
from ...ndarray import NDArray
from ._pool import in_shared_memory

__all__ = ["Append", "AsList", "Group", "Pad", "Stack", "default_batchify_fn", "default_mp_batchify_fn"]


def _array(values: Any, dtype: Any) -> Any:
    made: Any = nd.array(values, dtype=dtype)
    return made.as_np_ndarray() if _np_semantics.is_np_array() else made


def _stacked(data: Sequence[Any], shared: bool) -> Any:
    """One array of arrays or numbers; the first axis is that of the batch."""
    first = data[0]
    if isinstance(first, NDArray):
        room = _room(data) if shared and _fits(data) else None
        if room is None:
            return nd.stack(*data)
        for row, array in zip(room[0], data):
            row[...] = array.asnumpy()
        return room[1]
    if isinstance(first, np.ndarray) and shared and _fits(data):
        room = _room(data)
        if room is not None:
            np.stack(list(data), out=room[0])
            return room[1]
    try:
        values = np.asarray(data)
    except ValueError as error:
        raise ValueError(
            f"[batchify] {len(data)} examples, of which the first is {type(first).__name__} {first!r:.60}, "
            f"make no array; expected numbers or arrays of one shape, or a batchify_fn: {error}"
        ) from None
    if values.dtype.kind not in "biuf" and values.dtype.isbuiltin != 2:
        raise TypeError(
            f"[batchify] examples are {type(first).__name__}: {first!r:.60}; expected numbers, arrays or "
            "tuples of them, of one shape; batchify_fn says what else to do"
        )
    return _array(values, values.dtype)


def _room(data: Sequence[Any]) -> Any:
    return in_shared_memory((len(data), *data[0].shape), data[0].dtype, _np_semantics.is_np_array())


def _fits(data: Sequence[Any]) -> bool:
    """Whether all are plain arrays of one kind, shape and dtype, which lie in memory one after another."""
    kind, first = type(data[0]), data[0]
    return kind in (NDArray, np.ndarray) and all(
        type(one) is kind and one.shape == first.shape and one.dtype == first.dtype for one in data
    )


def _parts(data: Sequence[Any]) -> list[Any]:
    """Of examples that are tuples: their first parts, their second ones, ..."""
    count = len(data[0])
    for place, example in enumerate(data):
        if not isinstance(example, tuple) or len(example) != count:
            length = f" of {len(example)} parts" if isinstance(example, tuple) else ""
            raise ValueError(
                f"[batchify] example {place} of the batch is {type(example).__name__}{length}; expected a "
                f"tuple of {count} parts, as example 0"
            )
    return list(zip(*data))


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Stack examples; of tuples part by part.

    Parameters
    ----------
    data : list
        Examples: arrays or numbers of one shape, or tuples of them.

    Returns
    -------
    batch : NDArray or list of NDArray
        With an axis in front for the examples; NumPy's arrays and numbers keep their dtype.

    Examples
    --------
    >>> import mixgrad as mx
    >>> data, label = mx.gluon.data.dataloader.default_batchify_fn([(mx.nd.ones(2), 5), (mx.nd.zeros(2), 6)])
    >>> data.shape, label.asnumpy()
    ((2, 2), array([5, 6]))
    """
    if isinstance(data[0], tuple):
        return [default_batchify_fn(part) for part in _parts(data)]
    return _stacked(data, False)


def default_mp_batchify_fn(data: Sequence[Any]) -> Any:
    """As :func:`default_batchify_fn`; in a worker process the arrays are made in memory that it shares with
    the program.
    """
    if isinstance(data[0], tuple):
        return [default_mp_batchify_fn(part) for part in _parts(data)]
    return _stacked(data, True)


class Stack:
    """Stacks arrays of one shape; a new axis of the batch comes first.

    Parameters
    ----------
    use_shared_mem : bool
        Make the array in shared memory, in a worker process.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.data.batchify.Stack()([[1, 2], [3, 4]]).asnumpy()
    array([[1, 2],
           [3, 4]])
    """

    def __init__(self, use_shared_mem: bool = False) -> None:
        self._use_shared_mem = use_shared_mem

    def __call__(self, data: Sequence[Any]) -> Any:
        return _stacked(data, self._use_shared_mem)


class Pad:
    """Stacks arrays of different lengths; shorter ones are filled up along every axis.

    Parameters
    ----------
    val : float
        What fills them.
    dtype : str, optional
        Of the batch; the examples' by default.
    round_to : int, optional
        The lengths of the batch are multiples of it.
    use_shared_mem : bool
        Make the array in shared memory, in a worker process.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.data.batchify.Pad(val=-1)([[1, 2, 3], [4]]).asnumpy()
    array([[ 1,  2,  3],
           [ 4, -1, -1]])
    """

    def __init__(
        self,
        val: float = 0,
        dtype: Optional[Any] = None,
        round_to: Optional[int] = None,
        use_shared_mem: bool = False,
    ) -> None:
        self._val, self._dtype, self._round_to = val, dtype, round_to
        self._use_shared_mem = use_shared_mem

    def __call__(self, data: Sequence[Any]) -> Any:
        arrays = [one.asnumpy() if isinstance(one, NDArray) else np.asarray(one) for one in data]
        if any(one.ndim != arrays[0].ndim for one in arrays):
            raise ShapeError(
                f"[Pad] examples have shapes {[one.shape for one in arrays][:8]}; expected one number of axes"
            )
        to = self._round_to or 1
        shape = [math.ceil(max(sizes) / to) * to for sizes in zip(*(one.shape for one in arrays))]
        dtype = np.dtype(self._dtype or arrays[0].dtype)
        whole = (len(arrays), *shape)
        room = in_shared_memory(whole, dtype) if self._use_shared_mem else None
        values = np.empty(whole, dtype) if room is None else room[0]
        values.fill(self._val)
        for row, one in zip(values, arrays):
            row[tuple(slice(size) for size in one.shape)] = one
        return _array(values, dtype) if room is None else room[1]


class Append:
    """A list of the examples as arrays, whatever their shapes.

    Parameters
    ----------
    expand : bool
        Whether each gets an axis of the batch, of extent 1.
    batch_axis : int
        Where that axis is.
    use_shared_mem : bool
        Taken for MXNet's sake: what a worker sends goes through shared memory anyway.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [one.shape for one in mx.gluon.data.batchify.Append()([[1, 2, 3], [4]])]
    [(1, 3), (1, 1)]
    """

    def __init__(self, expand: bool = True, batch_axis: int = 0, use_shared_mem: bool = False) -> None:
        self._expand, self._batch_axis, self._use_shared_mem = expand, batch_axis, use_shared_mem

    def __call__(self, data: Sequence[Any]) -> list[NDArray]:
        arrays = []
        for one in data:
            if not isinstance(one, NDArray):
                values = np.asarray(one)
                one = _array(values, values.dtype)
            arrays.append(one.expand_dims(axis=self._batch_axis) if self._expand else one)
        return arrays


class Group:
    """A function for each part of the examples, which are tuples.

    Parameters
    ----------
    fn : callable or list of callable
        Of the first part, or of all.
    *args : callable
        Of the other parts.

    Examples
    --------
    >>> import mixgrad as mx
    >>> make = mx.gluon.data.batchify
    >>> data, names = make.Group(make.Pad(), make.AsList())([([1, 2], "a"), ([3], "b")])
    >>> data.shape, names
    ((2, 2), ['a', 'b'])
    """

    def __init__(self, fn: Any, *args: Callable[[Sequence[Any]], Any]) -> None:
        self._fn: tuple[Any, ...] = tuple(fn) if isinstance(fn, (list, tuple)) else (fn, *args)
        if isinstance(fn, (list, tuple)) and args:
            raise ValueError("[Group] got a list of functions and more behind it; expected one or the other")
        for one in self._fn:
            if not callable(one):
                raise TypeError(f"[Group] {one!r:.60} is {type(one).__name__}; expected functions")

    def __call__(self, data: Sequence[Any]) -> tuple[Any, ...]:
        parts = list(zip(*data))
        if len(data[0]) != len(self._fn):
            raise ValueError(
                f"[Group] examples have {len(data[0])} parts; expected {len(self._fn)}, one a function"
            )
        return tuple(fn(part) for fn, part in zip(self._fn, parts))


class AsList:
    """The examples as they are, in a list."""

    def __call__(self, data: Sequence[Any]) -> list[Any]:
        return list(data)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
