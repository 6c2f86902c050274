"""Real processes on this machine: what training through servers ends with, also when processes are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from distributed import training_worker

import mixgrad as mx
from mixgrad.distributed._port import HeldPort

HERE = Path(__file__).parent
LIMIT = 60.0  # seconds for a launch: they take 3 on an idle machine
STEPS = 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


def has_zeromq() -> bool:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import mixgrad as mx, tempfile;"
            "from mixgrad.command import main;"
            "raise SystemExit(main(['keys', tempfile.mkdtemp() + '/k', '-n', '1']))",
        ],
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


if not has_zeromq():
    pytest.skip("libzmq is not there", allow_module_level=True)


def launch(
    *command: str, workers: int, servers: int = 2, options: tuple[str, ...] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "mixgrad", "launch", "-n", str(workers), "-s", str(servers), *options]
    environment = {**os.environ, "MIXGRAD_TIME_LIMIT": "40", **more}
    script = [sys.executable, *command]
    return subprocess.run(
        [*words, *script], capture_output=True, text=True, timeout=LIMIT, env=environment, check=False
    )


def train(
    kind: str,
    workers: int,
    result: Path,
    *events: str,
    servers: int = 2,
    restarts: int = 0,
    steps: int = STEPS,
) -> dict[str, np.ndarray]:
    options = ("--restarts", str(restarts)) if restarts else ()
    script = str(HERE / "training_worker.py")
    done = launch(
        script, kind, str(steps), str(result), *events, workers=workers, servers=servers, options=options
    )
    assert done.returncode == 0, done.stderr
    with np.load(f"{result}.npz") as values:
        return dict(values)


def expect_equal(values: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> None:
    for name, value in wanted.items():
        np.testing.assert_array_equal(values[name], value, err_msg=name)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_end_bit_for_bit_as_one_process(workers: int, tmp_path: Path) -> None:
    values = train("dist_sync", workers, tmp_path / "result")
    expect_equal(values, training_worker.alone(workers, STEPS))
    assert values["accuracy"] > 0.9


def test_async_learns_as_well(tmp_path: Path) -> None:
    assert train("dist_async", 2, tmp_path / "result", steps=200)["accuracy"] > 0.97


# Under the policy `wait`, which is what is not said otherwise: who is killed comes back, and nothing is lost.
@pytest.mark.parametrize(
    "events",
    [("9:worker:1",), ("4:worker:0",), ("7:server:0",), ("16:server:1",), ("11:scheduler",)],
    ids=["worker", "worker that gave the first values", "server", "other server", "scheduler"],
)
def test_a_killed_process_changes_nothing(events: tuple[str, ...], tmp_path: Path) -> None:
    values = train("dist_sync", 2, tmp_path / "result", *events, restarts=len(events))
    expect_equal(values, training_worker.alone(2, STEPS))


@pytest.mark.parametrize(("kind", "workers"), [("dist_sync", 7), ("dist_async", 3), ("dist_device_sync", 3)])
def test_what_a_store_does(kind: str, workers: int) -> None:
    done = launch(str(HERE / "store_worker.py"), kind, workers=workers, MXNET_KVSTORE_BIGARRAY_BOUND="1000")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("is content") == workers


def test_the_code_of_a_worker_that_fails_is_the_launchers(tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    script.write_text(
        "import mixgrad as mx, sys\nkv = mx.kv.create('dist_sync')\nkv.init('w', mx.nd.ones((2,)))\n"
        "sys.exit(7) if kv.rank == 1 else kv.barrier()\n"
    )
    done = launch(str(script), workers=2, servers=1)
    assert done.returncode == 7
    assert "worker:1 ended with code 7" in done.stderr


def test_a_wait_has_an_end_that_names_whom_it_was_for(tmp_path: Path) -> None:
    script, told = tmp_path / "waits.py", tmp_path / "told"
    script.write_text(
        "import mixgrad as mx, os, time\nkv = mx.kv.create('dist_sync')\nkv.init('w', mx.nd.ones((2,)))\n"
        "if kv.rank == 0:\n"
        "    out = mx.nd.ones((2,))\n    kv.push('w', out)\n    kv.pull('w', out=out)\n"
        "    try:\n        out.asnumpy()\n"
        "    except mx.MXNetError as error:\n        print(error, flush=True)\n"
        f"    open({str(told)!r}, 'w').close()\n"
        f"while not os.path.exists({str(told)!r}):\n    time.sleep(0.05)\n"
    )
    done = launch(str(script), workers=2, servers=1, MIXGRAD_TIME_LIMIT="4")
    assert "worker:1" in done.stdout and "'w'" in done.stdout, done.stdout + done.stderr


def test_signals_end_all(tmp_path: Path) -> None:
    script = tmp_path / "sleeps.py"
    script.write_text(
        "import mixgrad as mx, os, time, sys\nkv = mx.kv.create('dist_sync')\n"
        f"open({str(tmp_path)!r} + '/pid%d' % kv.rank, 'w').write(str(os.getpid()))\ntime.sleep(100)\n"
    )
    words = [sys.executable, "-m", "mixgrad", "launch", "-n", "2", "-s", "1", sys.executable, str(script)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as launcher:
        files = [tmp_path / "pid0", tmp_path / "pid1"]
        limit = time.monotonic() + LIMIT
        while not all(file.exists() and file.read_text() for file in files):
            assert time.monotonic() < limit and launcher.poll() is None
            time.sleep(0.05)
        launcher.send_signal(signal.SIGTERM)
        assert launcher.wait(LIMIT) == 128 + signal.SIGTERM
    for file in files:
        assert not Path(f"/proc/{file.read_text()}").exists()


# As MXNet's launchers start them: one command for all roles, numbers given by the scheduler.
def test_one_command_for_all_roles(tmp_path: Path) -> None:
    script = tmp_path / "all.py"
    script.write_text(
        "import mixgrad as mx\nkv = mx.kv.create('dist_sync')\nprint('worker', kv.rank, flush=True)\n"
        "kv.init(3, mx.nd.ones((2,)))\nkv.push(3, mx.nd.ones((2,)))\nout = mx.nd.zeros((2,))\n"
        "kv.pull(3, out=out)\nassert out.asnumpy().tolist() == [2, 2]\n"
    )
    assert end_all(start_all(script, {})) == [0] * 4


def start_all(script: Path, more: dict[str, str], numbered: bool = False) -> list[subprocess.Popen[str]]:
    with HeldPort("127.0.0.1") as port:
        return start_all_at(port.number, script, more, numbered)


def start_all_at(
    port: int, script: Path, more: dict[str, str], numbered: bool
) -> list[subprocess.Popen[str]]:
    shared = {
        **os.environ,
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_NUM_WORKER": "2",
        "DMLC_NUM_SERVER": "1",
        "MIXGRAD_TIME_LIMIT": "30",
        **more,
    }
    processes = []
    for role, number in (("scheduler", 0), ("server", 0), ("worker", 0), ("worker", 1)):
        environment = {**shared, "DMLC_ROLE": role, **({"MIXGRAD_NUMBER": str(number)} if numbered else {})}
        processes.append(
            subprocess.Popen(
                [sys.executable, str(script)],
                env=environment,
                stderr=subprocess.PIPE,
                text=True,
                stdout=subprocess.PIPE,
            )
        )
    return processes


def end_all(processes: list[subprocess.Popen[str]]) -> list[int]:
    codes = []
    try:
        for process in processes:
            _, errors = process.communicate(timeout=LIMIT)
            codes.append(process.returncode)
            if process.returncode:
                print(errors)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return codes


def test_keys(tmp_path: Path) -> None:
    from mixgrad.command import main

    folder = tmp_path / "keys"
    assert main(["keys", str(folder), "-n", "2", "-s", "1"]) == 0
    assert main(["keys", str(folder), "-n", "2", "-s", "1"]) == 1  # nothing is written over
    secrets = sorted(folder.glob("*.secret"))
    assert [secret.name for secret in secrets] == [
        "scheduler.secret",
        "server-0.secret",
        "worker-0.secret",
        "worker-1.secret",
    ]
    assert {secret.stat().st_mode & 0o777 for secret in secrets} == {0o600}
    script = tmp_path / "all.py"
    script.write_text(
        "import mixgrad as mx\nkv = mx.kv.create('dist_sync')\nkv.init(3, mx.nd.ones((2,)))\nkv.barrier()\n"
    )
    assert end_all(start_all(script, {"MIXGRAD_KEYS": str(folder)}, numbered=True)) == [0] * 4
    secrets[3].chmod(0o644)
    processes = start_all(script, {"MIXGRAD_KEYS": str(folder)}, numbered=True)
    try:
        _, errors = processes[3].communicate(timeout=LIMIT)
        assert processes[3].returncode != 0 and "may be read by others" in errors
    finally:
        for process in processes:
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("DMLC_NUM_WORKER", "none", "DMLC_NUM_WORKER is 'none'"),
        ("DMLC_ROLE", "king", "DMLC_ROLE is 'king'"),
        ("DMLC_PS_ROOT_PORT", "99999", "DMLC_PS_ROOT_PORT"),
        ("MIXGRAD_ROUNDS", "never", "wait, drop or first"),
        ("DMLC_PS_ROOT_URI", "", "needs DMLC_PS_ROOT_URI"),
    ],
)
def test_variables_that_make_no_sense(
    name: str, value: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one, good in (
        ("DMLC_ROLE", "worker"),
        ("DMLC_NUM_WORKER", "1"),
        ("DMLC_NUM_SERVER", "1"),
        ("DMLC_PS_ROOT_URI", "127.0.0.1"),
        ("DMLC_PS_ROOT_PORT", "9999"),
        (name, value),
    ):
        monkeypatch.setenv(one, good)
    with pytest.raises(ValueError, match=text):
        mx.kv.create("dist_sync")


def test_no_keys_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for one, good in (
        ("DMLC_ROLE", "worker"),
        ("DMLC_NUM_WORKER", "1"),
        ("DMLC_NUM_SERVER", "1"),
        ("MIXGRAD_NUMBER", "0"),
        ("DMLC_PS_ROOT_URI", "192.0.2.1"),
        ("DMLC_PS_ROOT_PORT", "9999"),
        ("DMLC_NODE_HOST", "192.0.2.2"),
    ):
        monkeypatch.setenv(one, good)
    with pytest.raises(ValueError, match="no keys"):
        mx.kv.create("dist_sync")


RAISES = """
import sys, pathlib
import mixgrad as mx

kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.zeros((3,)))
first_time = pathlib.Path(sys.argv[1])
if kv.rank == 1 and not first_time.exists():
    first_time.touch()
    raise RuntimeError("this error is expected")
out = mx.nd.zeros((3,))
for step in range(kv.rounds_done, 3):
    kv.push("a", mx.nd.ones((3,)) * (step + 1))
    kv.pull("a", out=out)
    assert (out.asnumpy() == 2 * (step + 1)).all(), out.asnumpy()
print(f"worker {kv.rank} is content\\n", end="", flush=True)
"""


def test_who_ends_by_an_exception_is_waited_for(tmp_path: Path) -> None:
    script = tmp_path / "raises.py"
    script.write_text(RAISES, encoding="utf-8")
    done = launch(str(script), str(tmp_path / "seen"), workers=2, options=("--restarts", "1"))
    assert done.returncode == 0, done.stderr
    assert "this error is expected" in done.stderr
    assert sorted(done.stdout.splitlines()) == ["worker 0 is content", "worker 1 is content"], done.stdout
