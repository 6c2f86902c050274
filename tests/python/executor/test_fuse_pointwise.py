"""The pass `pointwise`: groups of pointwise calls equal the same calls one by one, to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

Shapes = dict[str, Any]  # by name of the input
SHAPES: list[tuple[int, ...]] = [(37, 5), (3, 700), (2, 3, 1500), (70000,), (1,), ()]
ONE: list[Any] = [
    mx.sym.exp,
    mx.sym.tanh,
    mx.sym.sigmoid,
    mx.sym.relu,
    mx.sym.square,
    mx.sym.abs,
    lambda x: mx.sym.Activation(x, act_type="softrelu"),
    lambda x: mx.sym.clip(x, a_min=-0.5, a_max=0.5),
    lambda x: mx.sym.sqrt(mx.sym.abs(x) + 0.5),
    lambda x: 1.5 - x,
    lambda x: x * 0.25 + 1,
    lambda x: mx.sym.cast(mx.sym.cast(x, dtype="float16") * 2, dtype="float32"),
    lambda x: x > 0.1,
]
TWO: list[Any] = [
    mx.sym.broadcast_add,
    mx.sym.broadcast_sub,
    mx.sym.broadcast_mul,
    mx.sym.broadcast_maximum,
    mx.sym.broadcast_hypot,
    lambda x, y: mx.sym.add_n(x, x, y) if x is y else mx.sym.broadcast_div(x, mx.sym.abs(y) + 1),
]


@pytest.fixture(autouse=True)
def all_passes() -> Iterator[None]:
    with mx.passes.using("all"):
        yield


def last_graph(net: Any, gradients: bool = False, **shapes: Any) -> str:
    return str(net.graph_str(gradients=gradients, **shapes).rsplit("\n# ", 1)[-1])


def random_net(random: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, Shapes]:
    """A network over values of ``shape``; some inputs have fewer axes, or axes of extent 1, and broadcast."""
    inputs: Shapes = {f"x{i}": shape for i in range(2)}
    for i in range(3):
        broadcast = tuple(1 if random.random() < 0.5 else extent for extent in shape)
        inputs[f"y{i}"] = broadcast[int(random.integers(0, len(shape) + 1)) :]
    small = [mx.sym.var(name) for name in inputs if name[0] == "y"]
    pool = [mx.sym.var("x0"), mx.sym.var("x1")]
    for _ in range(int(random.integers(3, 25))):
        first = pool[-1 - int(random.integers(0, min(4, len(pool))))]
        if random.random() < 0.5:
            pool.append(ONE[int(random.integers(len(ONE)))](first))
            continue
        second = pool[int(random.integers(len(pool)))]
        if random.random() < 0.4:
            second = small[int(random.integers(3))]
        pool.append(TWO[int(random.integers(len(TWO)))](first, second))
    heads = [pool[-1] * 1.0]
    if random.random() < 0.5:
        heads.append(mx.sym.sum(pool[int(random.integers(2, len(pool)))]) + 0.5)
    net = mx.sym.Group(heads)
    return net, {name: inputs[name] for name in net.list_arguments()}


def results(net: Any, shapes: Shapes, switches: str) -> tuple[list[np.ndarray], int]:
    random = np.random.default_rng(5)
    args = {n: mx.nd.array(np.asarray(random.uniform(-1, 1, s), np.float32)) for n, s in shapes.items()}
    grads = {n: mx.nd.ones(s) for n, s in shapes.items()}
    requests = {n: ("write", "add")[i % 2] for i, n in enumerate(shapes)}
    with mx.passes.using(switches):
        exe = net.bind(mx.cpu(), args, args_grad=grads, grad_req=requests)
        alone = net.bind(mx.cpu(), args, grad_req="null")
    made = []
    for _ in range(2):
        exe.forward(is_train=True)
        heads = [mx.nd.array(random.uniform(-1, 1, out.shape).astype(np.float32)) for out in exe.outputs]
        exe.backward(heads)
        made += [a.asnumpy().copy() for a in (*exe.outputs, *grads.values(), *alone.forward())]
    return made, exe.planned_bytes()[0]


@pytest.mark.parametrize("seed", range(60))
def test_random_networks_equal_to_the_bit(seed: int) -> None:
    random = np.random.default_rng(seed)
    net, shapes = random_net(random, SHAPES[seed % len(SHAPES)])
    fused, _ = results(net, shapes, "all")
    plain, _ = results(net, shapes, "-pointwise")
    for a, b in zip(fused, plain):
        np.testing.assert_array_equal(a.view(np.uint32), b.view(np.uint32))


def test_chain_is_one_call_without_memory_between() -> None:
    a, b, c, d, e = (mx.sym.var(name) for name in "abcde")
    net = mx.sym.exp(a * b + c) * d - e
    shapes: Shapes = dict.fromkeys("abcde", (100, 100))
    assert last_graph(net, **shapes).count("_fused_pointwise") == 1
    with mx.passes.using("all"):
        assert net.simple_bind(mx.cpu(), grad_req="null", **shapes).planned_bytes()[0] == 40000  # the output
    training, plain = results(net, shapes, "all")[1], results(net, shapes, "-pointwise")[1]
    assert training < plain


def test_gradients_are_grouped_too() -> None:
    x = mx.sym.var("x")
    net = mx.sym.tanh(mx.sym.sigmoid(x) * 2) + 1
    backward = last_graph(net, gradients=True, x=(50, 50)).split("-- backward --")[1]
    assert backward.count("_fused_pointwise") == 1 and ".backward" not in backward.replace("_backward", "")


def test_a_value_used_between_stays_readable() -> None:
    """A reduction between two calls of a group sees the first one's value."""
    x = mx.sym.var("x")
    y = mx.sym.exp(x) + 1
    net = mx.sym.broadcast_mul(y - 2, mx.sym.sum(y, axis=1, keepdims=True))
    shapes: Shapes = {"x": (30, 40)}
    for a, b in zip(results(net, shapes, "all")[0], results(net, shapes, "-pointwise")[0]):
        np.testing.assert_array_equal(a, b)


