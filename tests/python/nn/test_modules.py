"""Modules: what attributes register, states, modes, hooks, copies."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim


class Net(nn.Module):
    """Two layers, a parameter that is left out, and buffers of both kinds."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 3)
        self.second = nn.Sequential(nn.ReLU(), nn.Linear(3, 2, bias=False))
        self.scale = nn.Parameter([2.0])
        self.register_parameter("shift", None)
        self.register_buffer("seen", mx.np.zeros((2,)))
        self.register_buffer("scratch", mx.np.zeros((1,)), persistent=False)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x)) * self.scale


def x() -> Any:
    return mx.np.array(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))


def test_attributes_register() -> None:
    net = Net()
    names = ["scale", "first.weight", "first.bias", "second.1.weight"]
    assert [name for name, _ in net.named_parameters()] == names
    assert [name for name, _ in net.named_buffers()] == ["seen", "scratch"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "second", "second.0", "second.1"]
    assert [name for name, _ in net.named_children()] == ["first", "second"]
    assert list(net.parameters(recurse=False)) == [net.scale]
    assert net.shift is None and net._parameters["shift"] is None
    assert net.get_submodule("second.1") is net.second[1]
    assert net.get_parameter("second.1.weight") is net.second[1].weight
    assert net.get_buffer("seen") is net.seen
    net.shift = nn.Parameter([1.0])
    assert "shift" in dict(net.named_parameters())
    net.extra = [nn.Linear(1, 1)]  # a list registers nothing
    assert len(list(net.modules())) == 5
    del net.first
    assert not hasattr(net, "first") and "first" not in dict(net.named_children())


def test_other_kinds_of_values_are_refused() -> None:
    net = Net()
    with pytest.raises(
        TypeError, match=r"'scale' cannot become a mx.np.ndarray; expected nn\.Parameter or None"
    ):
        net.scale = mx.np.ones((1,))
    with pytest.raises(TypeError, match=r"'first' cannot become a int; expected nn\.Module or None"):
        net.first = 3
    with pytest.raises(TypeError, match="'seen' cannot become a str; expected an array or None"):
        net.seen = "no"
    net.seen = mx.np.ones((2,))
    assert net._buffers["seen"] is net.seen
    net.first = None
    assert list(dict(net.named_children())) == ["second"]
    with pytest.raises(KeyError, match="cannot name a buffer"):
        net.register_buffer("a.b", None)
    with pytest.raises(KeyError, match="there is an attribute 'forward' already"):
        net.register_parameter("forward", None)
    with pytest.raises(TypeError, match="the module 'x' is a int"):
        net.add_module("x", 3)  # type: ignore[arg-type]


def test_init_comes_first() -> None:
    class Early(nn.Module):
        def __init__(self) -> None:
            self.layer = nn.Linear(1, 1)

    with pytest.raises(AttributeError, match=r"'layer' comes before super\(\).__init__"):
        Early()


def test_forward_has_to_be_defined() -> None:
    with pytest.raises(NotImplementedError, match="forward is not defined"):
        nn.Module()(1)


def test_states_by_name() -> None:
    net, other = Net(), Net()
    state = net.state_dict()
    assert list(state) == ["scale", "seen", "first.weight", "first.bias", "second.1.weight"]
    assert not any(one.requires_grad for one in state.values())
    assert repr(other.load_state_dict(state)) == "<All keys matched successfully>"
    assert (net(x()) == other(x())).all()
    with nn.no_grad():
        net.first.bias += 1
    assert (state["first.bias"] == net.first.bias).all() and not (other.first.bias == net.first.bias).any()
    assert list(net.first.state_dict(prefix="top.")) == ["top.weight", "top.bias"]
    assert net.state_dict(keep_vars=True)["scale"] is net.scale


def test_what_does_not_fit_is_named_and_nothing_changes() -> None:
    net = Net()
    before = net.scale.item()
    state = {**net.state_dict(), "scale": mx.np.array([5.0]), "first.bias": mx.np.zeros((4,)), "other": x()}
    del state["seen"]
    with pytest.raises(ValueError, match="does not fit") as caught:
        net.load_state_dict(state)
    message = str(caught.value)
    assert "Net.load_state_dict" in message and "missing: 'seen'" in message
    assert "unexpected: 'other'" in message and "'first.bias' has the shape (4,) and is (3,) here" in message
    assert net.scale.item() == before
    del state["first.bias"]
    result = net.load_state_dict(state, strict=False)
    assert result.missing_keys == ["seen", "first.bias"] and result.unexpected_keys == ["other"]
    assert net.scale.item() == 5
    with pytest.raises(TypeError, match="'scale' is a list; expected an array"):
        net.load_state_dict({"scale": [1]}, strict=False)


