"""Datasets without positions in worker processes: each worker reads its own copy from the beginning."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ...gluon.data._pool import ProcessPool, task_seed

__all__ = ["End", "Reader", "Reading", "StreamPass"]


class End:
    """In place of a batch: there are no more."""


class Reader:
    """The examples of the next batch, by its number; number 0 begins anew.

    Parameters
    ----------
    dataset : IterableDataset
        What is read.
    size : int
        Examples of a batch.
    drop_last : bool
        Whether a last batch with fewer is left out.
    """

    def __init__(self, dataset: Any, size: int, drop_last: bool) -> None:
        self.dataset = dataset
        self._size, self._least = size, size if drop_last else 1
        self._examples: Iterator[Any] = iter(())

    def __getitem__(self, number: int) -> Any:
        if number == 0:
            self._examples = iter(self.dataset)
        batch = list(itertools.islice(self._examples, self._size))
        return batch if len(batch) >= self._least else End


class Reading:
    """Makes a batch of what a :class:`Reader` gave."""

    def __init__(self, batchify_fn: Callable[[Any], Any]) -> None:
        self._batchify_fn = batchify_fn

    def __call__(self, read: list[Any]) -> Any:
        return End if read[0] is End else self._batchify_fn(read[0])


class StreamPass:
    """One pass: batches of the workers in turn, of those that have some left.

    Parameters
    ----------
    pool : ProcessPool
        Workers that have a :class:`Reader` each.
    count : int
        How many workers.
    ahead : int
        Batches in the making.
    seed : int
        Of the pass.
    timeout : float
        Seconds that a batch may take.
    """

    def __init__(self, pool: ProcessPool, count: int, ahead: int, seed: int, timeout: float) -> None:
        self._pool, self._seed, self._timeout = pool, seed, timeout
        self._number = pool.new_pass()
        self._readers = deque(range(count))
        self._asked = [0] * count
        self._wanted: deque[tuple[tuple[int, int], int]] = deque()
        self._sent = 0
        for _ in range(ahead):
            self._push()

    def __iter__(self) -> Iterator[Any]:
        return self

    def _push(self) -> None:
        if not self._readers:
            return
        worker, key = self._readers[0], (self._number, self._sent)
        self._readers.rotate(-1)
        self._pool.push(key, [self._asked[worker]], task_seed(self._seed, self._sent), worker)
        self._wanted.append((key, worker))
        self._asked[worker] += 1
        self._sent += 1

    def __next__(self) -> Any:
        while self._wanted:
            key, worker = self._wanted.popleft()
            batch = self._pool.pull(key, self._timeout)
            if batch is End and worker in self._readers:
                self._readers.remove(worker)
            self._push()
            if batch is not End:
                return batch
        raise StopIteration

    def __del__(self) -> None:
        if self._wanted:
            self._pool.forget(self._number, [key for key, _ in self._wanted])
