"""Schedules that multiply rates by a factor of the epoch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..optimizer import Optimizer, check_counts
from .schedule import LRScheduler

__all__ = [
    "ConstantLR",
    "ExponentialLR",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "StepLR",
]


class _Factor(LRScheduler):
    """The first rate times a factor of the epoch."""

    def _factor(self, epoch: int) -> float:
        raise NotImplementedError(f"[{type(self).__name__}] a schedule defines _factor")

    def _rates(self, epoch: int) -> list[float]:
        factor = self._factor(epoch)
        return [base * factor for base in self.base_lrs]

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        now, before = self._factor(epoch), self._factor(epoch - 1) if epoch else 1.0
        if now == before:
            return rates
        return [rate * (now / before) for rate in rates] if before else self._rates(epoch)


class LambdaLR(LRScheduler):
    """The first rate times what a function, or one for each group, says of the epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        many = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if many else [lr_lambda] * len(optimizer.param_groups)
        if len(self.lr_lambdas) != len(optimizer.param_groups):
            raise ValueError(
                f"[LambdaLR] {len(self.lr_lambdas)} functions for {len(optimizer.param_groups)} groups"
            )
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        return [base * function(epoch) for base, function in zip(self.base_lrs, self.lr_lambdas)]

    def state_dict(self) -> dict[str, Any]:
        """All that the schedule knows, but the optimiser and the functions."""
        return {k: v for k, v in super().state_dict().items() if k != "lr_lambdas"}


class MultiplicativeLR(LambdaLR):
    """The rate before times what a function says of the epoch."""

    def _rates(self, epoch: int) -> list[float]:
        rates = []
        for base, function in zip(self.base_lrs, self.lr_lambdas):
            for passed in range(1, epoch + 1):
                base *= function(passed)
            rates.append(base)
        return rates

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        factors = [function(epoch) if epoch else 1.0 for function in self.lr_lambdas]
        return [rate * factor for rate, factor in zip(rates, factors)]


class StepLR(_Factor):
    """Times ``gamma`` every ``step_size`` epochs.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> sgd = optim.SGD(nn.Linear(1, 1).parameters(), lr=1.0)
    >>> schedule = optim.lr_scheduler.StepLR(sgd, step_size=2, gamma=0.5)
    >>> rates = []
    >>> for epoch in range(4):
    ...     rates += schedule.get_last_lr()
    ...     sgd.step()
    ...     schedule.step()
    >>> rates
    [1.0, 1.0, 0.5, 0.5]
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        check_counts("StepLR", step_size=step_size)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return float(self.gamma ** (epoch // self.step_size))


class MultiStepLR(_Factor):
    """Times ``gamma`` at each of some epochs."""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return float(self.gamma ** bisect_right(self.milestones, epoch))


class ConstantLR(_Factor):
    """Times ``factor`` during the first ``total_iters`` epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.factor if epoch < self.total_iters else 1.0


class LinearLR(_Factor):
    """From one factor to another in even steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        check_counts("LinearLR", total_iters=total_iters)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        done = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done


class ExponentialLR(_Factor):
    """Times ``gamma`` at each epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return float(self.gamma**epoch)


class PolynomialLR(_Factor):
    """Down to 0 at ``total_iters``, as a power of what remains."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        check_counts("PolynomialLR", total_iters=total_iters)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return float((1 - min(epoch, self.total_iters) / self.total_iters) ** self.power)
