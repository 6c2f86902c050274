"""How :mod:`multiprocessing` sends arrays in shared memory: by descriptor, and not by value.

A segment of shared memory has no name. Its descriptor goes over a socket (or is inherited, where a process is
started with the array), and the kernel frees the memory with the last process that has it.
"""

from __future__ import annotations

import os
import pickle
import weakref
from collections.abc import Sequence
from functools import cache
from multiprocessing import reduction
from typing import Any

from .. import _core
from ..context import Context
from ._placement import for_every_class

__all__ = ["send_by_descriptor", "share"]

_Place = tuple[int, int, tuple[int, ...], int, type]  # descriptor, offset, shape, dtype, class

# Arrays that were shared here, sent, or came: one that comes back is the same object, so that the engine
# orders its tasks.
_known: weakref.WeakValueDictionary[_Place, Any] = weakref.WeakValueDictionary()


class _Segment:
    """A descriptor that is on its way. Arrays of one segment in one message share it."""

    def __init__(self, fd: int, ours: bool) -> None:
        self.fd, self._ours = fd, ours

    def __del__(self) -> None:
        if self._ours:
            os.close(self.fd)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _received, (reduction.DupFd(self.fd),)


_sending: weakref.WeakValueDictionary[int, _Segment] = weakref.WeakValueDictionary()


def _received(sent: Any) -> _Segment:
    return _Segment(sent.detach(), True)


def _place(array: Any) -> _Place:
    fd, offset = _core.shared_place(array)
    return fd, offset, array.shape, array._dtype_number, type(array)


def _reduce(array: Any) -> Any:
    """What a message holds of an array: its place in shared memory, else its values."""
    if not _core.is_shared(array):
        return array.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    place = _place(array)
    _known[place] = array
    fd, *rest = place
    segment = _sending.get(fd)
    if segment is None:
        segment = _sending[fd] = _Segment(fd, False)
    return _rebuild, (segment, *rest, array.context, bool(array._variable))


def _rebuild(
    segment: _Segment,
    offset: int,
    shape: tuple[int, ...],
    dtype: int,
    cls: type,
    context: Context,
    variable: bool,
) -> Any:
    send_by_descriptor()
    array: Any = _core.attach_shared(segment.fd, offset, shape, dtype, context.numbers)._as(cls)
    place = _place(array)
    known = _known.get(place)
    if known is not None and _core.is_shared(known) and _place(known) == place:
        return known
    _known[place] = array
    if variable and hasattr(cls, "requires_grad_"):  # a parameter by its class, such as nn.Parameter
        array.requires_grad_()
    return array


def share(arrays: Sequence[Any]) -> None:
    """Move the memory of arrays into one new segment."""
    _core.share_memory(arrays)
    send_by_descriptor()
    for array in arrays:
        if _core.is_shared(array):
            _known[_place(array)] = array


@cache
def send_by_descriptor() -> None:
    """From now on queues and pipes of :mod:`multiprocessing` send arrays in shared memory so."""
    for_every_class(lambda cls: reduction.ForkingPickler.register(cls, _reduce))
