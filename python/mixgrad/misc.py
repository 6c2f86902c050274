"""Schedules of learning rates as MXNet had them first (``mx.misc``); ``mx.lr_scheduler`` has the others."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from . import _hints

__all__ = ["FactorScheduler", "LearningRateScheduler"]


class LearningRateScheduler:
    """Base of schedules: ``base_lr`` is what the optimiser begins with."""

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """The learning rate of a step."""
        raise NotImplementedError(f"[{type(self).__name__}] a schedule defines __call__(iteration)")


class FactorScheduler(LearningRateScheduler):
    """Multiplies the rate by a factor every so many steps.

    Parameters
    ----------
    step : int
        Steps between two changes.
    factor : float
        Below 1.

    Examples
    --------
    >>> import mixgrad as mx
    >>> schedule = mx.misc.FactorScheduler(step=10, factor=0.1)
    >>> schedule.base_lr = 1.0
    >>> [round(schedule(step), 4) for step in (0, 9, 10, 25)]
    [1.0, 1.0, 0.1, 0.01]
    """

    def __init__(self, step: int, factor: float = 0.1) -> None:
        super().__init__()
        if step < 1:
            raise ValueError(f"[FactorScheduler] step is {step}; expected 1 or more")
        if factor >= 1:
            raise ValueError(f"[FactorScheduler] factor is {factor}; expected less than 1")
        self.step, self.factor = step, factor
        self.old_lr, self.init = self.base_lr, False

    def __call__(self, iteration: int) -> float:
        """The learning rate of a step."""
        if not self.init:
            self.old_lr, self.init = self.base_lr, True
        rate = self.base_lr * math.pow(self.factor, int(iteration / self.step))
        if rate != self.old_lr:
            self.old_lr = rate
            logging.info("Learning rate of step %d: %.5e", iteration, rate)
        return rate


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
