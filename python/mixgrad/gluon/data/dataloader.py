"""DataLoader: batches of a dataset, made in the program, in threads or in worker processes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ... import _hints
from ... import random as _random
from ...base import RefusedValueError, whole
from ...context import Context, cpu_pinned
from ...ndarray import NDArray
from . import sampler as _sampler
from ._pool import LoaderTimeoutError, ProcessPool, WorkerDiedError, make_batch, task_seed
from ._threads import ThreadPool
from .batchify import default_batchify_fn, default_mp_batchify_fn

__all__ = [
    "DataLoader",
    "LoaderTimeoutError",
    "WorkerDiedError",
    "default_batchify_fn",
    "default_mp_batchify_fn",
]

_MOST = 2**31 - 1
_Batchify = Callable[[Any], Any]


def _as_in_context(data: Any, ctx: Context) -> Any:
    """All arrays in a batch on another device."""
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [_as_in_context(part, ctx) for part in data]
    return data


def _pass_seed(number: int) -> int:
    """A start for the generators of workers: of the program's seeds and the number of the pass."""
    if _random.is_seeded():
        return _random.draw_seed()
    words = np.random.get_state()[1][:4]  # type: ignore[index]  # noqa: NPY002
    return int(np.random.SeedSequence([*map(int, words), number]).generate_state(1)[0])


class _WorkerIter:
    """One pass; the first batches are asked for at once."""

    def __init__(self, loader: DataLoader, pool: Any) -> None:
        self._loader, self._pool = loader, pool
        self._number = pool.new_pass()
        self._indices = iter(loader._batch_sampler)
        self._seed = loader._pass_seed(self._number) if loader._reseeds else None
        self._sent = self._received = 0
        for _ in range(loader._prefetch):
            if not self._push_next():
                break

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> _WorkerIter:
        return self

    def _push_next(self) -> bool:
        indices = next(self._indices, None)
        if indices is None:
            return False
        self._pool.push((self._number, self._sent), indices, task_seed(self._seed, self._sent))
        self._sent += 1
        return True

    def __next__(self) -> Any:
        self._push_next()
        if self._received == self._sent:
            raise StopIteration
        number, self._received = self._received, self._received + 1
        return self._loader._pinned(self._pool.pull((self._number, number), self._loader._timeout))

    def next(self) -> Any:
        """Return the next batch."""
        return self.__next__()

    def __del__(self) -> None:
        if hasattr(self, "_received") and self._received < self._sent:
            self._pool.forget(self._number, [(self._number, i) for i in range(self._received, self._sent)])


