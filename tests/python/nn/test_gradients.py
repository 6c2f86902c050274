"""Gradients of results, hooks of arrays and parameters, and what is a leaf: as in PyTorch."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np, optim
from mixgrad.base import AutogradError


def linear() -> tuple[Any, Any]:
    """A parameter and a result: ``y = w * x``."""
    weight = nn.Parameter([1.0, 2.0])
    return weight, weight * np.array([3.0, -1.0])


def test_retained_gradients_leave_the_graph_whole() -> None:
    weight, y = linear()
    assert not y.retains_grad and y.grad is None
    y.retain_grad()
    y.retain_grad()
    assert y.retains_grad and y.grad is None and not y.is_leaf
    loss = (y * y).sum()
    for passes in (1, 2):
        loss.backward(retain_graph=passes == 1)
        assert y.grad.asnumpy().tolist() == [6 * passes, -4 * passes]
    assert isinstance(y.grad, np.ndarray) and not y.grad.requires_grad
    assert weight.grad.asnumpy().tolist() == [36, 8]
    assert y.retains_grad


def test_retained_gradients_of_arrays_that_flow_twice() -> None:
    x = mx.nd.array([1.0, 2.0])
    x.attach_grad()
    with mx.autograd.record():
        parts = mx.nd.split(x, 2, axis=0)
        left, right = parts
        z = left * right + left
    right.retain_grad()
    left.retain_grad()
    z.backward()
    assert (left.grad.asscalar(), right.grad.asscalar()) == (3, 1)
    assert type(left.grad) is mx.nd.NDArray and x.grad.asnumpy().tolist() == [3, 1]


def test_retained_gradients_and_other_passes() -> None:
    weight, y = linear()
    y.retain_grad()
    (first,) = mx.autograd.grad((y * y).sum(), [y], retain_graph=True)
    assert first.asnumpy().tolist() == [6, -4] and y.grad is None and weight.grad is None
    loss = (y * y * y).sum()
    loss.backward(create_graph=True)
    assert y.grad.requires_grad and y.grad.asnumpy().tolist() == [27, 12]
    y.grad.sum().backward()
    assert weight.grad.asnumpy().tolist() == [27 * 3 + 18 * 3, -12 + 12]


def test_retaining_what_has_no_gradient() -> None:
    with pytest.raises(AutogradError, match=r"\[retain_grad\] no gradient flows to .* shape \(2,\)"):
        np.ones((2,)).retain_grad()
    weight, y = linear()
    weight.retain_grad()
    y.sum().backward()
    assert not weight.retains_grad and weight.grad.asnumpy().tolist() == [3, -1]
    with pytest.raises(AutogradError, match=r"retain_graph=True"):
        y.retain_grad()


def test_requires_grad_of_results() -> None:
    weight, y = linear()
    y.requires_grad = True
    assert y.requires_grad_() is y and not y.is_leaf
    with pytest.raises(AutogradError, match=r"\[requires_grad\] .*shape \(2,\).*a.detach\(\)"):
        y.requires_grad = False
    y.sum().backward()
    assert weight.grad.asnumpy().tolist() == [3, -1]
    x = np.ones((2,))
    assert x.is_leaf and x.requires_grad_().is_leaf and x.requires_grad
    assert not x.requires_grad_(False).requires_grad
    assert y.detach().is_leaf


def test_gradients_seen_in_forward_hooks() -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    seen = []

    def keep(module: Any, args: Any, output: Any) -> None:
        output.requires_grad = True
        output.retain_grad()
        seen.append(output)

    net[1].register_forward_hook(keep)
    net(np.ones((4, 2))).sum().backward()
    expected = net[2].weight.detach().broadcast_to((4, 3))
    assert (seen[0].grad == expected).all().item() and net[0].weight.grad is not None


def test_hooks_replace_in_turn() -> None:
    weight, y = linear()
    seen: list[Any] = []
    first = y.register_hook(lambda gradient: gradient * 2)
    y.register_hook(seen.append)
    y.retain_grad()
    last = weight.register_hook(lambda gradient: gradient + 1)
    loss = y.sum()
    loss.backward(retain_graph=True)
    assert seen[0].asnumpy().tolist() == [2, 2] and isinstance(seen[0], np.ndarray)
    assert y.grad.asnumpy().tolist() == [2, 2]
    assert weight.grad.asnumpy().tolist() == [7, -1]
    first.remove()
    first.remove()
    last.remove()
    loss.backward()
    assert seen[1].asnumpy().tolist() == [1, 1] and weight.grad.asnumpy().tolist() == [10, -2]


def test_hooks_of_arrays_of_nd() -> None:
    x = mx.nd.array([1.0, 2.0])
    x.attach_grad()
    seen: list[Any] = []
    with x.register_hook(lambda gradient: seen.append(type(gradient)) or -gradient):
        with mx.autograd.record():
            y = x * 3
        y.backward()
    assert seen == [mx.nd.NDArray] and x.grad.asnumpy().tolist() == [-3, -3]
    with mx.autograd.record():
        y = x * 3
    y.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]


def test_hooks_of_one_pass_only() -> None:
    """Those of variables that mx.autograd.grad was not asked for stay quiet."""
    one, two = nn.Parameter([1.0]), nn.Parameter([2.0])
    seen: list[str] = []
    one.register_hook(lambda gradient: seen.append("one"))
    two.register_hook(lambda gradient: seen.append("two") or gradient * 5)
    loss = (one * two).sum()
    first, again = mx.autograd.grad(loss, [two, two])
    assert seen == ["two"] and first.item() == again.item() == 5


REFUSED = {
    "shape": (lambda gradient: gradient.sum(), ValueError, r"replaced the gradient of \(2,\) float32"),
    "dtype": (
        lambda gradient: gradient.astype("float64"),
        ValueError,
        r"float64 on cpu\(0\); expected",
    ),
    "kind": (lambda gradient: 3.0, TypeError, r"\[register_hook\] the hook returned a float"),
    "error": (lambda gradient: {}[3], KeyError, "3"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("result", [False, True])
def test_wrong_hooks(what: str, result: bool) -> None:
    hook, kind, message = REFUSED[what]
    weight, y = linear()
    handle = (y if result else weight).register_hook(hook)
    with pytest.raises(kind, match=message):
        y.sum().backward()
    handle.remove()
    weight.zero_grad()
    linear_again = (weight * 2).sum()
    linear_again.backward()
    assert weight.grad.asnumpy().tolist() == [2, 2]


def test_hooks_that_cannot_be() -> None:
    with pytest.raises(TypeError, match="expected a function"):
        linear()[1].register_hook(3)
    with pytest.raises(AutogradError, match="no gradient flows"):
        np.ones((2,)).register_hook(print)
    with pytest.raises(AutogradError, match="requires_grad=True"):
        nn.Parameter([1.0], requires_grad=False).register_hook(print)


def test_hooks_stay_with_parameters() -> None:
    layer = nn.Linear(2, 1, bias=False)
    handle = layer.weight.register_hook(lambda gradient: gradient * 0 + 4)
    layer.double()
    layer.weight.requires_grad_(False)
    layer.weight.requires_grad_()
    layer(np.ones((1, 2), dtype="float64")).sum().backward()
    assert layer.weight.grad.asnumpy().tolist() == [[4, 4]]
    twin = copy.deepcopy(layer)
    handle.remove()
    for one in (layer, twin):
        one.zero_grad()
        one(np.ones((1, 2), dtype="float64")).sum().backward()
        assert one.weight.grad.asnumpy().tolist() == [[1, 1]]


def test_hooks_may_change_hooks() -> None:
    weight, y = linear()
    handles: list[Any] = []
    handles.append(weight.register_hook(lambda gradient: handles[0].remove()))
    handles.append(y.register_hook(lambda gradient: weight.register_hook(lambda inner: inner * 2) and None))
    y.sum().backward()
    assert weight.grad.asnumpy().tolist() == [6, -2]


def ended() -> list[Any]:
    """A hook that refers to its parameter, and one to its result, keep neither."""
    weight, y = linear()
    weight.register_hook(lambda gradient: gradient * weight)
    y.register_hook(lambda gradient: gradient * y.detach())
    y.retain_grad()
    y.sum().backward()
    assert weight.grad.asnumpy().tolist() == [9, 4]
    return [weakref.ref(weight), weakref.ref(y)]


def test_circles_end() -> None:
    gone = ended()
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_hooks_and_optimisers() -> None:
    net = nn.Linear(1, 1, bias=False)
    nn.init.ones_(net.weight)
    net.weight.register_hook(lambda gradient: gradient.clip(-0.5, 0.5))
    sgd = optim.SGD(net.parameters(), lr=1.0)
    net(np.array([[8.0]])).sum().backward()
    sgd.step()
    assert net.weight.item() == 0.5