def test_states_of_numpy_and_of_other_dtypes() -> None:
    layer = nn.Linear(2, 1)
    layer.load_state_dict({"weight": np.ones((1, 2)), "bias": mx.nd.array([3])})
    assert layer.weight.dtype == np.float32 and layer(mx.np.ones((1, 2))).item() == 5
    layer.load_state_dict({"weight": np.ones((1, 2)), "bias": np.ones((1,))}, assign=True)
    assert layer.weight.dtype == np.float64 and layer.weight.requires_grad


def test_a_mapped_state() -> None:
    state = {"a": mx.np.ones((2, 3)), "b": mx.np.zeros((3,)), "c": mx.np.zeros((3,))}
    found = nn.mapped_state(state, {"a": "weight", "b": "bias"}.get, ["weight"])
    assert {name: value.shape for name, value in found.items()} == {"weight": (3, 2), "bias": (3,)}
    with pytest.raises(ValueError, match="'b' and 'c' are both called 'c'"):
        nn.mapped_state(state, {"b": "c"})
    with pytest.raises(ValueError, match="nothing called 'd' to transpose"):
        nn.mapped_state(state, transposed=["d"])


def test_modes() -> None:
    net = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.BatchNorm1d(4)))
    assert all(module.training for module in net.modules())
    assert net.eval() is net and not any(module.training for module in net.modules())
    ones = mx.np.ones((2, 4))
    np.testing.assert_allclose(net(ones).asnumpy(), 1, rtol=1e-4)
    net.train()
    mx.random.seed(1)
    dropped = net[0](mx.np.ones((1000,))).asnumpy()
    assert set(dropped) == {0, 2} and 400 < (dropped == 0).sum() < 600
    with pytest.raises(ValueError, match="expected True or False"):
        net.train(3)  # type: ignore[arg-type]


def test_dropout_of_channels() -> None:
    mx.random.seed(2)
    found = nn.Dropout2d(0.5)(mx.np.ones((4, 50, 3, 2))).asnumpy()
    channels = found.reshape(200, 6)
    assert (channels == channels[:, :1]).all() and 60 < (channels[:, 0] == 0).sum() < 140
    alpha = nn.AlphaDropout(0.3)(mx.np.random.normal(0, 1, size=(10000,))).asnumpy()
    assert abs(alpha.mean()) < 0.1 and abs(alpha.std() - 1) < 0.1
    assert (nn.Dropout(1.0)(x()) == 0).all()
    assert (nn.functional.dropout(x(), 0.5, training=False) == x()).all()


def test_gradients_add_up_until_zero_grad() -> None:
    net = Net()
    assert net.scale.grad is None
    net(x()).sum().backward()
    first = net.scale.grad.item()
    net(x()).sum().backward()
    np.testing.assert_allclose(net.scale.grad.item(), 2 * first, rtol=1e-6)
    net.zero_grad()
    assert all(parameter.grad is None for parameter in net.parameters())
    net(x()).sum().backward()
    np.testing.assert_allclose(net.scale.grad.item(), first, rtol=1e-6)


def test_frozen_parts() -> None:
    net = Net()
    net.first.requires_grad_(False)
    assert not net.first.weight.requires_grad
    before = net.first.weight.asnumpy()
    adam = optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
    net(x()).square().sum().backward()
    adam.step()
    assert net.first.weight.grad is None and (net.first.weight.asnumpy() == before).all()
    assert net.second[1].weight.grad is not None
    net.first.requires_grad_()
    net(x()).sum().backward()
    assert net.first.weight.grad is not None


