"""Take part in a distributed training: as what, Slurm, MPI, torchrun or Kubernetes say."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import json
import math
import os
import re
import secrets
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from ..base import InvalidArgumentError
from ..distributed._address import numeric
from ..distributed._keeper import Keeper
from ..distributed._keys import key_folder
from ..distributed._processes import (
    GRACE_SECONDS,
    MARK,
    Process,
    adopting,
    end,
    end_strays,
    serving_command,
)
from ..distributed._tasks import Task, role_of, task_of
from .console import port_number, server_count
from .launch.local import JOINED, watching

__all__ = ["act", "add_arguments", "variables_of"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add = parser.add_argument
    add(
        "-s",
        "--num-servers",
        type=server_count,
        help="how many of the processes are servers (default: 1); 0: all are workers, of a collective store",
    )
    add("--host", help="where task 0, the scheduler, listens, if its starter does not say")
    add("--port", type=port_number, help="... and at which port")
    add("--keys", help="folder of keys that every machine sees, as mixgrad keys makes it")
    add(
        "--beside",
        action="store_true",
        help="every task is a worker; the first also run the servers and the scheduler",
    )
    add("--given", action="store_true", help="read on standard input what to be, as mixgrad launch writes it")
    add("command", nargs=argparse.REMAINDER, help="a worker's command and its arguments")


def _of_kubernetes(given: Mapping[str, str]) -> dict[str, str]:
    """Of a pod of the manifest that ``mixgrad launch --manifest kubernetes`` writes."""
    if "MIXGRAD_POD" not in given:
        return {"MIXGRAD_NUMBER": given["JOB_COMPLETION_INDEX"]}
    found = re.fullmatch(r".*-(\d{1,4})", given["MIXGRAD_POD"])
    if found is None:
        raise InvalidArgumentError(
            f"[join] MIXGRAD_POD is {given['MIXGRAD_POD']!r}; expected the name of a StatefulSet's pod"
        )
    role, number = role_of(int(found[1]), int(given["DMLC_NUM_SERVER"]), True)
    more = {"DMLC_ROLE": role, "MIXGRAD_NUMBER": str(number)}
    if role == "scheduler":  # whose name in the cluster may not be known here yet
        more["DMLC_PS_ROOT_URI"] = given["DMLC_NODE_HOST"]
    return more


def _of_task(task: Task, given: argparse.Namespace, environment: Mapping[str, str]) -> dict[str, str]:
    is_told = "DMLC_PS_ROOT_URI" in environment  # the scheduler is somewhere else
    servers = given.num_servers
    if servers is None:
        servers = int(environment.get("DMLC_NUM_SERVER", "1") if is_told else 1)
    only_workers = given.beside or servers == 0
    workers = task.tasks - (0 if only_workers else servers + (0 if is_told else 1))
    if workers < (servers if given.beside else 1) or task.number >= task.tasks:
        wanted = f"{servers} for servers and at least one worker"
        if given.beside:
            wanted = f"at least {servers}, which run servers"
        elif not is_told:
            wanted = f"one for the scheduler, {wanted}"
        raise InvalidArgumentError(
            f"[join] {task.source} started {task.tasks} tasks and this is number {task.number}; "
            f"expected {wanted}"
        )
    role, number = ("worker", task.number) if only_workers else role_of(task.number, servers, not is_told)
    more = {
        "DMLC_ROLE": role,
        "MIXGRAD_NUMBER": str(number),
        "DMLC_NUM_SERVER": str(servers),
        "DMLC_NUM_WORKER": str(workers),
    }
    if is_told:
        return more
    host = given.host or ("127.0.0.1" if task.is_one_machine else task.host)
    port = given.port or task.port
    for what, value in (("host", host), ("port", port)):
        if not value:
            raise InvalidArgumentError(
                f"[join] {task.source} does not say at which {what} task 0 can listen; expected --{what}"
            )
    address = numeric(host, "join")
    if ipaddress.ip_address(address).is_loopback and not task.is_one_machine and not given.host:
        raise InvalidArgumentError(
            f"[join] {host!r} is {address} here, which other machines do not reach; expected --host"
        )
    return {**more, "DMLC_PS_ROOT_URI": address, "DMLC_PS_ROOT_PORT": str(port)}


def variables_of(given: argparse.Namespace, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that a store needs, of those that this process was started with."""
    keys = {"MIXGRAD_KEYS": os.path.abspath(given.keys)} if given.keys else {}
    if "MIXGRAD_POD" in environment or (
        environment.get("DMLC_ROLE") == "worker" and "JOB_COMPLETION_INDEX" in environment
    ):
        return {**_of_kubernetes(environment), **keys}
    task = task_of(environment)
    if task is None:
        raise InvalidArgumentError(
            "[join] nobody says which task this is; expected variables of Slurm (SLURM_PROCID), MPI "
            "(OMPI_COMM_WORLD_RANK, PMI_RANK), torchrun (RANK) or Kubernetes (JOB_COMPLETION_INDEX)"
        )
    return {**_of_task(task, given, environment), **keys}


