"""Cluster roles as real processes: parameter servers, workers, checkpoints while training goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.distributed._port import HeldPort

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = str(ROOT / "examples" / "parameter_servers.py")
LIMIT = 60.0

# Every worker adds 1 to both variables in each step: they, and the step, are equal between steps.
COUNTS = """
import sys, time
import mixgrad as mx
ps, workers, job, index, folder, aggregate, pause = sys.argv[1:]
index, workers = int(index), workers.split(",")
server = mx.distributed.Server({"ps": ps.split(","), "worker": workers}, job, index, restarts=2)
if job == "ps":
    server.join()
    raise SystemExit
rule = mx.distributed.SyncReplicas(mx.optimizer.SGD(learning_rate=1), int(aggregate), len(workers))
device = mx.distributed.replica_device_setter(ps_tasks=len(ps.split(",")))
variables = mx.distributed.SharedVariables({n: mx.nd.zeros((3,)) for n in "ab"}, rule, device)
supervisor = mx.distributed.Supervisor(
    index == 0, folder, variables.start, mx.distributed.Saver(variables, max_to_keep=1000),
    save_model_secs=0.02,
)
def step():
    variables.apply({name: -mx.nd.ones((3,)) for name in "ab"})
    if index == 1:
        time.sleep(float(pause))
    return variables.global_step
with supervisor.managed_session(server.target) as session:
    done = variables.global_step
    sys.stdout.write(f"worker {index} begins at {done}\\n")
    sys.stdout.flush()
    while not supervisor.should_stop() and done < 200:
        done = session.run(step)
