"""Hooks around states, other state, buffers by assignment, and modules at paths."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np
from mixgrad.base import InvalidArgumentError


class Counted(nn.Module):
    def __init__(self, calls: int = 0) -> None:
        super().__init__()
        self.calls = calls
        self.inner = nn.Linear(1, 1)

    def get_extra_state(self) -> Any:
        return {"calls": self.calls}

    def set_extra_state(self, state: Any) -> None:
        self.calls = state["calls"]


def test_the_order_of_hooks() -> None:
    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    seen: list[Any] = []
    for name, part in (("net", net), ("first", net[0]), ("last", net[1])):
        part.register_state_dict_pre_hook(
            lambda module, prefix, keep, name=name: seen.append((name, "saving", prefix, keep))
        )
        part.register_state_dict_post_hook(
            lambda module, state, prefix, metadata, name=name: seen.append(
                (name, "saved", prefix, len(state))
            )
        )
    net.state_dict(prefix="a.", keep_vars=True)
    assert seen == [
        ("net", "saving", "a.", True),
        ("first", "saving", "a.0.", True),
        ("first", "saved", "a.0.", 2),
        ("last", "saving", "a.1.", True),
        ("last", "saved", "a.1.", 4),
        ("net", "saved", "a.", 4),
    ]
    seen.clear()
    for name, part in (("net", net), ("first", net[0]), ("last", net[1])):
        part.register_load_state_dict_pre_hook(
            lambda module, state, prefix, metadata, strict, *lists, name=name: seen.append(
                (name, module, prefix, strict, lists)
            )
        )
        part.register_load_state_dict_post_hook(lambda module, keys, name=name: seen.append((name, *keys)))
    net.load_state_dict({"0.weight": np.ones((1, 1))}, strict=False)
    missing = ["0.bias", "1.weight", "1.bias"]
    lists = (missing, [], [])
    assert seen == [
        ("net", net, "", False, lists),
        ("first", net[0], "0.", False, lists),
        ("last", net[1], "1.", False, lists),
        ("first", missing, []),
        ("last", missing, []),
        ("net", missing, []),
    ]


def test_hooks_change_names_and_are_removed() -> None:
    layer = nn.Linear(2, 1)

    def saved(module: Any, state: dict[str, Any], prefix: str, metadata: Any) -> None:
        state[prefix + "kernel"] = state.pop(prefix + "weight")

    def loading(module: Any, state: dict[str, Any], prefix: str, *others: Any) -> None:
        state[prefix + "weight"] = state.pop(prefix + "kernel")

    with layer.register_state_dict_post_hook(saved):
        state = nn.Sequential(layer).state_dict()
    assert sorted(state) == ["0.bias", "0.kernel"] and sorted(layer.state_dict()) == ["bias", "weight"]
    other = nn.Sequential(nn.Linear(2, 1))
    handle = other[0].register_load_state_dict_pre_hook(loading)
    other.load_state_dict(state)
    assert "0.kernel" in state and (other[0].weight.asnumpy() == layer.weight.asnumpy()).all()
    handle.remove()
    with pytest.raises(InvalidArgumentError, match=r"missing: '0.weight'; unexpected: '0.kernel'"):
        other.load_state_dict(state)
    assert other(np.ones((1, 2))).shape == (1, 1)


def test_what_hooks_say_about_keys() -> None:
    layer = nn.Linear(2, 1)
    before = layer.weight.asnumpy()

    def refuses(module: Any, state: Any, prefix: str, metadata: Any, strict: bool, *lists: Any) -> None:
        lists[0].append("more")
        lists[2].append("it is too old")

    with layer.register_load_state_dict_pre_hook(refuses):
        with pytest.raises(InvalidArgumentError, match="missing: 'more'; it is too old"):
            layer.load_state_dict(nn.Linear(2, 1).state_dict())
        with pytest.raises(InvalidArgumentError, match="fit; it is too old"):
            layer.load_state_dict(nn.Linear(2, 1).state_dict(), strict=False)
    assert (layer.weight.asnumpy() == before).all()

    def forgives(module: Any, keys: nn.LoadResult) -> None:
        keys.missing_keys.remove("bias")

    with layer.register_load_state_dict_post_hook(forgives):
        assert layer.load_state_dict({"weight": np.ones((1, 2))}) == ([], [])
        with pytest.raises(InvalidArgumentError, match="fit; unexpected: 'other'"):
            layer.load_state_dict({"weight": np.zeros((1, 2)), "other": np.ones(1)})
        assert layer.weight.asnumpy().tolist() == [[0, 0]]
    handle = layer.register_load_state_dict_post_hook(lambda module, keys: keys)
    with handle, pytest.raises(TypeError, match="returned something; expected None"):
        layer.load_state_dict(layer.state_dict())
    with pytest.raises(TypeError, match="expected a function"):
        layer.register_state_dict_pre_hook(3)  # type: ignore[arg-type]


def test_other_state() -> None:
    net, again = nn.Sequential(Counted(3)), nn.Sequential(Counted())
    state = net.state_dict()
    assert list(state) == ["0._extra_state", "0.inner.weight", "0.inner.bias"]
    again.load_state_dict(pickle.loads(pickle.dumps(state)))
    assert again[0].calls == 3
    with pytest.raises(InvalidArgumentError, match=r"missing: '0\._extra_state'"):
        again.load_state_dict({k: v for k, v in state.items() if "extra" not in k})
    with pytest.raises(InvalidArgumentError, match="unexpected: '_extra_state'"):
        nn.Linear(1, 1).load_state_dict({**nn.Linear(1, 1).state_dict(), "_extra_state": 1})
    with pytest.raises(RuntimeError, match=r"\[Linear\] get_extra_state is not defined"):
        nn.Linear(1, 1).get_extra_state()


def test_modules_with_hooks_are_copied() -> None:
    layer = nn.Linear(2, 1)
    layer.register_state_dict_post_hook(lambda module, state, prefix, metadata: state.clear())
    assert copy.deepcopy(layer).state_dict() == {}


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Buffer(np.array([2.0]))
        self.seen = nn.Buffer([0.0], persistent=False)

    def forward(self, x: Any) -> Any:
        return x * self.scale + self.seen


@pytest.mark.parametrize(
    "made", [lambda net: net, copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))]
)
def test_buffers_by_assignment(made: Any) -> None:
    net = made(Scaled())
    assert [name for name, _ in net.named_buffers()] == ["scale", "seen"]
    assert list(net.state_dict()) == ["scale"] and not list(net.parameters())
    assert isinstance(net.scale, nn.Buffer) and not net.seen.persistent
    x = nn.Parameter([1.0, 3.0])
    net(x).sum().backward()
    assert x.grad.asnumpy().tolist() == [2, 2] and type(net(x)) is np.ndarray
    net.load_state_dict({"scale": np.array([5.0])})
    assert net(x).asnumpy().tolist() == [5, 15]
    assert mx.jit(net)(x).asnumpy().tolist() == [5, 15]
    assert str(net.double().scale.dtype) == "float64" and list(net.state_dict()) == ["scale"]
    net.seen = nn.Buffer([1.0])
    assert list(net.state_dict()) == ["scale", "seen"]


def test_buffers_take_the_place_of_others() -> None:
    net = nn.Module()
    net.value = nn.Parameter([1.0])
    with pytest.raises(TypeError, match=r"'value' cannot become a Buffer; expected nn\.Parameter or None"):
        net.value = nn.Buffer([1.0])
    assert [name for name, _ in net.named_parameters()] == ["value"]
    net.plain = 3
    net.plain = nn.Buffer([1.0])
    assert len(list(net.buffers())) == 1
    net.plain = np.zeros((2,))
    assert net.get_buffer("plain").shape == (2,) and nn.Buffer().shape == (0,)
    with pytest.raises(AttributeError, match=r"super\(\).__init__\(\)"):

        class Early(nn.Module):
            def __init__(self) -> None:
                self.early = nn.Buffer([1.0])

        Early()


def test_modules_at_paths() -> None:
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.ReLU()), nn.Linear(3, 1))
    planned = mx.jit(net.eval())
    x = np.ones((1, 2))
    planned(x)
    net.set_submodule("0.0", nn.Linear(2, 3))
    assert abs(planned(x) - net(x)).max().item() < 1e-6
    net.set_submodule("1", nn.Linear(3, 4), strict=True)
    assert planned(x).shape == net(x).shape == (1, 4)
    net.set_submodule("0.2", nn.Tanh())
    assert len(net[0]) == 3 and isinstance(net[0][2], nn.Tanh)
    for error, text, arguments in (
        (AttributeError, "there is no module '7' of '7'", ("7.0", nn.ReLU())),
        (AttributeError, "there is no module '5' of '0.5'", ("0.5", nn.ReLU(), True)),
        (ValueError, "target is empty", ("", nn.ReLU())),
        (TypeError, r"got a int; expected nn\.Module", ("0", 3)),
    ):
        with pytest.raises(error, match=text):
            net.set_submodule(*arguments)


def test_operations_on_arrays_are_recorded_from_then_on() -> None:
    assert not mx.autograd.is_recording()
    x = np.array([1.0, 2.0])
    assert not (x * x).requires_grad
    x.requires_grad = True
    y = (x * x).sum()
    assert y.requires_grad
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4]
    with nn.no_grad():
        z = np.ones((1,)).requires_grad_()
        assert not (z * 2).requires_grad
    assert (z * 2).requires_grad


def test_threads_that_said_otherwise_do_not_record() -> None:
    nn.set_grad_enabled(False)
    x = np.ones((1,)).requires_grad_()
    assert not (x * 2).requires_grad


def test_taking_gradients_away_begins_nothing() -> None:
    x = np.ones((1,))
    x.requires_grad = False
    assert not mx.autograd.is_recording()


def test_inside_scopes_of_autograd() -> None:
    with mx.autograd.pause():
        x = np.ones((1,)).requires_grad_()
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad
