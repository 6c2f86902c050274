"""States that an optimiser or a schedule does not have: an error that names them, and nothing is changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim

State = dict[str, Any]

OPTIMISERS: dict[str, tuple[Callable[..., Any], State]] = {
    "Adam": (optim.Adam, {}),
    "AdamW": (optim.AdamW, {"amsgrad": True}),
    "SGD": (optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    "RMSprop": (optim.RMSprop, {"momentum": 0.9, "centered": True}),
    "Adagrad": (optim.Adagrad, {}),
    "Adadelta": (optim.Adadelta, {}),
    "Adamax": (optim.Adamax, {}),
    "NAdam": (optim.NAdam, {}),
    "RAdam": (optim.RAdam, {}),
    "ASGD": (optim.ASGD, {}),
    "Rprop": (optim.Rprop, {}),
}


def trained(name: str) -> tuple[list[Any], Any]:
    """Two parameters and their optimiser after one step."""
    kind, options = OPTIMISERS[name]
    params = [nn.Parameter([[1.0, 2.0]]), nn.Parameter([3.0])]
    optimizer = kind([{"params": [params[0]]}, {"params": [params[1]]}], **options)
    step(params, optimizer)
    return params, optimizer


def step(params: list[Any], optimizer: Any) -> None:
    optimizer.zero_grad()
    sum((param * param).sum() for param in params).backward()
    optimizer.step()


def plain(value: Any) -> Any:
    """The same with lists in place of arrays, which compares."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value.asnumpy().tolist() if isinstance(value, mx.nd.NDArray) else value


def first_array(state: State) -> str:
    return next(name for name, one in state["state"][0].items() if isinstance(one, mx.nd.NDArray))


def without(state: State, *keys: Any) -> State:
    place = state
    for key in keys[:-1]:
        place = place[key]
    del place[keys[-1]]
    return state


def put(state: State, value: Any, *keys: Any) -> State:
    place: Any = state
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return state


WRONG: dict[str, tuple[Callable[[State], Any], str]] = {
    "no dictionary": (lambda s: [s], "expected a dictionary with 'state'"),
    "no groups": (lambda s: without(s, "param_groups"), "expected a dictionary with 'state'"),
    "groups of another kind": (lambda s: put(s, 3, "param_groups"), "expected a list and a dictionary"),
    "states of another kind": (lambda s: put(s, [1], "state"), "expected a list and a dictionary"),
    "a group of another kind": (lambda s: put(s, 3, "param_groups", 0), "a group is 3"),
    "a group without parameters": (lambda s: without(s, "param_groups", 1, "params"), "as 'params'"),
    "one group less": (lambda s: without(s, "param_groups", 1), r"have \[1\] parameters; expected \[1, 1\]"),
    "a rate that is text": (lambda s: put(s, "fast", "param_groups", 1, "lr"), "option 'lr' is 'fast'"),
    "a rate that is NaN": (lambda s: put(s, float("nan"), "param_groups", 1, "lr"), "option 'lr' is nan"),
    "a rate below 0": (lambda s: put(s, -1.0, "param_groups", 1, "lr"), "lr is -1.0; expected at least 0"),
    "a parameter too many": (lambda s: put(s, {}, "state", 7), r"a parameter 7; the groups have \[0, 1\]"),
    "a state of another kind": (lambda s: put(s, 3, "state", 1), "the state of parameter 1 is a int"),
    "another name": (lambda s: put(s, np.ones(1), "state", 1, "variance"), r"has \['variance'\]"),
    "another shape": (
        lambda s: put(s, np.ones(5), "state", 1, first_array(s)),
        r"of parameter 1 is \(5,\); expected \(1,\)",
    ),
    "no axes": (lambda s: put(s, np.array(1.0), "state", 1, first_array(s)), r"is \(\); expected \(1,\)"),
    "a number": (lambda s: put(s, 1.0, "state", 1, first_array(s)), "is a float; expected an array"),
    "text in an array": (lambda s: put(s, np.array(["a"]), "state", 1, first_array(s)), "expected numbers"),
}
ABSENT = {
    "Adam": ("step", "exp_avg", "exp_avg_sq"),
    "AdamW": ("exp_avg", "max_exp_avg_sq"),
    "RMSprop": ("square_avg", "momentum_buffer", "grad_avg"),
    "Adagrad": ("step", "sum"),
    "Adadelta": ("square_avg", "acc_delta"),
    "NAdam": ("step", "exp_avg", "mu_product"),
    "ASGD": ("ax", "eta", "mu"),
    "Rprop": ("prev", "step_size"),
}