def _become(command: list[str], environment: dict[str, str]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        raise InvalidArgumentError(f"[join] cannot run {command[0]!r}: {error}") from None


def _lines_of_input() -> Iterator[bytes]:
    """As they come; a thread that waits here keeps no lock that the end of the program needs."""
    rest = b""
    while more := os.read(0, 1 << 16):
        *lines, rest = (rest + more).split(b"\n")
        yield from lines


def _read_told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
        if not isinstance(told, dict) or not isinstance(told["environment"], dict):
            raise ValueError("no environment")
        return told
    except (ValueError, KeyError) as error:
        raise InvalidArgumentError(
            f"[join] standard input has no line of mixgrad launch ({error}); --given is for its use"
        ) from None


def _run_told(told: dict[str, Any], lines: Iterator[bytes]) -> int:
    """Runs the process until it ends, or standard input does; its lines are signals to send on."""
    wanted: list[int] = []  # signals, and SIGTERM for the end of input
    over = threading.Event()

    def listen() -> None:
        for line in lines:
            wanted.append(int(line) if line.strip().isdigit() else int(signal.SIGTERM))
        over.set()

    with contextlib.ExitStack() as stack:
        stack.enter_context(adopting())
        environment = {**os.environ, **told["environment"]}
        if told.get("secret"):
            role, number = environment["DMLC_ROLE"], int(environment["MIXGRAD_NUMBER"])
            keys = key_folder(role, number, told["public"], told["secret"])
            environment["MIXGRAD_KEYS"] = stack.enter_context(keys)
        os.chdir(told["folder"])
        for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(one, lambda number, frame: wanted.append(number))
        environment[MARK] = mark = secrets.token_hex(8)
        process = Process(environment["DMLC_ROLE"], told["command"] or serving_command(), environment)
        keeper = Keeper(GRACE_SECONDS)
        keeper.add(process.running.pid)
        threading.Thread(target=listen, daemon=True).start()
        number = int(signal.SIGTERM)
        while process.poll() is None and not over.is_set():
            while wanted:
                number = wanted.pop(0)
                process.send(number)
            over.wait(0.02)
        end([process], number)
        end_strays(mark)
        keeper.close()
        assert process.code is not None
        return process.code


def _run_beside(command: list[str], environment: dict[str, str], has_scheduler: bool) -> int:
    """Runs a worker and what this task runs beside it; servers until all workers have left."""
    number = int(environment["MIXGRAD_NUMBER"])
    serving = {**environment, "MIXGRAD_SERVING": "1"}
    with tempfile.TemporaryDirectory(prefix="mixgrad-join-") as folder, watching() as job:
        job.joined = Path(folder) / "joined"
        if has_scheduler and number == 0:
            job.add("scheduler", serving_command(), {**serving, "DMLC_ROLE": "scheduler"})
        if number < int(environment["DMLC_NUM_SERVER"]):
            job.add(f"server:{number}", serving_command(), {**serving, "DMLC_ROLE": "server"})
        job.add(f"worker:{number}", command, {**environment, JOINED: str(job.joined)})
        return job.watch(0, math.inf)


def act(given: argparse.Namespace) -> None:
    """Becomes the scheduler, a server or a worker."""
    if given.given:
        lines = _lines_of_input()
        raise SystemExit(_run_told(_read_told(next(lines, b"")), lines))
    command = given.command[1:] if given.command[:1] == ["--"] else given.command
    if not command:
        raise SystemExit("mixgrad join: got no command; expected that of a worker, such as python train.py")
    variables = variables_of(given, os.environ)
    environment = {**os.environ, **variables}
    role = environment["DMLC_ROLE"]
    if given.beside and role == "worker" and environment["DMLC_NUM_SERVER"] != "0":
        raise SystemExit(_run_beside(command, environment, "DMLC_PS_ROOT_URI" in variables))
    if role == "worker":
        _become(command, environment)
    _become(serving_command(), {**environment, "MIXGRAD_SERVING": "1"})
