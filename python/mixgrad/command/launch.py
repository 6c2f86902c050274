"""Start the scheduler, servers and workers of a distributed training, and end them together."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any, Callable, Optional

from ..base import UnsupportedError
from .console import at_least

__all__ = ["act", "add_arguments"]

_LAST_SECONDS = 20.0  # for servers to end after the workers
_GRACE_SECONDS = 5.0  # between SIGTERM and SIGKILL
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_PARENT_DEATH_SIGNAL = 1  # of prctl


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments: those of MXNet's tools/launch.py, and --restarts."""
    add = parser.add_argument
    add("-n", "--num-workers", type=at_least(1), required=True, help="number of worker processes")
    add(
        "-s",
        "--num-servers",
        type=at_least(1),
        help="number of server processes; as many as workers if not given",
    )
    add(
        "--launcher",
        choices=["local", "ssh", "mpi", "sge", "yarn"],
        default="local",
        help="how to start them",
    )
    add("-H", "--hostfile", help="machines, one a line; not with --launcher local")
    add("--env", action="append", default=[], metavar="NAME=VALUE", help="for every process")
    add(
        "--env-server",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="for servers and the scheduler",
    )
    add("--env-worker", action="append", default=[], metavar="NAME=VALUE", help="for workers")
    add(
        "--restarts",
        type=at_least(0),
        default=0,
        help="how often processes that fail are started again, in all",
    )
    add(
        "--snapshots",
        metavar="FOLDER",
        help="folder where servers keep what they have: servers that all end go on from there",
    )
    add(
        "--snapshot-seconds",
        type=float,
        metavar="SECONDS",
        help="how often a server writes its values there; 60 if not given",
    )
    add("command", nargs=argparse.REMAINDER, help="the workers' command and its arguments")


def _pairs(words: list[str]) -> dict[str, str]:
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise SystemExit(f"mixgrad launch: got {word!r} as a variable; expected NAME=VALUE")
        pairs[name] = value
    return pairs


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _end_with_parent() -> Optional[Callable[[], None]]:
    """What a child calls so that it does not outlive the launcher, even one that is killed."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    launcher = os.getpid()

    def follow() -> None:
        prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGTERM))
        if os.getppid() != launcher:
            os._exit(1)

    return follow


class _Process:
    """One of the processes, which may be started again."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.code: Optional[int] = None
        self._follow = _end_with_parent()
        self.start()

    @property
    def is_worker(self) -> bool:
        return self.name.startswith("worker")

    def start(self) -> None:
        self.code = None
        # A session of its own: signals of the terminal come through the launcher.
        self.running = subprocess.Popen(
            self.command,
            env=self.environment,
            start_new_session=True,
            preexec_fn=self._follow,  # noqa: PLW1509  (this process has one thread)
        )

    def poll(self) -> Optional[int]:
        """The exit code as shells have it, once it has ended."""
        if self.code is None:
            code = self.running.poll()
            self.code = None if code is None else 128 - code if code < 0 else code
        return self.code

    def send(self, number: int) -> None:
        """To the process and those that it started."""
        if self.running.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.running.pid, number)


def _end(processes: list[_Process], number: int) -> None:
    """Ends all that still run: by the signal, then for good."""
    for process in processes:
        process.send(number)
    limit = time.monotonic() + _GRACE_SECONDS
    while time.monotonic() < limit and any(process.poll() is None for process in processes):
        time.sleep(0.02)
    for process in processes:
        process.send(signal.SIGKILL)
        process.running.wait()


def _watch(processes: list[_Process], restarts: int, signals: list[int]) -> int:
    """Waits for the workers, then for the others, or for a signal; the exit code."""
    while True:
        if signals:
            return 128 + signals[0]
        for process in processes:
            if not process.poll():
                continue
            if restarts == 0:
                print(f"mixgrad launch: {process.name} ended with code {process.code}", file=sys.stderr)
                return process.code or 1
            restarts -= 1
            print(
                f"mixgrad launch: {process.name} ended with code {process.code} and is started again",
                file=sys.stderr,
            )
            process.start()
        if all(process.poll() == 0 for process in processes if process.is_worker):
            break
        time.sleep(0.02)
    limit = time.monotonic() + _LAST_SECONDS
    while time.monotonic() < limit and any(process.poll() is None for process in processes):
        if signals:
            return 128 + signals[0]
        time.sleep(0.02)
    return 0


def _local(given: argparse.Namespace, servers: int) -> int:
    shared = {
        **os.environ,
        "DMLC_NUM_WORKER": str(given.num_workers),
        "DMLC_NUM_SERVER": str(servers),
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(_free_port()),
        "DMLC_JOB_CLUSTER": "local",
        **({"MIXGRAD_SNAPSHOTS": os.path.abspath(given.snapshots)} if given.snapshots else {}),
        **({"MIXGRAD_SNAPSHOT_SECONDS": str(given.snapshot_seconds)} if given.snapshot_seconds else {}),
        **_pairs(given.env),
    }
    of_server, of_worker = _pairs(given.env_server), _pairs(given.env_worker)
    serving = [sys.executable, "-m", "mixgrad.kvstore_server"]

    def environment(role: str, number: int, more: dict[str, str]) -> dict[str, str]:
        return {**shared, **more, "DMLC_ROLE": role, "MIXGRAD_NUMBER": str(number)}

    handlers: dict[int, Any] = {}
    processes: list[_Process] = []
    signals: list[int] = []  # that came: the first is forwarded
    try:
        for name in _FORWARDED:
            one = getattr(signal, name)
            if signal.getsignal(one) is not signal.SIG_IGN:  # as nohup has it for SIGHUP
                handlers[one] = signal.signal(one, lambda number, frame: signals.append(number))
        serving_mark = {**of_server, "MIXGRAD_SERVING": "1"}
        processes.append(_Process("scheduler", serving, environment("scheduler", 0, serving_mark)))
        for i in range(servers):
            processes.append(_Process(f"server:{i}", serving, environment("server", i, serving_mark)))
        for i in range(given.num_workers):
            processes.append(_Process(f"worker:{i}", given.command, environment("worker", i, of_worker)))
        return _watch(processes, given.restarts, signals)
    finally:
        _end(processes, signals[0] if signals else signal.SIGTERM)
        for one, handler in handlers.items():
            signal.signal(one, handler)


def act(given: argparse.Namespace) -> None:
    """Runs the processes; ends with the code of the first that failed, and of all others with it."""
    if given.command[:1] == ["--"]:
        given.command = given.command[1:]
    if not given.command:
        raise SystemExit("mixgrad launch: got no command; expected that of a worker, such as python train.py")
    if given.launcher != "local" or given.hostfile:
        what = "a hostfile" if given.launcher == "local" else f"the launcher {given.launcher!r}"
        raise UnsupportedError(
            f"[launch] {what} is not built yet; expected --launcher local, or processes started by other "
            "means with the variables that docs/kvstore.md lists"
        )
    raise SystemExit(_local(given, given.num_servers or given.num_workers))
