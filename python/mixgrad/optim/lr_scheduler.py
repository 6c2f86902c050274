"""Schedules of learning rates; ``step()`` is called after each epoch, or each step of the optimiser."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _hints
from .._calls import check_arguments
from ..base import InvalidArgumentError
from .loading import checked_schedule
from .optimizer import Optimizer, check_counts

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


def _for_each(name: str, value: Any, count: int) -> list[float]:
    """One number for each group."""
    found = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(found) != count:
        raise ValueError(
            f"[OneCycleLR] {len(found)} {name} for {count} groups; expected one, or one for each"
        )
    return found


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
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                f"[{type(self).__name__}] got a {type(optimizer).__name__}; expected mx.optim.Optimizer"
            )
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
        return list(self.get_lr())

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
        for group, rate in zip(self.optimizer.param_groups, self._rates(self.last_epoch)):
            group["lr"] = rate

    def state_dict(self) -> dict[str, Any]:
        """All that the schedule knows, but the optimiser and functions."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer" and not callable(v)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what :meth:`state_dict` gave; anything else is refused and changes nothing."""
        who = f"{type(self).__name__}.load_state_dict"
        self.__dict__.update(checked_schedule(who, state_dict, self.state_dict()))


class _Factor(LRScheduler):
    """The first rate times a factor of the epoch."""

    def _factor(self, epoch: int) -> float:
        raise NotImplementedError(f"[{type(self).__name__}] a schedule defines _factor")

    def _rates(self, epoch: int) -> list[float]:
        factor = self._factor(epoch)
        return [base * factor for base in self.base_lrs]


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


class CosineAnnealingLR(LRScheduler):
    """Along half a cosine to ``eta_min`` at epoch ``T_max``, and back."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        check_counts("CosineAnnealingLR", T_max=T_max)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        share = (1 + math.cos(math.pi * epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


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


class OneCycleLR(LRScheduler):
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
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"[OneCycleLR] got a {type(optimizer).__name__}; expected mx.optim.Optimizer")
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
        if cycle_momentum and not all("momentum" in group or "betas" in group for group in groups):
            raise ValueError(
                f"[OneCycleLR] {type(optimizer).__name__} has neither momentum nor betas; "
                "expected cycle_momentum=False"
            )
        self.pct_start, self.anneal_strategy, self.three_phase = pct_start, anneal_strategy, three_phase
        self.cycle_momentum, self.final_div_factor = cycle_momentum, final_div_factor
        self.max_lrs = _for_each("max_lr", max_lr, len(groups))
        self.base_momenta = _for_each("base_momentum", base_momentum, len(groups))
        self.max_momenta = _for_each("max_momentum", max_momentum, len(groups))
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

    def step(self, epoch: Optional[int] = None) -> None:
        """Go to the next step, or to a given one."""
        super().step(epoch)
        if not self.cycle_momentum:
            return
        phase, share = self._place(self.last_epoch)
        for group, base, most in zip(self.optimizer.param_groups, self.base_momenta, self.max_momenta):
            turns = [most, base, most, most]
            momentum = self._between(turns[phase], turns[phase + 1], share)
            if "betas" in group:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum


class SequentialLR(LRScheduler):
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
        for one in schedulers:
            if getattr(one, "optimizer", None) is not optimizer:
                raise ValueError(f"[SequentialLR] got {one!r:.80}; expected schedules of the same optimiser")
        self.schedulers, self.milestones = list(schedulers), list(milestones)
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        super().__init__(optimizer, last_epoch)

    def _rates(self, epoch: int) -> list[float]:
        place = bisect_right(self.milestones, epoch)
        start = self.milestones[place - 1] if place else 0
        return self.schedulers[place]._rates(epoch - start)

    def state_dict(self) -> dict[str, Any]:
        """What this schedule and those in it know."""
        kept = {k: v for k, v in super().state_dict().items() if k != "schedulers"}
        return {**kept, "schedulers": [one.state_dict() for one in self.schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what :meth:`state_dict` gave; anything else is refused and changes nothing."""
        who, own = "SequentialLR.load_state_dict", self.state_dict()
        found = checked_schedule(who, state_dict, own)
        inner = found.pop("schedulers")
        if len(inner) != len(self.schedulers):
            raise InvalidArgumentError(f"[{who}] {len(inner)} schedules; expected {len(self.schedulers)}")
        for one, kept in zip(self.schedulers, inner):
            checked_schedule(f"{type(one).__name__}.load_state_dict", kept, one.state_dict())
        for one, kept in zip(self.schedulers, inner):
            one.load_state_dict(kept)
        self.__dict__.update(found)


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
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                f"[ReduceLROnPlateau] got a {type(optimizer).__name__}; expected mx.optim.Optimizer"
            )
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


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
