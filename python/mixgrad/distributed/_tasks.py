"""What others that start processes say of each: Slurm, MPI, torchrun and Kubernetes, by their variables."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from ..base import InvalidArgumentError
from ._port import LASTING_PORTS

__all__ = ["Task", "nodes_of", "port_of", "role_of", "task_of"]

_MOST_NODES = 100000


class Task(NamedTuple):
    """One of the processes that were started together."""

    number: int
    tasks: int
    source: str
    host: str = ""  # of task 0; empty: its starter does not say
    port: int = 0  # free there, as far as one can know; 0: nothing follows for it
    is_one_machine: bool = False


def _whole(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "")
    if not re.fullmatch(r"\d{1,9}", text):
        raise InvalidArgumentError(f"[join] {name} is {text!r}; expected a whole number from 0 on")
    return int(text)


def nodes_of(text: str) -> list[str]:
    """Names of a list of Slurm's nodes.

    >>> from mixgrad.distributed._tasks import nodes_of
    >>> nodes_of("cn[01-03,7]-ib,login")
    ['cn01-ib', 'cn02-ib', 'cn03-ib', 'cn7-ib', 'login']
    """
    names: list[str] = []
    for item in re.findall(r"(?:[^,\[\]]|\[[^\[\]]*\])+", text):
        parts = [""]
        for piece in re.findall(r"\[[^\]]*\]|[^\[\]]+", item):
            parts = [part + more for part in parts for more in _choices(piece)]
            if len(parts) > _MOST_NODES:
                raise InvalidArgumentError(f"[join] {text[:60]!r} names more than {_MOST_NODES} nodes")
        names += parts
    return names


def _choices(piece: str) -> list[str]:
    if not piece.startswith("["):
        return [piece]
    choices = []
    for word in piece[1:-1].split(","):
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", word)
        if found is None or int(found[2] or found[1]) - int(found[1]) > _MOST_NODES:
            raise InvalidArgumentError(
                f"[join] {piece[:60]!r} is no range of nodes; expected one such as [01-04,7]"
            )
        first, last = found[1], found[2] or found[1]
        choices += [str(number).zfill(len(first)) for number in range(int(first), int(last) + 1)]
    return choices


def port_of(identity: str) -> int:
    """The same for all tasks of a job, and seldom that of another job."""
    return LASTING_PORTS[zlib.crc32(identity.encode()) % len(LASTING_PORTS)] if identity else 0


def _of_torchrun(given: Mapping[str, str]) -> Task:
    port = _whole(given, "MASTER_PORT")
    # torchrun itself listens at MASTER_PORT.
    beside = port + 1 if port < 65535 else port - 1
    is_one = given.get("LOCAL_WORLD_SIZE") == given["WORLD_SIZE"]
    count = _whole(given, "WORLD_SIZE")
    return Task(_whole(given, "RANK"), count, "torchrun", given.get("MASTER_ADDR", ""), beside, is_one)


def _of_open_mpi(given: Mapping[str, str]) -> Task:
    count = _whole(given, "OMPI_COMM_WORLD_SIZE")
    is_one = given.get("OMPI_COMM_WORLD_LOCAL_SIZE") == str(count)
    identity = given.get("PMIX_NAMESPACE", "") or given.get("OMPI_MCA_ess_base_jobid", "")
    return Task(_whole(given, "OMPI_COMM_WORLD_RANK"), count, "Open MPI", "", port_of(identity), is_one)


def _of_mpich(given: Mapping[str, str]) -> Task:
    count = _whole(given, "PMI_SIZE")
    is_one = given.get("MPI_LOCALNRANKS") == str(count)
    return Task(_whole(given, "PMI_RANK"), count, "MPICH", "", port_of(given.get("PMI_JOBID", "")), is_one)


def _of_slurm(given: Mapping[str, str]) -> Task:
    nodes = nodes_of(
        given.get("SLURM_STEP_NODELIST")
        or given.get("SLURM_JOB_NODELIST")
        or given.get("SLURM_NODELIST")
        or ""
    )
    count = _whole(given, "SLURM_STEP_NUM_TASKS" if "SLURM_STEP_NUM_TASKS" in given else "SLURM_NTASKS")
    identity = f"{given.get('SLURM_JOB_ID', '')}.{given.get('SLURM_STEP_ID', '')}"
    port = port_of(identity if given.get("SLURM_JOB_ID") else "")
    host = nodes[0] if nodes else ""
    return Task(_whole(given, "SLURM_PROCID"), count, "Slurm", host, port, len(nodes) == 1)


def task_of(environment: Mapping[str, str]) -> Task | None:
    """Which of several processes this is; None: nobody says.

    Under several starters, as mpirun inside a job of Slurm, the innermost counts.

    >>> from mixgrad.distributed._tasks import task_of
    >>> task_of({"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_NAMESPACE": "x1"}).number
    2
    """
    if all(name in environment for name in ("RANK", "WORLD_SIZE", "MASTER_PORT")):
        return _of_torchrun(environment)
    if "OMPI_COMM_WORLD_RANK" in environment:
        return _of_open_mpi(environment)
    if "SLURM_PROCID" in environment and "SLURM_STEP_ID" in environment:
        return _of_slurm(environment)
    if "PMI_RANK" in environment:
        return _of_mpich(environment)
    return None


def role_of(task: int, servers: int, has_scheduler: bool) -> tuple[str, int]:
    """Role and number of a task: first the scheduler, if it is one of them, then servers, then workers.

    >>> from mixgrad.distributed._tasks import role_of
    >>> [role_of(i, 1, True) for i in range(4)]
    [('scheduler', 0), ('server', 0), ('worker', 0), ('worker', 1)]
    """
    if has_scheduler:
        if task == 0:
            return "scheduler", 0
        task -= 1
    return ("server", task) if task < servers else ("worker", task - servers)
