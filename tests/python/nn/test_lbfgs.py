"""L-BFGS goes the way that PyTorch's goes, by ``tests/data/nn/make_lbfgs.py``."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim
from mixgrad.optim.line_search import Point, strong_wolfe

from .lbfgs_cases import CASES, START, STEPS, path

RECORDED = json.loads((Path(__file__).resolve().parents[2] / "data" / "nn" / "lbfgs.json").read_text())


def numbers(one: Any) -> Any:
    return one.asnumpy()


@pytest.mark.parametrize("pause", [-1, 0, 1, STEPS - 1])
@pytest.mark.parametrize("name", CASES)
def test_path(name: str, pause: int) -> None:
    params = [nn.Parameter(one) for one in START]
    np.testing.assert_allclose(
        path(name, optim, params, numbers, pause), RECORDED[name], rtol=1e-6, atol=1e-9
    )


def trained() -> tuple[list[Any], Any, Any]:
    """Two parameters after a call, their optimiser and closure."""
    params = [nn.Parameter([[1.0, 2.0]]), nn.Parameter(3.0)]
    lbfgs = optim.LBFGS(params, lr=0.5, max_iter=3, line_search_fn="strong_wolfe")

    def closure() -> Any:
        lbfgs.zero_grad()
        loss = sum((param**2).sum() + (param**4).sum() for param in params)
        loss.backward()
        return loss

    with nn.no_grad():
        assert lbfgs.step(closure).item() == 112
    return params, lbfgs, closure


def test_a_parameter_without_gradient_stays() -> None:
    used, unused = nn.Parameter([3.0]), nn.Parameter([5.0])
    frozen = nn.Parameter([7.0], requires_grad=False)
    lbfgs = optim.LBFGS([unused, used, frozen])

    def closure() -> Any:
        lbfgs.zero_grad()
        loss = (used * used).sum()
        loss.backward()
        return loss

    lbfgs.step(closure)
    np.testing.assert_allclose([used.item(), unused.item(), frozen.item()], [0.0, 5.0, 7.0], atol=1e-6)


def test_a_closure_that_fails_leaves_the_weights() -> None:
    params, lbfgs, closure = trained()
    before = [param.asnumpy() for param in params]
    calls = 0

    def failing() -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError("no data")
        return closure()

    with pytest.raises(OSError, match="no data"):
        lbfgs.step(failing)
    for param, value in zip(params, before):
        np.testing.assert_array_equal(param.asnumpy(), value)


def test_state_of_numpy_arrays_and_pickles() -> None:
    _, lbfgs, _ = trained()
    state = lbfgs.state_dict()
    (kept,) = state["state"].values()
    kept["al"] = [None] * 100  # as PyTorch stores it
    kept["d"] = kept["d"].asnumpy()
    kept["ro"] = [np.array(one) for one in kept["ro"]]
    lbfgs.load_state_dict(pickle.loads(pickle.dumps(state)))
    (again,) = lbfgs.state_dict()["state"].values()
    assert again["ro"] == [float(one) for one in kept["ro"]] and "al" not in again
    np.testing.assert_array_equal(again["d"].asnumpy(), kept["d"])
    lbfgs.load_state_dict({**state, "state": {}})
    assert lbfgs.state_dict()["state"] == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda kept: kept.pop("d"), "parameter 0 has .*; expected .*'d'"),
        (lambda kept: kept.update(more=1), "parameter 0 has .*'more'"),
        (lambda kept: kept.update(n_iter=-1), "'n_iter' is -1; expected a whole number"),
        (lambda kept: kept.update(t="far"), "'t' is 'far'; expected a number"),
        (lambda kept: kept.update(d=3.0), "'d' is a float; expected an array"),
        (lambda kept: kept.update(d=np.ones(2)), r"'d' is \(2,\); expected \(3,\)"),
        (lambda kept: kept.update(ro=[]), "lists of the same length as old_dirs, old_stps, ro"),
        (lambda kept: kept["ro"].__setitem__(0, None), "an item of 'ro' is None; expected a number"),
        (lambda kept: kept["old_dirs"].__setitem__(0, np.ones(4)), r"an item of 'old_dirs' is \(4,\)"),
    ],
)
def test_a_wrong_state_changes_nothing(change: Any, message: str) -> None:
    _, lbfgs, _ = trained()
    before, state = lbfgs.state_dict(), lbfgs.state_dict()
    change(state["state"][0])
    with pytest.raises(mx.base.MXNetError, match=rf"\[LBFGS.load_state_dict\] .*{message}"):
        lbfgs.load_state_dict(state)
    assert str(lbfgs.state_dict()) == str(before)
    with pytest.raises(mx.base.MXNetError, match=r"'state' has \[1\]; expected a dictionary for parameter 0"):
        lbfgs.load_state_dict({**before, "state": {1: {}}})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lr": -1}, "lr is -1; expected at least 0"),
        ({"max_iter": 0}, "max_iter is 0; expected a whole number of at least 1"),
        ({"max_eval": 2.5}, "max_eval is 2.5; expected a whole number of at least 1"),
        ({"history_size": 0}, "history_size is 0; expected a whole number"),
        ({"tolerance_grad": -1e-9}, "tolerance_grad is -1e-09; expected at least 0"),
        ({"line_search_fn": "armijo"}, "line_search_fn is 'armijo'; expected 'strong_wolfe' or None"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=rf"\[LBFGS\] {message}"):
        optim.LBFGS([nn.Parameter([1.0])], **options)


def test_wrong_calls() -> None:
    a, b = nn.Parameter([1.0]), nn.Parameter([1.0])
    with pytest.raises(ValueError, match="a second group of parameters; expected one group"):
        optim.LBFGS([{"params": [a]}, {"params": [b]}])
    with pytest.raises(ValueError, match="no parameters"):
        optim.LBFGS([{"params": []}])
    lbfgs = optim.LBFGS([a])
    with pytest.raises(TypeError, match=r"\[LBFGS\] closure is None; expected a function"):
        lbfgs.step()
    with pytest.raises(TypeError, match=r"\[LBFGS\] the closure returned a NoneType; expected the loss"):
        lbfgs.step(lambda: None)
    lbfgs.param_groups[0]["line_search_fn"] = "armijo"
    with pytest.raises(ValueError, match="line_search_fn is 'armijo'"):
        lbfgs.step((a * a).sum)


@pytest.mark.parametrize("first", [1e-4, 0.1, 1.0, 10.0, 1e4])
def test_a_step_fulfils_the_conditions(first: float) -> None:
    def at(step: float) -> Point:
        return Point(step, (step - 1) ** 4 - step / 2, None, 4 * (step - 1) ** 3 - 0.5)

    start = at(0.0)
    found, calls = strong_wolfe(at, start, first, 1.0, 25, 1e-9)
    assert found.loss <= start.loss + 1e-4 * found.step * start.slope
    assert abs(found.slope) <= 0.9 * abs(start.slope) and calls <= 26
