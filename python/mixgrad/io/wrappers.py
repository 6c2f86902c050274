"""Iterators over iterators: another length of pass, and batches fetched ahead."""

from __future__ import annotations

import copy
import os
import threading
import time
import weakref
from collections.abc import Mapping
from typing import Any, Optional

import numpy as np

from ..base import InvalidArgumentError, UnsupportedError
from .base import DataBatch, DataDesc, DataIter, need_iterator, refuse_unknown
from .state import checked_state, state_count

__all__ = ["PrefetchingIter", "ResizeIter"]


class _KeepsBatch(DataIter):
    """An iterator whose parts of a batch are those of the batch it holds."""

    current_batch: Optional[DataBatch] = None

    def _current(self) -> DataBatch:
        if self.current_batch is None:
            raise ValueError(f"[{type(self).__name__}] no batch yet; call next or iter_next")
        return self.current_batch

    def getdata(self) -> Any:
        """Return the data of the current batch."""
        return self._current().data

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return self._current().label

    def getindex(self) -> Any:
        """Return the numbers of the examples of the current batch."""
        return self._current().index

    def getpad(self) -> Optional[int]:
        """Return the padding of the current batch."""
        return self._current().pad


class ResizeIter(_KeepsBatch):
    """An iterator whose pass has a chosen number of batches; the inner one starts again whenever it ends.

    Parameters
    ----------
    data_iter : DataIter
        Where batches come from.
    size : int
        Batches per pass.
    reset_internal : bool
        Whether ``reset`` also resets the inner iterator.

    Examples
    --------
    >>> import mixgrad as mx
    >>> it = mx.io.ResizeIter(mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2), 3)
    >>> [batch.data[0].asnumpy().tolist() for batch in it]
    [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]]
    """

    def __init__(self, data_iter: DataIter, size: int, reset_internal: bool = True, **unknown: Any) -> None:
        refuse_unknown(ResizeIter, unknown)
        need_iterator(data_iter, "ResizeIter", "data_iter")
        if not isinstance(size, (int, float, np.number)):
            raise TypeError(f"[ResizeIter] size is {type(size).__name__}: {size!r:.60}; expected a number")
        super().__init__(data_iter.batch_size)
        self.data_iter = data_iter
        self.size = size
        self.reset_internal = reset_internal
        self.cur = 0
        self.provide_data = data_iter.provide_data
        self.provide_label = data_iter.provide_label
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key

    def reset(self) -> None:
        """Start the next pass."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self) -> bool:
        """Go to the next batch; False after ``size`` of them."""
        if self.cur == self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            try:
                self.current_batch = self.data_iter.next()
            except StopIteration:
                raise ValueError("[ResizeIter] the inner iterator gives no batches") from None
        self.cur += 1
        return True

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator and the inner one stand."""
        return {"iterator": "ResizeIter", "cur": self.cur, "inner": self.data_iter.state_dict()}

    def load_state_dict(self, state: Any) -> None:
        """Go to where another such iterator stood."""
        state = checked_state(state, "ResizeIter", {})
        cur = state_count(state, "cur", "ResizeIter")
        self.data_iter.load_state_dict(state.get("inner"))
        self.cur, self.current_batch = cur, None


# Seconds that a fork waits for batches being fetched; that `close` waits for its threads; and that dropping
# the iterator and leaving the program do.
_FORK_WAITS, _CLOSE_WAITS, _DROP_WAITS = 0.5, 1.0, 0.1


def _again(error: BaseException) -> BaseException:
    """A copy to raise, so that the one that is kept does not hold the frames it passes."""
    try:
        return copy.copy(error).with_traceback(error.__traceback__)
    except Exception:  # a class of its own that cannot be copied
        return error


def _position(iterator: Any) -> Any:
    """Where an iterator stands; None of one that does not say."""
    try:
        return iterator.state_dict()
    except (AttributeError, UnsupportedError):
        return None


