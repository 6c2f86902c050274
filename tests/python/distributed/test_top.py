"""Numbers of a training that runs, for mixgrad top and Prometheus."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mixgrad.command import main, top

LIMIT = 60.0
# Worker 1 does nothing after its third update, so that worker 0 is two ahead, which waits for nobody.
TRAINS = """
import sys, time
import mixgrad as mx
kv = mx.kv.create("dist_async")
names = ["a", "b"]
kv.init(names, [mx.nd.zeros((100,)), mx.nd.zeros((10,))])
kv.set_optimizer(mx.optimizer.SGD())
out = [mx.nd.zeros((100,)), mx.nd.zeros((10,))]
open(sys.argv[1] + str(kv.rank), "w").close()
end = time.monotonic() + float(sys.argv[2])
done = 0
while time.monotonic() < end:
    if kv.rank == 0 or done < 3:
        kv.push(names, [mx.nd.ones((100,)), mx.nd.ones((10,))])
        kv.pull(names, out=out)
        done += 1
    mx.nd.waitall()
    time.sleep(0.05)
"""


def free_block(count: int) -> int:
    """The first of several ports that are free, one after the other."""
    for first in range(21000 + os.getpid() % 4000, 32000, count):
        with contextlib.ExitStack() as stack:
            try:
                for port in range(first, first + count):
                    one = stack.enter_context(socket.socket())
                    one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
    raise OSError("no free ports")


def test_top_while_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, port = tmp_path / "trains.py", free_block(5)
    script.write_text(TRAINS, encoding="utf-8")
    words = [sys.executable, "-m", "mixgrad", "launch", "-n", "2", "-s", "2", "--metrics-port", str(port)]
    words += [sys.executable, str(script), f"{tmp_path}/there", "8"]
    with subprocess.Popen(words, env={**os.environ, "MIXGRAD_TIME_LIMIT": "40"}) as launcher:
        limit = time.monotonic() + LIMIT
        while not all((tmp_path / f"there{i}").exists() for i in range(2)):
            assert time.monotonic() < limit and launcher.poll() is None
            time.sleep(0.02)
        time.sleep(1.5)
        assert main(["top", "--port", str(port), "--once", "--json"]) == 0
        rows = {row["process"]: row for row in json.loads(capsys.readouterr().out)}
        assert main(["top", "--port", str(port), "--once"]) == 0
        table = capsys.readouterr().out.splitlines()
        connection = http.client.HTTPConnection("127.0.0.1", port + 3, timeout=5)
        connection.request("GET", "/metrics")
        page = connection.getresponse().read().decode()
        connection.request("GET", "/other")
        assert connection.getresponse().status == 404
        connection.close()
        assert launcher.wait(LIMIT) == 0
    assert list(rows) == ["scheduler", "server:0", "server:1", "worker:0", "worker:1"]
    first, second = rows["worker:0"], rows["worker:1"]
    assert first["rounds"] > 5 and second["rounds"] == 3
    assert second["lag"] == first["rounds"] - 3 and second["state"] == "straggler"
    assert (first["lag"], first["state"]) == (0, "up")
    assert first["updates_per_second"] > 0 and second["updates_per_second"] == 0
    # Two keys of 110 float32 in each step: what goes out is what comes in.
    assert first["bytes_out_per_second"] == pytest.approx(220 * first["updates_per_second"])
    # Both servers have both keys, as replicas of each other.
    assert [rows[f"server:{i}"]["keys"] for i in range(2)] == [2, 2]
    assert table[0].split()[:2] == ["PROCESS", "STATE"] and len(table) == 6
    assert 'mixgrad_pushes_total{role="worker",number="0"} ' in page
    assert "# TYPE mixgrad_pushes_total counter\n" in page


def test_nobody_answers(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_block(3)
    assert main(["top", "--port", str(port)]) == 1
    assert f"no scheduler answers at 127.0.0.1:{port}" in capsys.readouterr().err
    assert main(["top", "--port", str(port), "-n", "1", "-s", "1", "--every", "0.01", "--json"]) == 0
    assert [row["state"] for row in json.loads(capsys.readouterr().out)] == ["silent"] * 3


def test_a_process_that_came_back_has_no_rate_yet() -> None:
    old = {"rounds": 9.0, "keys": 1.0, "uptime_seconds": 50.0, "pushes_total": 9.0}
    new = {"rounds": 1.0, "keys": 1.0, "uptime_seconds": 2.0, "pushes_total": 1.0}
    (row,) = top.rows_of([("worker", 0)], [old], [new], 1.0)
    assert row["rounds"] == 1 and "updates_per_second" not in row


# Two trainings with one port: the second goes on without.
def test_a_port_that_is_taken_ends_nothing(tmp_path: Path) -> None:
    first = free_block(3)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first + 1))
        taken.listen()
        script = tmp_path / "trains.py"
        script.write_text(TRAINS, encoding="utf-8")
        words = [sys.executable, "-m", "mixgrad", "launch", "-n", "1", "-s", "1"]
        words += ["--metrics-port", str(first), sys.executable, str(script), f"{tmp_path}/x", "0.1"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    assert f"server: no numbers at the port of MIXGRAD_METRICS_PORT={first}" in done.stderr
