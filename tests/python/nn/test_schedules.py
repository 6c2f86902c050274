"""Schedules in cycles and chains give what PyTorch gave, by ``tests/data/nn/make_schedules.py``."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mixgrad import nn, optim

from .schedule_cases import CHAINS, CYCLES, chained, optimizer_of, options, rows

schedules = optim.lr_scheduler
RECORDED = json.loads((Path(__file__).resolve().parents[2] / "data" / "nn" / "schedules.json").read_text())


def sgd(*rates: float) -> Any:
    return optim.SGD([{"params": [nn.Parameter([1.0])], "lr": rate} for rate in rates], momentum=0.9)


@pytest.mark.parametrize("kind", ["SGD", "NAdam"])
@pytest.mark.parametrize("name", CYCLES)
def test_cycle(name: str, kind: str) -> None:
    optimizer = optimizer_of(kind, optim, nn.Parameter([1.0]))
    words = options(CYCLES[name])

    def again(schedule: Any) -> Any:
        assert schedule.get_lr() == schedule.get_last_lr()
        states = pickle.loads(pickle.dumps((optimizer.state_dict(), schedule.state_dict())))
        schedule = schedules.CyclicLR(optimizer, **words)
        optimizer.load_state_dict(states[0])
        schedule.load_state_dict(states[1])
        return schedule

    schedule = schedules.CyclicLR(optimizer, **words)
    np.testing.assert_allclose(rows(schedule, optimizer, 4, again), RECORDED[f"{name}|{kind}"], rtol=1e-12)


@pytest.mark.parametrize("name", CHAINS)
def test_chain(name: str) -> None:
    optimizer = optimizer_of("SGD", optim, nn.Parameter([1.0]))

    def again(schedule: Any) -> Any:
        states = pickle.loads(pickle.dumps((optimizer.state_dict(), schedule.state_dict())))
        schedule = chained(name, optim, optimizer)
        optimizer.load_state_dict(states[0])
        schedule.load_state_dict(states[1])
        np.testing.assert_allclose(schedule.get_lr(), schedule.get_last_lr(), rtol=1e-12)
        return schedule

    schedule = chained(name, optim, optimizer)
    np.testing.assert_allclose(
        rows(schedule, optimizer, 4, again), RECORDED[name], rtol=1e-12, atol=1e-15, err_msg=name
    )


def test_a_chain_of_groups() -> None:
    optimizer = sgd(1.0, 2.0)
    parts = [schedules.ExponentialLR(optimizer, 0.5), schedules.StepLR(optimizer, 1, 0.1)]
    schedule = schedules.ChainedScheduler(parts, optimizer)
    schedule.step()
    np.testing.assert_allclose(schedule.get_last_lr(), [0.05, 0.1])


def test_a_schedule_of_ones_own_in_a_chain_and_in_a_sequence() -> None:
    class Less(schedules.LRScheduler):
        def get_lr(self) -> list[float]:
            rates = [group["lr"] for group in self.optimizer.param_groups]
            return [rate * 0.5 for rate in rates] if self.last_epoch else rates

    class ByEpoch(schedules.LRScheduler):
        def get_lr(self) -> list[float]:
            return [base / (1 + self.last_epoch) for base in self.base_lrs]

    optimizer = sgd(1.0)
    chain = schedules.ChainedScheduler([schedules.ExponentialLR(optimizer, 0.5), Less(optimizer)])
    found = []
    for _ in range(3):
        found += chain.get_last_lr()
        chain.step()
    assert found == [1.0, 0.25, 0.0625]
    optimizer = sgd(1.0)
    parts = [schedules.ConstantLR(optimizer, 0.5), ByEpoch(optimizer)]
    sequence = schedules.SequentialLR(optimizer, parts, [2])
    found = []
    for _ in range(5):
        found += sequence.get_last_lr()
        sequence.step()
    np.testing.assert_allclose(found, [0.5, 0.5, 1.0, 1 / 2, 1 / 3])


def test_a_sequence_in_a_chain() -> None:
    optimizer = sgd(1.0)
    parts: list[Any] = [schedules.ConstantLR(optimizer, 0.5), schedules.ExponentialLR(optimizer, 0.1)]
    sequence = schedules.SequentialLR(optimizer, parts, [2])
    chain = schedules.ChainedScheduler([sequence, schedules.ConstantLR(optimizer, 0.5, total_iters=100)])
    found = []
    for _ in range(4):
        found += chain.get_last_lr()
        chain.step()
    # At its milestone a sequence begins anew, from the first rate.
    np.testing.assert_allclose(found, [0.25, 0.25, 1.0, 0.1])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"base_lr": [0.1], "max_lr": 1.0}, "1 base_lr for 2 groups; expected one, or one for each"),
        ({"base_lr": 0.1, "max_lr": [1.0] * 3}, "3 max_lr for 2 groups"),
        ({"base_lr": 0.1, "max_lr": 1.0, "step_size_up": 0}, "step_size_up is 0; expected a whole number"),
        ({"base_lr": 0.1, "max_lr": 1.0, "step_size_down": 1.5}, "step_size_down is 1.5; expected a whole"),
        ({"base_lr": 0.1, "max_lr": 1.0, "mode": "round"}, "mode is 'round' and scale_fn None; expected"),
        ({"base_lr": 0.1, "max_lr": 1.0, "scale_mode": "epochs"}, "scale_mode is 'epochs'; expected 'cycle'"),
        ({"base_lr": 0.1, "max_lr": 1.0, "gamma": -1}, "gamma is -1; expected at least 0"),
        ({"base_lr": 0.1, "max_lr": 1.0, "base_momentum": [0.5]}, "1 base_momentum for 2 groups"),
    ],
)
def test_wrong_cycles(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=rf"\[CyclicLR\] {message}"):
        schedules.CyclicLR(sgd(1.0, 2.0), **words)


def test_wrong_schedules() -> None:
    optimizer = sgd(1.0)
    with pytest.raises(ValueError, match=r"\[CyclicLR\] Adagrad has neither momentum nor betas"):
        schedules.CyclicLR(optim.Adagrad([nn.Parameter([1.0])]), 0.1, 1.0)
    with pytest.raises(TypeError, match=r"\[CyclicLR\] got a int; expected mx\.optim\.Optimizer"):
        schedules.CyclicLR(3, 0.1, 1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"\[CyclicLR\] scale_fn is a int; expected a function"):
        schedules.CyclicLR(optimizer, 0.1, 1.0, scale_fn=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"\[CyclicLR\] base_lr is a str; expected a number"):
        schedules.CyclicLR(optimizer, "low", 1.0)  # type: ignore[arg-type]
    step = schedules.StepLR(optimizer, 2)
    for wrong in ([], step, None):
        with pytest.raises(ValueError, match=r"\[ChainedScheduler\] got .*; expected a list of schedules"):
            schedules.ChainedScheduler(wrong)  # type: ignore[arg-type]
    for other in (schedules.StepLR(sgd(1.0), 2), schedules.ReduceLROnPlateau(optimizer), 3):
        with pytest.raises(ValueError, match=r"\[ChainedScheduler\] .* expected schedules of the same"):
            schedules.ChainedScheduler([step, other])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"\[ChainedScheduler\] got a NoneType; expected mx\.optim"):
        schedules.ChainedScheduler([3])  # type: ignore[list-item]
    chain = schedules.ChainedScheduler([step])
    with pytest.raises(ValueError, match=r"\[ChainedScheduler\] epoch is 3; expected step\(\)"):
        chain.step(3)
    with pytest.raises(ValueError, match=r"\[ChainedScheduler.load_state_dict\] 0 schedules; expected 1"):
        chain.load_state_dict({**chain.state_dict(), "schedulers": []})
