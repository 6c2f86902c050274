"""DataLoader: batches of a dataset, by the loader of Gluon."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Optional

from ... import gluon
from ...base import RefusedValueError, whole
from ...context import cpu_pinned
from ...gluon.data._pool import ProcessPool
from ...gluon.data.dataloader import _WorkerIter
from ...ndarray import NDArray
from .collate import default_collate, default_convert, rows_of
from .dataset import IterableDataset, rows_behind
from .sampler import BatchSampler, RandomSampler, SequentialSampler, Source, generator_of, lasting
from .stream import End, Reader, Reading, StreamPass
from .worker import Begin

__all__ = ["DataLoader"]

_FOREVER = 1e6  # seconds, of a timeout of 0
_FIXED = frozenset(("batch_sampler", "batch_size", "dataset", "drop_last", "persistent_workers", "sampler"))


class _Single:
    """Makes a batch of one example, which is not one."""

    def __init__(self, collate_fn: Callable[[Any], Any]) -> None:
        self._collate_fn = collate_fn

    def __call__(self, examples: list[Any]) -> Any:
        return self._collate_fn(examples[0])


class DataLoader(gluon.data.DataLoader):
    """Batches of a dataset: ``for x, y in loader``, with the arguments of PyTorch's.

    Workers, their memory and their errors are those of :class:`mixgrad.gluon.data.DataLoader`. Generators of
    workers start anew for every batch, after ``worker_init_fn``: random transforms do not depend on how many
    there are.

    Parameters
    ----------
    dataset : Dataset
        Or a list, an array, anything with positions and a length, or an :class:`IterableDataset`.
    batch_size : int, optional
        Examples of a batch. None: examples come one by one, without the axis of a batch.
    shuffle : bool, optional
        Whether examples come in random order.
    sampler : Sampler or iterable, optional
        The order of the examples, instead of ``shuffle``.
    batch_sampler : Sampler or iterable, optional
        Gives lists of positions, instead of the three arguments above and ``drop_last``.
    num_workers : int
        Processes that make batches; 0: the program does.
    collate_fn : callable, optional
        Makes a batch of a list of examples; by default :func:`default_collate`, without batches
        :func:`default_convert`.
    pin_memory : bool
        Copy batches to pinned memory, from which copies to a GPU overlap with work.
    drop_last : bool
        Whether a last batch with fewer examples is left out.
    timeout : float
        Seconds that a batch may take until it is an error; 0: no limit.
    worker_init_fn : callable, optional
        Called first in every worker, with its number.
    multiprocessing_context : str or context, optional
        How workers are started.
    generator : numpy.random.Generator or int, optional
        Of the order and of the workers' seeds, or a seed; by default the program's seeds.
    prefetch_factor : int, optional
        Batches in the making for each worker; 2 by default.
    persistent_workers : bool
        Whether workers stay from pass to pass; else each pass starts some, which see the dataset as it is.

    Examples
    --------
    >>> from mixgrad import nn
    >>> loader = nn.data.DataLoader(range(5), batch_size=2, drop_last=True)
    >>> [batch.tolist() for batch in loader], len(loader), loader.batch_size
    ([[0, 1], [2, 3]], 2, 2)
    """

    _is_ready = False
    _passes = 0  # that were begun
    _base_seed = 0  # of the pass that was begun last

    def __init__(
        self,
        dataset: Any,
        batch_size: Optional[int] = 1,
        shuffle: Optional[bool] = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Optional[Callable[[Any], Any]] = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Optional[Callable[[int], Any]] = None,
        multiprocessing_context: Any = None,
        generator: Source = None,
        *,
        prefetch_factor: Optional[int] = None,
        persistent_workers: bool = False,
    ) -> None:
        self.num_workers = whole(num_workers, "DataLoader", "num_workers", 0, 2**31 - 1)
        if not isinstance(timeout, (int, float)) or not timeout >= 0:
            raise RefusedValueError(f"[DataLoader] timeout is {timeout!r:.60}; expected seconds, 0 or more")
        for name, given in (("prefetch_factor", prefetch_factor), ("persistent_workers", persistent_workers)):
            if given and not num_workers:
                raise RefusedValueError(f"[DataLoader] {name} is for workers; expected num_workers above 0")
        is_stream = isinstance(dataset, IterableDataset)
        if is_stream:
            _check_stream(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise RefusedValueError("[DataLoader] got a sampler, which gives the order; expected no shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise RefusedValueError(
                    "[DataLoader] got a batch_sampler, which says what makes a batch; expected no "
                    "batch_size, shuffle, sampler or drop_last beside it"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise RefusedValueError("[DataLoader] drop_last is for batches; expected a batch_size, not None")
        self.generator = lasting(generator)
        if sampler is None and not is_stream:
            sampler = (
                RandomSampler(dataset, generator=self.generator) if shuffle else SequentialSampler(dataset)
            )
        batched = batch_size is not None or batch_sampler is not None
        if batch_size is not None:  # checks it, of a stream as well
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        if collate_fn is None:
            collate_fn = default_collate if batched else default_convert
        super().__init__(
            dataset,
            batch_sampler=batch_sampler if batched else _Singles(sampler),
            batchify_fn=collate_fn if batched else _Single(collate_fn),
            pin_memory=pin_memory,
            timeout=timeout or _FOREVER,
        )
        self._is_batched = batched
        self.dataset, self.sampler, self.batch_sampler = (
            dataset,
            sampler,
            None if is_stream else batch_sampler,
        )
        self.batch_size, self.drop_last, self.timeout = batch_size, drop_last, timeout
        self.collate_fn, self.worker_init_fn, self.pin_memory = collate_fn, worker_init_fn, pin_memory
        self.multiprocessing_context = multiprocessing_context
        self.persistent_workers = persistent_workers
        self.prefetch_factor = 2 if prefetch_factor is None and num_workers else prefetch_factor
        if self.prefetch_factor is not None:
            whole(self.prefetch_factor, "DataLoader", "prefetch_factor", 1, 2**31 - 1)
        # Workers are started by a pass.
        self._num_workers, self._prefetch = self.num_workers, self.num_workers * (self.prefetch_factor or 0)
        self._is_ready = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_ready and name in _FIXED:
            raise RefusedValueError(f"[DataLoader] {name} is fixed once the loader is made; make another one")
        super().__setattr__(name, value)

    def _new_pool(self) -> ProcessPool:
        begin = Begin(self.num_workers, self._base_seed, self.worker_init_fn)
        dataset, make = self._dataset, self._batchify_fn
        if isinstance(dataset, IterableDataset):
            dataset, make = Reader(dataset, self.batch_size or 1, self.drop_last), Reading(make)
        return ProcessPool(self.num_workers, dataset, make, begin, self.multiprocessing_context)

    def _workers(self) -> Any:
        if self._pool is None or not self._pool.is_usable:
            self._pool = self._new_pool()
        return self._pool

    def _draw_base_seed(self) -> None:
        """Before each pass, also without workers: so orders do not depend on how many there are."""
        self._passes += 1
        if self.generator is None:
            self._base_seed = super()._pass_seed(self._passes)
        else:
            self._base_seed = int(generator_of(self.generator).integers(2**63))

    def _pass_seed(self, number: int) -> int:
        return self._base_seed

    def _pinned(self, batch: Any) -> Any:
        return _pinned(batch) if self._pin_memory else batch

    def _make(self, indices: Any) -> Any:
        if self.collate_fn is default_collate and self._is_batched:
            tensors, places = rows_behind(self._dataset, indices)
            made = None if tensors is None else rows_of(tensors, places)
            if made is not None:
                return self._pinned(made)
        return super()._make(indices)

    def _prefetch_iter(self) -> Iterator[Any]:
        self._draw_base_seed()
        if self.num_workers == 0:
            is_stream = isinstance(self._dataset, IterableDataset)
            return self._stream() if is_stream else super()._prefetch_iter()
        return self._pass_of(self._workers()) if self.persistent_workers else self._pass_of_new_workers()

    def _pass_of(self, pool: ProcessPool) -> Iterator[Any]:
        if not isinstance(self._dataset, IterableDataset):
            return _WorkerIter(self, pool)
        batches = StreamPass(pool, self.num_workers, self._prefetch, self._base_seed, self._timeout)
        return map(self._pinned, batches)

    def _pass_of_new_workers(self) -> Iterator[Any]:
        pool = self._new_pool()
        try:
            yield from self._pass_of(pool)
        finally:
            pool.close()

    def _stream(self) -> Iterator[Any]:
        reader = Reader(self._dataset, self.batch_size or 1, self.drop_last)
        for number in itertools.count():
            examples = reader[number]
            if examples is End:
                return
            yield self._pinned(self._batchify_fn(examples))

    def __len__(self) -> int:
        if not isinstance(self._dataset, IterableDataset):
            return super().__len__()
        count, size = len(self._dataset), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)


class _Singles:
    """Lists of one position each."""

    def __init__(self, sampler: Any) -> None:
        self._sampler = sampler

    def __iter__(self) -> Iterator[list[Any]]:
        return ([position] for position in self._sampler)

    def __len__(self) -> int:
        return len(self._sampler)


def _check_stream(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    for name, given in (("shuffle", shuffle), ("sampler", sampler), ("batch_sampler", batch_sampler)):
        if given:
            raise RefusedValueError(
                f"[DataLoader] an IterableDataset has its own order; expected no {name}, got {given!r:.60}"
            )


def _pinned(batch: Any) -> Any:
    """A batch with its arrays in pinned memory."""
    if isinstance(batch, NDArray):
        return batch.as_in_context(cpu_pinned())
    if isinstance(batch, Mapping):
        return {key: _pinned(part) for key, part in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*map(_pinned, batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(map(_pinned, batch))
    return batch
