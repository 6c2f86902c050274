"""Memory that a worker shares with the program: arrays of a batch go from one to the other by descriptor.

A segment has no name, so nothing of it stays behind when processes end, in whatever way. The worker makes
it, sends its descriptor once and uses it again for other batches, when the program has let go of the arrays
in it.
"""

from __future__ import annotations

import mmap
import os
import pickle
import tempfile
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from ... import _core, _hints
from ...base import bfloat16
from ...ndarray import NDArray
from ...ndarray.creation import from_dlpack

__all__ = ["Keeper", "Lender", "ReplyPickler", "ReplyUnpickler"]

_LEAST_BYTES = 1 << 16  # smaller arrays go by value
_PAGE = mmap.PAGESIZE
_MOST_IDLE = 8  # segments of a worker that no batch uses
_MOST_HELD = 32  # segments of a worker whose arrays the program has


_NUMPY, _OURS, _OURS_NUMPY = range(3)  # classes of arrays: NumPy's, mx.nd's, mx.np's


def _kind(array: Any) -> Optional[int]:
    """The class of an array whose numbers lie flat in memory; None for others, such as sparse ones."""
    if type(array) is np.ndarray:
        return None if array.dtype.hasobject else _NUMPY
    if array.dtype is bfloat16:
        return None
    if getattr(array, "_is_np", False):
        return _OURS_NUMPY
    return _OURS if type(array) is NDArray else None


def _array_of(kind: int, values: npt.NDArray[Any]) -> Any:
    if kind == _NUMPY:
        return values
    made: Any = from_dlpack(values)
    return made.as_np_ndarray() if kind == _OURS_NUMPY else made