def refused(optimizer: Any, state: Any, said: str) -> None:
    before = plain(optimizer.state_dict())
    with pytest.raises(mx.base.MXNetError if "at least" not in said else ValueError, match=said) as caught:
        optimizer.load_state_dict(state)
    assert f"[{type(optimizer).__name__}.load_state_dict]" in str(caught.value)
    assert plain(optimizer.state_dict()) == before


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_wrong_state_changes_nothing(name: str, wrong: str) -> None:
    change, said = WRONG[wrong]
    params, optimizer = trained(name)
    state = optimizer.state_dict()
    step(params, optimizer)  # what it has now differs from the state
    refused(optimizer, change(state), said)


@pytest.mark.parametrize(("name", "absent"), [(name, one) for name in ABSENT for one in ABSENT[name]])
def test_a_state_that_lacks_something(name: str, absent: str) -> None:
    params, optimizer = trained(name)
    state = without(optimizer.state_dict(), "state", 1, absent)
    step(params, optimizer)
    refused(optimizer, state, rf"parameter 1 lacks \['{absent}'\]")


@pytest.mark.parametrize("value", ["many", -1, 1.5, float("inf"), float("nan"), None])
def test_steps_that_are_no_numbers(value: Any) -> None:
    optimizer = trained("Adam")[1]
    refused(optimizer, put(optimizer.state_dict(), value, "state", 1, "step"), "whole number from 0 on")


@pytest.mark.parametrize("value", ["much", float("nan"), None, np.ones(2)])
def test_numbers_of_states_that_are_none(value: Any) -> None:
    optimizer = trained("NAdam")[1]
    refused(
        optimizer, put(optimizer.state_dict(), value, "state", 1, "mu_product"), "'mu_product'.* a number"
    )


def test_options_need_their_states() -> None:
    """Options and state come together: averages for the one, and not for the other."""
    optimizer = trained("Adam")[1]
    state = put(optimizer.state_dict(), True, "param_groups", 0, "amsgrad")
    refused(optimizer, state, r"parameter 0 lacks \['max_exp_avg_sq'\]")


def test_states_of_another_optimiser() -> None:
    for name, other in (("Adam", "SGD"), ("SGD", "Adam"), ("RMSprop", "Adagrad")):
        refused(trained(name)[1], trained(other)[1].state_dict(), r"lacks|has|option")


def test_arrays_of_numpy_are_taken() -> None:
    params, optimizer = trained("Adam")
    state = optimizer.state_dict()
    expected = plain(state)
    for kept in state["state"].values():
        kept.update({k: v.asnumpy() for k, v in kept.items() if k != "step"}, step=np.float32(kept["step"]))
    step(params, optimizer)
    optimizer.load_state_dict(state)
    assert plain(optimizer.state_dict()) == expected
    optimizer.load_state_dict({**state, "state": {0: state["state"][0]}})
    assert plain(optimizer.state_dict())["state"] == {0: expected["state"][0]}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda s: [s], "got a list"),
        (lambda s: without(s, "last_epoch"), r"lacks \['last_epoch'\]"),
        (lambda s: put(s, 3, "step"), r"has \['step'\]"),
        (lambda s: put(s, "late", "last_epoch"), "'last_epoch' is 'late'"),
    ],
)
@pytest.mark.parametrize("kind", ["StepLR", "ReduceLROnPlateau", "SequentialLR"])
def test_a_wrong_schedule_changes_nothing(kind: str, wrong: Callable[[State], Any], said: str) -> None:
    sgd = optim.SGD([nn.Parameter([1.0])], lr=0.5)
    schedules = optim.lr_scheduler
    schedule: Any
    if kind == "StepLR":
        schedule = schedules.StepLR(sgd, 2)
    elif kind == "ReduceLROnPlateau":
        schedule = schedules.ReduceLROnPlateau(sgd)
    else:
        parts = [schedules.StepLR(sgd, 2), schedules.ExponentialLR(sgd, 0.5)]
        schedule = schedules.SequentialLR(sgd, parts, [3])
    before = copy.deepcopy(schedule.state_dict())
    with pytest.raises(ValueError, match=said):
        schedule.load_state_dict(wrong(copy.deepcopy(before)))
    if kind == "SequentialLR":
        with pytest.raises(ValueError, match=r"ExponentialLR.load_state_dict\] .*lacks"):
            schedule.load_state_dict(without(copy.deepcopy(before), "schedulers", 1, "gamma"))
        with pytest.raises(ValueError, match="1 schedules; expected 2"):
            schedule.load_state_dict(without(copy.deepcopy(before), "schedulers", 1))
    assert schedule.state_dict() == before
