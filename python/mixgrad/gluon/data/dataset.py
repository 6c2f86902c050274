"""Datasets: examples by position, and datasets made of others."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

from ... import _hints
from ...base import InvalidArgumentError, RefusedValueError, whole
from ...io import datasets as _files
from ...ndarray import NDArray
from .sampler import Sampler, SequentialSampler

__all__ = ["ArrayDataset", "Dataset", "RecordFileDataset", "SimpleDataset"]


class Dataset:
    """Base of datasets: ``dataset[i]`` is an example, ``len(dataset)`` their number.

    Whatever has these two, such as a list or an array, also serves as a dataset of a ``DataLoader``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> numbers = mx.gluon.data.SimpleDataset(range(10))
    >>> list(numbers.filter(lambda x: x % 2).transform(lambda x: -x).take(3))
    [-1, -3, -5]
    """

    def __getitem__(self, idx: Any) -> Any:
        """Return an example; one of several parts is a tuple."""
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define __getitem__")

    def __len__(self) -> int:
        """Return the number of examples."""
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define __len__")

    def filter(self, fn: Callable[[Any], Any]) -> Dataset:
        """Return a dataset of the examples for which ``fn(example)`` is true; each is read once, now."""
        return _SampledDataset(self, [i for i, example in enumerate(_examples(self)) if fn(example)])

    def shard(self, num_shards: int, index: int) -> Dataset:
        """Return one of ``num_shards`` parts that lie one after another; the first ones may have one more.

        Parameters
        ----------
        num_shards : int
            How many parts.
        index : int
            Which one, from 0.
        """
        num_shards = whole(num_shards, "Dataset.shard", "num_shards", 1, 2**31 - 1)
        index = whole(index, "Dataset.shard", "index", 0, num_shards - 1)
        size, more = divmod(len(self), num_shards)
        start = size * index + min(index, more)
        return _SampledDataset(self, SequentialSampler(size + (index < more), start))

    def take(self, count: Optional[int]) -> Dataset:
        """Return a dataset of the first ``count`` examples; of all where there are no more, or for None."""
        length = len(self)
        if count is not None:
            length = min(whole(count, "Dataset.take", "count", 0, 2**63 - 1), length)
        return _SampledDataset(self, SequentialSampler(length))

    def sample(self, sampler: Sampler) -> Dataset:
        """Return a dataset of the examples that a sampler names, in its order, which is asked for now."""
        if not isinstance(sampler, Sampler):
            raise TypeError(
                f"[Dataset.sample] sampler is {type(sampler).__name__}; expected a gluon.data.Sampler"
            )
        return _SampledDataset(self, sampler)

    def transform(self, fn: Callable[..., Any], lazy: bool = True) -> Dataset:
        """Return a dataset whose examples are ``fn(example)``, or ``fn(*example)`` for tuples.

        Parameters
        ----------
        fn : callable
            What is done to an example.
        lazy : bool
            Whether it is done whenever an example is read, or now and once, which keeps all in memory.
        """
        changed = _LazyTransformDataset(self, fn)
        return changed if lazy else SimpleDataset(list(_examples(changed)))

    def transform_first(self, fn: Callable[[Any], Any], lazy: bool = True) -> Dataset:
        """Return a dataset with ``fn`` of the first part of every example, the data; labels stay.

        Parameters
        ----------
        fn : callable
            What is done to the first part.
        lazy : bool
            As of :meth:`transform`.
        """
        return self.transform(_TransformFirstClosure(fn), lazy)


def _examples(dataset: Any) -> Any:
    return (dataset[i] for i in range(len(dataset)))


class SimpleDataset(Dataset):
    """The items of a list, or of anything with positions and a length.

    Parameters
    ----------
    data : list
        The examples.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.data.SimpleDataset(["a", "b"])[1]
    'b'
    """

    def __init__(self, data: Any) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx]


class _LazyTransformDataset(Dataset):
    def __init__(self, data: Any, fn: Callable[..., Any]) -> None:
        self._data, self._fn = data, fn

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        item = self._data[idx]
        return self._fn(*item) if isinstance(item, tuple) else self._fn(item)


class _TransformFirstClosure:
    """A function of an example's parts; a class, since workers that are spawned get it pickled."""

    def __init__(self, fn: Callable[[Any], Any]) -> None:
        self._fn = fn

    def __call__(self, x: Any, *args: Any) -> Any:
        return (self._fn(x), *args) if args else self._fn(x)


class _SampledDataset(Dataset):
    def __init__(self, dataset: Any, sampler: Any) -> None:
        self._dataset = dataset
        sequential = type(sampler) is SequentialSampler
        self._indices = range(sampler._start, sampler._start + len(sampler)) if sequential else list(sampler)

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, idx: Any) -> Any:
        return self._dataset[self._indices[idx]]


class ArrayDataset(Dataset):
    """Arrays, lists or datasets of one length, side by side: example i is a tuple of their items i.

    Parameters
    ----------
    *args : arrays
        At least one; of a single one, examples are its items.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> data = mx.gluon.data.ArrayDataset(np.eye(2), [5, 6])
    >>> data[1]
    (array([0., 1.]), 6)
    """

    def __init__(self, *args: Any) -> None:
        if not args:
            raise RefusedValueError("[ArrayDataset] there are no arrays; expected at least one")
        for place, data in enumerate(args):
            if not hasattr(type(data), "__len__"):
                raise TypeError(
                    f"[ArrayDataset] array {place} is {type(data).__name__}; expected something with a length"
                )
        self._length = len(args[0])
        self._data: list[Any] = []
        for place, data in enumerate(args):
            if len(data) != self._length:
                raise InvalidArgumentError(
                    f"[ArrayDataset] array {place} has {len(data)} items; expected {self._length}, as array 0"
                )
            # Items of an array of one axis are numbers.
            self._data.append(data.asnumpy() if isinstance(data, NDArray) and data.ndim == 1 else data)

    def __getitem__(self, idx: Any) -> Any:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple(data[idx] for data in self._data)

    def __len__(self) -> int:
        return self._length


class RecordFileDataset(_files.RecordFileDataset, Dataset):
    __doc__ = _files.RecordFileDataset.__doc__


class _DownloadedDataset(Dataset):
    """Base of datasets that lie in files of a folder: ``_get_data`` reads them into ``_data`` and ``_label``.

    Parameters
    ----------
    root : str
        The folder, ``~`` for the user's home.
    transform : callable or None
        Takes an example and its label, and gives both.
    """

    def __init__(self, root: str, transform: Optional[Callable[..., Any]]) -> None:
        self._transform = transform
        self._data: Any = None
        self._label: Any = None
        self._root = os.path.expanduser(os.fspath(root))
        self._get_data()

    def __getitem__(self, idx: Any) -> Any:
        if self._transform is not None:
            return self._transform(self._data[idx], self._label[idx])
        return self._data[idx], self._label[idx]

    def __len__(self) -> int:
        return len(self._label)

    def _get_data(self) -> None:
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define _get_data")


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
