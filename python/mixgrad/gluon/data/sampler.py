"""Samplers: in which order examples come, and which of them make a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ... import _hints
from ... import random as _random
from ...base import InvalidArgumentError, UnknownWordError, whole

__all__ = [
    "BatchSampler",
    "FilterSampler",
    "IntervalSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
]

_MOST = 2**63 - 1


class Sampler:
    """Base of samplers: an iterable of positions of a dataset, anew for every pass."""

    def __len__(self) -> int:
        """How many things a pass gives."""
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define __len__")

    def __iter__(self) -> Iterator[Any]:
        """Start a pass."""
        raise NotImplementedError(f"[{type(self).__name__}] the class does not define __iter__")


class SequentialSampler(Sampler):
    """Positions in their order: ``start``, ``start + 1``, ...

    Parameters
    ----------
    length : int
        How many.
    start : int
        The first.

    Examples
    --------
    >>> import mixgrad as mx
    >>> list(mx.gluon.data.SequentialSampler(3, start=4))
    [4, 5, 6]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._length = whole(length, "SequentialSampler", "length", 0, _MOST)
        self._start = whole(start, "SequentialSampler", "start", -_MOST, _MOST)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """All positions below ``length``, in another order for every pass.

    In a program that calls ``mx.random.seed`` the orders follow from that seed; in others they come from
    NumPy's global generator, so that ``np.random.seed`` gives the orders of MXNet.

    Parameters
    ----------
    length : int
        How many.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.random.seed(3)
    >>> first = list(mx.gluon.data.RandomSampler(100))
    >>> mx.random.seed(3)
    >>> list(mx.gluon.data.RandomSampler(100)) == first, sorted(first) == list(range(100))
    (True, True)
    """

    def __init__(self, length: int) -> None:
        self._length = whole(length, "RandomSampler", "length", 0, _MOST)

    def __iter__(self) -> Iterator[int]:
        order = np.arange(self._length)
        if _random.is_seeded():
            np.random.default_rng(_random.draw_seed()).shuffle(order)
        else:
            np.random.shuffle(order)  # noqa: NPY002
        return iter(order.tolist())

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """Positions of the examples for which a function is true; each example is read once, here.

    Parameters
    ----------
    fn : callable
        Takes an example.
    dataset : Dataset
        Where examples come from.

    Examples
    --------
    >>> import mixgrad as mx
    >>> list(mx.gluon.data.FilterSampler(lambda x: x > 1, [0, 5, 1, 7]))
    [1, 3]
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        if not callable(fn):
            raise TypeError(f"[FilterSampler] fn is {fn!r:.60}; expected a function")
        self._fn, self._dataset = fn, dataset
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """Lists of ``batch_size`` positions each.

    Parameters
    ----------
    sampler : Sampler or list
        Gives the positions.
    batch_size : int
        How many make a batch.
    last_batch : {'keep', 'discard', 'rollover'}
        What becomes of the positions at the end that fill no batch: a smaller one, nothing, or the beginning
        of the next pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> sampler = mx.gluon.data.SequentialSampler(10)
    >>> list(mx.gluon.data.BatchSampler(sampler, 4, "keep"))
    [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    """

    def __init__(self, sampler: Union[Sampler, Any], batch_size: int, last_batch: str = "keep") -> None:
        self._sampler = sampler
        self._batch_size = whole(batch_size, "BatchSampler", "batch_size", 1, _MOST)
        if last_batch not in ("keep", "discard", "rollover"):
            raise UnknownWordError(
                f"[BatchSampler] last_batch is {last_batch!r:.60}; expected 'keep', 'discard' or 'rollover'"
            )
        self._last_batch = last_batch
        self._prev: list[Any] = []

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._prev = self._prev, []
        for position in self._sampler:
            batch.append(position)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if not batch:
            return
        if self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._prev = batch

    def __len__(self) -> int:
        count = len(self._sampler)
        if self._last_batch == "keep":
            return (count + self._batch_size - 1) // self._batch_size
        if self._last_batch == "rollover":
            count += len(self._prev)
        return count // self._batch_size


class IntervalSampler(Sampler):
    """Every ``interval``-th position: 0, ``interval``, ...; then, with ``rollover``, 1, 1 + ``interval``, ...

    Parameters
    ----------
    length : int
        Positions are below it.
    interval : int
        Their distance, at most ``length``.
    rollover : bool
        Whether all positions come, pass after pass over the dataset, or only those of the first.

    Examples
    --------
    >>> import mixgrad as mx
    >>> list(mx.gluon.data.IntervalSampler(7, interval=3))
    [0, 3, 6, 1, 4, 2, 5]
    >>> list(mx.gluon.data.IntervalSampler(7, interval=3, rollover=False))
    [0, 3, 6]
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        self._length = whole(length, "IntervalSampler", "length", 0, _MOST)
        self._interval = whole(interval, "IntervalSampler", "interval", 1, _MOST)
        self._rollover = rollover
        if interval > length:
            raise InvalidArgumentError(
                f"[IntervalSampler] interval is {interval}; expected at most the length, {length}"
            )

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length if self._rollover else len(range(0, self._length, self._interval))


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
