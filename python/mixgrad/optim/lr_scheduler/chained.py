"""Schedules made of schedules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Optional

from ...base import InvalidArgumentError
from ..loading import checked_schedule
from ..optimizer import Optimizer
from .schedule import LRScheduler, check_optimizer

__all__ = ["ChainedScheduler", "SequentialLR"]


def _check_same(who: str, schedulers: Sequence[LRScheduler], optimizer: Optimizer) -> None:
    """Raise unless all are schedules by epoch, of that optimiser."""
    for one in schedulers:
        if not isinstance(one, LRScheduler) or one.optimizer is not optimizer:
            raise ValueError(
                f"[{who}] got {one!r:.80}; expected schedules of the same optimiser, not ReduceLROnPlateau"
            )


class _Several(LRScheduler):
    """What has ``schedulers``, whose states are part of its own."""

    schedulers: list[LRScheduler]

    def state_dict(self) -> dict[str, Any]:
        """What this schedule and those in it know."""
        kept = {k: v for k, v in super().state_dict().items() if k != "schedulers"}
        return {**kept, "schedulers": [one.state_dict() for one in self.schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what :meth:`state_dict` gave; anything else is refused and changes nothing."""
        who, own = f"{type(self).__name__}.load_state_dict", self.state_dict()
        found = checked_schedule(who, state_dict, own)
        inner = found.pop("schedulers")
        if len(inner) != len(self.schedulers):
            raise InvalidArgumentError(f"[{who}] {len(inner)} schedules; expected {len(self.schedulers)}")
        for one, kept in zip(self.schedulers, inner):
            checked_schedule(f"{type(one).__name__}.load_state_dict", kept, one.state_dict())
        for one, kept in zip(self.schedulers, inner):
            one.load_state_dict(kept)
        self.__dict__.update(found)


class SequentialLR(_Several):
    """One schedule after another; each begins anew at its milestone."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) != len(milestones) + 1:
            raise ValueError(
                f"[SequentialLR] {len(schedulers)} schedules, {len(milestones)} milestones; expected one less"
            )
        _check_same("SequentialLR", schedulers, optimizer)
        self.schedulers, self.milestones = list(schedulers), list(milestones)
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        place = bisect_right(self.milestones, epoch)
        start = self.milestones[place - 1] if place else 0
        return self.schedulers[place]._rates(epoch - start)

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        place = bisect_right(self.milestones, epoch)
        start = self.milestones[place - 1] if place else 0
        if place and epoch == start:
            return self.schedulers[place]._rates(0)
        return self.schedulers[place]._after(rates, epoch - start)


class ChainedScheduler(_Several):
    """Several schedules at once: each changes the rates that those before it have left.

    Schedules of factors multiply; ``LambdaLR``, ``CosineAnnealingWarmRestarts``, ``CyclicLR`` and
    ``OneCycleLR`` set the rates whatever they are. Schedules of the list are not stepped on their own.

    Parameters
    ----------
    schedulers : list of LRScheduler
        In the order in which they change the rates.
    optimizer : Optimizer, optional
        Theirs; by default that of the first.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> sgd = optim.SGD(nn.Linear(1, 1).parameters(), lr=1.0)
    >>> warm = optim.lr_scheduler.ConstantLR(sgd, factor=0.1, total_iters=2)
    >>> cool = optim.lr_scheduler.ExponentialLR(sgd, gamma=0.5)
    >>> schedule = optim.lr_scheduler.ChainedScheduler([warm, cool])
    >>> rates = []
    >>> for epoch in range(4):
    ...     rates += schedule.get_last_lr()
    ...     sgd.step()
    ...     schedule.step()
    >>> [round(rate, 4) for rate in rates]
    [0.1, 0.05, 0.25, 0.125]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optional[Optimizer] = None) -> None:
        if not isinstance(schedulers, (list, tuple)) or not schedulers:
            raise ValueError(f"[ChainedScheduler] got {schedulers!r:.80}; expected a list of schedules")
        optimizer = getattr(schedulers[0], "optimizer", None) if optimizer is None else optimizer
        check_optimizer("ChainedScheduler", optimizer)
        assert optimizer is not None
        _check_same("ChainedScheduler", schedulers, optimizer)
        self.schedulers = list(schedulers)
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = max(one.last_epoch for one in schedulers)
        if self.last_epoch == 0:
            # Each set the first rates as if it were alone.
            self._apply(self.base_lrs)
            for one in self.schedulers:
                one._apply(one._after(self.get_last_lr(), 0))

    def _rates(self, epoch: int) -> list[float]:
        rates = list(self.base_lrs)
        for passed in range(epoch + 1):
            rates = self._after(rates, passed)
        return rates

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        for one in self.schedulers:
            rates = one._after(rates, epoch)
        return rates

    def step(self, epoch: Optional[int] = None) -> None:
        """Go to the next epoch; chained schedules cannot go to a given one."""
        if epoch is not None:
            raise InvalidArgumentError(f"[ChainedScheduler] epoch is {epoch!r}; expected step() without one")
        self._follow()

    def _follow(self) -> None:
        self.last_epoch += 1
        for one in self.schedulers:
            one._follow()