class _Fetcher:
    """A thread that fetches one batch ahead from one iterator.

    It holds no reference to the PrefetchingIter, so that dropping that one ends the thread. ``_wanted`` is
    what the thread shall do next: 'next', 'reset', 'stop', or None while there is nothing to do.

    A child process begins with the state and without the thread, which is started anew when first needed.
    """

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator
        self._wanted: Optional[str] = "next"
        self._batch: Optional[DataBatch] = None
        self._error: Optional[BaseException] = None
        self._before: Any = None  # where the iterator stood before that batch, where it says so
        self._start()
        _FETCHERS.add(self)

    def _start(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="mixgrad-prefetch", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None)
                wanted = self._wanted
            if wanted == "stop":
                return
            batch, error, before = None, None, None
            try:
                if wanted == "reset":
                    self.iterator.reset()
                before = _position(self.iterator)
                batch = self.iterator.next()
            except StopIteration:
                pass
            except BaseException as raised:
                error = raised
            with self._changed:
                self._batch, self._error, self._before = batch, error, before
                if self._wanted != "stop":
                    self._wanted = None
                self._changed.notify_all()

    def _needs_thread(self) -> None:
        """Start the thread in a process that was forked from the one that it runs in.

        What the thread was doing then is lost, and how far the iterator got with it is unknown.
        """
        if self._process == os.getpid():
            return
        if self._wanted in ("next", "reset"):
            self._wanted = None
            self._error = ValueError(
                f"[PrefetchingIter] the process forked while the parent's thread fetched a batch of "
                f"{type(self.iterator).__name__}; expected reset() before next() in the child"
            )
        self._start()

    def ask(self, what: str) -> None:
        """Let the thread do the next thing, once it is done with the last."""
        self._needs_thread()
        with self._changed:
            self._changed.wait_for(lambda: self._wanted in (None, "stop"))
            if self._wanted is None:
                self._batch, self._error, self._before = None, None, None
                self._wanted = what
                self._changed.notify_all()

    def batch(self) -> Optional[DataBatch]:
        """Wait for the batch; None at the end of the pass. What the iterator raised is raised here."""
        self._needs_thread()
        with self._changed:
            self._changed.wait_for(lambda: self._wanted in (None, "stop"))
            if self._wanted == "stop":
                raise ValueError("[PrefetchingIter] it is closed")
            if self._error is not None:
                raise _again(self._error)
            return self._batch

    def position(self) -> Any:
        """Where the iterator stood before the batch that is ready, or being fetched."""
        self._needs_thread()
        with self._changed:
            self._changed.wait_for(lambda: self._wanted in (None, "stop"))
            if self._before is None:
                raise _again(
                    self._error
                    or UnsupportedError(f"[PrefetchingIter] {type(self.iterator).__name__} has no state_dict")
                )
            return self._before

    def go_to(self, state: Any) -> None:
        """Let the iterator go to a position while the thread is idle, and fetch the batch there."""
        self._needs_thread()
        with self._changed:
            self._changed.wait_for(lambda: self._wanted in (None, "stop"))
            if self._wanted == "stop":
                raise ValueError("[PrefetchingIter] it is closed")
            self.iterator.load_state_dict(state)
        self.ask("next")

    def stop(self) -> None:
        """Let the thread end after the batch it is fetching."""
        _FETCHERS.discard(self)
        if self._process != os.getpid():  # the thread is not here, and its lock may be held for ever
            self._wanted = "stop"
            return
        with self._changed:
            self._wanted = "stop"
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end, at most so long: what its iterator waits for may never come."""
        if self._process == os.getpid() and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def settle(self, seconds: float) -> None:
        """Wait for the batch that is being fetched, at most so long."""
        if self._process == os.getpid() and self._thread is not threading.current_thread():
            with self._changed:
                self._changed.wait_for(lambda: self._wanted in (None, "stop"), seconds)


_FETCHERS: set[_Fetcher] = set()  # those that may have a thread


def _before_fork() -> None:
    end = time.monotonic() + _FORK_WAITS
    for fetcher in tuple(_FETCHERS):
        fetcher.settle(max(0.0, end - time.monotonic()))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)


def _stop_all(fetchers: list[_Fetcher], seconds: float) -> None:
    """End the threads, and wait for them at most so long."""
    for fetcher in fetchers:
        fetcher.stop()
    end = time.monotonic() + seconds
    for fetcher in fetchers:
        fetcher.join(max(0.0, end - time.monotonic()))


def _renamed(descriptions: Any, names: dict[str, str]) -> list[DataDesc]:
    out = []
    for item in descriptions:
        desc = item if isinstance(item, DataDesc) else DataDesc(*item)
        name = names.get(desc.name, desc.name)
        out.append(DataDesc(name, desc.shape, desc.dtype, desc.layout))
    return out


class PrefetchingIter(_KeepsBatch):
    """Fetches the next batch of one or several iterators in threads, while the current one is worked on.

    Parameters
    ----------
    iters : DataIter or list of DataIter
        Where batches come from; of several, the arrays are put together.
    rename_data, rename_label : list of dict, optional
        For each iterator, new names by old names.

    Notes
    -----
    An error of an inner iterator is raised by the ``next`` that would have given its batch. The threads end
    with the object, or with :meth:`close`; one whose iterator waits for something ends after that, and keeps
    no program from leaving.

    A process that was forked goes on with threads of its own and the batch that was ready. ``os.fork`` waits
    half a second for one that is not; after that ``next`` raises in the child until it calls ``reset``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> parts = [mx.io.NDArrayIter({"data": mx.nd.ones((4, 3))}, batch_size=2) for _ in range(2)]
    >>> it = mx.io.PrefetchingIter(parts, rename_data=[{"data": "a"}, {"data": "b"}])
    >>> [desc.name for desc in it.provide_data], len(list(it))
    (['a', 'b'], 2)
    """

    def __init__(
        self,
        iters: Any,
        rename_data: Optional[list[dict[str, str]]] = None,
        rename_label: Optional[list[dict[str, str]]] = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(PrefetchingIter, unknown)
        for what, names in (("rename_data", rename_data), ("rename_label", rename_label)):
            if names is not None and not (
                isinstance(names, (list, tuple)) and all(isinstance(one, Mapping) for one in names)
            ):
                raise TypeError(
                    f"[PrefetchingIter] {what} is {names!r:.60}; expected a list of dicts, one per iterator"
                )
        super().__init__()
        self.iters = list(iters) if isinstance(iters, (list, tuple)) else [iters]
        if not self.iters:
            raise ValueError("[PrefetchingIter] got no iterators")
        for one in self.iters:
            need_iterator(one, "PrefetchingIter", "iters")
        self.n_iter = len(self.iters)
        for what, names in (("rename_data", rename_data), ("rename_label", rename_label)):
            if names is not None and len(names) != self.n_iter:
                raise ValueError(
                    f"[PrefetchingIter] {what} has {len(names)} entries for {self.n_iter} iterators"
                )
        self.rename_data = rename_data
        self.rename_label = rename_label
        self.batch_size = self.provide_data[0].shape[0]
        self._fetchers = [_Fetcher(iterator) for iterator in self.iters]
        self._finalizer = weakref.finalize(self, _stop_all, self._fetchers, _DROP_WAITS)

    def close(self) -> None:
        """End the threads, waiting a second at most; the iterator gives no more batches."""
        if self._finalizer.detach() is not None:
            _stop_all(self._fetchers, _CLOSE_WAITS)

    @property
    def provide_data(self) -> list[DataDesc]:
        """Descriptions of the data of all iterators."""
        names = self.rename_data or [{} for _ in self.iters]
        return [d for it, new in zip(self.iters, names) for d in _renamed(it.provide_data, new)]

    @property
    def provide_label(self) -> list[DataDesc]:
        """Descriptions of the labels of all iterators."""
        names = self.rename_label or [{} for _ in self.iters]
        return [d for it, new in zip(self.iters, names) for d in _renamed(it.provide_label, new)]

    def reset(self) -> None:
        """Start the next pass of all iterators."""
        for fetcher in self._fetchers:
            fetcher.ask("reset")

    def state_dict(self) -> dict[str, Any]:
        """Return where the inner iterators stood before the batch that comes next, once it is there."""
        return {"iterator": "PrefetchingIter", "inner": [fetcher.position() for fetcher in self._fetchers]}

    def load_state_dict(self, state: Any) -> None:
        """Go to where another such iterator stood."""
        inner = checked_state(state, "PrefetchingIter", {}).get("inner")
        if not isinstance(inner, list) or len(inner) != self.n_iter:
            raise InvalidArgumentError(
                f"[PrefetchingIter] the state is not one of {self.n_iter} iterators: inner is {inner!r:.60}"
            )
        for fetcher, one in zip(self._fetchers, inner):
            fetcher.go_to(one)
        self.current_batch = None

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end of the pass."""
        batches = [fetcher.batch() for fetcher in self._fetchers]
        ready = [batch for batch in batches if batch is not None]
        if not ready:
            return False
        if len(ready) != len(batches) or len({batch.pad for batch in ready}) > 1:
            raise ValueError(f"[PrefetchingIter] the iterators differ in length: {self._lengths(batches)}")
        self.current_batch = DataBatch(
            [array for batch in ready for array in batch.data],
            [array for batch in ready for array in batch.label or []],
            ready[0].pad,
            ready[0].index,
            bucket_key=getattr(ready[0], "bucket_key", None),
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        for fetcher in self._fetchers:
            fetcher.ask("next")
        return True

    def _lengths(self, batches: list[Optional[DataBatch]]) -> str:
        """What each iterator gave, where they do not agree, and what was expected."""
        said = []
        for number, (iterator, batch) in enumerate(zip(self.iters, batches)):
            what = "is at its end" if batch is None else f"has another batch, with padding {batch.pad}"
            said.append(f"iterator {number} ({type(iterator).__name__}) {what}")
        given = "".join(f"{text}, " for text in said[:-2]) + " and ".join(said[-2:])
        return f"{given}; expected as many examples of each"

    def next(self) -> DataBatch:
        """Return the next batch."""
        if not self.iter_next():
            raise StopIteration
        assert self.current_batch is not None
        return self.current_batch
