"""Steps of optimisers inside the backward part of executors."""

from __future__ import annotations

import numpy as np
import pytest
from graphs.compare import check_updates
from hypothesis import given, settings
from hypothesis import strategies as st

import mixgrad as mx
from mixgrad import nd

SGD = ("sgd_update", [], {"lr": 0.5})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 24))
def test_as_updates_outside(seed: int, size: int) -> None:
    check_updates(seed, size)


def squares(*names: str, shape: tuple[int, ...] = (2,)) -> mx.executor.Executor:
    """The sum of squares of some variables, bound."""
    parts = [mx.sym.sum(mx.sym.square(mx.sym.var(name))) for name in names]
    return mx.sym.make_loss(mx.sym.add_n(*parts)).simple_bind(mx.cpu(), **dict.fromkeys(names, shape))


def step(exe: mx.executor.Executor) -> None:
    exe.forward(is_train=True)
    exe.backward()


def test_a_step_replaces_a_gradient() -> None:
    exe = squares("x", "y")
    exe.arg_dict["x"][:] = [1, 3]
    exe.arg_dict["y"][:] = [2, 4]
    exe.set_updates({"x": ("sgd_update", [], {"lr": 0.25, "wd": 0.0})})
    assert exe.grad_dict["x"] is None
    step(exe)
    assert exe.arg_dict["x"].asnumpy().tolist() == [0.5, 1.5]
    assert exe.arg_dict["y"].asnumpy().tolist() == [2, 4]
    assert exe.grad_dict["y"].asnumpy().tolist() == [4, 8]


def test_the_old_value_is_read_first() -> None:
    """Also through views: tied weights, their transposes and reshapes see one value in the whole step."""
    w, x = mx.sym.var("w"), mx.sym.var("x")
    flat = mx.sym.Reshape(w, shape=(9,))
    y = mx.sym.dot(mx.sym.dot(mx.sym.dot(x, w), mx.sym.transpose(w)), w)
    loss = mx.sym.make_loss(mx.sym.sum(y * y) + mx.sym.sum(flat * flat * mx.sym.Reshape(w, shape=(-1,))))
    found = []
    value = np.random.default_rng(1).standard_normal((3, 3))
    for inside in (False, True):
        exe = loss.simple_bind(mx.cpu(), w=(3, 3), x=(2, 3), grad_req={"w": "write", "x": "null"})
        exe.arg_dict["w"][:] = value
        exe.arg_dict["x"][:] = np.arange(6).reshape(2, 3)
        if inside:
            exe.set_updates({"w": ("sgd_update", [], {"lr": 0.01})})
        for _ in range(3):
            step(exe)
            if not inside:
                nd.sgd_update(exe.arg_dict["w"], exe.grad_dict["w"], lr=0.01, wd=0.0, out=exe.arg_dict["w"])
        found.append(exe.arg_dict["w"].asnumpy())
    assert found[0].tobytes() == found[1].tobytes()


def test_gradients_take_memory_only_while_they_are_needed() -> None:
    x = mx.sym.var("data")
    for i in range(8):
        x = mx.sym.FullyConnected(x, num_hidden=64, no_bias=True, name=f"fc{i}")
    exe = mx.sym.make_loss(mx.sym.sum(x)).simple_bind(mx.cpu(), data=(2, 64))
    weights = [name for name in exe.arg_dict if name != "data"]
    before = exe.planned_bytes()[0]
    gradients = sum(exe.grad_dict[name].size * 4 for name in weights)
    exe.set_updates(dict.fromkeys(weights, SGD))
    assert exe.planned_bytes()[0] <= before + gradients // 4
    assert exe.debug_str().count("new value of 'fc") == 8


def test_rates() -> None:
    exe = squares("x", "y")
    for name in "xy":
        exe.arg_dict[name][:] = 1
    exe.set_updates({"y": SGD, "x": SGD})
    exe.forward(is_train=True)
    exe.set_rates([0.25, 0.125], [0.0, 1.0])  # also between forward and backward
    exe.backward()
    assert exe.arg_dict["y"].asnumpy().tolist() == [0.5, 0.5]
    assert exe.arg_dict["x"].asnumpy().tolist() == [0.625, 0.625]
    step(exe)
    assert exe.arg_dict["y"].asnumpy().tolist() == [0.25, 0.25]
    for lrs, wds in (([0.1], [0.1]), ([0.1, 0.1], [0.1]), ([], [])):
        with pytest.raises((mx.MXNetError, ValueError), match=r"\[set_rates\]"):
            exe.set_rates(lrs, wds)