sys.stdout.write(f"worker {index} ends at {done}, dropped {variables.dropped}\\n")
"""


@contextmanager
def addresses(count: int) -> Iterator[list[str]]:
    with ExitStack() as stack:
        ports = [stack.enter_context(HeldPort("127.0.0.1")) for _ in range(count)]
        yield [f"127.0.0.1:{port.number}" for port in ports]


def start(words: list[str], **more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "MIXGRAD_TIME_LIMIT": "30", "PYTHONUNBUFFERED": "", **more}
    return subprocess.Popen(
        [sys.executable, *words],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(processes: list[subprocess.Popen[str]]) -> list[str]:
    """What each wrote; fails where one did."""
    said = []
    try:
        for process in processes:
            output, errors = process.communicate(timeout=LIMIT)
            assert process.returncode == 0, errors
            said.append(output)
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return said


def run_example(servers: int, workers: int, *options: str) -> list[str]:
    with addresses(servers + workers) as all_hosts:
        hosts = [
            f"--ps_hosts={','.join(all_hosts[:servers])}",
            f"--worker_hosts={','.join(all_hosts[servers:])}",
        ]
        tasks = [("ps", i) for i in range(servers)] + [("worker", i) for i in range(workers)]
        words = [[f"--job_name={job}", f"--task_index={index}"] for job, index in tasks]
        return finish([start([EXAMPLE, *hosts, *one, *options]) for one in words])


def accuracy(said: str) -> float:
    return float(said.split("accuracy ")[1])


@pytest.mark.parametrize("servers", [1, 2])
def test_the_program_with_four_flags(servers: int) -> None:
    said = run_example(servers, 2, "--sync")
    assert "worker 0: step 400, 0 of its own dropped" in said[servers]
    assert "worker 1: step 400, 0 of its own dropped" in said[servers + 1]
    assert accuracy(said[servers]) > 0.93


def test_the_program_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    options = ["--strategy=bytes", f"--logdir={tmp_path}", "--rate=0.05"]
    first = run_example(2, 2, *options, "--steps=300")
    assert accuracy(first[2]) > 0.9
    files = sorted(tmp_path.glob("model-*.params"))
    step = int(re.findall(r"\d+", files[-1].name)[0])
    assert 300 <= step <= 302
    # Without training: what it has learnt was in the file.
    again = run_example(2, 2, *options, "--steps=1")
    assert accuracy(again[2]) == pytest.approx(accuracy(first[2]), abs=0.02)
    assert f"worker 1: step {step + 1}" in again[3] or f"worker 0: step {step + 1}" in again[2]
    assert len(list(tmp_path.glob("events.out.tfevents.*"))) == 2


def counting(folder: Path, aggregate: int, pause: float, servers: int = 2) -> list[subprocess.Popen[str]]:
    script = folder / "counts.py"
    script.write_text(COUNTS, encoding="utf-8")
    with addresses(servers + 2) as hosts:
        shared = [",".join(hosts[:servers]), ",".join(hosts[servers:])]
        return [
            start([str(script), *shared, job, str(index), str(folder / "log"), str(aggregate), str(pause)])
            for job, index in [*(("ps", i) for i in range(servers)), ("worker", 0), ("worker", 1)]
        ]


def check_cuts(folder: Path, workers_in_a_step: int = 2) -> int:
    files = list((folder / "log").glob("model-*.params"))
    for file in files:
        values = mx.nd.load(str(file))
        step = int(values["global_step"].asscalar())
        assert file.name == f"model-{step}.params"
        # The mean of ones is one.
        np.testing.assert_array_equal(values["a"].asnumpy(), np.full(3, step, "float32"))
        np.testing.assert_array_equal(values["b"].asnumpy(), np.full(3, step, "float32"))
    return len(files)


def test_checkpoints_while_training_are_of_one_moment(tmp_path: Path) -> None:
    said = finish(counting(tmp_path, aggregate=2, pause=0.005))
    assert said[2:] == [f"worker {i} begins at 0\nworker {i} ends at 200, dropped 0\n" for i in range(2)]
    assert check_cuts(tmp_path) > 3


def test_stale_gradients_are_dropped_and_counted(tmp_path: Path) -> None:
    said = finish(counting(tmp_path, aggregate=1, pause=0.1))
    ends = [re.search(r"ends at (\d+), dropped (\d+)", one) for one in said[2:]]
    assert ends[0] and ends[1]
    assert int(ends[0][1]) == 200
    assert int(ends[1][2]) > 0


def children_of(pid: int) -> dict[str, int]:
    found = {}
    for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        for one in Path(f"/proc/{word}/environ").read_bytes().split(b"\0"):
            if one.startswith(b"DMLC_ROLE="):
                found[one.partition(b"=")[2].decode()] = int(word)
    return found


@pytest.mark.parametrize("role", ["scheduler", "server"])
def test_processes_of_a_ps_task_come_back(role: str, tmp_path: Path) -> None:
    processes = counting(tmp_path, aggregate=2, pause=0.01)
    try:
        files = tmp_path / "log"
        limit = time.monotonic() + LIMIT
        while not list(files.glob("model-*")):
            assert time.monotonic() < limit and processes[2].poll() is None
            time.sleep(0.02)
        os.kill(children_of(processes[0].pid)[role], signal.SIGKILL)
    finally:
        said = finish(processes)
    assert [one.splitlines()[-1] for one in said[2:]] == [
        f"worker {i} ends at 200, dropped 0" for i in range(2)
    ]
    check_cuts(tmp_path)


@pytest.mark.parametrize("worker", [0, 1])
def test_a_worker_that_is_started_again_goes_on(worker: int, tmp_path: Path) -> None:
    processes = counting(tmp_path, aggregate=2, pause=0.02)
    victim = processes[2 + worker]
    words, environment = list(victim.args), Path(f"/proc/{victim.pid}/environ").read_bytes()  # type: ignore[arg-type]
    more = dict(one.decode().split("=", 1) for one in environment.split(b"\0") if b"=" in one)
    try:
        limit = time.monotonic() + LIMIT
        while len(list((tmp_path / "log").glob("model-*"))) < 3:
            assert time.monotonic() < limit and victim.poll() is None
            time.sleep(0.02)
        victim.kill()
        victim.communicate()
        processes[2 + worker] = start([str(word) for word in words[1:]], **more)
    finally:
        said = finish(processes)
    assert said[2 + worker].startswith(f"worker {worker} begins at ")
    assert "begins at 0" not in said[2 + worker]
    assert all(f"worker {i} ends at 200" in said[2 + i] for i in range(2))
    check_cuts(tmp_path)


PLACED = """
import os, signal, sys
import mixgrad as mx
device = mx.distributed.replica_device_setter(ps_tasks=2)
names = list("abcdef")
keys = [device.key_of(name, mx.nd.zeros((2,))) for name in names]
kv = mx.kv.create("dist_async")
kv.init(keys, [mx.nd.ones((2,))] * 6)
os.kill(int(sys.argv[1]), signal.SIGKILL)
outs = [mx.nd.zeros((2,)) for _ in names]
for key, out in zip(keys, outs):
    kv.pull(key, out=out)
