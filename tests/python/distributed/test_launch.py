"""The launcher: what it starts, by which means, and that nothing of it is left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from distributed import starters

from mixgrad.command import main
from mixgrad.distributed._port import HeldPort

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

LIMIT = 60.0
LAUNCH = [sys.executable, "-m", "mixgrad", "launch"]
TRAINS = r"""
import os, sys
import mixgrad as mx
kv = mx.kv.create("dist_sync")
kv.init(3, mx.nd.ones((2,)))
kv.push(3, mx.nd.ones((2,)))
out = mx.nd.zeros((2,))
kv.pull(3, out=out)
assert out.asnumpy().tolist() == [kv.num_workers] * 2
sys.stdout.write(f"worker {kv.rank} of {kv.num_workers} {sys.argv[1:]} {os.environ.get('SOME')}\n")
"""


def launch(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MIXGRAD_TIME_LIMIT": "40", **more}
    return subprocess.run(
        [*LAUNCH, *words], capture_output=True, text=True, timeout=LIMIT, env=environment, check=False
    )


def script_of(folder: Path, text: str = TRAINS) -> str:
    script = folder / "trains.py"
    script.write_text(text, encoding="utf-8")
    return str(script)


def wait_until(holds: Callable[[], object]) -> None:
    limit = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.mark.parametrize(("command", "code"), [("true", 0), ("exit 5", 5), ("kill -9 $$", 137)])
def test_a_command_that_never_joins_ends_at_once(command: str, code: int) -> None:
    begin = time.monotonic()
    assert launch("-n", "2", "-s", "2", "sh", "-c", command).returncode == code
    # Servers alone would be waited for 20 seconds.
    assert time.monotonic() - begin < 20


# A worker ends, what it started goes on: in its group, and in a session of its own.
@pytest.mark.parametrize("how", ["sleep 100 &", "setsid sleep 100 &", "(trap '' TERM; exec sleep 100) &"])
def test_grandchildren_end_too(how: str, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    done = launch("-n", "1", "-s", "1", "sh", "-c", f"{how}\necho $! > {file}; sleep 0.3")
    assert done.returncode == 0, done.stderr
    assert not Path(f"/proc/{file.read_text().strip()}").exists()


def test_signals_reach_grandchildren(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    command = f"sleep 100 & echo $! > {file}.new; mv {file}.new {file}; wait"
    with subprocess.Popen([*LAUNCH, "-n", "1", "-s", "1", "sh", "-c", command]) as launcher:
        wait_until(file.exists)
        launcher.send_signal(signal.SIGINT)
        assert launcher.wait(LIMIT) == 128 + signal.SIGINT
    assert not Path(f"/proc/{file.read_text().strip()}").exists()


def test_a_launcher_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    command = f"(trap '' TERM; exec sleep 100) & echo $! > {file}.new; mv {file}.new {file}; wait"
    with subprocess.Popen([*LAUNCH, "-n", "1", "-s", "1", "sh", "-c", command]) as launcher:
        wait_until(file.exists)
        launcher.kill()

    def is_over() -> bool:
        stat = Path(f"/proc/{file.read_text().strip()}/stat")
        # Whoever adopts orphans here may leave them zombies.
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"

    wait_until(is_over)


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    file = tmp_path / "there"
    command = f"trap '' TERM; touch {file}; while :; do sleep 0.1; done"
    with subprocess.Popen([*LAUNCH, "-n", "1", "-s", "1", "sh", "-c", command]) as launcher:
        wait_until(file.exists)
        begin = time.monotonic()
        launcher.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        launcher.send_signal(signal.SIGTERM)
        assert launcher.wait(LIMIT) == 128 + signal.SIGTERM
    assert time.monotonic() - begin < 5  # the first alone gives it 5 seconds


def test_user_signals_are_for_workers(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    command = f"trap 'exit 9' USR1; touch {ready}; while :; do sleep 0.05; done"
    with subprocess.Popen([*LAUNCH, "-n", "1", "-s", "1", "sh", "-c", command]) as launcher:
        wait_until(ready.exists)
        launcher.send_signal(signal.SIGUSR1)
        assert launcher.wait(LIMIT) == 9


def test_a_held_port_is_for_who_knows_it() -> None:
    with HeldPort("127.0.0.1") as held:
        others = []
        for _ in range(50):
            other = socket.socket()
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", 0))
            others.append(other)
        assert held.number not in [other.getsockname()[1] for other in others]
        for other in others:
            other.close()
        for _ in range(2):  # one that ends, and one that takes its place
            with socket.socket() as scheduler:
                scheduler.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                scheduler.bind(("127.0.0.1", held.number))
                scheduler.listen()


def test_ssh(tmp_path: Path) -> None:
    path, noted = starters.on_path(tmp_path, "ssh")
    hosts = tmp_path / "hosts"
    hosts.write_text("# two names of one machine\nme@127.0.0.1:2222 slots=4\n127.0.0.1\n", encoding="utf-8")
    words = ["-n", "2", "-s", "2", "--launcher", "ssh", "-H", str(hosts), "--env-worker", "SOME=a b"]
    done = launch(*words, sys.executable, script_of(tmp_path), "an argument", **path)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"worker {i} of 2 ['an argument'] a b" for i in range(2)]
    calls = noted.read_text().splitlines()
    assert len(calls) == 4
    assert sum("-p 2222 me@127.0.0.1" in call for call in calls) == 2
    # Neither variables nor keys are on a command line.
    assert not any("SOME" in call or "DMLC" in call or "secret" in call for call in calls)
    assert not list(Path("/tmp").glob("mixgrad-keys-*/worker-1.secret"))


def test_ssh_ends_what_runs_there(tmp_path: Path) -> None:
    path, _ = starters.on_path(tmp_path, "ssh")
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1\n", encoding="utf-8")
    file = tmp_path / "pid"
    command = f"setsid sleep 100 & echo $! > {file}.new; mv {file}.new {file}; wait"
    words = [*LAUNCH, "-n", "1", "-s", "1", "--launcher", "ssh", "-H", str(hosts), "sh", "-c", command]
    with subprocess.Popen(words, env={**os.environ, **path}) as launcher:
        wait_until(file.exists)
        launcher.send_signal(signal.SIGTERM)
        assert launcher.wait(LIMIT) == 128 + signal.SIGTERM
    wait_until(lambda: not Path(f"/proc/{file.read_text().strip()}").exists())


def test_ssh_ends_with_the_launcher(tmp_path: Path) -> None:
    path, _ = starters.on_path(tmp_path, "ssh")
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1\n", encoding="utf-8")
    file = tmp_path / "pid"
    command = f"echo $$ > {file}.new; mv {file}.new {file}; while :; do sleep 0.05; done"
    words = [*LAUNCH, "-n", "1", "-s", "1", "--launcher", "ssh", "-H", str(hosts), "sh", "-c", command]
    with subprocess.Popen(words, env={**os.environ, **path}) as launcher:
        wait_until(file.exists)
        launcher.kill()
    wait_until(lambda: not Path(f"/proc/{file.read_text().strip()}").exists())


@pytest.mark.parametrize(
    ("launcher", "program"), [("mpi", "mpirun"), ("slurm", "srun")], ids=["mpi", "slurm"]
)
def test_one_command_for_all_tasks(launcher: str, program: str, tmp_path: Path) -> None:
    path, noted = starters.on_path(tmp_path, program)
    words = ["-n", "2", "-s", "2", "--launcher", launcher, "--env", "SOME=x"]
    done = launch(*words, sys.executable, script_of(tmp_path), "an argument", **path)
    assert done.returncode == 0, done.stderr
    wanted = [f"worker {i} of 2 ['an argument'] {'x' if launcher == 'slurm' else None}" for i in range(2)]
    if launcher == "mpi":
        assert "-x SOME" in noted.read_text()
        wanted = [line.replace("None", "x") for line in wanted]
    assert sorted(done.stdout.splitlines()) == wanted
    assert launch(*words, "sh", "-c", "exit 3", **path).returncode == 3


@pytest.mark.parametrize(
    ("options", "workers"), [([], [2, 3]), (["-s", "2", "--beside"], [0, 1, 2, 3])], ids=["", "beside"]
)
def test_torchrun(options: list[str], workers: list[int], tmp_path: Path) -> None:
    with HeldPort("127.0.0.1") as port:
        environment = {
            **os.environ,
            "WORLD_SIZE": "4",
            "LOCAL_WORLD_SIZE": "4",
            "MASTER_ADDR": "localhost",
            "MASTER_PORT": str(port.number - 1),
            "MIXGRAD_TIME_LIMIT": "40",
        }
        words = [sys.executable, "-m", "mixgrad", "join", *options, "--", sys.executable, script_of(tmp_path)]
        tasks = [
            subprocess.Popen(words, env={**environment, "RANK": str(i)}, stdout=subprocess.PIPE, text=True)
            for i in range(4)
        ]
        try:
            said = [task.communicate(timeout=LIMIT)[0] for task in tasks]
        finally:
            for task in tasks:
                task.kill()
                task.wait()
    assert [task.returncode for task in tasks] == [0] * 4
    wanted = [""] * 4
    for number, task in enumerate(workers):
        wanted[task] = f"worker {number} of {len(workers)} "
    assert [line.split("[")[0] for line in said] == wanted


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--launcher", "yarn", "true"), "'yarn' is not built"),
        (("--launcher", "local", "-H", "hosts", "true"), "does not take --hostfile; expected ssh or mpi"),
        (("--sync-dst-dir", "/tmp/x", "true"), "no files are copied"),
        (("--launcher", "mpi", "--restarts", "1", "true"), "does not take --restarts"),
    ],
)
def test_what_is_not_there_says_so(
    words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["launch", "-n", "1", *words]) == 1
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("line", ["a b@c:0", "-oProxyCommand=x", "host:99999", "a@b@c"])
def test_lines_of_hosts_that_make_no_sense(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from mixgrad.command.launch.ssh import read_machines

    hosts = tmp_path / "hosts"
    hosts.write_text(f"good\n{line}\n", encoding="utf-8")
    if line == "a b@c:0":  # only the first word counts
        assert [machine.host for machine in read_machines(str(hosts))] == ["good", "a"]
        return
    with pytest.raises(ValueError, match="line 2"):
        read_machines(str(hosts))


@pytest.mark.parametrize(
    "words",
    [
        ("launch", "-n", "99999999999", "true"),
        ("launch", "-n", "1", "-s", "4096", "true"),
        ("launch", "-n", "1", "--metrics-port", "99999", "true"),
        ("launch", "-n", "1", "--snapshot-seconds", "nan", "true"),
        ("launch", "-n", "1", "--snapshot-seconds", "-1", "true"),
        ("join", "--port", "99999", "true"),
        ("top", "--port", "99999", "--once"),
        ("keys", "-n", "99999999999", "keys"),
    ],
)
def test_numbers_beyond_limits(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(list(words))
    assert "and at most" in capsys.readouterr().err and not list(tmp_path.iterdir())
