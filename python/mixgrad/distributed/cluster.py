"""Which processes a training has, and at which addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Union

from ..base import InvalidArgumentError

__all__ = ["ClusterSpec"]

Tasks = Union[Sequence[str], Mapping[int, str]]
_ADDRESS = re.compile(r"([\w][\w.-]*|\[[\da-fA-F:.]+\]):(\d{1,5})")
_WHO = "[ClusterSpec]"
_MOST = 1 << 20  # tasks of a job


def _number(job: str, index: object) -> int:
    if not isinstance(index, int) or not 0 <= index < _MOST:
        raise InvalidArgumentError(
            f"{_WHO} job {job!r} has a task {index!r:.60}; expected whole numbers from 0 to {_MOST - 1}"
        )
    return index


class ClusterSpec:
    """The jobs of a cluster: for each its tasks, and for each task an address.

    Parameters
    ----------
    cluster : dict of str to (list of str, or dict of int to str), or ClusterSpec
        Addresses ``host:port`` by job and number of task.

    Raises
    ------
    InvalidArgumentError
        An address is none, or is that of two tasks.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cluster = mx.distributed.ClusterSpec({
    ...     "ps": ["10.0.0.1:2222", "10.0.0.2:2222"],
    ...     "worker": ["10.0.0.3:2222", "10.0.0.4:2222", "10.0.0.5:2222"],
    ... })
    >>> cluster.jobs, cluster.num_tasks("worker"), cluster.task_address("ps", 1)
    (['ps', 'worker'], 3, '10.0.0.2:2222')
    """

    def __init__(self, cluster: Mapping[str, Tasks] | ClusterSpec) -> None:
        given = cluster._jobs if isinstance(cluster, ClusterSpec) else cluster
        if not isinstance(given, Mapping):
            raise TypeError(f"{_WHO} got {type(cluster).__name__}; expected a dict of jobs")
        self._jobs: dict[str, dict[int, str]] = {}
        seen: dict[str, str] = {}
        for job in sorted(given, key=str):
            if not isinstance(job, str):
                raise TypeError(f"{_WHO} a job is called {job!r:.60}; expected text")
            tasks = given[job]
            if isinstance(tasks, str) or not isinstance(tasks, (Mapping, Sequence)):
                raise TypeError(f"{_WHO} job {job!r} is {tasks!r:.60}; expected a list of addresses")
            pairs = tasks.items() if isinstance(tasks, Mapping) else enumerate(tasks)
            self._jobs[job] = {}
            for index, address in sorted(pairs, key=lambda pair: _number(job, pair[0])):
                task = f"/job:{job}/task:{index}"
                found = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
                if found is None or not 0 < int(found[2]) < 65536:
                    raise InvalidArgumentError(f"{_WHO} {task} is at {address!r:.80}; expected host:port")
                if address in seen:
                    raise InvalidArgumentError(f"{_WHO} {task} and {seen[address]} are both at {address}")
                seen[address] = task
                self._jobs[job][int(index)] = address

    def __repr__(self) -> str:
        return f"ClusterSpec({self.as_dict()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    @property
    def jobs(self) -> list[str]:
        """Names of the jobs, sorted."""
        return list(self._jobs)

    def _tasks(self, job: str) -> dict[int, str]:
        if job not in self._jobs:
            raise InvalidArgumentError(f"{_WHO} there is no job {job!r}; expected one of {self.jobs}")
        return self._jobs[job]

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has."""
        return len(self._tasks(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """Numbers of a job's tasks, in order."""
        return list(self._tasks(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task."""
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise InvalidArgumentError(
                f"{_WHO} job {job_name!r} has no task {task_index!r}; expected one of {list(tasks)}"
            )
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """Addresses of a job's tasks by number; None for numbers that it does not have."""
        tasks = self._tasks(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def as_dict(self) -> dict[str, list[str] | dict[int, str]]:
        """Lists of addresses by job; dicts where numbers are missing."""
        return {
            job: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else dict(tasks)
            for job, tasks in self._jobs.items()
        }