for name, out in zip(names, outs):
    try:
        out.wait_to_read()
        sys.stdout.write(f"{name} {device(name, out)} is there\\n")
    except mx.MXNetError as error:
        sys.stdout.write(f"{name} {device(name, out)} is not: {error}\\n")
sys.stdout.flush()
os._exit(0)
"""


# Without replicas, what lay on a server that is gone is gone.
def test_variables_lie_where_the_setter_says(tmp_path: Path) -> None:
    script = tmp_path / "placed.py"
    script.write_text(PLACED, encoding="utf-8")
    with addresses(1) as (address,):
        shared = {
            "DMLC_PS_ROOT_URI": "127.0.0.1",
            "DMLC_PS_ROOT_PORT": address.partition(":")[2],
            "DMLC_NUM_WORKER": "1",
            "DMLC_NUM_SERVER": "2",
            "MIXGRAD_REPLICAS": "1",
        }
        serving = ["-m", "mixgrad.kvstore_server"]
        several = [
            start(serving, **shared, DMLC_ROLE=role, MIXGRAD_NUMBER=number)
            for role, number in (("scheduler", "0"), ("server", "0"), ("server", "1"))
        ]
        try:
            of_worker = {"DMLC_ROLE": "worker", "MIXGRAD_NUMBER": "0", "MIXGRAD_TIME_LIMIT": "10"}
            worker = start([str(script), str(several[2].pid)], **{**shared, **of_worker})
            (said,) = finish([worker])
        finally:
            for process in several:
                process.kill()
                process.communicate()
    lines = said.splitlines()
    assert len(lines) == 6
    for place, line in enumerate(lines):
        name = "abcdef"[place]
        if place % 2 == 0:
            assert line == f"{name} /job:ps/task:0 is there"
        else:
            assert line.startswith(f"{name} /job:ps/task:1 is not") and "server:1" in line


HELD = """
import os, sys, threading, time
import mixgrad as mx
cluster = {"ps": [sys.argv[1]], "worker": ["127.0.0.1:9"]}
servers = []
thread = threading.Thread(target=lambda: servers.append(mx.distributed.Server(cluster, "ps", 0)))
thread.start()
thread.join()
if os.fork() == 0:
    os.close(1), os.close(2)
    time.sleep(30)
    os._exit(0)
time.sleep(1)
sys.stdout.write(repr([process.poll() for process in servers[0]._processes]) + "\\n")
sys.stdout.flush()
time.sleep(100)
"""


# Not as a thread that made them, nor as a fork that is still there.
def test_servers_live_as_long_as_the_process(tmp_path: Path) -> None:
    script = tmp_path / "held.py"
    script.write_text(HELD, encoding="utf-8")
    with addresses(1) as (address,):
        process = start([str(script), address])
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "[None, None]\n"  # though the thread has ended
            pids = children_of(process.pid)
            assert set(pids) == {"scheduler", "server"}
        finally:
            process.kill()
            process.communicate()
        limit = time.monotonic() + 20
        while any(is_running(pid) for pid in pids.values()):
            assert time.monotonic() < limit
            time.sleep(0.02)


def is_running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    # Whoever adopts orphans here may leave them zombies.
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
