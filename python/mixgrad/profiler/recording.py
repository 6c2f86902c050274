"""Recording the engine's tasks, and writing them as a trace or a table."""

from __future__ import annotations

import json
import os
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional, Union

from .. import _core
from .._files import write_file
from ..base import InvalidArgumentError, RefusedValueError, UnknownWordError, path_text
from ..context import Context, num_gpus
from ..memory import memory_info

__all__ = [
    "add_event",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profile",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_state",
    "start",
    "stop",
]

Path = Union[str, "os.PathLike[str]"]

# What set_config knows. All tasks of the engine are recorded whichever kinds are named.
_OPTIONS = {
    "filename",
    "profile_all",
    "profile_symbolic",
    "profile_imperative",
    "profile_memory",
    "profile_api",
    "continuous_dump",
    "dump_period",
    "aggregate_stats",
    "profile_process",
    "gpu_memory_profile_filename_prefix",
}


class _Recording:
    """Events that Python adds to the engine's, in nanoseconds of the same clock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.filename: Path = "profile.json"
        self.began: Optional[int] = None  # None: nothing recorded yet
        self.runs = False
        self.events: list[dict[str, Any]] = []

    def add(self, event: dict[str, Any], at: int) -> None:
        with self.lock:
            if self.runs and self.began is not None and at >= self.began:
                place = {"pid": 0, "tid": threading.get_ident() % 1_000_000, "ts": (at - self.began) / 1000}
                self.events.append({**event, **place})


_recording = _Recording()


def start() -> None:
    """Start recording every task of the engine and every node of graphs; what was recorded before goes."""
    with _recording.lock:
        _recording.events.clear()
        _recording.began, _recording.runs = time.perf_counter_ns(), True
    _core.profiler_start()


def stop() -> None:
    """Stop recording."""
    _core.profiler_stop()
    _recording.runs = False


def pause(profile_process: str = "worker") -> None:
    """Stop recording until :func:`resume`."""
    _check_process(profile_process, "pause")
    stop()


def resume(profile_process: str = "worker") -> None:
    """Go on recording; what was recorded before stays."""
    _check_process(profile_process, "resume")
    if _recording.began is None:
        start()
        return
    _core.profiler_resume()
    _recording.runs = True


def set_config(**kwargs: Any) -> None:
    """Choose the file of :func:`dump`.

    Parameters
    ----------
    filename : str
        Where :func:`dump` writes.
    **kwargs
        MXNet's other options, such as ``profile_all``, are taken: everything is recorded anyway.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "trace.json")
    >>> mx.profiler.set_config(profile_all=True, filename=path)
    >>> mx.profiler.set_state("run")
    >>> y = (mx.nd.ones((3,)) * 2).asnumpy()
    >>> mx.profiler.set_state("stop")
    >>> mx.profiler.dump()
    >>> os.path.getsize(path) > 0
    True
    """
    unknown = sorted(kwargs.keys() - _OPTIONS)
    if unknown:
        raise InvalidArgumentError(
            f"[profiler.set_config] unknown options {unknown}; there are {sorted(_OPTIONS)}"
        )
    _check_process(kwargs.get("profile_process", "worker"), "set_config")
    if "filename" in kwargs:
        path_text(kwargs["filename"], "profiler.set_config")
        _recording.filename = kwargs["filename"]


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Record (``'run'``) or not (``'stop'``). Tasks on their way are waited for first."""
    _check_process(profile_process, "set_state")
    if state not in ("run", "stop"):
        raise UnknownWordError(f"[profiler.set_state] state is {state!r}; expected 'run' or 'stop'")
    _core.wait_all()
    if state == "stop":
        stop()
    elif not _recording.runs:
        resume()


def dump(finished: bool = True, profile_process: str = "worker", filename: Optional[Path] = None) -> None:
    """Write what was recorded as Chrome-trace JSON; the file appears complete or not at all.

    Parameters
    ----------
    finished : bool
        Whether recording stops, and the next one begins anew.
    profile_process : {'worker'}
        This process.
    filename : str, optional
        By default that of :func:`set_config`, or ``profile.json``.
    """
    _check_process(profile_process, "dump")
    if not isinstance(finished, (bool, int)):
        raise TypeError(f"[profiler.dump] finished is {type(finished).__name__}; expected bool")
    path = _recording.filename if filename is None else filename
    text = _trace()
    write_file(path, text.encode(), "profiler.dump")
    if finished:
        stop()
        _recording.began = None


