"""What a process of a store of several processes records for one trace of them all, if asked for.

``MIXGRAD_TRACE`` is a folder: each process writes what its engine did there, with what tells its clock from
those of others. Processes of a machine have one clock. Workers of several note when the calls returned that
return in all of them at the same time (barriers); ``mixgrad trace`` finds from these how far their clocks are
apart.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from pathlib import Path

from .._files import write_file

__all__ = ["finish", "runs", "start", "together"]

_FOLDER = "MIXGRAD_TRACE"
_MOST_POINTS = 1000
_points: dict[str, list[int]] = {}  # nanoseconds of perf_counter, by call
_runs = False


def start() -> None:
    """Begin to record, once in a process that was asked to."""
    global _runs
    if _runs or not os.environ.get(_FOLDER):
        return
    from ..profiler import recording

    _runs = True
    recording.start()


def runs() -> bool:
    """Whether this process records."""
    return _runs


def together(call: str) -> None:
    """A call ended that ends in all workers at the same time."""
    if _runs:
        several = _points.setdefault(call, [])
        if len(several) < _MOST_POINTS:
            several.append(time.perf_counter_ns())


def _machine() -> str:
    """Names the clock: the same in all processes that have it."""
    words = [socket.gethostname()]
    with contextlib.suppress(OSError):
        words = [Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()]
        words.append(os.readlink("/proc/self/ns/time"))  # containers may have clocks of their own
    return " ".join(words)


def finish(role: str, number: int, is_first: bool = True) -> None:
    """Write this process's file. The calls of one that took another's place do not count as the others'."""
    global _runs
    if not _runs:
        return
    from ..profiler import recording

    _runs = False
    began = recording._recording.began
    trace = json.loads(recording._trace())
    recording.stop()
    trace["otherData"] = {
        "role": role,
        "number": number,
        "host": socket.gethostname(),
        "machine": _machine(),
        "began_ns": began,
        "wall_minus_clock_ns": time.time_ns() - time.perf_counter_ns(),
        "together_ns": _points if is_first else {},
    }
    os.makedirs(os.environ[_FOLDER], exist_ok=True)
    path = os.path.join(os.environ[_FOLDER], f"{role}-{number}.trace.json")
    write_file(path, json.dumps(trace).encode(), "kvstore.trace")
