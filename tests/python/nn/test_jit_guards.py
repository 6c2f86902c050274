"""Planned graphs of modules that change: another graph where what forward read is another thing."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any, Callable

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np


class Scaled(nn.Module):
    """Multiplies by an attribute, and counts its traces and calls."""

    def __init__(self) -> None:
        super().__init__()
        self.k: Any = 1.0
        self.factors = [1.0, 2.0]
        self.unread = 0
        object.__setattr__(self, "runs", [])

    def forward(self, x: Any) -> Any:
        """Elementwise."""
        self.__dict__["runs"].append(1)
        return x * self.k * self.factors[0]


def same(a: Any, b: Any) -> None:
    onp.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-6)


def test_training_and_prediction_take_turns() -> None:
    for begin in (True, False):
        net = nn.Dropout(0.5).train(begin)
        planned = mx.jit(net)
        x = np.ones((64,))
        for training in (begin, not begin, begin, not begin):
            net.train(training)
            assert bool((planned(x) == 0).sum() > 0) == training
        assert planned._graphs._count == 2  # both are kept
    norm = nn.BatchNorm1d(1).eval()
    planned = mx.jit(norm)
    x = np.array([[1.0], [3.0]])
    same(planned(x), x / np.sqrt(np.array(1 + 1e-5)))
    norm.train()
    same(planned(x), np.array([[-1.0], [1.0]]))


def test_modules_and_parameters_that_are_replaced() -> None:
    net = nn.Sequential(nn.Linear(2, 2))
    x = np.ones((1, 2))
    planned = mx.jit(net)
    assert planned(x).shape == (1, 2)
    net[0] = nn.Linear(2, 3)
    same(planned(x), net(x))
    net.append(nn.ReLU())
    same(planned(x), net(x))
    del net[1]
    net[0].weight = nn.Parameter(np.zeros((3, 2)))
    same(planned(x), net[0].bias.reshape(1, 3))
    net[0].bias = None
    assert (planned(x) == 0).all()
    net[0].forward = lambda x: x * 7
    same(planned(x), x * 7)
    table = nn.ModuleDict({"a": nn.Linear(2, 2)})
    both = mx.jit(lambda x: table["a"](x) + net[0](x))
    same(both(x), table["a"](x) + x * 7)
    table["a"] = nn.Linear(2, 2)
    same(both(x), table["a"](x) + x * 7)


def test_new_data_of_a_parameter_needs_no_new_graph() -> None:
    layer = nn.Linear(2, 2)
    planned = mx.jit(layer)
    x = np.ones((1, 2))
    for _ in range(3):
        same(planned(x), layer(x))
        layer.weight.data = layer.weight.data * 2
        layer.bias.data -= 1
        planned(x).sum().backward()
        layer.requires_grad_(False).requires_grad_()
    same(planned(x), layer(x))
    assert planned._graphs._count == 1
    layer.double()
    same(planned(x.astype("float64")), layer(x.astype("float64")))


def test_plain_attributes_that_are_read() -> None:
    net = Scaled()
    planned = mx.jit(net)
    x = np.ones((2,))
    for k in (1.0, 5.0, 1, True, 1.0, 5.0, (2.0,)):
        net.k = k if not isinstance(k, tuple) else 3.0
        same(planned(x), x * float(net.k))
    assert planned._graphs._count == 5
    net.factors[0] = 10.0  # in place, in a list
    same(planned(x), x * 30)
    before = len(net.runs)
    for i in range(50):
        net.unread = i  # type: ignore[assignment]
        planned(x)
    assert len(net.runs) == before
    del net.k
    with pytest.raises(AttributeError, match="'k'"):
        planned(x)
    net.k = 1.0
    same(planned(x), x * 10)


def test_an_attribute_that_never_stays() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def forward(self, x: Any) -> Any:
            self.calls += 1
            return x * self.calls

    net = Counting()
    planned = mx.jit(net)
    with pytest.warns(UserWarning, match=r"\[jit\] Counting .* 16 times since 'calls' of Counting") as told:
        for i in range(40):
            assert planned(np.ones((1,))).item() == i + 1
    assert len(told) == 1 and net.calls == 40


def test_batch_normalisation_in_training_moves_its_states() -> None:
    options: list[dict[str, Any]] = [{}, {"momentum": None}, {"affine": False}, {"eps": 1e-3}]
    for words in options:
        twice = nn.BatchNorm1d(3, **words)
        net = nn.Sequential(nn.BatchNorm1d(3, **words), nn.Linear(3, 3), twice, twice)
        plain = copy.deepcopy(net)
        planned = mx.jit(net)
        for step in range(6):
            x = np.array(onp.random.RandomState(step).randn(5, 3) * 3, dtype="float32")
            net.train(step != 2)
            plain.train(step != 2)
            if step == 4:
                with nn.no_grad():
                    same(planned(x), plain(x))
            else:
                got, expected = planned(x), plain(x)
                (got * x).sum().backward()
                (expected * x).sum().backward()
                same(got, expected)
            for a, b in zip(net.parameters(), plain.parameters()):
                onp.testing.assert_allclose(a.grad.asnumpy(), b.grad.asnumpy(), rtol=1e-3, atol=1e-4)
            for a, b in zip(net.buffers(), plain.buffers()):
                same(a, b)
        assert planned._graphs._count == 2
    instance = nn.InstanceNorm1d(3, track_running_stats=True)
    plain = copy.deepcopy(instance)
    x = np.random.randn(4, 3, 5)
    same(mx.jit(instance)(x), plain(x))
    same(instance.running_var, plain.running_var)


def test_arrays_that_forward_assigns() -> None:
    class Averaging(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("average", np.zeros((3,)))
            self.lin = nn.Linear(3, 3)

        def forward(self, x: Any) -> Any:
            h = self.lin(x)
            with nn.no_grad():
                self.average = self.average * 0.9 + h.mean(axis=0) * 0.1
            self.last = h
            return h - self.average

    net = Averaging()
    plain = copy.deepcopy(net)
    planned = mx.jit(net)
    for seed in range(4):
        x = np.array(onp.random.RandomState(seed).randn(5, 3), dtype="float32")
        a, b = planned(x), plain(x)
        a.sum().backward()
        b.sum().backward()
        same(a, b)
        same(net.average, plain.average)
        same(net.last, plain.last)
        same(net.lin.weight.grad, plain.lin.weight.grad)
    assert planned._graphs._count == 1

    class Recurrent(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.h = np.zeros((1,))

        def forward(self, x: Any) -> Any:
            self.h = x + self.h
            return self.h

    step = mx.jit(Recurrent())
    with pytest.warns(UserWarning, match=r"\[jit\] Recurrent runs without a graph: .* reads 'h' and assigns"):
        assert [step(np.ones((1,))).item() for _ in range(3)] == [1, 2, 3]


def test_hooks_are_called_and_graphs_come_back() -> None:
    layer = nn.Linear(2, 2)
    planned = mx.jit(layer)
    x = np.ones((1, 2))
    planned(x)
    seen: list[Any] = []
    add: list[Callable[..., Any]] = [layer.register_forward_hook, layer.register_full_backward_hook]
    with pytest.warns(UserWarning, match=r"\[jit\] Linear runs without a graph: Linear has hooks") as told:
        for register in add:
            with register(lambda *given: seen.append(given[-1])):
                planned(x).sum().backward()
                planned(x).sum().backward()
            planned(x)
    assert len(seen) == 4 and len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        normed = nn.utils.weight_norm(nn.Linear(2, 2))
        held = mx.jit(normed)
        for _ in range(2):
            same(held(x), normed(x))
            normed.weight_g.data = normed.weight_g.data * 2
    assert held._graphs._count == 1


def test_scopes_inside_the_function() -> None:
    w = nn.Parameter([2.0, 3.0])

    def fn(x: Any) -> Any:
        with nn.no_grad():
            fixed = w * x
        return fixed * w

    planned = mx.jit(fn)
    x = np.array([1.0, 2.0])
    with nn.no_grad():
        planned(x)  # the graph is written down here
    planned(x).backward()
    assert w.grad.asnumpy().tolist() == [2, 6]

    @mx.jit
    def drop(x: Any) -> Any:
        with mx.autograd.train_mode():
            y = mx.nd.Dropout(x, p=0.5)
        return y, mx.nd.Dropout(x, p=0.5)

    first, second = drop(mx.nd.ones(64))
    assert (first.asnumpy() == 0).any() and not (second.asnumpy() == 0).any()


def test_a_planned_module_is_the_module() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    planned = mx.jit(net)
    assert planned.__wrapped__ is net and mx.jit(planned) is planned and isinstance(planned, nn.Sequential)
    assert repr(planned) == f"mx.jit({net!r})"
    assert planned.eval() is planned and planned.double().float() is planned and not net.training
    assert list(planned.state_dict()) == list(net.state_dict()) and len(planned) == 2 and planned[1] is net[1]
    assert [p is q for p, q in zip(planned.parameters(), net.parameters())] == [True, True]
    planned.load_state_dict(nn.Sequential(nn.Linear(2, 2), nn.ReLU()).state_dict())
    x = np.ones((1, 2))
    planned[0] = nn.Linear(2, 4)
    planned.extra = 3
    assert net.extra == 3 and planned(x).shape == (1, 4)
    for twin in (copy.deepcopy(planned), pickle.loads(pickle.dumps(planned))):
        same(twin(x), planned(x))
        twin[0].weight = nn.Parameter(np.zeros((4, 2)))
        same(twin(x), twin.__wrapped__(x))
        assert repr(twin) == repr(planned) and twin.__wrapped__ is not net
    outer = nn.Sequential(planned, nn.Linear(4, 1))
    assert [name for name, _ in outer.named_parameters()] == ["0.0.weight", "0.0.bias", "1.weight", "1.bias"]
    whole = mx.jit(outer)
    same(whole(x), outer(x))
    net[0] = nn.Linear(2, 4)
    same(whole(x), outer(x))


def test_modules_made_in_forward_and_several_devices() -> None:
    class Own(nn.Module):
        def forward(self, x: Any) -> Any:
            return nn.Softmax(1)(x)

    planned = mx.jit(Own())
    for _ in range(3):
        planned(np.ones((2, 3)))
        planned.train()
        nn.Linear(1, 1)
    assert planned._graphs._count == 1
    net = nn.DataParallel(nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)), [mx.cpu(0), mx.cpu(1)])
    with pytest.warns(UserWarning, match=r"\[jit\] DataParallel runs without a graph"):
        assert mx.jit(net)(np.ones((6, 4))).shape == (6, 3)
