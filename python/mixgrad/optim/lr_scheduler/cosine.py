"""Schedules along a cosine."""

from __future__ import annotations

import math

from ..optimizer import Optimizer, check_counts
from .schedule import LRScheduler

__all__ = ["CosineAnnealingLR", "CosineAnnealingWarmRestarts"]


class CosineAnnealingLR(LRScheduler):
    """Along half a cosine to ``eta_min`` at epoch ``T_max``, and back."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        check_counts("CosineAnnealingLR", T_max=T_max)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        return [self.eta_min + (base - self.eta_min) * self._share(epoch) for base in self.base_lrs]

    def _share(self, epoch: int) -> float:
        return (1 + math.cos(math.pi * epoch / self.T_max)) / 2

    def _after(self, rates: list[float], epoch: int) -> list[float]:
        if epoch == 0:
            return rates
        if (epoch - 1) % (2 * self.T_max) == self.T_max:  # the rate was least
            up = self._share(epoch)
            return [rate + (base - self.eta_min) * up for rate, base in zip(rates, self.base_lrs)]
        ratio = self._share(epoch) / self._share(epoch - 1)
        return [self.eta_min + (rate - self.eta_min) * ratio for rate in rates]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Along half a cosine again, each time ``T_mult`` times as long (Loshchilov and Hutter 2017)."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        check_counts("CosineAnnealingWarmRestarts", T_0=T_0, T_mult=T_mult)
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        length, done = self.T_0, epoch % self.T_0 if self.T_mult == 1 else epoch
        while done >= length:
            done -= length
            length *= self.T_mult
        share = (1 + math.cos(math.pi * done / length)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]
