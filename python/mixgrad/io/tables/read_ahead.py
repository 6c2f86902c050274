"""Reading ahead: a thread takes items from an iterator, a bounded number before they are asked for."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any, Generic, Optional, TypeVar

__all__ = ["ReadAhead"]

Item = TypeVar("Item")

# Seconds that closing waits for the thread to end; that dropping the reader and leaving the program do.
_CLOSE_WAITS, _DROP_WAITS = 1.0, 0.1


class _Shelf(Generic[Item]):
    """What thread and reader share; it holds no reference to the reader, whose end ends the thread."""

    def __init__(self, source: Iterator[Item], depth: int) -> None:
        self.source, self.depth = source, depth
        self.changed = threading.Condition()
        self.items: deque[Item] = deque()
        self.ended = self.stopped = False
        self.process = os.getpid()
        self.error: Optional[BaseException] = None

    def fill(self) -> None:
        """Take items until the source ends, fails, or nobody wants more."""
        try:
            for item in self.source:
                with self.changed:
                    self.items.append(item)
                    self.changed.notify_all()
                    self.changed.wait_for(lambda: self.stopped or len(self.items) < self.depth)
                    if self.stopped:
                        break
        except BaseException as error:  # raised where the item is asked for
            self.error = error
        finally:
            close: Any = getattr(self.source, "close", None)
            if close is not None:
                close()
            with self.changed:
                self.ended = True
                self.changed.notify_all()

    def stop(self) -> None:
        """Let the thread end after the item that it is reading."""
        with self.changed:
            self.stopped = True
            self.items.clear()
            self.changed.notify_all()


def _stop(shelf: _Shelf[Item], thread: threading.Thread, seconds: float) -> None:
    """End the thread, and wait for it at most so long.

    A forked child has no such thread, and the lock may be held there for ever.
    """
    if shelf.process != os.getpid():
        return
    shelf.stop()
    if thread is not threading.current_thread():
        thread.join(seconds)


class ReadAhead(Generic[Item]):
    """An iterator over another one's items, which a thread reads ahead.

    Parameters
    ----------
    source : iterator
        Where items come from; only the thread uses it, and closes it.
    depth : int
        How many items wait at most.
    who, what : str
        For messages: the function, and what is read.
    timeout : float, optional
        Seconds to wait for an item before ``TimeoutError``.
    """

    def __init__(
        self, source: Iterator[Item], depth: int, who: str, what: str, timeout: Optional[float]
    ) -> None:
        self._shelf = _Shelf(source, depth)
        self._who, self._what, self._timeout = who, what, timeout
        self._thread = threading.Thread(target=self._shelf.fill, name="mixgrad-read-ahead", daemon=True)
        self._finalizer = weakref.finalize(self, _stop, self._shelf, self._thread, _DROP_WAITS)
        self._thread.start()

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        shelf = self._shelf
        with shelf.changed:
            if not shelf.changed.wait_for(lambda: shelf.items or shelf.ended, self._timeout):
                raise TimeoutError(
                    f"[{self._who}] nothing of {self._what} came within {self._timeout:g} seconds"
                )
            if shelf.items:
                item = shelf.items.popleft()
                shelf.changed.notify_all()
                return item
            if shelf.error is not None:
                raise shelf.error
            raise StopIteration

    def close(self) -> None:
        """Let the thread end, and wait for it a second at most."""
        if self._finalizer.detach() is not None:
            _stop(self._shelf, self._thread, _CLOSE_WAITS)
