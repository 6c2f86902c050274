"""A step that cannot be computed is told, and costs the training that step alone."""

from __future__ import annotations

from typing import Any, Callable

import numpy as onp
import pytest

import mixgrad.nn.functional as F
from mixgrad import nn, np, optim

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda params: optim.SGD(params, lr=0.1),
    "momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.0),
    "adam": optim.Adam,
    "rmsprop": optim.RMSprop,
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("steps", [1, 3])
def test_a_class_out_of_range_leaves_the_weights(optimizer: str, steps: int) -> None:
    net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 3))
    rule = OPTIMIZERS[optimizer](net.parameters())

    def step(classes: list[int]) -> Any:
        rule.zero_grad()
        loss = F.cross_entropy(net(np.ones((2, 4))), np.array(classes, dtype="int64"))
        loss.backward()
        rule.step()
        return loss

    assert step([0, 1]).item() > 0
    before = {name: value.asnumpy().copy() for name, value in net.state_dict().items()}
    for _ in range(steps):
        loss = step([0, 3])
    with pytest.raises(IndexError, match="3"):
        loss.item()
    for name, value in net.state_dict().items():
        onp.testing.assert_array_equal(value.asnumpy(), before[name])
    first = step([1, 1]).item()
    assert first > 0 and step([1, 1]).item() < first
    # It is told as well where only the weights are read.
    step([0, 3])
    with pytest.raises(IndexError, match="3"):
        net[0].weight.asnumpy()
    assert net[0].weight.asnumpy().shape == (3, 4)


def test_an_array_changed_in_place_by_what_failed() -> None:
    x = np.array([1.0, 2.0])
    missing = np.array([10.0, 20.0])[np.array([0, 5], dtype="int64")]
    x += missing
    with pytest.raises(IndexError):
        x.asnumpy()
    assert x.asnumpy().tolist() == [1, 2]
    with pytest.raises(IndexError):
        missing.asnumpy()
    y = x + missing  # a new array has no value to go back to
    for _ in range(2):
        with pytest.raises(IndexError):
            y.asnumpy()
