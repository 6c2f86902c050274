"""The scheduler and the servers of a training, as actors of Ray."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from ..base import InvalidArgumentError, MXNetError
from ..distributed._keys import Keys
from ._installed import needed
from .actors import SchedulerActor, ServerActor, Told, forget

__all__ = ["STRATEGIES", "PlacementError", "Serving", "options_of", "placed"]

STRATEGIES = ("PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD")


_CLEARING_SECONDS = 10.0


class PlacementError(MXNetError):
    """Ray found no place for the actors in time."""


def checked_resources(resources: Mapping[str, float] | None, who: str) -> dict[str, float]:
    """Resources in Ray's names; one CPU where nothing is said."""
    found = {"CPU": 1.0} if resources is None else dict(resources)
    if not found or any(not isinstance(one, (int, float)) or one < 0 for one in found.values()):
        raise InvalidArgumentError(
            f"[ray.fit] {who} is {resources!r:.80}; expected amounts by name, such as {{'CPU': 1}}"
        )
    return {name: amount for name, amount in found.items() if amount}


def options_of(resources: Mapping[str, float]) -> dict[str, Any]:
    """How an actor that needs so much is asked for.

    >>> from mixgrad.ray.serving import options_of
    >>> options_of({"CPU": 2, "GPU": 1, "fast_disk": 0.5})
    {'num_cpus': 2, 'num_gpus': 1, 'resources': {'fast_disk': 0.5}}
    """
    more = dict(resources)
    found: dict[str, Any] = {"num_cpus": more.pop("CPU", 0), "num_gpus": more.pop("GPU", 0)}
    if "memory" in more:
        found["memory"] = more.pop("memory")
    return {**found, "resources": more} if more else found


def placed(bundles: list[dict[str, float]], strategy: str, seconds: float) -> Any:
    """A placement group, once all of it has its place."""
    ray = needed("ray.fit")
    group = ray.util.placement_group(bundles, strategy=strategy)
    try:
        ray.get(group.ready(), timeout=seconds)
    except ray.exceptions.GetTimeoutError:
        ray.util.remove_placement_group(group)
        total: dict[str, float] = {}
        for bundle in bundles:
            for name, amount in bundle.items():
                total[name] = total.get(name, 0) + amount
        there = {name: ray.cluster_resources().get(name, 0) for name in total}
        raise PlacementError(
            f"[ray.fit] Ray found no place within {seconds:g} s for {len(bundles)} processes that need "
            f"{total} ({strategy}); the cluster has {there}. On one machine ray.init(num_cpus=...) says "
            "how many processes it takes"
        ) from None
    return group


class Serving:
    """The scheduler and the servers, which run until all workers have left.

    Parameters
    ----------
    workers, servers : int
        How many there will be of each.
    group, first : placement group, int
        Where servers are: server i in bundle ``first`` + i, the scheduler with server 0.
    resources : dict
        Of a server, in Ray's names.
    restarts : int
        How often each actor is started again.
    variables : dict
        More variables for the environment of all processes.
    """

    def __init__(
        self,
        workers: int,
        servers: int,
        group: Any,
        first: int,
        resources: Mapping[str, float],
        restarts: int,
        variables: Mapping[str, str],
    ) -> None:
        ray = needed("ray.fit")
        self._ray, self._group, self._restarts = ray, group, restarts
        keys = Keys.made(workers, servers)
        self._public = keys.public
        self._secrets = {name: ray.put(secret) for name, secret in keys.secrets.items()}
        self._run = secrets.token_hex(8)
        self._environment = dict(variables)
        self.actors: list[Any] = []
        scheduler = self.actor(SchedulerActor, "scheduler", first, {})
        self.actors.append(scheduler)
        host, port = ray.get(scheduler.address.remote())
        self._variables = {
            **variables,
            "DMLC_NUM_WORKER": str(workers),
            "DMLC_NUM_SERVER": str(servers),
            "DMLC_PS_ROOT_URI": host,
            "DMLC_PS_ROOT_PORT": str(port),
            "DMLC_JOB_CLUSTER": "ray",
        }
        for i in range(servers):
            self.actors.append(self.actor(ServerActor, f"server:{i}", first + i, resources))
        self.is_over = False  # whether all have ended by themselves
        names = [("scheduler", 0), *(("server", i) for i in range(servers))]
        # By the reference of its call: who serves.
        self.calls = {
            actor.serve.remote(self.told(*name)): f"{name[0]} {name[1]}"
            for actor, name in zip(self.actors, names)
        }

    def _in(self, bundle: int) -> Any:
        return self._ray.util.scheduling_strategies.PlacementGroupSchedulingStrategy(
            placement_group=self._group, placement_group_bundle_index=bundle
        )

    def actor(self, kind: type, name: str, bundle: int, resources: Mapping[str, float]) -> Any:
        """An actor of this training, which comes back when it dies, and does again what it was doing."""
        return (
            self._ray.remote(kind)
            .options(
                **options_of(resources),
                scheduling_strategy=self._in(bundle),
                max_restarts=self._restarts,
                max_task_retries=self._restarts,
                name=f"mixgrad-{self._run}-{name}",
                runtime_env={"env_vars": self._environment} if self._environment else None,
            )
            .remote()
        )

    def told(self, role: str, number: int) -> Told:
        """What the process of that role and number must know."""
        return Told(role, number, self._variables, self._public, self._secrets[role, number], self._run)

    def end(self, others: Sequence[Any] = (), bundles: int = 0) -> None:
        """End what still runs, ``others`` among it, and remove what they left on the nodes of the bundles."""
        ray = self._ray
        for actor in [*others, *self.actors]:
            ray.kill(actor, no_restart=True)
        if self.is_over:
            return
        clear = ray.remote(forget)
        calls = [
            clear.options(num_cpus=0, scheduling_strategy=self._in(i)).remote(self._run)
            for i in range(bundles)
        ]
        ray.wait(calls, num_returns=len(calls), timeout=_CLEARING_SECONDS)
