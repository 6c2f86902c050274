"""Schedules whose rate goes up and down between limits, and the momentum the other way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from ..optimizer import Optimizer, check, check_counts
from .schedule import LRScheduler, check_optimizer

__all__ = ["CyclicLR", "OneCycleLR"]


def _for_each(who: str, name: str, value: Any, count: int) -> list[float]:
    """One number for each group."""
    found = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(found) != count:
        raise ValueError(f"[{who}] {len(found)} {name} for {count} groups; expected one, or one for each")
    for one in found:
        check(who, float("-inf"), **{name: one})
    return found


class _Cycled(LRScheduler):
    """A subclass also defines ``_momenta(epoch)``, of each group."""

    def _set_limits(
        self, optimizer: Optimizer, max_lr: Any, cycle_momentum: bool, base_momentum: Any, max_momentum: Any
    ) -> None:
        who, groups = type(self).__name__, optimizer.param_groups
        if cycle_momentum and not all("momentum" in group or "betas" in group for group in groups):
            raise ValueError(
                f"[{who}] {type(optimizer).__name__} has neither momentum nor betas; "
                "expected cycle_momentum=False"
            )
        self.cycle_momentum = cycle_momentum
        self.max_lrs = _for_each(who, "max_lr", max_lr, len(groups))
        self.base_momenta = _for_each(who, "base_momentum", base_momentum, len(groups))
        self.max_momenta = _for_each(who, "max_momentum", max_momentum, len(groups))

    def _momenta(self, epoch: int) -> list[float]:
        raise NotImplementedError(f"[{type(self).__name__}] a schedule of momenta defines _momenta")

    def _apply(self, rates: list[float]) -> None:
        super()._apply(rates)
        if not self.cycle_momentum:
            return
        for group, momentum in zip(self.optimizer.param_groups, self._momenta(self.last_epoch)):
            if "betas" in group:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum


class OneCycleLR(_Cycled):
    """Up to a large rate and down to a very small one, once; momentum goes the other way (Smith 2018).

    ``step()`` is called after each step of the optimiser.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates, and momentum or first beta, it sets.
    max_lr : float or list of float
        The largest rate, of all groups or of each.
    total_steps : int, optional
        How many steps there are; by default ``epochs * steps_per_epoch``.
    epochs, steps_per_epoch : int, optional
        In place of ``total_steps``.
    pct_start : float
        The share of the steps in which the rate goes up.
    anneal_strategy : {'cos', 'linear'}
        Along half a cosine, or evenly.
    cycle_momentum : bool
        Whether momentum goes down and up.
    base_momentum, max_momentum : float or list of float
        Its limits.
    div_factor : float
        The first rate is ``max_lr / div_factor``.
    final_div_factor : float
        The last rate is the first one divided by it.
    three_phase : bool
        Down to the first rate as long as up, and then to the last one.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> sgd = optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1, momentum=0.9)
    >>> schedule = optim.lr_scheduler.OneCycleLR(sgd, max_lr=1.0, total_steps=5, pct_start=0.4)
    >>> rates = []
    >>> for step in range(5):
    ...     rates += schedule.get_last_lr()
    ...     sgd.step()
    ...     schedule.step()
    >>> [round(rate, 4) for rate in rates]
    [0.04, 1.0, 0.75, 0.25, 0.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Union[float, Sequence[float]],
        total_steps: Optional[int] = None,
        epochs: Optional[int] = None,
        steps_per_epoch: Optional[int] = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Union[float, Sequence[float]] = 0.85,
        max_momentum: Union[float, Sequence[float]] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer("OneCycleLR", optimizer)
        if total_steps is not None:
            check_counts("OneCycleLR", total_steps=total_steps)
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            check_counts("OneCycleLR", epochs=epochs, steps_per_epoch=steps_per_epoch)
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("[OneCycleLR] expected total_steps, or epochs and steps_per_epoch")
        if not isinstance(pct_start, (int, float)) or not 0 <= pct_start <= 1:
            raise ValueError(f"[OneCycleLR] pct_start is {pct_start!r}; expected a share, 0 to 1")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"[OneCycleLR] anneal_strategy is {anneal_strategy!r}; expected 'cos' or 'linear'"
            )
        groups = optimizer.param_groups
        self.pct_start, self.anneal_strategy, self.three_phase = pct_start, anneal_strategy, three_phase
        self.final_div_factor = final_div_factor
        self._set_limits(optimizer, max_lr, cycle_momentum, base_momentum, max_momentum)
        if last_epoch == -1:
            for group, most in zip(groups, self.max_lrs):
                group["initial_lr"] = group["lr"] = most / div_factor
        super().__init__(optimizer, last_epoch)

    def _place(self, step: int) -> tuple[int, float]:
        """Which phase a step is in, and how far."""
        if step > self.total_steps:
            raise ValueError(f"[OneCycleLR] step {step} of {self.total_steps}; expected no more steps")
        up, last = self.pct_start * self.total_steps - 1, self.total_steps - 1.0
        ends = [up, 2 * up, last] if self.three_phase else [up, last]
        phase = next((i for i, end in enumerate(ends) if step <= end), len(ends) - 1)
        start, end = ends[phase - 1] if phase else 0.0, ends[phase]
        return phase, (step - start) / (end - start) if end != start else 1.0

    def _between(self, start: float, end: float, share: float) -> float:
        if self.anneal_strategy == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2 * (math.cos(math.pi * share) + 1)

    def _rates(self, epoch: int) -> list[float]:
        phase, share = self._place(epoch)
        rates = []
        for first, most in zip(self.base_lrs, self.max_lrs):
            last = first / self.final_div_factor
            turns = [first, most, first, last] if self.three_phase else [first, most, last]
            rates.append(self._between(turns[phase], turns[phase + 1], share))
        return rates

    def _momenta(self, epoch: int) -> list[float]:
        phase, share = self._place(epoch)
        momenta = []
        for base, most in zip(self.base_momenta, self.max_momenta):
            turns = [most, base, most, most]
            momenta.append(self._between(turns[phase], turns[phase + 1], share))
        return momenta