def test_states_written_in_place_end_groups() -> None:
    weight, grad = mx.sym.var("weight"), mx.sym.var("grad")
    before = weight * 2 + 1
    net = mx.sym.Group([before, mx.sym.sgd_mom_update(weight, grad, mx.sym.var("mom"), lr=0.1, momentum=0.9)])
    shapes: Shapes = {"weight": (9,), "grad": (9,)}
    outputs = []
    for switches in ("all", "-pointwise"):
        with mx.passes.using(switches):
            exe = net.simple_bind(mx.cpu(), grad_req="null", **shapes)
        exe.arg_dict["weight"][:] = 3
        exe.arg_dict["grad"][:] = 1
        outputs.append([out.asnumpy() for out in exe.forward()])
    for a, b in zip(*outputs):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("setting", ["off", "cheap", "least"])
def test_recompute_goes_first(setting: str) -> None:
    x = mx.sym.var("x")
    for i in range(6):
        x = mx.sym.tanh(mx.sym.FullyConnected(x, num_hidden=16, name=f"fc{i}") * 2) + 1
    shapes: Shapes = dict(zip(x.list_arguments(), x.infer_shape(x=(8, 16))[0]))
    try:
        mx.executor.set_recompute(setting)
        fused, plain = results(x, shapes, "all"), results(x, shapes, "-pointwise")
    finally:
        mx.executor.set_recompute("off")
    for a, b in zip(fused[0], plain[0]):
        np.testing.assert_array_equal(a, b)


def test_monitor_sees_every_value() -> None:
    x = mx.sym.var("x")
    net = mx.sym.exp(mx.sym.tanh(x, name="inner"), name="outer") + 1
    exe = net.simple_bind(mx.cpu(), x=(4,))
    seen: list[str] = []
    exe.forward(is_train=True)
    exe.set_monitor_callback(lambda name, array: seen.append(name))
    exe.backward([mx.nd.ones((4,))])  # of the run without a monitor
    exe.forward(is_train=True)
    assert "inner_output" in seen and "outer_output" in seen
    exe.backward([mx.nd.ones((4,))])


def test_jit_equals_calls() -> None:
    def chain(a: Any, b: Any, row: Any) -> Any:
        return mx.nd.exp(a * b + row) * 0.5 - mx.nd.sigmoid(b)

    random = np.random.default_rng(0)
    arrays = [mx.nd.array(random.standard_normal(s)) for s in ((50, 700), (50, 700), (700,))]
    compiled = mx.jit(chain)
    np.testing.assert_array_equal(compiled(*arrays).asnumpy(), chain(*arrays).asnumpy())
