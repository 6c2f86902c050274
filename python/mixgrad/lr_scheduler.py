"""Learning-rate schedules: functions of the number of updates made so far.

A schedule object is called with ``num_update`` (the largest number of updates any weight has seen, counted
from 1 by an optimiser) and returns the learning rate as a float. All may begin with a warm-up.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from . import _hints
from ._repr import call_text, option_names
from .base import RefusedTypeError

__all__ = ["CosineScheduler", "FactorScheduler", "LRScheduler", "MultiFactorScheduler", "PolyScheduler"]

_LOG = logging.getLogger(__name__)
_MOST_CHANGES = 10000  # of the rate in one call that are made one after another


class LRScheduler:
    """Base of all schedules: keeps the base rate and computes the warm-up.

    Parameters
    ----------
    base_lr : float
        Learning rate reached at the end of the warm-up.
    warmup_steps : int
        Number of updates of the warm-up; 0 for none.
    warmup_begin_lr : float
        Learning rate at update 0; at most ``base_lr``.
    warmup_mode : {'linear', 'constant'}
        ``'linear'`` grows evenly from ``warmup_begin_lr`` to ``base_lr``, ``'constant'`` stays at
        ``warmup_begin_lr`` for ``warmup_steps`` updates (Goyal et al. 2017, arXiv:1706.02677).

    Raises
    ------
    TypeError
        ``warmup_steps`` is not an integer.
    ValueError
        ``warmup_steps`` is negative, ``warmup_begin_lr`` exceeds ``base_lr``, or the mode is unknown.

    Examples
    --------
    >>> from mixgrad import lr_scheduler
    >>> class Halving(lr_scheduler.LRScheduler):
    ...     def __call__(self, num_update: int) -> float:
    ...         return self.base_lr * 0.5 ** num_update
    >>> Halving(base_lr=1.0)(2)
    0.25
    """

    def __init__(
        self,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        where = type(self).__name__
        if not isinstance(warmup_steps, int):
            raise RefusedTypeError(f"[{where}] warmup_steps must be an integer, got {warmup_steps!r}")
        _check_rate(where, "base_lr", base_lr)
        _check_rate(where, "warmup_begin_lr", warmup_begin_lr)
        if warmup_begin_lr > base_lr:
            raise ValueError(
                f"[{where}] warmup_begin_lr must not exceed base_lr, got {warmup_begin_lr} > {base_lr}"
            )
        if warmup_steps < 0:
            raise ValueError(f"[{where}] warmup_steps must be 0 or more, got {warmup_steps}")
        if warmup_mode not in ("linear", "constant"):
            raise ValueError(f"[{where}] warmup_mode must be 'linear' or 'constant', got {warmup_mode!r}")
        self.base_lr = base_lr
        self.warmup_steps = warmup_steps
        self.warmup_final_lr = base_lr
        self.warmup_begin_lr = warmup_begin_lr
        self.warmup_mode = warmup_mode

    def __repr__(self) -> str:
        shown = {n: getattr(self, n) for n in option_names(type(self), LRScheduler) if hasattr(self, n)}
        if not self.warmup_steps:
            shown = {n: v for n, v in shown.items() if not n.startswith("warmup")}
        return call_text(self, shown)

    def get_warmup_lr(self, num_update: int) -> float:
        """Return the rate at ``num_update``, which must lie inside the warm-up."""
        if num_update >= self.warmup_steps:
            raise ValueError(
                f"[{type(self).__name__}] update {num_update} is past the warm-up of {self.warmup_steps}"
            )
        if num_update < 0:
            raise ValueError(f"[{type(self).__name__}] update {num_update}; expected at least 0")
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        rise = self.warmup_final_lr - self.warmup_begin_lr
        return self.warmup_begin_lr + rise * num_update / self.warmup_steps

    def __call__(self, num_update: int) -> float:
        """Return the learning rate for update number ``num_update``."""
        raise NotImplementedError(f"[{type(self).__name__}] a schedule must define __call__(num_update)")


class FactorScheduler(LRScheduler):
    """Multiply the rate by ``factor`` after every ``step`` updates, down to ``stop_factor_lr``.

    Parameters
    ----------
    step : int
        Updates between two changes, at least 1.
    factor : float
        At most 1.
    stop_factor_lr : float
        The rate never falls below this.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See :class:`LRScheduler`.

    Notes
    -----
    The schedule keeps the number of the last change, so calls must come with growing ``num_update``. The
    first change happens at update ``step + 1``.

    Examples
    --------
    >>> from mixgrad import lr_scheduler
    >>> schedule = lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=1.0)
    >>> [schedule(i) for i in range(1, 7)]
    [1.0, 1.0, 0.5, 0.5, 0.25, 0.25]
    """

    def __init__(
        self,
        step: int,
        factor: float = 1,
        stop_factor_lr: float = 1e-8,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, (int, float)):
            raise TypeError(f"[FactorScheduler] step must be a number of updates, got {step!r:.60}")
        if step < 1:
            raise ValueError(f"[FactorScheduler] step must be at least 1, got {step}")
        _check_factor("FactorScheduler", factor)
        self.step = step
        self.factor = factor
        self.stop_factor_lr = stop_factor_lr
        self.count = 0

    def __call__(self, num_update: int) -> float:
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        changes = int((num_update - self.count - 1) // self.step)
        if changes > _MOST_CHANGES:  # of one call: a power, whose last bits may differ from a product's
            self.count += changes * self.step
            self.base_lr = max(self.base_lr * self.factor**changes, self.stop_factor_lr)
            _LOG.info("update %d: learning rate %.5e", num_update, self.base_lr)
        while num_update > self.count + self.step:
            self.count += self.step
            self.base_lr = max(self.base_lr * self.factor, self.stop_factor_lr)
            _LOG.info("update %d: learning rate %.5e", num_update, self.base_lr)
        return self.base_lr


class MultiFactorScheduler(LRScheduler):
    """Multiply the rate by ``factor`` once after each update number listed in ``step``.

    Parameters
    ----------
    step : sequence of int
        Strictly growing update numbers, each at least 1.
    factor : float
        At most 1.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See :class:`LRScheduler`.

    Examples
    --------
    >>> from mixgrad import lr_scheduler
    >>> schedule = lr_scheduler.MultiFactorScheduler(step=[2, 3], factor=0.5, base_lr=1.0)
    >>> [schedule(i) for i in range(1, 6)]
    [1.0, 1.0, 0.5, 0.25, 0.25]
    """

    def __init__(
        self,
        step: Sequence[int],
        factor: float = 1,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, (list, tuple)) or not step:
            raise RefusedTypeError(
                f"[MultiFactorScheduler] step must be a list of update numbers, got {step!r}"
            )
        if not all(isinstance(update, Real) for update in step):
            raise RefusedTypeError(
                f"[MultiFactorScheduler] step must be a list of update numbers, got {step!r:.60}"
            )
        if step[0] < 1:
            raise ValueError(f"[MultiFactorScheduler] every step must be at least 1, got {list(step)}")
        if any(later <= earlier for earlier, later in zip(step, step[1:])):
            raise ValueError(f"[MultiFactorScheduler] steps must grow strictly, got {list(step)}")
        _check_factor("MultiFactorScheduler", factor)
        self.step = list(step)
        self.cur_step_ind = 0
        self.factor = factor
        self.count = 0

    def __call__(self, num_update: int) -> float:
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            _LOG.info("update %d: learning rate %.5e", num_update, self.base_lr)
        return self.base_lr


class _Decay(LRScheduler, ABC):
    """A schedule that falls from ``base_lr`` to ``final_lr`` and ends at ``max_update``."""

    def __init__(
        self,
        max_update: int,
        base_lr: float,
        final_lr: float,
        warmup_steps: int,
        warmup_begin_lr: float,
        warmup_mode: str,
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        where = type(self).__name__
        if not isinstance(max_update, int):
            raise RefusedTypeError(f"[{where}] max_update must be an integer, got {max_update!r}")
        if max_update < 1:
            raise ValueError(f"[{where}] max_update must be at least 1, got {max_update}")
        _check_rate(where, "final_lr", final_lr)
        self.base_lr_orig = self.base_lr
        self.max_update = max_update
        self.final_lr = final_lr
        self.max_steps = self.max_update - self.warmup_steps

    @abstractmethod
    def _remaining(self, done: float) -> float:
        """Share (1 to 0) of the fall still to come when the share ``done`` of the steps is over."""

    def __call__(self, num_update: int) -> float:
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update <= self.max_update:
            done = (num_update - self.warmup_steps) / self.max_steps if self.max_steps > 0 else 1.0
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * self._remaining(done)
        return self.base_lr


class PolyScheduler(_Decay):
    """Fall from ``base_lr`` to ``final_lr`` along ``(1 - progress) ** pwr``.

    Parameters
    ----------
    max_update : int
        Number of the update at which ``final_lr`` is reached; it stays there.
    base_lr : float
        Learning rate at the start, after the warm-up.
    pwr : float
        Power of the polynomial.
    final_lr : float
        Learning rate at the end.
    warmup_steps, warmup_begin_lr, warmup_mode
        See :class:`LRScheduler`; the warm-up counts towards ``max_update``.

    Examples
    --------
    >>> from mixgrad import lr_scheduler
    >>> schedule = lr_scheduler.PolyScheduler(max_update=4, base_lr=1.0, pwr=2)
    >>> [schedule(i) for i in range(6)]
    [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        pwr: float = 2,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        self.power = pwr

    def _remaining(self, done: float) -> float:
        return float((1 - done) ** self.power)


class CosineScheduler(_Decay):
    """Fall from ``base_lr`` to ``final_lr`` along half a cosine wave (Loshchilov and Hutter,
    arXiv:1608.03983, one period without restarts).

    Parameters
    ----------
    max_update : int
        Number of the update at which ``final_lr`` is reached; it stays there.
    base_lr : float
        Learning rate at the start, after the warm-up.
    final_lr : float
        Learning rate at the end.
    warmup_steps, warmup_begin_lr, warmup_mode
        See :class:`LRScheduler`; the warm-up counts towards ``max_update``.

    Examples
    --------
    >>> from mixgrad import lr_scheduler
    >>> schedule = lr_scheduler.CosineScheduler(max_update=4, base_lr=1.0)
    >>> [round(schedule(i), 4) for i in range(5)]
    [1.0, 0.8536, 0.5, 0.1464, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def _remaining(self, done: float) -> float:
        return (1 + math.cos(math.pi * done)) / 2


def _check_rate(where: str, name: str, rate: Any) -> None:
    if not isinstance(rate, Real):
        raise TypeError(f"[{where}] {name} is {rate!r}; expected a number")
    if not (math.isfinite(rate) and float(rate) >= 0):
        raise ValueError(f"[{where}] {name} is {rate!r}; expected at least 0")


def _check_factor(where: str, factor: float) -> None:
    if not isinstance(factor, Real):
        raise TypeError(f"[{where}] factor is {factor!r:.60}; expected a number")
    if not factor >= 0:
        raise ValueError(f"[{where}] factor must be at least 0, got {factor}")
    if factor > 1:
        raise ValueError(f"[{where}] factor must be at most 1 so that the rate never grows, got {factor}")


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