def _nameless_file() -> int:
    """The descriptor of a new file in memory that has no name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("mixgrad-batch", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class _Segment:
    def __init__(self, number: int, fd: int, size: int) -> None:
        self.number, self.bytes = number, size
        self.memory = mmap.mmap(fd, size)
        self._last: Callable[[], Any] = lambda: None

    def view(self, dtype: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """An array at the beginning of the memory; its base lives as long as any view of it."""
        count = int(np.prod(shape, dtype=np.int64))
        owner = np.frombuffer(self.memory, dtype, count)
        self._last = weakref.ref(owner)
        view: npt.NDArray[Any] = owner.reshape(shape)
        return view

    @property
    def in_use(self) -> bool:
        """Whether this process still has an array in it."""
        return self._last() is not None


class Lender:
    """The worker's side: segments that are in use, and those that wait for the next batch."""

    def __init__(self) -> None:
        self._next = 0
        self._lent: dict[int, _Segment] = {}
        self._idle: list[_Segment] = []
        self._new: dict[int, int] = {}  # descriptors of segments that the program lacks
        self._dropped: list[int] = []
        # Arrays of the batch under work that lie in shared memory, by their id, and what was sent of them.
        self._placed: dict[int, tuple[Any, _Segment]] = {}
        self._sent: set[int] = set()

    def take(self, size: int) -> _Segment:
        """A segment of at least that many bytes."""
        fitting = [s for s in self._idle if size <= s.bytes <= 4 * size + _PAGE and not s.in_use]
        if fitting:
            segment = min(fitting, key=lambda s: s.bytes)
            self._idle.remove(segment)
        else:
            segment = self._made(-(-size // _PAGE) * _PAGE)
        self._lent[segment.number] = segment
        return segment

    def _made(self, size: int) -> _Segment:
        fd = _nameless_file()
        try:
            if hasattr(os, "posix_fallocate"):  # a lack of memory is an error here, no signal later
                os.posix_fallocate(fd, 0, size)
            else:
                os.truncate(fd, size)
            segment = _Segment(self._next, fd, size)
        except BaseException:
            os.close(fd)
            raise
        self._next += 1
        self._new[segment.number] = fd
        return segment

    def give_back(self, numbers: Iterable[int]) -> None:
        """The program has let go of these."""
        self._idle += [self._lent.pop(number) for number in numbers]
        while len(self._idle) > _MOST_IDLE:
            number = self._idle.pop(0).number
            if number in self._new:  # the program never heard of it
                os.close(self._new.pop(number))
            else:
                self._dropped.append(number)

    def empty(
        self, shape: tuple[int, ...], dtype: Any, as_np: bool = False
    ) -> Optional[tuple[npt.NDArray[Any], NDArray]]:
        """A new array of the batch in shared memory, as NumPy's and as ours; None for a small one."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if size < _LEAST_BYTES:
            return None
        segment = self.take(size)
        view = segment.view(dtype, shape)
        array = _array_of(_OURS_NUMPY if as_np else _OURS, view)
        self._placed[id(array)] = (array, segment)
        return view, array

    def send(self, array: Any) -> Optional[tuple[Any, ...]]:
        """What stands for an array: its class, and where its values lie, once computed, or the values.

        None: the array is pickled as usual.
        """
        kind = _kind(array)
        if kind is None:
            return None
        if id(array) not in self._placed and not self._put(array, kind != _NUMPY):
            return None if kind == _NUMPY else (kind, array.asnumpy())
        if kind != _NUMPY:
            array.wait_to_read()
        segment = self._placed[id(array)][1]
        self._sent.add(segment.number)
        return kind, segment.number, np.dtype(array.dtype).str, array.shape

    def _put(self, array: Any, ours: bool) -> bool:
        """Copies an array into shared memory, unless it is small."""
        dtype = np.dtype(array.dtype)
        if array.size * dtype.itemsize < _LEAST_BYTES:
            return False
        segment = self.take(array.size * dtype.itemsize)
        view = segment.view(dtype, array.shape)
        if ours:
            _core.copy_to(array, view)
        else:
            np.copyto(view, array, casting="no")
        self._placed[id(array)] = (array, segment)
        return True

    def finish(self) -> tuple[list[tuple[int, int, int]], list[int]]:
        """End a batch: new segments that go with it (number, bytes, descriptor), numbers of dropped ones."""
        taken = {segment.number for _, segment in self._placed.values()}
        self._placed.clear()
        self.give_back(sorted(taken - self._sent))
        fresh = sorted(self._sent & self._new.keys())
        new = [(number, self._lent[number].bytes, self._new.pop(number)) for number in fresh]
        dropped, self._dropped, self._sent = self._dropped, [], set()
        return new, dropped

    def forget(self) -> None:
        """The batch under work failed: what it took is idle again."""
        self._sent.clear()
        self.give_back(sorted({segment.number for _, segment in self._placed.values()}))
        self._placed.clear()


class Keeper:
    """The program's side of one worker's segments.

    ``freed`` are the numbers of those whose arrays are gone, which the worker may use again.
    """

    def __init__(self) -> None:
        self._segments: dict[int, _Segment] = {}
        self.freed: deque[int] = deque()
        self._held: set[int] = set()

    def add(self, number: int, size: int, fd: int) -> None:
        """Map a segment that came; the descriptor is closed."""
        try:
            self._segments[number] = _Segment(number, fd, size)
        finally:
            os.close(fd)

    def drop(self, numbers: Iterable[int]) -> None:
        """The worker will not use these again."""
        for number in numbers:
            del self._segments[number]

    def array(self, number: int, dtype: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """The array that lies in a segment; when the last view of it is gone, the segment is free.

        A program that keeps many batches gets copies: segments cost a descriptor each.
        """
        view = self._segments[number].view(dtype, shape)
        if len(self._held) >= _MOST_HELD:
            self.freed.append(number)
            copied: npt.NDArray[Any] = view.copy()
            return copied
        self._held.add(number)
        weakref.finalize(view.base, self._free, number).atexit = False
        return view

    def _free(self, number: int) -> None:
        self._held.discard(number)
        self.freed.append(number)


class ReplyPickler(pickle.Pickler):
    """Pickles a batch; large arrays in it stay where they are, or are put into shared memory."""

    def __init__(self, file: Any, lender: Lender) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._lender = lender

    def persistent_id(self, obj: Any) -> Any:
        """What stands for an array; None for all that is pickled as usual."""
        return self._lender.send(obj) if isinstance(obj, (NDArray, np.ndarray)) else None


class ReplyUnpickler(pickle.Unpickler):
    """Reads what a :class:`ReplyPickler` wrote."""

    def __init__(self, file: Any, keeper: Keeper) -> None:
        super().__init__(file)
        self._keeper = keeper
        self._found: dict[int, Any] = {}

    def persistent_load(self, pid: Any) -> Any:
        """The array that lies there; several times the same one for one that is there several times."""
        kind, *place = pid
        if len(place) == 1:
            return _array_of(kind, place[0])
        number, dtype, shape = place
        if number not in self._found:
            self._found[number] = _array_of(kind, self._keeper.array(number, dtype, shape))
        return self._found[number]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
