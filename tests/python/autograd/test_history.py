"""What the tape tells: fresh gradients, recorded calls as symbols, constants, histories that are gone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd


def variable(values: Any, grad_req: str = "write") -> mx.nd.NDArray:
    x = mx.nd.array(np.asarray(values), dtype="float64")
    x.attach_grad(grad_req)
    return x


def test_a_gradient_is_fresh_until_the_program_says_that_it_knows_it() -> None:
    x, other = variable([1.0, 2.0], "add"), variable([1.0])
    assert not x._fresh_grad
    for _ in range(2):
        with autograd.record():
            y = x * 2
        y.backward()
        assert x._fresh_grad and not other._fresh_grad and not x.grad._fresh_grad
        x._fresh_grad = False
        assert not x._fresh_grad
    with autograd.record():
        y = x * 2
    autograd.grad(y, [x])  # gives the gradient instead of writing it
    assert not x._fresh_grad
    assert not x.detach()._fresh_grad
    with pytest.raises(mx.MXNetError, match="no variable"):
        mx.nd.ones((1,))._fresh_grad = True


def test_recorded_calls_as_a_symbol() -> None:
    x, z = variable([1.0, 2.0]), variable([3.0, 4.0])
    constant = mx.nd.array([5, 6], dtype="float64")
    with autograd.record():
        y = mx.nd.dot(mx.nd.exp(x) * x + constant, z)
    symbol = autograd.get_symbol(y)
    assert symbol.list_arguments() == ["var0", "var1", "var2"]
    given = {"var0": x, "var1": constant, "var2": z}
    np.testing.assert_array_equal(symbol.eval(**given)[0].asnumpy(), y.asnumpy())
    assert autograd.get_symbol(x).list_arguments() == ["var0"]
    with autograd.record():
        parts = mx.nd.split(x.reshape((1, 2)), num_outputs=2, axis=1)
    second = autograd.get_symbol(parts[1]).eval(var0=x)[0]
    assert second.asscalar() == 2


def test_histories_that_cannot_be_told() -> None:
    class Same(autograd.Function):
        def forward(self, x: Any) -> Any:
            return x + 0

        def backward(self, dy: Any) -> Any:
            return dy

    x = variable([1.0])
    with autograd.record():
        y, own = x * 2, Same()(x)
    with pytest.raises(mx.MXNetError, match="'Same' is no operator"):
        autograd.get_symbol(own)
    with pytest.raises(mx.MXNetError, match="not computed from variables"):
        autograd.get_symbol(mx.nd.ones((1,)))
    y.backward()
    with pytest.raises(mx.MXNetError, match="freed by a backward pass"):
        autograd.get_symbol(y)
    with pytest.raises(TypeError, match="expected an NDArray"):
        autograd.get_symbol(mx.sym.var("x"))


def test_a_long_history() -> None:
    x = variable([1.0])
    with autograd.record():
        y = x
        for _ in range(20_000):
            y = y + 1
    assert len(autograd.get_symbol(y).get_internals()) == 20_001


def test_a_state_carried_on_is_a_constant_once_its_history_is_gone() -> None:
    w, state, seen = variable([2.0]), mx.nd.array([1], dtype="float64"), []
    for _ in range(3):
        with autograd.record():
            state = state * w
            loss = state * state
        loss.backward()
        seen.append(w.grad.asscalar())
    assert seen == [4, 16, 64]  # 2 state w, with the state of the step before as a number
    with autograd.record():
        alone = mx.nd.exp(state)
    with pytest.raises(mx.MXNetError, match="counts as constant"):
        alone.backward()


def test_what_was_recorded_before_the_history_went_is_still_refused() -> None:
    x = variable([2.0])
    with autograd.record():
        shared = x * x
        first, second = shared * 2, shared * 3
    first.backward()
    with pytest.raises(mx.MXNetError, match="retain_graph"):
        second.backward()


@pytest.mark.parametrize("linear", [mx.nd.radians, lambda x: x * 3 + 1, lambda x: x.sum()])
def test_the_gradient_of_a_linear_function_has_the_gradient_zero(linear: Any) -> None:
    x = variable([1.0, 2.0])
    with autograd.record():
        slope = autograd.grad(linear(x), [x], create_graph=True)[0]
        assert (autograd.grad(slope, [x], retain_graph=True)[0].asnumpy() == 0).all()
    slope.backward()
    assert (x.grad.asnumpy() == 0).all()
    with autograd.record():
        y = linear(x)
    y.backward(create_graph=True)
    slope = x.grad
    slope.backward()
    assert (x.grad.asnumpy() == 0).all()
