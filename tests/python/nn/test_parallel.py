"""Modules on several devices give the outputs, gradients and parameters of one."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np, optim

TWO = [mx.cpu(0), mx.cpu(1)]


def network() -> nn.Module:
    mx.random.seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))


def batch(rows: int) -> tuple[Any, Any]:
    rng = onp.random.default_rng(rows)
    return np.array(rng.standard_normal((rows, 4)).astype("float32")), np.array(rng.integers(0, 3, rows))


@pytest.mark.parametrize("devices", [TWO, [mx.cpu(0)], [mx.cpu(i) for i in range(3)]])
def test_training_is_that_of_one_device(devices: list[mx.Context]) -> None:
    one, many = network(), nn.DataParallel(network(), devices)
    optimizers = [optim.Adam(net.parameters(), lr=0.01) for net in (one, many)]
    for rows in (8, 5, 1):  # also what does not divide, and fewer rows than devices
        x, y = batch(rows)
        losses = []
        for net, optimizer in zip((one, many), optimizers):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        onp.testing.assert_allclose(*losses, rtol=1e-5)
    for a, b in zip(one.parameters(), many.parameters()):
        onp.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-6)
        assert b.context == devices[0]


def test_names_states_and_modes() -> None:
    many = nn.DataParallel(network(), TWO)
    assert [name for name, _ in many.named_parameters()] == [
        *("module.0.weight", "module.0.bias", "module.2.weight", "module.2.bias")
    ]
    other = nn.DataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)), TWO)
    other.load_state_dict(many.state_dict())
    x, _ = batch(5)
    onp.testing.assert_array_equal(many(x).asnumpy(), other(x).asnumpy())
    onp.testing.assert_allclose(many(x).asnumpy(), many.module(x).asnumpy(), rtol=1e-6)
    assert "Linear(in_features=4" in repr(many)
    dropped = nn.DataParallel(nn.Dropout(0.5), TWO)
    assert dropped.eval()(np.ones((4, 50))).sum().item() == 200
    assert dropped.train()(np.ones((4, 50))).sum().item() != 200


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Module"):
        nn.DataParallel(mx.gluon.nn.Dense(2, in_units=2), TWO)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\[4, 5\] rows"):
        nn.DataParallel(nn.Bilinear(2, 2, 1), TWO)(np.ones((4, 2)), np.ones((5, 2)))
