"""A schedule by a figure, such as the loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional, Union

from ..._calls import check_arguments
from ..loading import checked_schedule
from ..optimizer import Optimizer
from .schedule import check_optimizer

__all__ = ["ReduceLROnPlateau"]


class ReduceLROnPlateau:
    """Times ``factor`` where a figure has not become better for ``patience`` epochs.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates it lowers.
    mode : {'min', 'max'}
        Whether small figures are good.
    factor : float
        Below 1.
    patience : int
        Epochs without progress that are let pass.
    threshold, threshold_mode
        What counts as better: by a share ('rel') or a difference ('abs').
    cooldown : int
        Epochs after a change that do not count.
    min_lr : float or list of float
        The lowest rate, of all groups or of each.
    eps : float
        Smaller changes are not made.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls, args, kwargs)
        return super().__new__(cls)

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Union[float, Sequence[float]] = 0.0,
        eps: float = 1e-8,
    ) -> None:
        check_optimizer("ReduceLROnPlateau", optimizer)
        if not 0 <= factor < 1:
            raise ValueError(f"[ReduceLROnPlateau] factor is {factor}; expected at least 0 and less than 1")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError(
                f"[ReduceLROnPlateau] mode {mode!r}, threshold_mode {threshold_mode!r}; "
                "expected 'min' or 'max', "
                "'rel' or 'abs'"
            )
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = (
            threshold,
            threshold_mode,
            cooldown,
            eps,
        )
        groups = len(optimizer.param_groups)
        self.min_lrs = [min_lr] * groups if isinstance(min_lr, (int, float)) else list(min_lr)
        if len(self.min_lrs) != groups:
            raise ValueError(f"[ReduceLROnPlateau] {len(self.min_lrs)} min_lr for {groups} groups")
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0

    def _is_better(self, value: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        if self.threshold_mode == "abs":
            return sign * value < sign * self.best - self.threshold
        if math.isinf(self.best):
            return True
        return sign * value < sign * self.best * (1 - sign * self.threshold)

    def step(self, metrics: Any, epoch: Optional[int] = None) -> None:
        """Say what the figure is after an epoch."""
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs):
                rate = max(group["lr"] * self.factor, least)
                if group["lr"] - rate > self.eps:
                    group["lr"] = rate
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    def get_last_lr(self) -> list[float]:
        """The rates of the groups."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        """The rates of the groups."""
        return self.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """All that it knows, but the optimiser."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what :meth:`state_dict` gave; anything else is refused and changes nothing."""
        who = f"{type(self).__name__}.load_state_dict"
        self.__dict__.update(checked_schedule(who, state_dict, self.state_dict()))