def test_all_gradients_at_once() -> None:
    a, b = nn.Parameter([3.0, 0.0]), nn.Parameter([[4.0]])
    ((a * a).sum() / 2 + (b * b).sum() / 2).backward()
    assert nn.utils.clip_grad_norm_([a, b], 10.0).item() == 5 and b.grad.item() == 4
    assert nn.utils.clip_grad_norm_([a, b], 1.0, norm_type=float("inf")).item() == 4
    np.testing.assert_allclose([a.grad[0].item(), b.grad.item()], [0.75, 1.0], rtol=1e-5)
    nn.utils.clip_grad_value_([a, b], 0.5)
    assert a.grad.asnumpy().tolist() == [0.5, 0] and b.grad.item() == 0.5
    vector = nn.utils.parameters_to_vector([a, b])
    assert vector.asnumpy().tolist() == [3, 0, 4] and vector.requires_grad
    nn.utils.vector_to_parameters(vector.detach() * 2, [a, b])
    assert a.asnumpy().tolist() == [6, 0] and b.item() == 8
    with pytest.raises(ValueError, match=r"the shape \(2,\); expected \(3,\)"):
        nn.utils.vector_to_parameters(mx.np.ones((2,)), [a, b])


CASTS: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "double": (lambda net: net.double(), "float64", "int64"),
    "half": (lambda net: net.half(), "float16", "int64"),
    "bfloat16": (lambda net: net.bfloat16(), "bfloat16", "int64"),
    "to": (lambda net: net.to("float64"), "float64", "int64"),
    "to, place": (lambda net: net.to(mx.cpu(1), "float64"), "float64", "int64"),
    "type": (lambda net: net.type("float64"), "float64", "float64"),
    "float": (lambda net: net.float(), "float32", "int64"),
}


@pytest.mark.parametrize("name", CASTS)
def test_gradients_are_cast_with_parameters(name: str) -> None:
    change, dtype, of_counts = CASTS[name]
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    net(mx.np.array([[1.0, 2.0], [3.0, -4.0]])).square().sum().backward()
    net[1].bias.grad = None
    net[1].weight.requires_grad_(False)
    before = net[0].weight.grad.asnumpy()
    assert change(net) is net
    weight = net[0].weight
    assert (
        weight._dtype_name() == weight.grad._dtype_name() == dtype and weight.grad.context == weight.context
    )
    assert net[1].num_batches_tracked._dtype_name() == of_counts
    np.testing.assert_allclose(weight.grad.asnumpy(), before, rtol=1e-2)
    assert net[1].bias.grad is None and not net[1].weight.requires_grad
    (weight * 2).sum().backward()
    np.testing.assert_allclose(weight.grad.asnumpy(), before + 2, rtol=1e-2)


def test_gradients_and_other_values() -> None:
    weight = nn.Parameter([1.0, 2.0])
    weight.sum().backward()
    weight.data = mx.np.array([5.0, 6.0])
    assert weight.grad.tolist() == [1, 1]
    weight.data = mx.np.array([5.0])
    assert weight.grad is None and weight.requires_grad
    weight.sum().backward()
    layer = nn.Linear(1, 1, bias=False)
    layer(mx.np.ones((1, 1))).sum().backward()
    layer.load_state_dict({"weight": mx.np.ones((1, 1))}, assign=True)
    assert layer.weight.grad is None and layer.weight.requires_grad


def test_losses_want_arrays() -> None:
    with pytest.raises(TypeError, match=r"got numpy\.ndarray; expected an array"):
        nn.functional.cross_entropy(x(), np.zeros((2,), dtype=np.int32))


def test_recording_is_on_unless_said() -> None:
    net = Net()
    assert net(x()).requires_grad
    with nn.no_grad():
        assert not net(x()).requires_grad
        with nn.enable_grad():
            assert net(x()).requires_grad
        assert not nn.is_grad_enabled()
    assert nn.is_grad_enabled()
    with nn.set_grad_enabled(False):
        assert not net(x()).requires_grad
    assert nn.no_grad()(net)(x()).requires_grad is False
    with pytest.raises(mx.MXNetError, match="in place into a variable"):
        net.scale += 1
    net.scale.data = [7.0]
    assert net.scale.item() == 7


def test_volatile_arrays_keep_modules_from_recording() -> None:
    net = Net()
    given = nn.Variable(x(), volatile=True)
    seen: list[Any] = []
    net.register_forward_hook(lambda module, args, output: seen.append(nn.is_grad_enabled()))
    found = net(given)
    assert isinstance(found, nn.Volatile) and found.volatile and not found.requires_grad and seen == [False]
    assert (found.asnumpy() == net(x()).asnumpy()).all() and nn.is_grad_enabled()
    output, (h, c) = nn.LSTM(4, 2)(given)
    assert output.volatile and h.volatile and c.volatile
    assert net(nn.Variable(x())).requires_grad
    wanted = nn.Variable(x(), requires_grad=True)
    net(wanted).sum().backward()
    assert wanted.grad is not None
    with pytest.raises(ValueError, match="one of them at most"):
        nn.Variable(x(), requires_grad=True, volatile=True)
    with pytest.raises(ValueError, match="requires no gradient"):
        given.requires_grad = True


