"""Optimisers and schedules give what PyTorch gave, by ``tests/data/nn/make_optimizers.py``."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim

from .optimizer_cases import CHANGE, EPOCHS, ONE_CYCLE, OPTIMIZERS, SCHEDULES, SHAPES, STEPS, gradient, start

DATA = Path(__file__).resolve().parents[2] / "data" / "nn"
RECORDED = np.load(DATA / "optimizers.npz")


def made(name: str) -> tuple[list[Any], Any]:
    kind, options = OPTIMIZERS[name]
    params = [nn.Parameter(start(i)) for i in range(len(SHAPES))]
    return params, getattr(optim, kind)(params, **options)


def run(params: list[Any], optimizer: Any, first: int, last: int) -> None:
    for step in range(first, last):
        if step == CHANGE:
            optimizer.param_groups[0]["lr"] /= 2
        for i, param in enumerate(params):
            param.grad = mx.np.array(gradient(i, step))
        optimizer.step()


def check(name: str, params: list[Any], optimizer: Any) -> None:
    found = {f"weight {i}": param.asnumpy() for i, param in enumerate(params)}
    for i, state in optimizer.state_dict()["state"].items():
        assert all(state[key] == STEPS for key in state if key == "step")
        found.update({f"state {i} {k}": np.asarray(v) for k, v in state.items() if k != "step"})
    start = name + "|"
    recorded = {k[len(start) :]: RECORDED[k] for k in RECORDED.files if k.startswith(start)}
    assert found.keys() == recorded.keys()
    for key, expected in recorded.items():
        np.testing.assert_allclose(found[key], expected, rtol=1e-5, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps(name: str) -> None:
    params, optimizer = made(name)
    run(params, optimizer, 0, STEPS)
    check(name, params, optimizer)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("pause", [1, CHANGE, CHANGE + 1])
def test_a_saved_state_goes_on(name: str, pause: int) -> None:
    params, optimizer = made(name)
    run(params, optimizer, 0, pause)
    state = optimizer.state_dict()
    others, other = made(name)
    for param, value in zip(others, params):
        param.data = value.detach().copy()
    run(params, optimizer, pause, STEPS)  # does not touch what was saved
    other.load_state_dict(state)
    run(others, other, pause, STEPS)
    check(name, others, other)


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedule(name: str) -> None:
    kind, options = SCHEDULES[name]
    sgd = optim.SGD([nn.Parameter([1.0])], lr=0.5)
    schedule = getattr(optim.lr_scheduler, kind)(sgd, **options)
    rates = []
    for epoch in range(EPOCHS):
        rates += schedule.get_last_lr()
        if epoch == 4:  # goes on from what was saved
            state = schedule.state_dict()
            schedule = getattr(optim.lr_scheduler, kind)(sgd, **options)
            schedule.load_state_dict(state)
        schedule.step()
    np.testing.assert_allclose(rates, RECORDED[f"rates {name}"], rtol=1e-12)


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
@pytest.mark.parametrize("name", ONE_CYCLE)
def test_one_cycle(name: str, kind: str) -> None:
    weight = [nn.Parameter([1.0])]
    optimizer = optim.SGD(weight, lr=0.1, momentum=0.9) if kind == "SGD" else optim.Adam(weight, lr=0.1)
    schedule = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, **ONE_CYCLE[name])
    rows = []
    for step in range(schedule.total_steps + 1):
        group = optimizer.param_groups[0]
        assert schedule.get_lr() == schedule.get_last_lr()
        rows.append([*schedule.get_last_lr(), group["betas"][0] if kind == "Adam" else group["momentum"]])
        if step == 2:  # goes on from what was saved
            states = pickle.loads(pickle.dumps((optimizer.state_dict(), schedule.state_dict())))
            schedule = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, **ONE_CYCLE[name])
            optimizer.load_state_dict(states[0])
            schedule.load_state_dict(states[1])
        if step < schedule.total_steps:
            optimizer.step()
            schedule.step()
    recorded = json.loads((DATA / "one_cycle.json").read_text())
    np.testing.assert_allclose(rows, recorded[f"{name}|{kind}"], rtol=1e-12)
    with pytest.raises(ValueError, match=rf"step {len(rows)} of {len(rows) - 1}; expected no more"):
        schedule.step()


def test_one_cycle_of_groups() -> None:
    layers = [nn.Linear(1, 1), nn.Linear(1, 1)]
    adam = optim.Adam([{"params": layer.parameters()} for layer in layers], lr=0.1)
    schedule = optim.lr_scheduler.OneCycleLR(adam, max_lr=[1.0, 2.0], total_steps=9, base_momentum=[0.5, 0.6])
    assert schedule.get_last_lr() == pytest.approx([0.04, 0.08])
    for words, text in (
        ({"max_lr": [1.0], "total_steps": 3}, "1 max_lr for 2 groups"),
        ({"max_lr": 1.0}, "expected total_steps, or epochs"),
        ({"max_lr": 1.0, "total_steps": 0}, "at least 1"),
        ({"max_lr": 1.0, "total_steps": 3, "pct_start": 2}, "pct_start is 2; expected a share"),
        ({"max_lr": 1.0, "total_steps": 3, "anneal_strategy": "step"}, "'cos' or 'linear'"),
    ):
        with pytest.raises(ValueError, match=text):
            optim.lr_scheduler.OneCycleLR(adam, **words)  # type: ignore[arg-type]
    adagrad = optim.Adagrad(layers[0].parameters(), lr=0.1)
    with pytest.raises(ValueError, match="Adagrad has neither momentum nor betas"):
        optim.lr_scheduler.OneCycleLR(adagrad, max_lr=1.0, total_steps=3)


def test_rates_of_ones_own_schedule() -> None:
    sgd = optim.SGD([nn.Parameter([1.0])], lr=1.0)
    with pytest.raises(NotImplementedError, match=r"\[LRScheduler\] a schedule defines get_lr"):
        optim.lr_scheduler.LRScheduler(sgd)
    plateau = optim.lr_scheduler.ReduceLROnPlateau(sgd)
    assert plateau.get_lr() == plateau.get_last_lr() == [1.0]


def test_schedules_in_turn() -> None:
    sgd = optim.SGD([nn.Parameter([1.0])], lr=1.0)
    warm = optim.lr_scheduler.ConstantLR(sgd, 0.1, total_iters=3)
    cool = optim.lr_scheduler.ExponentialLR(sgd, 0.5)
    schedule = optim.lr_scheduler.SequentialLR(sgd, [warm, cool], [3])
    rates = []
    for _ in range(6):
        rates += schedule.get_last_lr()
        schedule.step()
    np.testing.assert_allclose(rates, [0.1, 0.1, 0.1, 1.0, 0.5, 0.25])


def test_a_plateau_lowers_the_rate() -> None:
    sgd = optim.SGD([nn.Parameter([1.0])], lr=1.0)
    schedule = optim.lr_scheduler.ReduceLROnPlateau(sgd, factor=0.5, patience=1, cooldown=1, min_lr=0.2)
    rates = []
    for loss in [3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]:
        schedule.step(mx.np.array(loss))
        rates += schedule.get_last_lr()
    assert rates == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.2, 0.2]


def test_groups() -> None:
    a, b, c = (nn.Parameter([1.0]) for _ in range(3))
    sgd = optim.SGD([{"params": [a]}, {"params": b, "lr": 1.0}], lr=0.1)
    sgd.add_param_group({"params": [c], "momentum": 0.9})
    assert [group["lr"] for group in sgd.param_groups] == [0.1, 1.0, 0.1]
    (a + b + c).sum().backward()
    sgd.step()
    np.testing.assert_allclose([a.item(), b.item(), c.item()], [0.9, 0.0, 0.9], rtol=1e-6)
    assert "Parameter Group 2" in repr(sgd)
    with pytest.raises(ValueError, match="occurs twice"):
        sgd.add_param_group({"params": [a]})
    with pytest.raises(ValueError, match="no option 'rate'"):
        sgd.add_param_group({"params": [nn.Parameter([1.0])], "rate": 1})
    with pytest.raises(ValueError, match=r"have \[1\] parameters; expected \[1, 1, 1\]"):
        sgd.load_state_dict(optim.SGD([a], lr=1).state_dict())


def test_what_has_no_gradient_stays() -> None:
    a, b = nn.Parameter([1.0]), nn.Parameter([1.0])
    frozen = nn.Parameter([1.0], requires_grad=False)
    adam = optim.Adam([a, b, frozen], lr=0.5)
    (a * 2).sum().backward()
    adam.step()
    np.testing.assert_allclose(a.item(), 0.5, rtol=1e-4)
    assert (b.item(), frozen.item()) == (1.0, 1.0)
    adam.zero_grad()
    assert a.grad is None
    before = a.item()
    adam.step()
    assert a.item() == before
    adam.zero_grad(set_to_none=False)
    assert a.grad.item() == 0


def test_a_closure_computes_the_loss() -> None:
    weight = nn.Parameter([3.0])
    sgd = optim.SGD([weight], lr=0.25)

    def loss() -> Any:
        sgd.zero_grad()
        value = (weight * weight).sum()
        value.backward()
        return value

    with nn.no_grad():
        assert sgd.step(loss).item() == 9
    assert weight.item() == 1.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: optim.SGD(p, lr=-1), "lr is -1; expected at least 0"),
        (lambda p: optim.SGD(p, nesterov=True), "nesterov needs a momentum"),
        (lambda p: optim.Adam(p, betas=(0.9, 1.0)), "beta2 is 1.0; expected at least 0 and less than 1"),
        (lambda p: optim.Adam([]), "no parameters"),
        (
            lambda p: optim.Adamax(p, betas=(-0.1, 0.9)),
            r"\[Adamax\] beta1 is -0.1; expected at least 0 and less",
        ),
        (lambda p: optim.NAdam(p, momentum_decay=-1), r"\[NAdam\] momentum_decay is -1; expected at least 0"),
        (
            lambda p: optim.RAdam(p, betas=(0.9, 1)),
            r"\[RAdam\] beta2 is 1; expected at least 0 and less than 1",
        ),
        (lambda p: optim.ASGD(p, weight_decay=-1), r"\[ASGD\] weight_decay is -1; expected at least 0"),
        (lambda p: optim.ASGD(p, t0=float("nan")), r"\[ASGD\] t0 is nan; expected a number"),
        (lambda p: optim.Rprop(p, etas=(1.2, 0.5)), r"\[Rprop\] etas are \(1.2, 0.5\); expected 0 < etas"),
        (
            lambda p: optim.Rprop(p, step_sizes=(2, 1)),
            r"\[Rprop\] step_sizes are \(2, 1\); expected a smaller",
        ),
    ],
)
def test_wrong_options(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call([nn.Parameter([1.0])])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: optim.Adamax(p, betas=0.9), r"\[Adamax\] betas is 0.9; expected two numbers"),
        (lambda p: optim.NAdam(p, betas=(0.9,)), r"\[NAdam\] betas is \(0.9,\); expected two numbers"),
        (lambda p: optim.RAdam(p, betas=("a", 1)), r"\[RAdam\] betas\[0\] is a str; expected a number"),
        (lambda p: optim.ASGD(p, t0="late"), r"\[ASGD\] t0 is a str; expected a number"),
        (lambda p: optim.Rprop(p, etas=None), r"\[Rprop\] etas is None; expected two numbers"),
        (lambda p: optim.Rprop(p, foreach=True), "no argument is called 'foreach'"),
    ],
)
def test_options_of_another_kind(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call([nn.Parameter([1.0])])


def test_one_array_is_no_list_of_parameters() -> None:
    with pytest.raises(TypeError, match="expected parameters"):
        optim.SGD(nn.Parameter([1.0]))
    with pytest.raises(TypeError, match=r"expected mx\.optim\.Optimizer"):
        optim.lr_scheduler.StepLR(3, 1)  # type: ignore[arg-type]
