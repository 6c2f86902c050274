"""Values that parameters start from: their limits, means and variances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn
from mixgrad.nn import init

# Name, arguments, and the standard deviation of values of the shape (200, 100): fan-in 100, fan-out 200.
SPREADS: list[tuple[str, dict[str, Any], float]] = [
    ("uniform_", {"a": -1.0, "b": 2.0}, 3 / math.sqrt(12)),
    ("normal_", {"std": 0.3}, 0.3),
    ("trunc_normal_", {}, 0.8796),
    ("xavier_uniform_", {"gain": 2.0}, 2 * math.sqrt(2 / 300)),
    ("xavier_normal_", {}, math.sqrt(2 / 300)),
    ("kaiming_uniform_", {"a": math.sqrt(5)}, math.sqrt(1 / 300)),
    ("kaiming_normal_", {"mode": "fan_out", "nonlinearity": "relu"}, math.sqrt(2 / 200)),
]


@pytest.mark.parametrize(("name", "options", "spread"), SPREADS)
def test_spread(name: str, options: dict[str, Any], spread: float) -> None:
    weight = nn.Parameter(mx.np.zeros((200, 100)))
    assert getattr(init, name)(weight, **options) is weight
    np.testing.assert_allclose(weight.asnumpy().std(), spread, rtol=0.03)
    assert weight.requires_grad and weight.grad is None


def test_limits() -> None:
    values = init.trunc_normal_(mx.np.zeros((1000,)), mean=1, std=2, a=0, b=3).asnumpy()
    assert values.min() >= 0 and values.max() <= 3 and 1 < values.mean() < 2
    values = init.kaiming_uniform_(mx.np.zeros((4, 3, 2, 2)), nonlinearity="relu").asnumpy()
    assert abs(values).max() <= math.sqrt(6 / 12)


def test_fixed_values() -> None:
    weight = mx.np.zeros((2, 3))
    assert (init.eye_(weight).asnumpy() == np.eye(2, 3)).all()
    assert (init.constant_(weight, 3).asnumpy() == 3).all()
    assert (init.ones_(weight).asnumpy() == 1).all() and (init.zeros_(weight).asnumpy() == 0).all()
    layer = nn.Conv2d(3, 3, 3, padding=1, bias=False)
    init.dirac_(layer.weight)
    picture = mx.np.random.uniform(size=(1, 3, 5, 5))
    np.testing.assert_allclose(layer(picture).asnumpy(), picture.asnumpy(), rtol=1e-6)
    columns = init.sparse_(mx.np.zeros((10, 7)), 0.35).asnumpy()
    assert ((columns == 0).sum(axis=0) == 4).all()
    square = init.orthogonal_(mx.np.zeros((5, 2, 4)), gain=2).asnumpy().reshape(5, 8)
    np.testing.assert_allclose(square @ square.T, 4 * np.eye(5), atol=1e-5)


def test_gains() -> None:
    assert init.calculate_gain("relu") == math.sqrt(2) and init.calculate_gain("conv2d") == 1
    np.testing.assert_allclose(init.calculate_gain("leaky_relu", 0.2), math.sqrt(2 / 1.04))
    with pytest.raises(ValueError, match="'swish' is unknown"):
        init.calculate_gain("swish")


def test_layers_start_as_in_pytorch() -> None:
    layer = nn.Linear(100, 50)
    for values in (layer.weight, layer.bias):
        assert 0.08 < abs(values.asnumpy()).max() <= 0.1
    layer = nn.Conv2d(4, 30, 5)
    for values in (layer.weight, layer.bias):
        assert 0.07 < abs(values.asnumpy()).max() <= 0.1
    np.testing.assert_allclose(nn.Embedding(200, 50).weight.asnumpy().std(), 1, rtol=0.05)
    assert (nn.Embedding(5, 3, padding_idx=-1).weight[4] == 0).all()
    assert (nn.BatchNorm2d(3).weight == 1).all() and nn.PReLU().weight.item() == 0.25
    for values in nn.LSTM(3, 16).parameters():
        assert abs(values.asnumpy()).max() <= 0.25
    attention = nn.MultiheadAttention(16, 2)
    assert (attention.in_proj_bias == 0).all() and (attention.out_proj.bias == 0).all()
    assert abs(attention.in_proj_weight.asnumpy()).max() <= math.sqrt(6 / 64)
