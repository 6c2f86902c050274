"""Which ``ps`` task a variable lies on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Callable, Union

import numpy as np

from ..base import InvalidArgumentError
from .cluster import ClusterSpec

__all__ = ["DeviceSetter", "replica_device_setter"]

# Gives the task of a variable by name and number of bytes.
Strategy = Callable[[str, int], int]
_BITS = 0xFFFFFFFFFFFFFFFF
_MOST_TRIES = 10000


def _mixed(bits: int) -> int:
    """As cpp/kvstore/protocol/view.cc mixes."""
    bits = (bits + 0x9E3779B97F4A7C15) & _BITS
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _BITS
    return bits ^ (bits >> 31)


def server_of(key: str, servers: int) -> int:
    """The server where the store puts a key that is not cut, as cpp/kvstore/distributed/pieces.cc has it."""
    number = 0xCBF29CE484222325
    for byte in f"'{key}'".encode():
        number = ((number ^ byte) * 0x100000001B3) & _BITS
    return _mixed(number) % servers


def key_on(name: str, task: int, tasks: int) -> str:
    """A key for a variable that the store puts on this task's server: the name, or one like it."""
    for i in range(_MOST_TRIES):
        key = f"{name}#{i}" if i else name
        if server_of(key, tasks) == task:
            return key
    raise InvalidArgumentError(f"[replica_device_setter] no key for {name!r} lies on task {task}")


class _RoundRobin:
    def __init__(self, tasks: int) -> None:
        self._tasks, self._next = tasks, 0

    def __call__(self, name: str, size: int) -> int:
        task = self._next
        self._next = (task + 1) % self._tasks
        return task


class _LeastBytes:
    def __init__(self, tasks: int) -> None:
        self._bytes = [0] * tasks

    def __call__(self, name: str, size: int) -> int:
        task = self._bytes.index(min(self._bytes))
        self._bytes[task] += size
        return task


class DeviceSetter:
    """Gives each variable a device; made by :func:`replica_device_setter`. A name keeps its device."""

    def __init__(self, tasks: int, ps_device: str, worker_device: str, strategy: Strategy) -> None:
        self.tasks, self._strategy = tasks, strategy
        self._ps_device, self._worker_device = ps_device, worker_device
        self._given: dict[str, int] = {}

    def task_of(self, name: str, value: Any) -> int:
        """The number of the task on which the variable ``name`` lies, an array like ``value``."""
        if self.tasks == 0:
            raise InvalidArgumentError(
                "[replica_device_setter] there are no ps tasks; expected ps_tasks or cluster"
            )
        if name not in self._given:
            size = math.prod(value.shape) * np.dtype(value.dtype).itemsize
            task = self._strategy(name, size)
            if not 0 <= task < self.tasks:
                raise InvalidArgumentError(
                    f"[replica_device_setter] the strategy puts {name!r} on task {task}; "
                    f"expected less than {self.tasks}"
                )
            self._given[name] = task
        return self._given[name]

    def __call__(self, name: str, value: Any) -> str:
        """The device of a variable, such as ``/job:ps/task:1``; the worker's if there is no ``ps`` task."""
        if self.tasks == 0:
            return self._worker_device
        return f"{self._ps_device}/task:{self.task_of(name, value)}"

    def key_of(self, name: str, value: Any) -> str:
        """The key by which a store has the variable on that task: ``name``, or one that begins with it."""
        return key_on(name, self.task_of(name, value), self.tasks)


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    cluster: ClusterSpec | Mapping[str, Any] | None = None,
    ps_strategy: Union[str, Strategy] = "round_robin",
) -> DeviceSetter:
    """Return what says on which ``ps`` task each variable lies.

    Parameters
    ----------
    ps_tasks : int
        How many there are; taken from ``cluster`` if that is given.
    ps_device, worker_device : str
        How devices are called.
    cluster : ClusterSpec or dict, optional
        The cluster, with a job of the name in ``ps_device``.
    ps_strategy : str or function
        ``"round_robin"``: one after the other; ``"bytes"``: each on the task that has the fewest bytes so
        far; or a function ``(name, bytes)`` that returns the number of a task.

    Notes
    -----
    Values of ``MXNET_KVSTORE_BIGARRAY_BOUND`` elements or more are cut over all tasks all the same. A
    variable has replicas on other tasks (``MIXGRAD_REPLICAS``), one of which takes over while its task is not
    there.

    Examples
    --------
    >>> import mixgrad as mx
    >>> setter = mx.distributed.replica_device_setter(ps_tasks=2, ps_strategy="bytes")
    >>> large, small = mx.nd.zeros((100,)), mx.nd.zeros((10,))
    >>> [setter("a", large), setter("b", small), setter("c", small), setter("a", large)]
    ['/job:ps/task:0', '/job:ps/task:1', '/job:ps/task:1', '/job:ps/task:0']
    """
    if cluster is not None:
        job = ps_device.partition("/job:")[2].partition("/")[0] or ps_device.strip("/")
        ps_tasks = ClusterSpec(cluster).num_tasks(job)
    if ps_tasks < 0:
        raise InvalidArgumentError(f"[replica_device_setter] ps_tasks is {ps_tasks}; expected 0 or more")
    strategies: dict[Any, Callable[[int], Strategy]] = {"round_robin": _RoundRobin, "bytes": _LeastBytes}
    if callable(ps_strategy):
        strategy: Strategy = ps_strategy
    elif ps_strategy in strategies:
        strategy = strategies[ps_strategy](ps_tasks)
    else:
        raise InvalidArgumentError(
            f"[replica_device_setter] ps_strategy is {ps_strategy!r}; expected 'round_robin', 'bytes' or a "
            "function"
        )
    return DeviceSetter(ps_tasks, ps_device, worker_device, strategy)
