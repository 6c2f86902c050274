"""Recording what ran where and when, as a Chrome trace (open it in a browser's chrome://tracing or in
Perfetto)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Union

from . import _core
from .base import path_text

__all__ = ["dump", "profile", "start", "stop"]


def start() -> None:
    """Starts recording every task of the engine, and within tasks that run graphs every node."""
    _core.profiler_start()


def stop() -> None:
    """Stops recording."""
    _core.profiler_stop()


def dump(path: Union[str, os.PathLike[str]] = "profile.json") -> None:
    """Writes what was recorded as Chrome-trace JSON; the file appears complete or not at all."""
    _core.profiler_dump(path_text(path, "profiler.dump"))


@contextmanager
def profile(path: Union[str, os.PathLike[str]]) -> Iterator[None]:
    """Records the block and writes the trace.

    >>> import mixgrad as mx, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with mx.profiler.profile(os.path.join(folder, "trace.json")):
    ...         y = (mx.nd.ones((3,)) * 2).asnumpy()
    ...     os.path.getsize(os.path.join(folder, "trace.json")) > 0
    True
    """
    start()
    try:
        yield
    finally:
        _core.wait_all()
        stop()
        dump(path)
