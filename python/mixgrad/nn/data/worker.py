"""What a worker process knows of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

from .stream import Reader

__all__ = ["Begin", "WorkerInfo", "get_worker_info"]


@dataclass
class WorkerInfo:
    """Which worker this is.

    Attributes
    ----------
    id : int
        Its number, from 0.
    num_workers : int
        How many there are.
    seed : int
        A number of its own.
    dataset : Dataset
        Its copy of the dataset.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


_info: Optional[WorkerInfo] = None


def get_worker_info() -> Optional[WorkerInfo]:
    """Which worker of a :class:`DataLoader` this process is; None in the program."""
    return _info


class Begin:
    """What a worker does first."""

    def __init__(self, num_workers: int, seed: int, worker_init_fn: Optional[Callable[[int], Any]]) -> None:
        self._num_workers, self._seed, self._worker_init_fn = num_workers, seed, worker_init_fn

    def __call__(self, number: int, dataset: Any) -> None:
        global _info
        if isinstance(dataset, Reader):
            dataset = dataset.dataset
        _info = WorkerInfo(number, self._num_workers, self._seed + number, dataset)
        if self._worker_init_fn is not None:
            self._worker_init_fn(number)
