"""Schedules in cycles and chains, for PyTorch (``tests/data/nn/make_schedules.py``) and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CYCLES: dict[str, dict[str, Any]] = {
    "usual": {"step_size_up": 3},
    "steep": {"step_size_up": 1, "step_size_down": 4},
    "halved": {"step_size_up": 2, "step_size_down": 3, "mode": "triangular2"},
    "fading": {"step_size_up": 3, "mode": "exp_range", "gamma": 0.9},
    "by cycle": {"step_size_up": 2, "scale_fn": lambda cycle: 1 / (5 * cycle), "mode": "none"},
    "by step": {"step_size_up": 2, "scale_fn": lambda step: 0.8**step, "scale_mode": "iterations"},
    "momentum": {"step_size_up": 3, "base_momentum": 0.5, "max_momentum": 0.99},
    "momentum stays": {"step_size_up": 3, "cycle_momentum": False},
}

# Classes and options, in order.
CHAINS: dict[str, list[Any]] = {
    "factors": [("ConstantLR", {"factor": 0.1, "total_iters": 3}), ("ExponentialLR", {"gamma": 0.9})],
    "steps": [
        ("StepLR", {"step_size": 2, "gamma": 0.5}),
        ("MultiStepLR", {"milestones": [3, 4], "gamma": 0.1}),
        ("LinearLR", {"start_factor": 0.25, "end_factor": 0.5, "total_iters": 4}),
    ],
    "to zero": [("PolynomialLR", {"total_iters": 6}), ("ExponentialLR", {"gamma": 0.9})],
    "cosine": [
        ("CosineAnnealingLR", {"T_max": 3, "eta_min": 0.01}),
        ("StepLR", {"step_size": 2, "gamma": 0.5}),
    ],
    "cosine last": [("LinearLR", {"total_iters": 4}), ("CosineAnnealingLR", {"T_max": 9})],
    "products": [("MultiplicativeLR", {"lr_lambda": lambda epoch: 0.95}), ("ExponentialLR", {"gamma": 0.9})],
    "set anew": [("ExponentialLR", {"gamma": 0.9}), ("LambdaLR", {"lr_lambda": lambda epoch: 0.8**epoch})],
    "set before": [("LambdaLR", {"lr_lambda": lambda epoch: 0.8**epoch}), ("ExponentialLR", {"gamma": 0.9})],
    "restarts": [("CosineAnnealingWarmRestarts", {"T_0": 3}), ("StepLR", {"step_size": 2, "gamma": 0.5})],
    "cycles": [
        ("CyclicLR", {"base_lr": 0.1, "max_lr": 0.5, "step_size_up": 3}),
        ("ExponentialLR", {"gamma": 0.9}),
    ],
    "one": [("StepLR", {"step_size": 2})],
}
EPOCHS = 12


def options(cyclic: dict[str, Any]) -> dict[str, Any]:
    """All options of ``CyclicLR``."""
    return {"base_lr": 0.1, "max_lr": 0.7, **cyclic}


def optimizer_of(kind: str, optim: Any, weight: Any) -> Any:
    """One that has momentum, or betas."""
    words: dict[str, Any] = {"momentum": 0.9} if kind == "SGD" else {}
    return getattr(optim, kind)([weight], lr=0.5, **words)


def chained(name: str, optim: Any, optimizer: Any) -> Any:
    """The schedule of a case."""
    parts = [getattr(optim.lr_scheduler, kind)(optimizer, **words) for kind, words in CHAINS[name]]
    return optim.lr_scheduler.ChainedScheduler(parts)


def rows(schedule: Any, optimizer: Any, at: int = -1, again: Callable[[Any], Any] = lambda one: one) -> Any:
    """Rate and momentum of each epoch; before epoch ``at`` the schedule is replaced."""
    found = []
    for epoch in range(EPOCHS):
        if epoch == at:
            schedule = again(schedule)
        group = optimizer.param_groups[0]
        found.append([*schedule.get_last_lr(), group["betas"][0] if "betas" in group else group["momentum"]])
        optimizer.step()
        schedule.step()
    return found