class DataLoader:
    """Batches of a dataset: ``for data, label in loader``.

    Workers that are processes hand batches over in shared memory without copying them; a worker that ends,
    also by kill -9, is an error that names it. Their random generators start anew for every batch, from
    ``mx.random.seed`` (or NumPy's generator) and the number of the batch: random transforms give the same
    batches with any number of workers.

    Parameters
    ----------
    dataset : Dataset
        Or a list, an array, or anything with positions and a length.
    batch_size : int
        Examples of a batch.
    shuffle : bool
        Whether the examples come in random order (:class:`RandomSampler`).
    sampler : Sampler
        The order of the examples, instead of ``shuffle``.
    last_batch : {'keep', 'discard', 'rollover'}
        As of :class:`BatchSampler`; 'keep' by default.
    batch_sampler : Sampler
        Gives lists of positions, instead of the four arguments above.
    batchify_fn : callable
        Makes a batch of a list of examples; by default :func:`default_batchify_fn`, with workers
        :func:`default_mp_batchify_fn`.
    num_workers : int
        0: the program makes the batches. Otherwise that many processes, started here by the start method of
        ``multiprocessing``, or threads.
    pin_memory : bool
        Copy batches to pinned memory, from which copies to a GPU overlap with work.
    pin_device_id : int
        Of which device.
    prefetch : int
        Batches in the making beside the one that is given; ``2 * num_workers`` by default.
    thread_pool : bool
        Threads instead of processes.
    timeout : float
        Seconds that a batch may take until it is an error.
    auto_reload : bool
        Whether the first batches of the next pass are asked for at once: now, and at the end of each pass.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> data = mx.gluon.data.ArrayDataset(np.arange(10), np.arange(10) % 2)
    >>> for x, y in mx.gluon.data.DataLoader(data, batch_size=4):
    ...     print(x.asnumpy(), y.shape)
    [0 1 2 3] (4,)
    [4 5 6 7] (4,)
    [8 9] (2,)
    """

    _pool: Any = None
    _iter: Any = None

    def __init__(
        self,
        dataset: Any,
        batch_size: Optional[int] = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: Optional[str] = None,
        batch_sampler: Any = None,
        batchify_fn: Optional[_Batchify] = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: Optional[int] = None,
        thread_pool: bool = False,
        timeout: float = 120,
        auto_reload: bool = False,
    ) -> None:
        if not isinstance(timeout, (int, float, np.number)) or not timeout > 0:
            raise RefusedValueError(f"[DataLoader] timeout is {timeout!r:.60}; expected more than 0 seconds")
        if batchify_fn is not None and not callable(batchify_fn):
            raise TypeError(f"[DataLoader] batchify_fn is {batchify_fn!r:.60}; expected a function")
        self._dataset, self._timeout = dataset, timeout
        self._pin_memory, self._pin_device_id = pin_memory, pin_device_id
        self._batch_sampler = _batches(dataset, batch_size, shuffle, sampler, last_batch, batch_sampler)
        self._num_workers = max(whole(num_workers, "DataLoader", "num_workers", -_MOST, _MOST), 0)
        self._thread_pool = thread_pool
        self._reseeds = not thread_pool
        self._prefetch = 2 * self._num_workers
        if prefetch is not None:
            self._prefetch = max(whole(prefetch, "DataLoader", "prefetch", -_MOST, _MOST), 0)
        default = default_mp_batchify_fn if self._num_workers > 0 else default_batchify_fn
        self._batchify_fn: _Batchify = default if batchify_fn is None else batchify_fn
        if self._num_workers > 0:
            self._workers()
        self.auto_reload = auto_reload
        if auto_reload:
            self.refresh()

    def _workers(self) -> Any:
        if self._pool is None or not self._pool.is_usable:
            kind = ThreadPool if self._thread_pool else ProcessPool
            self._pool = kind(self._num_workers, self._dataset, self._batchify_fn)
        return self._pool

    def _pass_seed(self, number: int) -> int:
        return _pass_seed(number)

    def _pinned(self, batch: Any) -> Any:
        return _as_in_context(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    def _make(self, indices: Any) -> Any:
        return self._pinned(make_batch(self._dataset, self._batchify_fn, indices))

    def _prefetch_iter(self) -> Iterator[Any]:
        if self._num_workers == 0:
            return map(self._make, self._batch_sampler)
        return _WorkerIter(self, self._workers())

    def __iter__(self) -> Iterator[Any]:
        if self._iter is None:
            self.refresh()
        batches, self._iter = self._iter, None
        yield from batches
        if self._iter is None and self.auto_reload:
            self.refresh()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def refresh(self) -> None:
        """Begin a pass now: its first batches are asked for, and the next loop takes it."""
        self._iter = self._prefetch_iter()

    def clean(self) -> None:
        """Give up the pass that was begun ahead; the next loop begins one."""
        self._iter = None

    def __getstate__(self) -> dict[str, Any]:
        # Workers, and a pass that was begun, stay with this one.
        return {**self.__dict__, "_pool": None, "_iter": None}

    def __del__(self) -> None:
        self._iter = None
        if self._pool is not None:
            with contextlib.suppress(ImportError, TypeError):  # the interpreter ends, and modules are gone
                self._pool.close()


def _batches(
    dataset: Any, batch_size: Any, shuffle: bool, sampler: Any, last_batch: Any, batch_sampler: Any
) -> Any:
    """What gives the positions of each batch."""
    if batch_sampler is not None:
        if batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ValueError(
                "[DataLoader] got a batch_sampler, which says what makes a batch; expected no batch_size, "
                "shuffle, sampler or last_batch beside it"
            )
        return batch_sampler
    if batch_size is None:
        raise ValueError("[DataLoader] batch_size is missing; expected one, or a batch_sampler")
    if sampler is None:
        kind = _sampler.RandomSampler if shuffle else _sampler.SequentialSampler
        sampler = kind(len(dataset))
    elif shuffle:
        raise ValueError("[DataLoader] got a sampler, which gives the order; expected no shuffle beside it")
    return _sampler.BatchSampler(sampler, batch_size, last_batch or "keep")


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
