"""Runs a function as the workers of a training, in actors of Ray."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..base import InvalidArgumentError, MXNetError
from ._installed import needed
from .actors import WorkerActor
from .serving import STRATEGIES, Serving, checked_resources, placed

__all__ = ["WorkerError", "fit"]

_LAST_SECONDS = 10.0  # that servers get after the workers; one that just came back would wait for ever


class WorkerError(MXNetError):
    """The function of a worker failed, or its process could not be started again.

    Attributes
    ----------
    rank : int
        Which worker. What it raised is the cause of this error.
    """

    def __init__(self, message: str, rank: int) -> None:
        super().__init__(message)
        self.rank = rank

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.rank)


def _checked_count(value: Any, what: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidArgumentError(f"[ray.fit] {what} is {value!r:.60}; expected {least} or more")
    return value


def fit(
    train_fn: Callable[..., Any],
    num_workers: int,
    num_servers: int | None = None,
    *,
    args: Sequence[Any] = (),
    worker_resources: Mapping[str, float] | None = None,
    server_resources: Mapping[str, float] | None = None,
    placement_strategy: str = "PACK",
    placement_seconds: float = 60.0,
    restarts: int = 3,
    environment: Mapping[str, str] | None = None,
) -> list[Any]:
    """Run ``train_fn(*args)`` as each worker of a training on a Ray cluster, and return what they return.

    The scheduler, the servers and the workers are actors. In a worker ``mx.kv.create('dist_sync')`` makes the
    store that they share. Gradients and weights travel between the actors by mixgrad's own
    transport, encrypted, with keys that are made for this call.

    Parameters
    ----------
    train_fn : callable
        The function of a worker. It and ``args`` reach the actors by Ray's pickle.
    num_workers, num_servers : int
        How many there are; as many servers as workers if not given.
    args : sequence
        Its arguments, the same in all workers; datasets of Ray are some (:class:`~mixgrad.ray.DatasetIter`).
    worker_resources, server_resources : dict, optional
        What a worker and a server need, in Ray's names; ``{"CPU": 1}`` if not given. The scheduler is
        beside server 0 and needs nothing.
    placement_strategy : {'PACK', 'SPREAD', 'STRICT_PACK', 'STRICT_SPREAD'}
        How the processes lie on the nodes.
    placement_seconds : float
        How long they may wait for their places.
    restarts : int
        How often each actor is started again when its process dies. A worker begins ``train_fn`` anew then,
        while the others wait for it or go on, as ``MIXGRAD_ROUNDS`` says; ``kv.rounds_done`` tells how
        many updates were over.
    environment : dict, optional
        More variables for the environment of all processes.

    Returns
    -------
    list
        What ``train_fn`` returned, by rank.

    Raises
    ------
    WorkerError
        ``train_fn`` raised an error, which is not tried again, or a worker died more often than it may. The
        message has the rank, and the error is the cause. All other actors are ended.
    PlacementError
        There is no place for the actors.
    MXNetError
        The scheduler or a server failed.
    ImportError
        Ray is not installed.

    Notes
    -----
    Without ``ray.init`` before, this call does it. The keys travel as objects of Ray, which any process of
    its cluster may read that has a reference; Ray encrypts its own connections where ``RAY_USE_TLS`` is set.
    Actors of a node that is lost go to another one, but for the scheduler, whose address the others know:
    that is an error.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.ray.fit(print, num_workers=0)
    Traceback (most recent call last):
        ...
    mixgrad.base.InvalidArgumentError: [ray.fit] num_workers is 0; expected 1 or more
    """
    workers = _checked_count(num_workers, "num_workers", 1)
    servers = workers if num_servers is None else _checked_count(num_servers, "num_servers", 1)
    _checked_count(restarts, "restarts", 0)
    if not callable(train_fn):
        raise TypeError(f"[ray.fit] train_fn is {type(train_fn).__name__}; expected a function")
    if placement_strategy not in STRATEGIES:
        raise InvalidArgumentError(
            f"[ray.fit] placement_strategy is {placement_strategy!r:.40}; expected one of {STRATEGIES}"
        )
    of_worker = checked_resources(worker_resources, "worker_resources")
    of_server = checked_resources(server_resources, "server_resources")
    ray = needed("ray.fit")
    if not ray.is_initialized():
        ray.init()
    group = placed([of_server] * servers + [of_worker] * workers, placement_strategy, placement_seconds)
    serving = None
    actors: list[Any] = []
    try:
        serving = Serving(workers, servers, group, 0, of_server, restarts, environment or {})
        for i in range(workers):
            actors.append(serving.actor(WorkerActor, f"worker:{i}", servers + i, of_worker))
        return _results(ray, serving, actors, ray.put(train_fn), ray.put(tuple(args)))
    finally:
        if serving is not None:
            serving.end(actors, servers + workers)
        ray.util.remove_placement_group(group)


def _answer(ray: Any, call: Any, name: str, rank: int | None) -> Any:
    """What a call returned; errors name whose it was."""
    try:
        return ray.get(call)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        told = f"{type(cause).__name__}: {cause}" if cause is not error else f"{error}"
        message = f"[ray.fit] {name} failed: {told}"
        if rank is None:
            raise MXNetError(message) from error
        raise WorkerError(message, rank) from error


def _results(ray: Any, serving: Serving, actors: list[Any], function: Any, args: Any) -> list[Any]:
    """Waits for the workers' results, lets each leave, then waits for who serves."""
    results: dict[int, Any] = {}
    training = {
        actor.train.remote(serving.told("worker", i), function, args): i for i, actor in enumerate(actors)
    }
    leaving: dict[Any, int] = {}
    serves = dict(serving.calls)
    limit = None
    while training or leaving or (serves and limit is not None):
        ready, _ = ray.wait([*training, *leaving, *serves], num_returns=1, timeout=1)
        for call in ready:
            if call in training:
                rank = training.pop(call)
                results[rank], has_store = _answer(ray, call, f"worker {rank}", rank)
                if has_store:
                    leaving[actors[rank].leave.remote(serving.told("worker", rank))] = rank
                if has_store and not training:
                    limit = time.monotonic() + _LAST_SECONDS
            elif call in leaving:
                rank = leaving.pop(call)
                _answer(ray, call, f"worker {rank}", rank)
            else:
                _answer(ray, call, serves.pop(call), None)
        if not serves and not training:
            serving.is_over = True  # who serves ends when all workers have left
            break
        if limit is not None and time.monotonic() > limit and not leaving:
            break
    return [results[i] for i in range(len(actors))]
