"""Functions with gradients of one's own, checks of gradients, and values that were changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn


class LinearFunction(nn.Function):
    """``x @ weight.T + bias``; the bias may be left out."""

    @staticmethod
    def forward(ctx: Any, x: Any, weight: Any, bias: Any = None) -> Any:  # type: ignore[override]
        ctx.save_for_backward(x, weight, bias)
        found = mx.np.dot(x, weight.T)
        return found if bias is None else found + bias

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:  # type: ignore[override]
        x, weight, bias = ctx.saved_tensors
        seen.append(ctx.needs_input_grad)
        first = mx.np.dot(grad, weight) if ctx.needs_input_grad[0] else None
        second = mx.np.dot(grad.T, x) if ctx.needs_input_grad[1] else None
        third = grad.sum(axis=0) if bias is not None and ctx.needs_input_grad[2] else None
        return first, second, third


seen: list[Any] = []


class OldLinear(nn.Function):
    """The same in the habit of old programs, with an option."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def forward(self, x: Any, weight: Any) -> Any:
        self.save_for_backward(x, weight)
        return mx.np.dot(x, weight.T) * self.factor

    def backward(self, grad: Any) -> Any:
        x, weight = self.saved_tensors
        return mx.np.dot(grad, weight) * self.factor, mx.np.dot(grad.T, x) * self.factor


def made(*shape: int, dtype: str = "float32") -> nn.Parameter:
    return nn.Parameter(mx.np.random.uniform(-1, 1, size=shape).astype(dtype))


def test_a_static_function() -> None:
    x, weight, bias = mx.np.ones((2, 3)), made(4, 3), made(4)
    seen.clear()
    LinearFunction.apply(x, weight, bias).sum().backward()
    assert seen == [(False, True, True)]
    assert (weight.grad.asnumpy() == 2).all() and (bias.grad.asnumpy() == 2).all()
    LinearFunction.apply(x, weight).sum().backward()
    assert seen[1] == (False, True)
    weight.requires_grad_(False)
    assert not LinearFunction.apply(x, weight).requires_grad
    with nn.no_grad():
        assert not LinearFunction.apply(x, made(4, 3)).requires_grad


def test_an_old_function() -> None:
    x, weight = mx.np.ones((2, 3)), made(4, 3)
    OldLinear(2.0)(x, weight).sum().backward()
    assert (weight.grad.asnumpy() == 4).all()
    with pytest.raises(TypeError, match="no static method; call an object"):
        OldLinear.apply(x, weight)
    with pytest.raises(TypeError, match=r"static method; call LinearFunction\.apply"):
        LinearFunction()(x, weight)


def test_gradients_are_checked() -> None:
    inputs = made(3, 4, dtype="float64"), made(2, 4, dtype="float64"), made(2, dtype="float64")
    assert nn.gradcheck(LinearFunction.apply, inputs)
    assert nn.gradcheck(OldLinear(3.0), inputs[:2])
    layer = nn.Linear(4, 2).double()
    assert nn.gradcheck(lambda x: nn.functional.gelu(layer(x)), inputs[0])

    class Wrong(nn.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:  # type: ignore[override]
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:  # type: ignore[override]
            return grad * 3

    assert not nn.gradcheck(Wrong.apply, inputs[0], raise_exception=False)
    with pytest.raises(AssertionError, match="recorded gradient"):
        nn.gradcheck(Wrong.apply, inputs[0])
    with pytest.raises(ValueError, match="no input requires a gradient"):
        nn.gradcheck(Wrong.apply, mx.np.ones((1,)))


def test_what_was_saved_may_not_change() -> None:
    x, weight = mx.np.ones((2, 3)), made(4, 3)
    loss = LinearFunction.apply(x, weight).sum()
    x += 1
    with pytest.raises(mx.MXNetError, match=r"LinearFunction.*saved array 0, of shape .2, 3., was changed"):
        loss.backward()


def test_what_an_operator_needs_may_not_change() -> None:
    weight = made(3)
    hidden = mx.np.exp(weight)
    loss = (hidden * hidden).sum()
    hidden += 1
    with pytest.raises(mx.MXNetError, match=r"_npi_multiply.*changed in place"):
        loss.backward()


def test_several_outputs() -> None:
    class Parts(nn.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, power: int) -> Any:  # type: ignore[override]
            ctx.power = power
            ctx.save_for_backward(x, None)
            signs = mx.np.sign(x)
            ctx.mark_non_differentiable(signs)
            return x**power, signs

        @staticmethod
        def backward(ctx: Any, grad: Any, of_signs: Any) -> Any:  # type: ignore[override]
            assert (of_signs.asnumpy() == 0).all()
            x, none = ctx.saved_tensors
            assert none is None
            return grad * ctx.power * x ** (ctx.power - 1), None

    x = nn.Parameter([2.0, -3.0])
    power, signs = Parts.apply(x, 2)
    assert not signs.requires_grad and signs.asnumpy().tolist() == [1, -1]
    power.sum().backward()
    assert x.grad.asnumpy().tolist() == [4, -6]


def test_wrong_functions_say_so() -> None:
    class Few(nn.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:  # type: ignore[override]
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:  # type: ignore[override]
            return grad

    class Number(nn.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:  # type: ignore[override]
            ctx.save_for_backward(3)

    x = nn.Parameter([1.0])
    with pytest.raises(ValueError, match="returned 1 gradients; expected 2"):
        Few.apply(x, x).backward()
    with pytest.raises(TypeError, match="argument 0 is a int"):
        Number.apply(x)
    with pytest.raises(NotImplementedError, match="forward is not defined"):
        nn.Function()(x)


def test_functions_inside_modules() -> None:
    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = made(2, 3)
            self.register_parameter("bias", None)

        def forward(self, x: Any) -> Any:
            return LinearFunction.apply(x, self.weight, self.bias)

    net = nn.Sequential(nn.Linear(4, 3), Layer())
    net(mx.np.ones((5, 4))).sum().backward()
    assert all(np.abs(p.grad.asnumpy()).sum() > 0 for p in net.parameters())