def dumps(reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False) -> str:
    """Return counts and times by name.

    Parameters
    ----------
    reset : bool
        Whether what was recorded is forgotten.
    format : {'table', 'json'}
        Text for people, or ``{"Time": {group: {name: {"Count", "Total", "Min", "Max", "Avg"}}}}`` with
        "Memory" and "Unit" beside it. Groups are "operator", "Custom Operator" (what operators written in
        Python do), "event" and the domains of :class:`Domain`, whose frames have a group of their own
        ("reading,frame"); memory is each device's, now and at most ("Avg" is the
        middle of least and most).
    sort_by : {'total', 'avg', 'min', 'max', 'count'}
        Which number orders the rows.
    ascending : bool
        Whether the smallest comes first.
    """
    if format not in ("table", "json"):
        raise RefusedValueError(f"[profiler.dumps] format is {format!r}; expected 'table' or 'json'")
    keys = {"total": "Total", "avg": "Avg", "min": "Min", "max": "Max", "count": "Count"}
    if sort_by not in keys:
        raise RefusedValueError(f"[profiler.dumps] sort_by is {sort_by!r}; expected one of {list(keys)}")
    times: dict[tuple[str, str], list[float]] = {}
    for event in json.loads(_trace())["traceEvents"]:
        if event["ph"] == "X":
            times.setdefault((_group(event), event["name"]), []).append(event["dur"] / 1000)
    rows = {
        key: {"Count": len(t), "Total": sum(t), "Min": min(t), "Max": max(t), "Avg": sum(t) / len(t)}
        for key, t in times.items()
    }
    rows = dict(sorted(rows.items(), key=lambda row: row[1][keys[sort_by]], reverse=not ascending))
    if reset:
        running = _recording.runs
        start()
        if not running:
            stop()
    if format == "json":
        grouped: dict[str, dict[str, Any]] = {}
        for (group, name), row in rows.items():
            grouped.setdefault(group, {})[name] = row
        return json.dumps(
            {"Time": grouped, "Memory": {"Device Storage": _memory()}, "Unit": {"Time": "ms", "Memory": "kB"}}
        )
    return _tables(rows, _memory())


def _tables(rows: dict[tuple[str, str], dict[str, float]], memory: dict[str, dict[str, float]]) -> str:
    """A table for each group, in the order of their names, for people."""
    tables: dict[str, list[str]] = {}
    for group, name, row, is_memory in (
        *((group, name, row, False) for (group, name), row in rows.items()),
        *(("Device Storage", name, row, True) for name, row in memory.items()),
    ):
        words = [
            f"{least} Use  (kB)" if is_memory else f"{least} Time (ms)" for least in ("Min", "Max", "Avg")
        ]
        columns = ["Min", "Max", "Avg"]
        if not is_memory:
            words, columns = ["Time (ms)", *words], ["Total", *columns]
        words.insert(0, "Total Count")
        if group not in tables:
            tables[group] = [
                group,
                "=================",
                f"{'Name':25}" + "".join(f"{word:>17}" for word in words)[1:],
                f"{'----':25}" + "".join(f"{'-' * len(word):>17}" for word in words)[1:],
            ]
        numbers = "".join(f"{row[column]:>17.4f}" for column in columns)
        tables[group].append(f"{name:25}{row['Count']:>16}{numbers}")
    head = "Profile Statistics:\n\tNote the difference in units for different entries.\n"
    return "\n" + head + "\n\n".join("\n".join(tables[group]) for group in sorted(tables)) + "\n\n"


def _group(event: dict[str, Any]) -> str:
    """Where an event stands in the statistics. The engine's tasks say how long they waited."""
    if "wait_us" not in event.get("args", {}):
        return str(event["cat"])
    return "Custom Operator" if "::" in event["name"] else "operator"


def _memory() -> dict[str, dict[str, float]]:
    """Kilobytes of each device that has or had arrays."""
    devices = [Context("cpu", 0), *(Context("gpu", i) for i in range(num_gpus()))]
    found = {f"Memory: {device.device_type}/{device.device_id}": memory_info(device) for device in devices}
    return {
        name: {
            "Count": info.allocations,
            "In use": info.in_use / 1024,
            "Min": 0.0,
            "Max": info.peak / 1024,
            "Avg": info.peak / 2048,
        }
        for name, info in found.items()
    }


@contextmanager
def profile(path: Path) -> Iterator[None]:
    """Record the block and write the trace.

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
        dump(filename=path)


def profiler_set_config(mode: str = "symbolic", filename: Path = "profile.json") -> None:
    """:func:`set_config` as old scripts call it."""
    _deprecated("profiler_set_config", "set_config")
    set_config(filename=filename)


def profiler_set_state(state: str = "stop") -> None:
    """:func:`set_state` as old scripts call it."""
    _deprecated("profiler_set_state", "set_state")
    set_state(state)


def dump_profile() -> None:
    """:func:`dump` as old scripts call it."""
    _deprecated("dump_profile", "dump")
    dump()


def _deprecated(old: str, new: str) -> None:
    warnings.warn(f"profiler.{old} is deprecated; call profiler.{new}", DeprecationWarning, stacklevel=3)


def _check_process(name: str, who: str) -> None:
    if name != "worker":
        raise ValueError(f"[profiler.{who}] profile_process is {name!r}; expected 'worker', this process")


def _trace() -> str:
    """The engine's trace with the events of this file."""
    trace = _core.profiler_trace().decode()
    with _recording.lock:
        added = "".join(",\n" + json.dumps(event) for event in _recording.events)
    end = trace.rindex("\n]}")
    return trace[:end] + added + trace[end:]


def add_event(event: dict[str, Any], at: int) -> None:
    """Add an event of Chrome's format, without time and thread; it was at ``time.perf_counter_ns()``."""
    _recording.add(event, at)
