"""Processes on this machine, and what all launchers do with those they started."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...distributed._keeper import Keeper
from ...distributed._port import HeldPort
from ...distributed._processes import GRACE_SECONDS, MARK, Process, adopting, end, end_strays, serving_command

__all__ = ["JOINED", "Job", "launch", "pairs", "watching"]

JOINED = "MIXGRAD_JOINED"  # a file that a worker makes when it takes part in a store
_LAST_SECONDS = 20.0  # for servers to end after the workers
_ALONE_SECONDS = 0.5  # ... when no worker ever took part, so that they wait for some for ever
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_PASSED_ON = ("SIGUSR1", "SIGUSR2")  # to workers, which go on


def pairs(words: list[str]) -> dict[str, str]:
    """Variables by name, of words such as NAME=VALUE."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise SystemExit(f"mixgrad launch: got {word!r} as a variable; expected NAME=VALUE")
        found[name] = value
    return found


class Job:
    """The processes of a training, and the signals that came for them."""

    def __init__(self) -> None:
        self.processes: list[Process] = []
        self.signals: list[int] = []
        self.mark = secrets.token_hex(8)
        self.joined: Path | None = None  # that some worker makes; None: nobody can know
        self._keeper = Keeper(GRACE_SECONDS)

    def add(
        self, name: str, command: list[str], environment: dict[str, str], text: str | None = None
    ) -> None:
        process = Process(name, command, {**environment, MARK: self.mark}, text)
        self.processes.append(process)
        self._keeper.add(process.running.pid)

    def close(self) -> None:
        """Call it when all processes have ended."""
        self._keeper.close()

    def watch(self, restarts: int, last_seconds: float = _LAST_SECONDS) -> int:
        """Waits for the workers, then for the others so long, or for a signal; the exit code."""
        while True:
            if self.signals:
                return 128 + self.signals[0]
            for process in self.processes:
                if not process.poll():
                    continue
                ended = f"mixgrad launch: {process.name} ended with code {process.code}"
                if restarts == 0:
                    print(ended, file=sys.stderr)
                    return process.code or 1
                restarts -= 1
                print(f"{ended} and is started again", file=sys.stderr)
                process.restart()
                self._keeper.add(process.running.pid)
            if all(process.poll() == 0 for process in self.processes if process.is_worker):
                break
            time.sleep(0.02)
        is_alone = self.joined is not None and not self.joined.exists()
        limit = time.monotonic() + (_ALONE_SECONDS if is_alone else last_seconds)
        while time.monotonic() < limit and any(process.poll() is None for process in self.processes):
            if self.signals:
                return 128 + self.signals[0]
            time.sleep(0.02)
        return 0

    def received(self, number: int, frame: Any) -> None:
        self.signals.append(number)

    def pass_on(self, number: int, frame: Any) -> None:
        for process in self.processes:
            if process.is_worker:
                process.ask(number)


@contextlib.contextmanager
def watching() -> Iterator[Job]:
    """A job whose processes, and all that they started, end with the block."""
    job = Job()
    handlers: dict[int, Any] = {}
    with contextlib.ExitStack() as stack:
        stack.enter_context(adopting())
        stack.callback(lambda: [signal.signal(one, handler) for one, handler in handlers.items()])
        for names, function in ((_ENDING, job.received), (_PASSED_ON, job.pass_on)):
            for one in (getattr(signal, name) for name in names):
                if signal.getsignal(one) is not signal.SIG_IGN:  # as nohup has it for SIGHUP
                    handlers[one] = signal.signal(one, function)
        try:
            yield job
        finally:
            first = job.signals[0] if job.signals else signal.SIGTERM
            seen = len(job.signals)
            end(job.processes, first, lambda: len(job.signals) > max(seen, 1))
            end_strays(job.mark)
            job.close()


def launch(given: argparse.Namespace, servers: int) -> int:
    """Runs all processes here; returns the exit code."""
    with (
        tempfile.TemporaryDirectory(prefix="mixgrad-launch-") as folder,
        HeldPort("127.0.0.1") as port,
        watching() as job,
    ):
        job.joined = Path(folder) / "joined"
        shared = {
            **os.environ,
            "DMLC_NUM_WORKER": str(given.num_workers),
            "DMLC_NUM_SERVER": str(servers),
            "DMLC_PS_ROOT_URI": "127.0.0.1",
            "DMLC_PS_ROOT_PORT": str(port.number),
            "DMLC_JOB_CLUSTER": "local",
            JOINED: str(job.joined),
            **({"MIXGRAD_SNAPSHOTS": os.path.abspath(given.snapshots)} if given.snapshots else {}),
            **({"MIXGRAD_SNAPSHOT_SECONDS": str(given.snapshot_seconds)} if given.snapshot_seconds else {}),
            **({"MIXGRAD_TRACE": os.path.abspath(given.trace)} if given.trace else {}),
            **({"MIXGRAD_SNAPSHOT_SYNC": given.snapshot_sync} if given.snapshot_sync else {}),
            **({"MIXGRAD_METRICS_PORT": str(given.metrics_port)} if given.metrics_port else {}),
            **pairs(given.env),
        }
        of_server = {**shared, **pairs(given.env_server), "MIXGRAD_SERVING": "1"}
        of_worker = {**shared, **pairs(given.env_worker)}

        def add(role: str, number: int) -> None:
            environment = of_worker if role == "worker" else of_server
            command = given.command if role == "worker" else serving_command()
            name = role if role == "scheduler" else f"{role}:{number}"
            job.add(name, command, {**environment, "DMLC_ROLE": role, "MIXGRAD_NUMBER": str(number)})

        if servers > 0:
            add("scheduler", 0)
        for i in range(servers):
            add("server", i)
        for i in range(given.num_workers):
            add("worker", i)
        return job.watch(given.restarts)
