"""Gradients that were forgotten: the next pass writes them, and whoever looks before sees zeros."""

from __future__ import annotations

import gc
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim


def factor_of(weight: Any, factor: float) -> None:
    """A pass whose gradient is the factor."""
    (weight * factor).sum().backward()


def forget_by_optimizer(weight: nn.Parameter) -> None:
    optim.SGD([weight], lr=0.1).zero_grad()


@pytest.mark.parametrize("forget", [nn.Parameter.zero_grad, forget_by_optimizer])
def test_passes_add_up_behind_the_one_that_writes(forget: Callable[[nn.Parameter], None]) -> None:
    weight = nn.Parameter([1.0, 2.0])
    factor_of(weight, 5)
    forget(weight)
    assert weight.grad is None
    factor_of(weight, 3)
    factor_of(weight, 4)
    assert weight.grad is not None
    assert weight.grad.asnumpy().tolist() == [7, 7]


def test_a_gradient_that_someone_holds_becomes_zeros_at_once() -> None:
    weight = nn.Parameter([1.0, 2.0])
    factor_of(weight, 5)
    held = weight.grad
    view = held[1:]
    weight.zero_grad()
    assert held.asnumpy().tolist() == [0, 0]
    assert view.asnumpy().tolist() == [0]
    factor_of(weight, 3)
    assert held.asnumpy().tolist() == [3, 3]


def test_a_view_alone_becomes_zeros_at_once() -> None:
    weight = nn.Parameter([[1.0, 2.0]])
    factor_of(weight, 5)
    with nn.no_grad():
        assert weight.grad is not None
        view = weight.grad[0]
    gc.collect()
    weight.zero_grad()
    assert view.asnumpy().tolist() == [0, 0]
    factor_of(weight, 3)
    assert weight.grad is not None
    assert weight.grad.asnumpy().tolist() == [[3, 3]]


def test_zeros_in_place_of_none_are_added_to() -> None:
    weight = nn.Parameter([1.0, 2.0])
    factor_of(weight, 5)
    adam = optim.Adam([weight])
    adam.zero_grad(set_to_none=False)
    assert weight.grad is not None
    assert weight.grad.asnumpy().tolist() == [0, 0]
    factor_of(weight, 2)
    assert weight.grad.asnumpy().tolist() == [2, 2]


def test_a_pass_that_brings_nothing_leaves_zeros() -> None:
    weight, other = nn.Parameter([1.0, 2.0]), nn.Parameter([3.0])
    factor_of(weight, 5)
    weight.zero_grad()

    class Nothing(nn.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return y * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None, grad

    Nothing.apply(weight, other).sum().backward()
    assert other.grad is not None
    assert other.grad.asnumpy().tolist() == [1]
    if weight.grad is not None:
        assert weight.grad.asnumpy().tolist() == [0, 0]
    factor_of(weight, 3)
    assert weight.grad is not None
    assert weight.grad.asnumpy().tolist() == [3, 3]


def test_blocks_of_gluon_see_zeros() -> None:
    linear = nn.Linear(2, 1, bias=False)
    block = nn.GluonBlock(linear, prefix="linear_")
    linear(mx.np.ones((1, 2))).sum().backward()
    gradient = block.collect_params()["linear_weight"].grad()
    assert gradient.asnumpy().tolist() == [[1, 1]]
    linear.zero_grad()
    assert gradient.asnumpy().tolist() == [[0, 0]]


def test_gradients_of_gradients_behind_a_forgotten_one() -> None:
    weight = nn.Parameter([2.0])
    factor_of(weight, 5)
    weight.zero_grad()
    mx.autograd.backward([(weight**3).sum()], create_graph=True)
    first = weight.grad
    assert first is not None
    assert first.asnumpy().tolist() == [12]
    again = mx.autograd.grad([first.sum()], [weight])[0]
    np.testing.assert_allclose(again.asnumpy(), [12])


def test_training_gives_the_same_as_with_zeros_written() -> None:
    results = []
    for to_none in (True, False):
        mx.random.seed(1)
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        sgd = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        x = mx.np.array(np.arange(12).reshape(4, 3) / 12, dtype="float32")
        for _ in range(4):
            sgd.zero_grad(set_to_none=to_none)
            net(x).square().sum().backward()
            sgd.step()
        results.append(net[0].weight.asnumpy())
    np.testing.assert_array_equal(results[0], results[1])
