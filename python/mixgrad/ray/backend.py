"""Ray Train's workers as the workers of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..kvstore._worker import keep_stores
from ._installed import needed
from .actors import Told, acting
from .serving import Serving, checked_resources, placed

try:
    from ray.train.backend import Backend, BackendConfig
except ImportError:  # what the classes are then is told where one is made
    Backend = BackendConfig = object

__all__ = ["StoreConfig"]

_WHO = "ray.StoreConfig"
_acting: list[Any] = []  # what this process is, until it leaves


def _begin(told: Told) -> None:
    """In a worker of Ray Train: be a worker of the store."""
    one = acting(told)
    one.__enter__()
    _acting.append(one)
    keep_stores()


def _leave() -> None:
    """... and no longer."""
    try:
        for store in keep_stores():
            if store._is_open:
                store.leave()
    finally:
        while _acting:
            _acting.pop().__exit__(None, None, None)


@dataclass
class StoreConfig(BackendConfig):  # type: ignore[misc]
    """Servers for the workers that Ray Train starts.

    ``DataParallelTrainer(train_fn, backend_config=mx.ray.StoreConfig(num_servers=2),
    scaling_config=ScalingConfig(num_workers=4))`` of ``ray.train.data_parallel_trainer`` runs ``train_fn``
    with Ray Train's own checkpoints, reports and datasets; in it ``mx.kv.create('dist_sync')`` makes the
    store that the workers share, whose ranks are Ray Train's. When a worker dies Ray Train starts all of
    them again, with new servers (``FailureConfig``).

    Parameters
    ----------
    num_servers : int
        How many servers there are.
    server_resources : dict, optional
        What a server needs, in Ray's names; ``{"CPU": 1}`` if not given.
    placement_strategy, placement_seconds, restarts, environment
        As for :func:`mixgrad.ray.fit`; ``restarts`` is that of the scheduler and the servers, as is
        ``environment``.

    Raises
    ------
    ImportError
        Ray Train is not installed.
    """

    num_servers: int = 1
    server_resources: Mapping[str, float] | None = None
    placement_strategy: str = "PACK"
    placement_seconds: float = 60.0
    restarts: int = 3
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        needed(_WHO, "ray.train.backend")

    @property
    def backend_cls(self) -> type:
        """What Ray Train calls."""
        return _StoreBackend


class _StoreBackend(Backend):  # type: ignore[misc]
    def on_start(self, worker_group: Any, backend_config: StoreConfig) -> None:
        """Start the scheduler and the servers, and tell the workers of them."""
        needed_here = checked_resources(backend_config.server_resources, "server_resources")
        bundles = [needed_here] * backend_config.num_servers
        self._group = placed(bundles, backend_config.placement_strategy, backend_config.placement_seconds)
        self._serving = Serving(
            len(worker_group),
            backend_config.num_servers,
            self._group,
            0,
            needed_here,
            backend_config.restarts,
            backend_config.environment,
        )
        calls = [
            worker_group.execute_single_async(i, _begin, self._serving.told("worker", i))
            for i in range(len(worker_group))
        ]
        needed(_WHO).get(calls)

    def on_shutdown(self, worker_group: Any, backend_config: StoreConfig) -> None:
        """Let the workers leave, and end who serves."""
        try:
            worker_group.execute(_leave)
        finally:
            self._serving.end((), backend_config.num_servers)
            needed(_WHO).util.remove_placement_group(self._group)
