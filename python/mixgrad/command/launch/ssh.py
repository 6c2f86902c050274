"""Processes on other machines, one ``ssh`` for each.

What a process is told, keys included, goes through its standard input: ``mixgrad join --given`` on the other
machine reads it there. It ends its process when that input ends, as when the connection or this program does.
"""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import json
import os
import re
import secrets
import shlex
import socket
import sys
from typing import NamedTuple

from ...base import InvalidArgumentError
from ...distributed._address import numeric
from ...distributed._keys import Keys, key_folder
from ...distributed._port import HeldPort
from ...distributed._processes import serving_command
from ...distributed._tasks import port_of
from .local import pairs, watching

__all__ = ["Machine", "launch", "own_host_towards", "read_machines"]

_TRAVELS = re.compile(r"(DMLC|MIXGRAD|MXNET|OMP|KMP)_\w+|PYTHONPATH|LD_LIBRARY_PATH")
_OPTIONS = ["-o", "BatchMode=yes", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"]


class Machine(NamedTuple):
    """A line of a hosts file: ``[user@]host[:port]``."""

    host: str
    user: str = ""
    port: int = 22

    def words(self) -> list[str]:
        """Arguments of ssh."""
        return ["-p", str(self.port), f"{self.user}@{self.host}" if self.user else self.host]


def read_machines(path: str) -> list[Machine]:
    """The machines of a hosts file; what follows a name on its line, as for MPI, is not used."""
    machines = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            found = re.fullmatch(r"(?:([\w.-]+)@)?([\w.][\w.-]*|\[[\da-fA-F:]+\])(?::(\d{1,5}))?", words[0])
            if found is None or not 0 < int(found[3] or 22) < 65536:
                raise InvalidArgumentError(
                    f"[launch] line {number} of {path} is {line.strip()!r}; expected [user@]host[:port]"
                )
            machines.append(Machine(found[2].strip("[]"), found[1] or "", int(found[3] or 22)))
    if not machines:
        raise InvalidArgumentError(f"[launch] {path} names no machine; expected one a line")
    return machines


def own_host_towards(host: str) -> str:
    """The address of this machine from which it reaches another. Sends nothing."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 22, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as probe:
            probe.connect(address)
            return str(probe.getsockname()[0])
    except OSError as error:
        raise InvalidArgumentError(
            f"[launch] cannot tell from where {host} is reached ({error}); expected --host, the address of "
            "this machine that others know"
        ) from None


def launch(given: argparse.Namespace, servers: int) -> int:
    """Runs the scheduler here and all others there; returns the exit code."""
    machines = read_machines(given.hostfile)
    first = own_host_towards(machines[0].host) if servers > 0 else machines[0].host
    host = numeric(given.host or first, "launch")
    who = "the scheduler" if servers > 0 else "worker 0"
    if ipaddress.ip_address(host).is_loopback and len({machine.host for machine in machines}) > 1:
        raise InvalidArgumentError(
            f"[launch] {who} would listen at {host}, which only this machine reaches; expected --host"
        )
    with contextlib.ExitStack() as stack:
        keys = Keys.made(given.num_workers, servers)
        # Without servers it is worker 0 that listens, on the first machine.
        port = stack.enter_context(HeldPort(host)).number if servers > 0 else port_of(secrets.token_hex(8))
        job = stack.enter_context(watching())
        shared = {name: value for name, value in os.environ.items() if _TRAVELS.fullmatch(name)}
        shared.update(
            DMLC_NUM_WORKER=str(given.num_workers),
            DMLC_NUM_SERVER=str(servers),
            DMLC_PS_ROOT_URI=host,
            DMLC_PS_ROOT_PORT=str(port),
            DMLC_JOB_CLUSTER="ssh",
            **pairs(given.env),
        )
        of_server = {**shared, **pairs(given.env_server), "MIXGRAD_SERVING": "1"}
        if servers > 0:
            own = key_folder("scheduler", 0, keys.public, keys.secrets["scheduler", 0])
            here = {"DMLC_ROLE": "scheduler", "MIXGRAD_NUMBER": "0", "MIXGRAD_KEYS": stack.enter_context(own)}
            job.add("scheduler", serving_command(), {**os.environ, **of_server, **here})

        def add(role: str, number: int) -> None:
            more = {"DMLC_ROLE": role, "MIXGRAD_NUMBER": str(number)}
            of_worker = {**shared, **pairs(given.env_worker)}
            told = {
                "environment": {**(of_worker if role == "worker" else of_server), **more},
                "folder": os.getcwd(),
                "command": given.command if role == "worker" else None,
                "public": keys.public,
                "secret": keys.secrets[role, number],
            }
            there = [given.python or sys.executable, "-m", "mixgrad", "join", "--given"]
            if "PYTHONPATH" in shared:  # by which mixgrad itself may be found
                there = ["env", f"PYTHONPATH={shared['PYTHONPATH']}", *there]
            machine = machines[number % len(machines)]
            words = ["ssh", *_OPTIONS, *machine.words(), f"exec {shlex.join(there)}"]
            job.add(f"{role}:{number}", words, dict(os.environ), json.dumps(told) + "\n")

        for i in range(servers):
            add("server", i)
        for i in range(given.num_workers):
            add("worker", i)
        return job.watch(given.restarts)
