"""The task of a cluster that a process is."""

from __future__ import annotations

import atexit
import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from ..base import InvalidArgumentError, MXNetError
from ._address import numeric
from ._keeper import Keeper
from ._processes import GRACE_SECONDS, Process, end, serving_command
from .cluster import ClusterSpec

__all__ = ["Server"]

_WHO = "[Server]"


class Server:
    """Makes this process a task of a cluster.

    The jobs are ``ps``, whose tasks hold the values and run the optimiser, and ``worker``. For a task of
    ``ps`` a server of the key-value store is started beside this process; task 0 starts the scheduler,
    too, which listens at that task's address. A task of ``worker`` is this process: the stores that it makes
    (``mx.kv.create('dist_sync')``) belong to the cluster.

    Parameters
    ----------
    cluster : ClusterSpec or dict
        All tasks. Every process is given the same.
    job_name : str
        ``"ps"`` or ``"worker"``.
    task_index : int
        Which task of that job.
    restarts : int
        How often processes of a ``ps`` task that fail are started again, in all.

    Raises
    ------
    InvalidArgumentError
        The cluster has no such task or a job of another name, or this process is another task already.

    Notes
    -----
    Of the addresses only that of ``ps`` task 0 is listened at as it is. Other tasks listen at their
    address's host and a port that the system gives, and tell the scheduler. Outside of loopback all need
    keys (``MIXGRAD_KEYS``, see ``mixgrad keys``).

    Examples
    --------
    >>> import mixgrad as mx
    >>> cluster = {"ps": ["127.0.0.1:2222"], "worker": ["127.0.0.1:2223", "127.0.0.1:2224"]}
    >>> mx.distributed.Server(cluster, job_name="chief", task_index=0)
    Traceback (most recent call last):
        ...
    mixgrad.base.InvalidArgumentError: [ClusterSpec] there is no job 'chief'; expected one of ['ps', 'worker']
    """

    def __init__(
        self,
        cluster: ClusterSpec | Mapping[str, Any],
        job_name: str | None = None,
        task_index: int | None = None,
        *,
        restarts: int = 0,
    ) -> None:
        self.cluster = ClusterSpec(cluster)
        if job_name is None or task_index is None:
            raise InvalidArgumentError(
                f"{_WHO} needs job_name and task_index; got {job_name!r}, {task_index!r}"
            )
        if not str(task_index).isdecimal():
            raise InvalidArgumentError(f"{_WHO} task_index is {task_index!r:.60}; expected a whole number")
        self.job_name, self.task_index = job_name, int(task_index)
        address = self.cluster.task_address(job_name, self.task_index)
        if self.cluster.jobs != ["ps", "worker"]:
            raise InvalidArgumentError(f"{_WHO} the jobs are {self.cluster.jobs}; expected ps and worker")
        for job in self.cluster.jobs:
            if self.cluster.task_indices(job) != list(range(self.cluster.num_tasks(job))):
                raise InvalidArgumentError(
                    f"{_WHO} tasks of {job} are {self.cluster.task_indices(job)}; expected numbers from 0 on"
                )
        if not isinstance(restarts, int) or restarts < 0:
            raise InvalidArgumentError(f"{_WHO} restarts is {restarts!r}; expected 0 or more")
        self._restarts = restarts
        self._processes: list[Process] = []
        self._keeper: Keeper | None = None
        host, _, port = self.cluster.task_address("ps", 0).rpartition(":")
        self._shared = {
            "DMLC_NUM_WORKER": str(self.cluster.num_tasks("worker")),
            "DMLC_NUM_SERVER": str(self.cluster.num_tasks("ps")),
            "DMLC_PS_ROOT_URI": numeric(host.strip("[]"), "Server"),
            "DMLC_PS_ROOT_PORT": port,
            "DMLC_NODE_HOST": numeric(address.rpartition(":")[0].strip("[]"), "Server"),
            "MIXGRAD_NUMBER": str(self.task_index),
        }
        if job_name == "worker":
            self._become_worker()
        else:
            self._start_servers()

    @property
    def target(self) -> str:
        """Where the cluster is: the address of its scheduler."""
        return f"mixgrad://{self.cluster.task_address('ps', 0)}"

    def _become_worker(self) -> None:
        wanted = {**self._shared, "DMLC_ROLE": "worker"}
        for name, value in wanted.items():
            known = os.environ.get(name, value)
            if known != value:
                raise InvalidArgumentError(
                    f"{_WHO} {name} is {known!r} in this process already, and {value!r} for this task; "
                    "expected one task in a process, whose environment says nothing else"
                )
        os.environ.update(wanted)

    def _start_servers(self) -> None:
        roles = ["scheduler", "server"] if self.task_index == 0 else ["server"]
        atexit.register(self.stop)
        self._keeper = Keeper(GRACE_SECONDS)
        for role in roles:
            more = {"DMLC_ROLE": role, "MIXGRAD_SERVING": "1"}
            name = role if role == "scheduler" else f"server:{self.task_index}"
            process = Process(name, serving_command(), {**os.environ, **self._shared, **more})
            self._processes.append(process)
            self._keeper.add(process.running.pid)

    def join(self) -> None:
        """Serve until all workers have left. A task of ``worker`` does not serve, and returns at once.

        Raises
        ------
        MXNetError
            A process of this task failed, and was not to be started again.
        """
        try:
            while any(process.poll() is None for process in self._processes):
                for process in self._processes:
                    if not process.poll():
                        continue
                    if self._restarts == 0:
                        raise MXNetError(f"{_WHO} {process.name} ended with code {process.code}")
                    self._restarts -= 1
                    process.restart()
                    if self._keeper is not None:
                        self._keeper.add(process.running.pid)
                time.sleep(0.05)
            failed = [process for process in self._processes if process.poll()]
            if failed:
                raise MXNetError(f"{_WHO} {failed[0].name} ended with code {failed[0].code}")
        finally:
            self.stop()

    def stop(self) -> None:
        """End the processes of this task, if they still run."""
        processes, self._processes = self._processes, []
        if processes:
            end(processes, signal.SIGTERM)
            if self._keeper is not None:
                self._keeper.close()
            atexit.unregister(self.stop)
