"""Datasets, and datasets made of others."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, Union

from ... import gluon
from ...base import RefusedValueError
from ...ndarray import NDArray
from .sampler import Source, generator_of

__all__ = ["ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split"]

T_co = TypeVar("T_co", covariant=True)


class Dataset(gluon.data.Dataset, Generic[T_co]):
    """Base of datasets: ``dataset[i]`` is an example, ``len(dataset)`` their number; ``a + b`` is both.

    Lists and arrays serve as well. Datasets of ``mx.gluon.data`` and these are interchangeable.
    """

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co]):
    """Base of datasets that are read from the beginning: a subclass defines ``__iter__``.

    Each worker process reads its own copy from the beginning: ``get_worker_info()`` says which part it takes.

    Examples
    --------
    >>> from mixgrad import nn
    >>> class Numbers(nn.data.IterableDataset):
    ...     def __iter__(self):
    ...         worker = nn.data.get_worker_info()
    ...         return iter(range(6) if worker is None else range(worker.id, 6, worker.num_workers))
    >>> [batch.tolist() for batch in nn.data.DataLoader(Numbers(), batch_size=4)]
    [[0, 1, 2, 3], [4, 5]]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define __iter__")

    def __len__(self) -> int:
        raise TypeError(f"[{type(self).__name__}] the class does not define __len__")


class TensorDataset(Dataset[Any]):
    """Arrays of one length, side by side: example i is the tuple of their rows i, also of a single one.

    Parameters
    ----------
    *tensors : array
        Of ``mx.np``, NumPy or anything with positions and a length; arrays of ``mx.nd`` count as those of
        ``mx.np``, in the same memory.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.data.TensorDataset(np.arange(4), np.arange(8).reshape(4, 2))[2]
    (array(2.), array([4., 5.]))
    """

    def __init__(self, *tensors: Any) -> None:
        lengths = [len(tensor) for tensor in tensors]
        if len(set(lengths)) > 1:
            raise RefusedValueError(
                f"[TensorDataset] the arrays have {', '.join(map(str, lengths))} rows; expected one length"
            )
        self.tensors = tuple(one.as_np_ndarray() if type(one) is NDArray else one for one in tensors)

    def __getitem__(self, idx: Any) -> tuple[Any, ...]:
        return tuple(tensor[idx] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset[Any]):
    """Datasets, one after the other.

    Parameters
    ----------
    datasets : iterable of Dataset
        At least one.

    Examples
    --------
    >>> from mixgrad import nn
    >>> both = nn.data.ConcatDataset([[1, 2], [3]])
    >>> len(both), both[-1], both.cumulative_sizes
    (3, 3, [2, 3])
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise RefusedValueError("[ConcatDataset] there are no datasets; expected at least one")
        for place, one in enumerate(self.datasets):
            if isinstance(one, IterableDataset):
                raise RefusedValueError(
                    f"[ConcatDataset] dataset {place} is iterable only, without positions"
                )
        self.cumulative_sizes = list(itertools.accumulate(len(one) for one in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        count = len(self)
        if idx < -count:
            raise ValueError(f"[ConcatDataset] position {idx}; expected at least {-count}")
        if idx >= count:
            raise IndexError(f"[ConcatDataset] position {idx}; expected less than {count}")
        place = idx + count if idx < 0 else idx
        which = bisect.bisect_right(self.cumulative_sizes, place)
        return self.datasets[which][place - (self.cumulative_sizes[which - 1] if which else 0)]


class Subset(Dataset[Any]):
    """Some examples of a dataset.

    Parameters
    ----------
    dataset : Dataset
        Where they come from.
    indices : sequence of int
        Their positions there.
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[one] for one in idx]]
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


def rows_behind(dataset: Any, places: Any) -> tuple[Any, Any]:
    """The arrays whose rows are the examples at these positions, and which rows; None for other datasets."""
    while type(dataset) is Subset:
        dataset, places = dataset.dataset, [dataset.indices[place] for place in places]
    return (dataset.tensors, places) if type(dataset) is TensorDataset else (None, places)


def random_split(
    dataset: Any, lengths: Sequence[Union[int, float]], generator: Source = None
) -> list[Subset]:
    """Parts of a dataset that have no example in common, at random.

    Parameters
    ----------
    dataset : Dataset
        What is split.
    lengths : sequence of int or float
        How many examples each part has; or fractions with the sum 1: they are rounded down, and what is left
        over goes to the first parts, one each.
    generator : numpy.random.Generator or int, optional
        Or a seed; by default the program's seeds, as of :class:`RandomSampler`.

    Examples
    --------
    >>> from mixgrad import nn
    >>> [len(part) for part in nn.data.random_split(range(11), [0.25] * 4)]
    [3, 3, 3, 2]
    """
    count, total = len(dataset), sum(lengths)
    sizes = [part if isinstance(part, float) else int(part) for part in lengths]
    if math.isclose(total, 1) and total <= 1:
        for place, part in enumerate(lengths):
            if not 0 <= part <= 1:
                raise ValueError(f"[random_split] fraction {place} is {part}; expected 0 to 1")
        sizes = [math.floor(count * part) for part in lengths]
        for place in range(int(count - sum(sizes))):
            sizes[place % len(sizes)] += 1
        for place, size in enumerate(sizes):
            if size == 0:
                warnings.warn(f"[random_split] part {place} of {count} examples is empty", stacklevel=2)
    if sum(sizes) != count:
        raise ValueError(
            f"[random_split] the lengths {list(lengths)} add up to {total}, the dataset has {count} "
            "examples; expected as many, or fractions with the sum 1"
        )
    order = generator_of(generator).permutation(count).tolist()
    ends = list(itertools.accumulate(map(int, sizes)))
    return [Subset(dataset, order[end - int(size) : end]) for size, end in zip(sizes, ends)]
