"""The dependency engine: waiting, choosing an engine, threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from . import _core, _hints
from .base import whole

__all__ = [
    "bulk",
    "engine_type",
    "num_threads",
    "serial",
    "set_bulk_size",
    "set_engine_type",
    "set_num_threads",
]

_KINDS = {"NaiveEngine": 0, "serial": 0, "ThreadedEngine": 1, "ThreadedEnginePerDevice": 1, "threaded": 1}


def engine_type() -> str:
    """'serial' or 'threaded'.

    >>> engine_type() in ("serial", "threaded")
    True
    """
    return "threaded" if _core.get_engine() else "serial"


def set_engine_type(name: str) -> None:
    """Finishes all work and switches the engine.

    Parameters
    ----------
    name : str
        'threaded' or 'serial'; MXNet's 'NaiveEngine' and 'ThreadedEngine' mean the same.
    """
    if not isinstance(name, str) or name not in _KINDS:
        raise ValueError(f"[engine] no engine is called {name!r:.60}; known are {', '.join(_KINDS)}")
    _core.set_engine(_KINDS[name])


@contextmanager
def serial() -> Iterator[None]:
    """A scope in which every operation runs at once in the calling thread: for debugging."""
    before = _core.get_engine()
    _core.set_engine(0)
    try:
        yield
    finally:
        _core.set_engine(before)


def num_threads() -> int:
    """Threads that one large operation may use."""
    return int(_core.num_threads())


def set_num_threads(count: int) -> None:
    """Sets the threads that one large operation may use, 1 to 1024."""
    _core.set_num_threads(whole(count, "set_num_threads", "count", -(2**31), 2**31 - 1))


class _BulkSize(threading.local):
    value = 0


_bulk_size = _BulkSize()


def set_bulk_size(size: int) -> int:
    """Keeps the number for the thread and returns the one before; calls cost too little here to be gathered.

    >>> before = set_bulk_size(5)
    >>> set_bulk_size(before)
    5
    """
    before = _bulk_size.value
    _bulk_size.value = whole(size, "set_bulk_size", "size", -(2**31), 2**31 - 1)
    return before


@contextmanager
def bulk(size: int) -> Iterator[None]:
    """A scope with this size; see :func:`set_bulk_size`."""
    before = set_bulk_size(size)
    try:
        yield
    finally:
        set_bulk_size(before)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
