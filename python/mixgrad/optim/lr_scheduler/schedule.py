"""The base of schedules."""

from __future__ import annotations

from typing import Any, Optional

from ..._calls import check_arguments
from ..loading import checked_schedule
from ..optimizer import Optimizer

__all__ = ["LRScheduler", "check_optimizer"]


def check_optimizer(who: str, optimizer: Any) -> None:
    """Raise ``TypeError`` for anything but an optimiser."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"[{who}] got a {type(optimizer).__name__}; expected mx.optim.Optimizer")


class LRScheduler:
    """Base of schedules; a subclass defines ``get_lr()`` from ``last_epoch`` and ``base_lrs``.

    Parameters
    ----------
    optimizer : Optimizer
        Whose groups' ``"lr"`` it sets.
    last_epoch : int
        The epoch that was done last; -1 for none.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls, args, kwargs)
        return super().__new__(cls)

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(type(self).__name__, optimizer)
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"[{type(self).__name__}] last_epoch is {last_epoch} and a group has no 'initial_lr'"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def _rates(self, epoch: int) -> list[float]:
        if type(self).get_lr is LRScheduler.get_lr:
            raise NotImplementedError(f"[{type(self).__name__}] a schedule defines get_lr")
        now, self.last_epoch = self.last_epoch, epoch  # which get_lr reads
        try:
            return list(self.get_lr())
        finally:
            self.last_epoch = now

    def get_lr(self) -> list[float]:
        """The rates of the groups in epoch ``last_epoch``, whatever the optimiser's are now.

        Examples
        --------
        >>> from mixgrad import nn, optim
        >>> class Halved(optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [base * 0.5**self.last_epoch for base in self.base_lrs]
        >>> schedule = Halved(optim.SGD(nn.Linear(1, 1).parameters(), lr=1.0))
        >>> schedule.step()
        >>> schedule.get_last_lr(), schedule.get_lr()
        ([0.5], [0.5])
        """
        return self._rates(self.last_epoch)

    def get_last_lr(self) -> list[float]:
        """The rates of the groups."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self, epoch: Optional[int] = None) -> None:
        """Go to the next epoch, or to a given one."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._apply(self._rates(self.last_epoch))

    def _apply(self, rates: list[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"] = rate

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        """The rates of an epoch where others than this schedule change them, too: from those before it."""
        return self._rates(epoch)

    def _follow(self) -> None:
        """Go to the next epoch from the rates that the optimiser has now."""
        self.last_epoch += 1
        self._apply(self._after(self.get_last_lr(), self.last_epoch))

    def state_dict(self) -> dict[str, Any]:
        """All that the schedule knows, but the optimiser and functions."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer" and not callable(v)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what :meth:`state_dict` gave; anything else is refused and changes nothing."""
        who = f"{type(self).__name__}.load_state_dict"
        self.__dict__.update(checked_schedule(who, state_dict, self.state_dict()))