def test_layers_move_and_cast() -> None:
    net = Net()
    net(x()).sum().backward()
    assert net.to("float64") is net
    assert {str(p.dtype) for p in net.parameters()} == {"float64"} and str(net.seen.dtype) == "float64"
    assert net.scale.requires_grad and str(net.scale.grad.dtype) == "float64"
    net.double().half().float().to(mx.cpu(0), "float32").to("cpu")
    assert net.first.weight is net.first._parameters["weight"]
    assert net(x()).dtype == np.float32
    norm = nn.BatchNorm1d(2).double()
    assert str(norm.num_batches_tracked.dtype) == "int64"


def test_forward_hooks() -> None:
    layer, seen = nn.Linear(4, 3), []
    before = layer.register_forward_pre_hook(lambda module, args: (args[0] * 0,))
    after = layer.register_forward_hook(lambda module, args, output: seen.append(output) or output + 1)
    assert (layer(x()) == layer.bias + 1).all() and len(seen) == 1
    before.remove()
    with after:
        layer(x())
    assert len(seen) == 2 and layer._hooks is None
    named = layer.register_forward_pre_hook(
        lambda module, args, kwargs: ((kwargs["input"] * 0,), {}), with_kwargs=True
    )
    assert (layer(input=x()) == layer.bias).all()
    named.remove()
    with pytest.raises(TypeError, match="the hook is a int"):
        layer.register_forward_hook(3)  # type: ignore[arg-type]


def test_backward_hooks() -> None:
    layer, seen = nn.Linear(4, 3), []
    given = x()
    given.attach_grad()

    def hook(module: Any, grad_input: Any, grad_output: Any) -> Any:
        seen.append((module, grad_input[0].asnumpy(), grad_output[0].asnumpy()))
        return (grad_input[0] * 2,)

    handle = layer.register_full_backward_hook(hook)
    (layer(given) * 3).sum().backward()
    (module, grad_input, grad_output) = seen[0]
    assert module is layer and (grad_output == 3).all()
    expected = 3 * layer.weight.asnumpy().sum(axis=0)
    np.testing.assert_allclose(grad_input, np.tile(expected, (2, 1)), rtol=1e-5)
    np.testing.assert_allclose(given.grad.asnumpy(), 2 * grad_input, rtol=1e-6)
    np.testing.assert_allclose(layer.bias.grad.asnumpy(), 6)
    seen.clear()
    handle.remove()
    layer.register_full_backward_hook(lambda module, before, after: seen.append((before, after)))
    layer(x()).sum().backward()  # the input wants no gradient
    assert seen[0][0] == (None,) and (seen[0][1][0] == 1).all()


def test_copies_are_whole() -> None:
    net = Net()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert (other(x()) == net(x())).all()
        assert other.scale is other._parameters["scale"] and other.scale is not net.scale
        assert other.seen is other._buffers["seen"] and other.first is other._modules["first"]
        other(x()).sum().backward()
        assert other.scale.grad is not None and net.scale.grad is None
    shared = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    shared[1].weight = shared[0].weight
    twin = copy.deepcopy(shared)
    assert twin[0].weight is twin[1].weight
    assert len(list(twin.parameters())) == 3


def test_apply_visits_all() -> None:
    names: list[str] = []
    net = Net()
    assert net.apply(lambda module: names.append(type(module).__name__)) is net
    assert names == ["Linear", "ReLU", "Linear", "Sequential", "Net"]


def test_parameters_show_their_values() -> None:
    assert repr(nn.Parameter([1.0, 2.0])) == "Parameter containing:\narray([1., 2.])"
    with pytest.raises(ValueError, match="requires no gradient"):
        nn.Parameter([1.0], requires_grad=False).grad = x()
    with pytest.raises(ValueError, match=r"the gradient is \(2, 4\); expected \(1,\)"):
        nn.Parameter([1.0]).grad = x()


def test_threads_record_what_others_made() -> None:
    layer = nn.Linear(2, 2)
    found: list[bool] = []

    def call() -> None:
        found.append(layer(mx.np.ones((1, 2))).requires_grad)
        with nn.no_grad():
            found.append(layer(mx.np.ones((1, 2))).requires_grad)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert found == [True, False]
