"""Events that programs add to a trace: spans, numbers over time, points in time."""

from __future__ import annotations

import time
from numbers import Real
from typing import ClassVar, Optional

from ..base import InvalidArgumentError
from .recording import add_event

__all__ = ["Counter", "Domain", "Event", "Frame", "Marker", "Task"]


class Domain:
    """A group of user-defined events, shown as their category.

    Parameters
    ----------
    name : str
        Shown in the trace.

    Examples
    --------
    >>> import mixgrad as mx, json
    >>> mx.profiler.start()
    >>> reading = mx.profiler.Domain("reading")
    >>> with reading.new_task("decode"):
    ...     mx.nd.ones((3,)).wait_to_read()
    >>> mx.profiler.stop()
    >>> "decode" in json.loads(mx.profiler.dumps(format="json"))["Time"]["reading"]
    True
    """

    def __init__(self, name: str) -> None:
        self.name = str(name)

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """Return a :class:`Task` of this group."""
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """Return a :class:`Frame` of this group."""
        return Frame(self, name)

    def new_counter(self, name: str, value: Optional[float] = None) -> Counter:
        """Return a :class:`Counter` of this group."""
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """Return a :class:`Marker` of this group."""
        return Marker(self, name)


class _Span:
    """From ``start()`` to ``stop()``; also a context manager."""

    _kind: ClassVar[str] = "event"

    def __init__(self, name: str, domain: Optional[Domain]) -> None:
        self.name = str(name)
        self._domain = domain
        self._began: Optional[int] = None

    def __str__(self) -> str:
        return self.name

    def start(self) -> None:
        """Begin."""
        self._began = time.perf_counter_ns()

    def stop(self) -> None:
        """End; nothing if it has not begun."""
        if self._began is None:
            return
        began, self._began = self._began, None
        category = self._kind if self._domain is None else self._domain.name
        if self._kind == "frame":
            category += ",frame"
        length = (time.perf_counter_ns() - began) / 1000
        add_event({"name": self.name, "cat": category, "ph": "X", "dur": length}, began)

    def __enter__(self) -> _Span:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


class Task(_Span):
    """A piece of work of a :class:`Domain`, from ``start()`` to ``stop()``, or a ``with`` block."""

    _kind = "task"

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, domain)


class Frame(_Span):
    """A repeated piece of work of a :class:`Domain`, such as one batch."""

    _kind = "frame"

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, domain)


class Event(_Span):
    """A piece of work of no domain."""

    def __init__(self, name: str) -> None:
        super().__init__(name, None)


class Counter:
    """A number over time; ``counter += 1`` works.

    Parameters
    ----------
    domain : Domain
        Its group.
    name : str
        Shown in the trace.
    value : int or float, optional
        First value.

    Examples
    --------
    >>> import mixgrad as mx
    >>> batches = mx.profiler.Domain("reading").new_counter("batches", 2)
    >>> batches += 3
    >>> batches.value
    5
    """

    def __init__(self, domain: Domain, name: str, value: Optional[float] = None) -> None:
        self.name = str(name)
        self._domain = domain
        self.value: float = 0
        if value is not None:
            self.set_value(value)

    def __str__(self) -> str:
        return self.name

    def set_value(self, value: float) -> None:
        """Note a new value."""
        if not isinstance(value, Real):
            raise InvalidArgumentError(f"[Counter.set_value] got {value!r:.60}; expected a number")
        self.value = value
        event = {"name": self.name, "cat": self._domain.name, "ph": "C", "args": {self.name: value}}
        add_event(event, time.perf_counter_ns())

    def increment(self, delta: float = 1) -> None:
        """Add ``delta``."""
        self.set_value(self.value + delta)

    def decrement(self, delta: float = 1) -> None:
        """Subtract ``delta``."""
        self.set_value(self.value - delta)

    def __iadd__(self, delta: float) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: float) -> Counter:
        self.decrement(delta)
        return self


class Marker:
    """A point in time.

    Parameters
    ----------
    domain : Domain
        Its group.
    name : str
        Shown in the trace.
    """

    def __init__(self, domain: Domain, name: str) -> None:
        self.name = str(name)
        self._domain = domain

    def __str__(self) -> str:
        return self.name

    def mark(self, scope: str = "process") -> None:
        """Note that now is the time.

        Parameters
        ----------
        scope : {'global', 'process', 'thread', 'task', 'marker'}
            How far the line reaches in the picture.
        """
        reaches = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}
        if scope not in reaches:
            raise InvalidArgumentError(f"[Marker.mark] scope is {scope!r}; expected one of {list(reaches)}")
        category = f"{self._domain.name},instant_marker"
        event = {"name": self.name, "cat": category, "ph": "i", "s": reaches[scope]}
        add_event(event, time.perf_counter_ns())
