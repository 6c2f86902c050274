"""One trace of the traces of several processes, with their clocks aligned."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..base import InvalidArgumentError

__all__ = ["Clock", "clocks", "merged"]

_ROLES = ("scheduler", "server", "worker")


class Clock(NamedTuple):
    """How the clock of a process stands to that of the first one."""

    ahead_ns: float  # what it shows more
    within_ns: float  # how much that may be wrong
    by: str  # what says so


def _name(trace: Mapping[str, Any]) -> str:
    about = trace["otherData"]
    return f"{about['role']} {about['number']}" if about["role"] != "scheduler" else "scheduler"


def _checked(traces: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for trace in traces:
        about = trace.get("otherData") if isinstance(trace, Mapping) else None
        if not isinstance(about, Mapping) or not {"role", "machine", "began_ns"} <= about.keys():
            raise InvalidArgumentError("[trace] a file is no trace that MIXGRAD_TRACE asked for")
        found.append(dict(about))
    return found


def _by_calls(one: Mapping[str, Any], first: Mapping[str, Any]) -> Clock | None:
    """By calls that ended in both workers at the same time."""
    differences = [
        a - b
        for call, times in one["together_ns"].items()
        for a, b in zip(times, first["together_ns"].get(call, []))
    ]
    if not differences:
        return None
    middle = statistics.median(differences)
    # Half of them are nearer: single ones are late where a process had to wait for its turn on a core.
    spread = statistics.median(abs(one - middle) for one in differences)
    return Clock(middle, spread, f"{len(differences)} calls that ended together")


def clocks(traces: Sequence[Mapping[str, Any]]) -> list[Clock]:
    """Of each trace its clock, against that of the first worker's machine.

    Processes of one machine share a clock. Those of another one are compared by a worker there, and without
    any by the machines' times of day.
    """
    abouts = _checked(traces)
    workers = [about for about in abouts if about["role"] == "worker"]
    first = (workers or abouts)[0]
    by_machine = {first["machine"]: Clock(0.0, 0.0, "the clock that counts")}
    for about in workers:
        if about["machine"] not in by_machine:
            clock = _by_calls(about, first)
            if clock is not None:
                by_machine[about["machine"]] = clock
    found = []
    for about in abouts:
        clock = by_machine.get(about["machine"])
        if clock is None:
            ahead = first["wall_minus_clock_ns"] - about["wall_minus_clock_ns"]
            clock = Clock(float(ahead), float("inf"), "times of day")
        found.append(clock)
    return found


def merged(traces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One trace in Chrome's format: each process is one there, times are those of the first worker's clock.

    >>> from mixgrad.profiler.merged import merged
    >>> about = {"role": "worker", "machine": "m", "host": "h", "together_ns": {}}
    >>> several = [{"traceEvents": [{"name": "x", "ph": "X", "pid": 0, "tid": 0, "ts": 1.0, "dur": 2.0}],
    ...             "otherData": {**about, "number": i, "began_ns": 5000 * i}} for i in range(2)]
    >>> [(event["pid"], event["ts"]) for event in merged(several)["traceEvents"] if event["ph"] == "X"]
    [(0, 1.0), (1, 6.0)]
    """
    abouts = _checked(traces)
    found = clocks(traces)
    begins = [about["began_ns"] - clock.ahead_ns for about, clock in zip(abouts, found)]
    zero = min(begins)
    order = sorted(range(len(traces)), key=lambda i: (_ROLES.index(abouts[i]["role"]), abouts[i]["number"]))
    events: list[dict[str, Any]] = []
    for place, i in enumerate(order):
        label = f"{_name(traces[i])} ({abouts[i]['host']})"
        events.append({"name": "process_name", "ph": "M", "pid": place, "args": {"name": label}})
        events.append({"name": "process_sort_index", "ph": "M", "pid": place, "args": {"sort_index": place}})
        for event in traces[i]["traceEvents"]:
            if event.get("name") == "process_name" and event.get("ph") == "M":
                continue
            moved = {**event, "pid": place}
            if "ts" in event:
                moved["ts"] = event["ts"] + (begins[i] - zero) / 1000
            events.append(moved)
    told = {
        _name(traces[i]): {
            "ahead_ms": found[i].ahead_ns / 1e6,
            "within_ms": found[i].within_ns / 1e6 if found[i].within_ns != float("inf") else None,
            "by": found[i].by,
        }
        for i in order
    }
    return {"displayTimeUnit": "ns", "traceEvents": events, "otherData": {"clocks": told}}