class CyclicLR(_Cycled):
    """Up and down between two rates in even steps, again and again; momentum goes the other way (Smith 2017).

    ``step()`` is called after each step of the optimiser.

    Parameters
    ----------
    optimizer : Optimizer
        Whose rates, and momentum or first beta, it sets.
    base_lr, max_lr : float or list of float
        The limits of the rate, of all groups or of each.
    step_size_up : int
        Steps from the lower rate to the upper one.
    step_size_down : int, optional
        Steps back; by default as many.
    mode : {'triangular', 'triangular2', 'exp_range'}
        All cycles alike, each half as high as the one before, or lower by ``gamma`` with each step.
    gamma : float
        Of 'exp_range'.
    scale_fn : function, optional
        How high, as a share, a cycle is; in place of ``mode``. States do not hold it.
    scale_mode : {'cycle', 'iterations'}
        Whether ``scale_fn`` is given the number of the cycle, from 1 on, or of the step.
    cycle_momentum : bool
        Whether momentum goes down and up.
    base_momentum, max_momentum : float or list of float
        Its limits.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> sgd = optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1, momentum=0.9)
    >>> schedule = optim.lr_scheduler.CyclicLR(sgd, base_lr=0.1, max_lr=0.5, step_size_up=2)
    >>> rates = []
    >>> for step in range(5):
    ...     rates += schedule.get_last_lr()
    ...     sgd.step()
    ...     schedule.step()
    >>> [round(rate, 4) for rate in rates]
    [0.1, 0.3, 0.5, 0.3, 0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Union[float, Sequence[float]],
        max_lr: Union[float, Sequence[float]],
        step_size_up: int = 2000,
        step_size_down: Optional[int] = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Optional[Callable[[float], float]] = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Union[float, Sequence[float]] = 0.8,
        max_momentum: Union[float, Sequence[float]] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer("CyclicLR", optimizer)
        step_size_down = step_size_up if step_size_down is None else step_size_down
        check_counts("CyclicLR", step_size_up=step_size_up, step_size_down=step_size_down)
        check("CyclicLR", gamma=gamma)
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(
                f"[CyclicLR] mode is {mode!r} and scale_fn None; expected 'triangular', 'triangular2' or "
                "'exp_range', or a function"
            )
        if scale_fn is not None and not callable(scale_fn):
            raise TypeError(f"[CyclicLR] scale_fn is a {type(scale_fn).__name__}; expected a function")
        if scale_mode not in ("cycle", "iterations"):
            raise ValueError(f"[CyclicLR] scale_mode is {scale_mode!r}; expected 'cycle' or 'iterations'")
        self.step_size_up, self.step_size_down = step_size_up, step_size_down
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        groups = optimizer.param_groups
        base_lrs = _for_each("CyclicLR", "base_lr", base_lr, len(groups))
        self._set_limits(optimizer, max_lr, cycle_momentum, base_momentum, max_momentum)
        if last_epoch == -1:
            for group, least in zip(groups, base_lrs):
                group["initial_lr"] = group["lr"] = least
        super().__init__(optimizer, last_epoch)

    def _height(self, epoch: int) -> float:
        """How far the rate is from the lower limit to the upper one."""
        cycle, place = divmod(epoch, self.step_size_up + self.step_size_down)
        if place <= self.step_size_up:
            share = place / self.step_size_up
        else:
            share = 1 - (place - self.step_size_up) / self.step_size_down
        if self.scale_fn is not None:
            return share * self.scale_fn(cycle + 1 if self.scale_mode == "cycle" else epoch)
        scale = {"triangular": 1.0, "triangular2": 0.5**cycle, "exp_range": self.gamma**epoch}
        return share * scale[self.mode]

    def _rates(self, epoch: int) -> list[float]:
        height = self._height(epoch)
        return [least + (most - least) * height for least, most in zip(self.base_lrs, self.max_lrs)]

    def _momenta(self, epoch: int) -> list[float]:
        height = self._height(epoch)
        return [most - (most - least) * height for least, most in zip(self.base_momenta, self.max_momenta)]

    def state_dict(self) -> dict[str, Any]:
        """All that the schedule knows, but the optimiser and the function."""
        return {k: v for k, v in super().state_dict().items() if k != "scale_fn"}
