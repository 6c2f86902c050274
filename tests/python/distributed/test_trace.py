"""One trace of all processes of a training, with their clocks aligned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mixgrad.command import main
from mixgrad.distributed._port import HeldPort
from mixgrad.profiler.merged import clocks, merged

LIMIT = 60.0
TRAINS = """
import mixgrad as mx
kv = mx.kv.create("dist_sync")
w = mx.nd.ones((100, 100))
kv.init("w", w)
kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1))
for i in range(8):
    kv.push("w", w * 2)
    kv.pull("w", out=w)
    w.wait_to_read()
    kv.barrier()
"""


def trace(number: int, began: int, machine: str, times: list[int], **more: Any) -> dict[str, Any]:
    about = {"role": "worker", "number": number, "host": "h", "machine": machine, "began_ns": began}
    about |= {"together_ns": {"barrier": times}, "wall_minus_clock_ns": 0, **more}
    event = {"name": "x", "ph": "X", "pid": 0, "tid": 0, "ts": 10.0, "dur": 1.0}
    return {"traceEvents": [event], "otherData": about}


def test_clocks_of_several_machines() -> None:
    times = [1000, 2000, 3000, 4000]
    several = [
        trace(0, 500, "a", times),
        trace(1, 700, "b", [1_001_000, 1_002_010, 1_009_000, 1_004_000]),  # one call was noted late
        trace(2, 0, "c", [], wall_minus_clock_ns=-7000),
        trace(0, 900, "b", [], role="server"),
    ]
    found = clocks(several)
    assert [clock.ahead_ns for clock in found] == [0, 1_000_005, 7000, 1_000_005]
    assert found[1].within_ns <= 10 and found[2].by == "times of day"
    placed = {event["pid"]: event["ts"] for event in merged(several)["traceEvents"] if event["name"] == "x"}
    # The server's place is first. Its clock is that of worker 1.
    begins = [900 - 1_000_005, 500, 700 - 1_000_005, -7000]
    assert placed == {i: pytest.approx(10 + (begin - min(begins)) / 1000) for i, begin in enumerate(begins)}
    with pytest.raises(ValueError, match="no trace that MIXGRAD_TRACE asked for"):
        merged([{"traceEvents": []}])


def spans(path: Path, name: str) -> dict[int, list[tuple[float, float]]]:
    found: dict[int, list[tuple[float, float]]] = {}
    for event in json.loads(path.read_text())["traceEvents"]:
        if event["name"] == name and event["ph"] == "X":
            found.setdefault(event["pid"], []).append((event["ts"], event["ts"] + event["dur"]))
    return found


def test_a_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, folder, output = tmp_path / "trains.py", tmp_path / "traces", tmp_path / "all.json"
    script.write_text(TRAINS, encoding="utf-8")
    # A worker with a clock of its own, as on another machine, where the system allows it.
    other = ["unshare", "--time", "--monotonic", "5000"]
    if subprocess.run([*other, "true"], capture_output=True, check=False).returncode:
        other = []
    with HeldPort("127.0.0.1") as port:
        shared = {
            **os.environ,
            "DMLC_PS_ROOT_URI": "127.0.0.1",
            "DMLC_PS_ROOT_PORT": str(port.number),
            "DMLC_NUM_WORKER": "2",
            "DMLC_NUM_SERVER": "1",
            "MIXGRAD_TRACE": str(folder),
            "MIXGRAD_TIME_LIMIT": "40",
        }
        processes = []
        for role, number in (("scheduler", 0), ("server", 0), ("worker", 0), ("worker", 1)):
            words = [*(other if (role, number) == ("worker", 1) else []), sys.executable, str(script)]
            variables = {**shared, "DMLC_ROLE": role, "MIXGRAD_NUMBER": str(number)}
            processes.append(subprocess.Popen(words, env=variables))
        codes = [process.wait(LIMIT) for process in processes]
    assert codes == [0] * 4
    assert main(["trace", str(folder), "-o", str(output), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["clocks"]
    assert list(told) == ["scheduler", "server 0", "worker 0", "worker 1"]
    if other:
        # That clock is 5000 s ahead. Of a whole second nothing is left that could be its place in time.
        assert abs(told["worker 1"]["ahead_ms"] - 5e6) < 500 and "calls" in told["worker 1"]["by"]
    pushes, updates = spans(output, "kvstore_send"), spans(output, "sgd_update")
    assert len(pushes[2]) == len(pushes[3]) == len(updates[1]) == 8
    # Each update ends after both workers began to send it and before either begins to send the next one; a
    # core that is busy lets a clock be wrong by some of a second.
    slack = 500_000 if other else 1000
    for i in range(8):
        assert updates[1][i][1] > max(pushes[2][i][0], pushes[3][i][0]) - slack
        if i < 7:
            assert updates[1][i][0] < min(pushes[2][i + 1][0], pushes[3][i + 1][0]) + slack


def test_no_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", str(tmp_path)]) == 1
    assert "there is no *.trace.json" in capsys.readouterr().err
    (tmp_path / "worker-0.trace.json").write_text("{")
    assert main(["trace", str(tmp_path)]) == 1
    assert "is no trace" in capsys.readouterr().err