def test_other_updates_and_none() -> None:
    exe = squares("x", "y")
    exe.arg_dict["x"][:] = 4
    exe.arg_dict["y"][:] = 1
    momentum = nd.zeros((2,))
    exe.set_updates({"x": ("sgd_mom_update", [momentum], {"lr": 0.25, "momentum": 0.5})})
    step(exe)
    assert exe.arg_dict["x"].asnumpy().tolist() == [2, 2]
    assert momentum.asnumpy().tolist() == [-2, -2]
    exe.set_updates({"y": SGD})
    assert exe.grad_dict["y"] is None
    step(exe)
    assert exe.grad_dict["x"].asnumpy().tolist() == [4, 4]
    assert exe.arg_dict["y"].asnumpy().tolist() == [0, 0]
    exe.set_updates({})
    step(exe)
    assert exe.arg_dict["x"].asnumpy().tolist() == [2, 2]
    assert exe.grad_dict["y"].asnumpy().tolist() == [0, 0]


def test_a_step_between_forward_and_backward_is_lost() -> None:
    exe = squares("x")
    exe.forward(is_train=True)
    exe.set_updates({"x": SGD})
    with pytest.raises(mx.MXNetError, match="call forward"):
        exe.backward()


def test_other_shapes_keep_the_updates() -> None:
    x, w = mx.sym.var("x"), mx.sym.var("w")
    loss = mx.sym.make_loss(mx.sym.sum(mx.sym.dot(x, w)))
    exe = loss.simple_bind(mx.cpu(), x=(4, 3), w=(3, 2), grad_req={"x": "null", "w": "write"})
    exe.set_updates({"w": SGD})
    other = exe.reshape(x=(2, 3))
    other.arg_dict["x"][:] = 1
    step(other)
    assert (exe.arg_dict["w"].asnumpy() == -1).all()
    assert other.grad_dict["w"] is None
    with pytest.raises(mx.MXNetError, match="w"):
        exe.reshape(partial_shaping=True, allow_up_sizing=True, x=(2, 5), w=(5, 2)).set_updates(
            {"w": ("sgd_mom_update", [nd.zeros((3, 2))], {"lr": 0.5})}
        )


def test_other_shapes_keep_the_rates() -> None:
    x, w = mx.sym.var("x"), mx.sym.var("w")
    loss = mx.sym.make_loss(mx.sym.sum(mx.sym.dot(x, w)))
    exe = loss.simple_bind(mx.cpu(), x=(4, 3), w=(3, 2), grad_req={"x": "null", "w": "write"})
    exe.set_updates({"w": SGD})
    exe.set_rates([0.25], [0.0])
    other = exe.reshape(x=(2, 3))
    other.arg_dict["x"][:] = 1
    step(other)
    assert (exe.arg_dict["w"].asnumpy() == -0.5).all()


@pytest.mark.parametrize("which", ["argument", "state", "view"])
def test_head_gradients_where_a_step_writes(which: str) -> None:
    w, a, d = (mx.sym.var(name) for name in "wad")
    both = mx.sym.Group([d * a, w * w])
    exe = both.simple_bind(
        mx.cpu(), w=(3,), a=(3,), d=(3,), grad_req={"w": "write", "a": "write", "d": "null"}
    )
    exe.arg_dict["w"][:] = [1, 2, 3]
    exe.arg_dict["d"][:] = 2
    momentum = nd.array([4.0, 5.0, 6.0])
    exe.set_updates({"w": ("sgd_mom_update", [momentum], {"lr": 1.0, "momentum": 0.5})})
    head = {"argument": exe.arg_dict["w"], "state": momentum, "view": exe.arg_dict["w"].reshape((3,))}[which]
    expected = (2 * head).asnumpy()
    exe.forward(is_train=True)
    exe.backward([head, nd.ones((3,))])
    assert exe.grad_dict["a"].asnumpy().tolist() == expected.tolist()
    assert exe.arg_dict["w"].asnumpy().tolist() == [1, 0.5, 0]


def test_a_monitor_sees_the_new_values() -> None:
    exe = squares("x")
    exe.arg_dict["x"][:] = 2
    exe.set_updates({"x": ("sgd_update", [], {"lr": 0.25})})
    seen = {}
    exe.set_monitor_callback(lambda name, array: seen.update({name: array.asnumpy()}))
    step(exe)
    assert seen["x_update_output"].tolist() == [1, 1]
    assert exe.arg_dict["x"].asnumpy().tolist() == [1, 1]


