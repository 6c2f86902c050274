"""Rules of servers that count steps and average the gradients of replicas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from ..optimizer import Optimizer
from ..optimizer.base import State

__all__ = ["STEPS", "StepCounter", "SyncReplicas", "register"]

STEPS = "global_step"  # the key whose value counts: updates of each worker that were applied, then all steps


class StepCounter(Optimizer):
    """A rule beside which servers count the steps; what runs on servers for :class:`SharedVariables`.

    Parameters
    ----------
    optimizer : Optimizer
        What updates the variables.
    """

    def __init__(self, optimizer: Optimizer | None = None) -> None:
        if not isinstance(optimizer, Optimizer):
            raise InvalidArgumentError(
                f"[{type(self).__name__}] got {type(optimizer).__name__}; expected an Optimizer"
            )
        super().__init__()
        self.optimizer = optimizer
        self._share_counts()

    def _share_counts(self) -> None:
        """Have the counts of the rule, so that files of states hold them and give them back to it."""
        rule = self.optimizer
        self.num_update = rule.num_update
        self._all_index_update_counts = rule._all_index_update_counts
        self._index_update_count = rule._index_update_count

    def _restore_counts(self, num_update: int, by_device: dict[int, dict[Any, int]]) -> None:
        self.optimizer._restore_counts(num_update, by_device)
        self._share_counts()

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__(state)
        self._share_counts()

    @property
    def share(self) -> float:
        """What each gradient is multiplied by before they are added."""
        return 1.0

    def create_state(self, index: Any, weight: NDArray) -> State:
        """The state of the rule for a weight; the steps have none."""
        return None if index == STEPS else self.optimizer.create_state_multi_precision(index, weight)

    create_state_multi_precision = create_state

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        """One step of the rule; of the steps: add who contributed, and one."""
        if index == STEPS:
            nd.elemwise_add(weight, grad.astype(weight.dtype), out=weight)
            weight[-1:] += 1
            return
        if self.share != 1:
            grad = grad * self.share
        self.optimizer.update_multi_precision(index, weight, grad, state)
        self.num_update = self.optimizer.num_update

    update_multi_precision = update


class SyncReplicas(StepCounter):
    """Updates by the mean of several workers' gradients, of one step each.

    A step is over when the first ``replicas_to_aggregate`` gradients of a variable are there. Those that
    come later are stale: servers drop them, and :attr:`SharedVariables.dropped` counts them.

    Parameters
    ----------
    optimizer : Optimizer
        What updates variables by the mean.
    replicas_to_aggregate : int
        How many gradients make a step.
    total_num_replicas : int, optional
        How many workers there are; as many as ``replicas_to_aggregate`` if not given. Those more are there
        in case others are slow.

    Raises
    ------
    InvalidArgumentError
        Fewer workers than gradients in a step: each worker gives one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> optimizer = mx.distributed.SyncReplicas(mx.optimizer.SGD(learning_rate=0.1), 3, total_num_replicas=4)
    >>> optimizer.policy, round(optimizer.share, 3)
    ('first:3', 0.333)
    """

    def __init__(
        self,
        optimizer: Optimizer | None = None,
        replicas_to_aggregate: int = 1,
        total_num_replicas: int | None = None,
    ) -> None:
        super().__init__(optimizer)
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        if not 0 < replicas_to_aggregate <= total:
            raise InvalidArgumentError(
                f"[SyncReplicas] {replicas_to_aggregate} gradients of {total} workers; expected at least "
                "one, and at most one of each"
            )
        self.replicas_to_aggregate, self.total_num_replicas = replicas_to_aggregate, total

    @property
    def share(self) -> float:
        """What each gradient is multiplied by before they are added."""
        return 1.0 / self.replicas_to_aggregate

    @property
    def policy(self) -> str:
        """Whom a step waits for, as ``MIXGRAD_ROUNDS`` says it; empty: every worker."""
        everyone = self.replicas_to_aggregate == self.total_num_replicas
        return "" if everyone else f"first:{self.replicas_to_aggregate}"


def register() -> None:
    """Let this process, a server or a worker of shared variables, read these rules from others' data."""
    for rule in (StepCounter, SyncReplicas):
        Optimizer.register(rule)
