"""mx.profiler as scripts for MXNet use it; the engine's part is in test_runtime."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import mixgrad as mx


def work(name: str) -> None:
    getattr(mx.nd, name)(mx.nd.ones((50, 50))).wait_to_read()


def traced(path: Path) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(path.read_text())["traceEvents"]
    return events


def test_states_pauses_and_files(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    mx.profiler.set_config(profile_all=True, aggregate_stats=True, filename=str(path))
    work("exp")
    mx.profiler.set_state("run")
    work("sqrt")
    mx.profiler.pause()
    work("log")
    mx.profiler.resume()
    work("square")
    mx.profiler.set_state("stop")
    work("sin")
    table = mx.profiler.dumps()
    assert "sqrt" in table and "square" in table
    mx.profiler.dump()
    names = {event["name"] for event in traced(path) if event["ph"] == "X"}
    assert {"sqrt", "square"} <= names and not names & {"exp", "log", "sin"}
    mx.profiler.set_state("run")  # after a dump the next recording begins anew
    work("cos")
    mx.profiler.set_state("stop")
    mx.profiler.dump()
    names = {event["name"] for event in traced(path) if event["ph"] == "X"}
    assert "cos" in names and "sqrt" not in names


def test_old_names(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    with pytest.warns(DeprecationWarning, match="set_config"):
        mx.profiler.profiler_set_config(mode="all", filename=str(path))
    with pytest.warns(DeprecationWarning, match="set_state"):
        mx.profiler.profiler_set_state("run")
    work("exp")
    with pytest.warns(DeprecationWarning):
        mx.profiler.profiler_set_state("stop")
    with pytest.warns(DeprecationWarning, match="dump"):
        mx.profiler.dump_profile()
    assert any(event["name"] == "exp" for event in traced(path))


def test_tables() -> None:
    mx.profiler.start()
    for _ in range(3):
        work("sqrt")
    work("exp")
    with mx.profiler.Task(mx.profiler.Domain("mine"), "part"):
        pass
    mx.profiler.stop()
    stats = json.loads(mx.profiler.dumps(format="json", sort_by="count"))
    assert stats["Unit"] == {"Time": "ms", "Memory": "kB"}
    memory = stats["Memory"]["Device Storage"]["Memory: cpu/0"]
    assert 0 <= memory["In use"] <= memory["Max"] and memory["Count"] > 0
    assert stats["Time"].pop("mine").keys() == {"part"}
    rows = stats["Time"].pop("operator")
    assert not stats["Time"]
    assert rows["sqrt"]["Count"] == 3 and rows["exp"]["Count"] == 1
    assert next(iter(rows)) != "exp"
    for row in rows.values():
        assert 0 <= row["Min"] <= row["Avg"] <= row["Max"] <= row["Total"] + 1e-12
    for column in ("Min", "Max", "Avg", "Count"):
        for ascending in (False, True):
            text = mx.profiler.dumps(format="json", sort_by=column.lower(), ascending=ascending)
            for kind in ("Time", "Memory"):
                for group in json.loads(text)[kind].values():
                    numbers = [row[column] for row in group.values()]
                    assert numbers == sorted(numbers, reverse=not ascending)
    table = mx.profiler.dumps(sort_by="min", ascending=True)
    groups = [part.splitlines() for part in table.split("\n\n") if "====" in part]
    assert table.startswith("\nProfile Statistics:\n")
    assert [lines[-len(group) - 4] for lines, group in zip(groups, ([0], [0], rows))] == [
        "Device Storage", "mine", "operator",
    ]  # fmt: skip
    assert groups[2][2].split()[:4] == ["Name", "Total", "Count", "Time"]
    mx.profiler.dumps(reset=True)
    assert json.loads(mx.profiler.dumps(format="json"))["Time"] == {}


def test_events_of_programs(tmp_path: Path) -> None:
    domain = mx.profiler.Domain("mine")
    task, frame, event = domain.new_task("task"), domain.new_frame("frame"), mx.profiler.Event("event")
    counter, marker = domain.new_counter("count"), domain.new_marker("here")
    assert [str(x) for x in (domain, task, frame, event, counter, marker)] == [
        "mine", "task", "frame", "event", "count", "here",
    ]  # fmt: skip
    task.stop()  # never begun: nothing
    with task:
        pass  # before the recording: not in it
    mx.profiler.start()
    for span in (task, frame, event):
        with span:
            time.sleep(0.01)
            work("exp")
    counter += 5
    counter -= 2
    marker.mark("global")
    mx.profiler.stop()
    counter.set_value(77)
    path = tmp_path / "trace.json"
    mx.profiler.dump(filename=path)
    events = traced(path)
    spans = {e["name"]: e for e in events if e["name"] in ("task", "frame", "event")}
    assert [spans[n]["cat"] for n in ("task", "frame", "event")] == [
        "mine", "mine,frame", "event",
    ]  # fmt: skip
    inner = [e for e in events if e["name"] == "exp"]
    for span, one in zip(
        ("task", "frame", "event"), inner
    ):  # the engine's work lies inside the span around it
        begin, end = spans[span]["ts"], spans[span]["ts"] + spans[span]["dur"]
        assert spans[span]["dur"] >= 9000 and begin <= one["ts"] and one["ts"] + one["dur"] <= end
    assert [e["args"]["count"] for e in events if e["ph"] == "C"] == [5, 3]
    assert [e["s"] for e in events if e["ph"] == "i"] == ["g"]


def test_refused() -> None:
    for call, message in (
        (lambda: mx.profiler.set_config(file="x"), "unknown options"),
        (lambda: mx.profiler.set_state("on"), "expected 'run' or 'stop'"),
        (lambda: mx.profiler.set_state("run", profile_process="server"), "expected 'worker'"),
        (lambda: mx.profiler.dumps(format="xml"), "expected 'table' or 'json'"),
        (lambda: mx.profiler.dumps(sort_by="name"), "expected one of"),
        (lambda: mx.profiler.Domain("d").new_marker("m").mark("everywhere"), "expected one of"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    # What MXNet's library refuses, scripts catch as MXNetError.
    with pytest.raises(mx.MXNetError, match="unknown options"):
        mx.profiler.set_config(file="x")
    domain = mx.profiler.Domain("d")
    with pytest.raises(mx.MXNetError, match="expected one of"):
        domain.new_marker("m").mark("everywhere")
    with pytest.raises(ValueError, match="expected a number"):
        domain.new_counter("c").set_value("many")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected bool"):
        mx.profiler.dump("file.json")  # type: ignore[arg-type]