def test_an_argument_that_no_gradient_reaches() -> None:
    x, y = mx.sym.var("x"), mx.sym.var("y")
    exe = mx.sym.make_loss(mx.sym.sum(x * mx.sym.BlockGrad(y))).simple_bind(mx.cpu(), x=(2,), y=(2,))
    exe.arg_dict["y"][:] = 2
    exe.set_updates({"y": ("sgd_update", [], {"lr": 0.5, "wd": 1.0}), "x": SGD})
    step(exe)
    assert exe.arg_dict["y"].asnumpy().tolist() == [1, 1]
    assert exe.arg_dict["x"].asnumpy().tolist() == [-1, -1]


@pytest.mark.parametrize(
    "updates, says",
    [
        ({"z": SGD}, "no argument is called 'z'"),
        ({"x": ("no_such_update", [], {})}, "no_such_update"),
        ({"x": ("relu", [], {})}, "lr"),
        ({"x": ("sgd_update", [], {"momentum": 0.5})}, "momentum"),
        ({"x": ("sgd_mom_update", [], {"momentum": 0.5})}, "0 states"),
        ({"x": ("sgd_update", [nd.zeros((2,))], {})}, "1 states"),
        ({"x": ("sgd_mom_update", [nd.zeros((3,))], {})}, "shape"),
        ({"x": ("sgd_mom_update", [nd.zeros((2,), dtype="int32")], {})}, "int32"),
        ({"x": ("sgd_mom_update", [nd.zeros((2,), ctx=mx.cpu(1))], {})}, "cpu"),
        ({"x": ("lamb_update_phase1", [nd.zeros((2,))] * 2, {"t": 1})}, "lr"),
        ({"x": ("multi_sgd_update", [], {})}, "lr"),
    ],
)
def test_bad_updates_change_nothing(updates: dict, says: str) -> None:
    exe = squares("x", "y")
    exe.arg_dict["x"][:] = 1
    with pytest.raises((mx.MXNetError, ValueError, TypeError), match=says):
        exe.set_updates({"y": SGD, **updates})
    step(exe)
    assert exe.grad_dict["x"].asnumpy().tolist() == [2, 2]
    assert exe.grad_dict["y"].asnumpy().tolist() == [0, 0]


def test_sums_of_gradients_are_refused() -> None:
    exe = mx.sym.make_loss(mx.sym.var("x")).simple_bind(mx.cpu(), x=(2,), grad_req="add")
    with pytest.raises(mx.MXNetError, match="'x' is added up over several passes; expected grad_req write"):
        exe.set_updates({"x": SGD})


@pytest.mark.parametrize("view", [mx.sym.Reshape, mx.sym.expand_dims])
def test_gradients_that_are_views_of_updated_arguments(view) -> None:
    """The gradient of each is the other, through a view: neither may see the other's new value."""
    options = {"shape": (2, 2)} if view is mx.sym.Reshape else {"axis": 0}
    a, b = (view(mx.sym.var(name), **options) for name in "ab")
    exe = mx.sym.make_loss(mx.sym.sum(a * b)).simple_bind(mx.cpu(), a=(4,), b=(4,))
    exe.arg_dict["a"][:] = [1, 2, 3, 4]
    exe.arg_dict["b"][:] = [5, 6, 7, 8]
    exe.set_updates({name: ("sgd_update", [], {"lr": 1.0}) for name in "ab"})
    step(exe)
    assert exe.arg_dict["a"].asnumpy().tolist() == [-4, -4, -4, -4]
    assert exe.arg_dict["b"].asnumpy().tolist() == [4, 4, 4, 4]


def test_memory_that_others_use_is_refused() -> None:
    exe = squares("x", "y")
    for name, state in (("x", "x"), ("x", "y")):
        with pytest.raises(mx.MXNetError, match="share memory, which a step changes"):
            exe.set_updates({name: ("sgd_mom_update", [exe.arg_dict[state]], {})})
    with pytest.raises(
        mx.MXNetError, match=r"a state of 'x' and the gradient of 'y' share|the gradient of 'y' and"
    ):
        exe.set_updates({"x": ("sgd_mom_update", [exe.grad_dict["y"]], {})})
    exe.set_updates({"x": ("sgd_mom_update", [exe.grad_dict["y"]], {}), "y": SGD})  # which has none then
    state = nd.zeros((2,))
    with pytest.raises(mx.MXNetError, match=r"a state of '.' and a state of '.' share memory"):
        exe.set_updates({name: ("sgd_mom_update", [state], {}) for name in "xy"})
    both = nd.array([1.0, 2.0])
    loss = mx.sym.make_loss(mx.sym.var("x") * mx.sym.var("y"))
    tied = loss.bind(mx.cpu(), {"x": both, "y": both.reshape((2,))})
    with pytest.raises(mx.MXNetError, match=r"'.' and '.' share memory"):
        tied.set_updates({"x": SGD})
    packed = nd.array([1.0, 2.0, 3.0, 4.0])
    parts = loss.bind(mx.cpu(), {"x": packed[0:2], "y": packed[2:4]})
    parts.set_updates({"x": ("sgd_update", [], {"lr": 1.0}), "y": ("sgd_update", [], {"lr": 1.0})})
    step(parts)
    assert packed.asnumpy().tolist() == [-2, -2, 2, 2]


@pytest.mark.parametrize(
    "updates, says",
    [
        (None, "NoneType; expected a dict"),
        ([("x", SGD)], "list; expected a dict"),
        ({"x": SGD[:2]}, r"expected \(operator, states, options\)"),
        ({"x": "sgd_update"}, r"expected \(operator, states, options\)"),
        ({"x": (nd.sgd_update, [], {})}, "as operator; expected a name"),
        ({"x": ("sgd_mom_update", nd.zeros((1, 2)), {})}, "NDArray as states; expected a list"),
        ({"x": ("sgd_mom_update", [None], {})}, "as states; expected a list of NDArray"),
        ({"x": ("sgd_update", [], None)}, "NoneType as options; expected a dict"),
        ({"x": ("sgd_update", [], {"clip_gradient": None})}, "clip_gradient is None; expected a number"),
    ],
)
def test_arguments_of_other_kinds(updates: object, says: str) -> None:
    exe = squares("x")
    with pytest.raises(TypeError, match=r"\[set_updates\].*" + says):
        exe.set_updates(updates)
    with pytest.raises(TypeError, match=r"\[set_rates\] lrs is float; expected a list"):
        exe.set_rates(0.1, [0])


def test_arguments_without_gradient_arrays() -> None:
    """An update asks for the gradient by itself."""
    x = nd.array([1.0, 3.0])
    exe = mx.sym.make_loss(mx.sym.square(mx.sym.var("x"))).bind(mx.cpu(), {"x": x}, grad_req="null")
    exe.set_updates({"x": ("sgd_update", [], {"lr": 0.25})})
    step(exe)
    assert x.asnumpy().tolist() == [0.5, 1.5]
    exe.set_updates({})
    assert exe.grad_arrays == [None]


def test_a_step_that_fails_is_told_where_the_argument_is_read() -> None:
    x, i = mx.sym.var("x"), mx.sym.var("i")
    picked = mx.sym.take(x, i, mode="raise")
    exe = mx.sym.make_loss(mx.sym.sum(picked)).simple_bind(
        mx.cpu(), x=(3,), i=(1,), grad_req={"x": "write", "i": "null"}
    )
    exe.set_updates({"x": SGD})
    exe.arg_dict["i"][:] = 7
    step(exe)
    with pytest.raises(mx.MXNetError, match="take"):
        exe.arg_dict["x"].asnumpy()


@pytest.mark.parametrize("count", [1, 2])
def test_on_cards(count: int) -> None:
    found = []
    for cards in (0, count):
        with mx.test_utils.simulated_gpus(cards, seed=3) as gpus:
            at = gpus[0] if cards else mx.cpu()
            data = mx.sym.var("data")
            with mx.AttrScope(ctx_group="front"):
                x = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=4, name="a"), act_type="tanh")
            with mx.AttrScope(ctx_group="back"):
                x = mx.sym.make_loss(mx.sym.sum(mx.sym.FullyConnected(x, num_hidden=3, name="b")))
            places = {"front": at, "back": gpus[-1] if cards else at}
            exe = x.simple_bind(at, group2ctx=places, data=(2, 5))
            for name, array in exe.arg_dict.items():
                array[:] = np.random.default_rng(len(name)).standard_normal(array.shape)
            names = [name for name in exe.arg_dict if name != "data"]
            states = {name: nd.zeros_like(exe.arg_dict[name]) for name in names}
            exe.set_updates({n: ("sgd_mom_update", [states[n]], {"lr": 0.1, "momentum": 0.9}) for n in names})
            for lr in (0.1, 0.2, 0.3):
                exe.set_rates([lr] * 4, [0.01] * 4)
                step(exe)
            found.append([exe.arg_dict[name].asnumpy() for name in names])
    for a, b in zip(*found):
        np.testing.assert_array_equal(a, b)
