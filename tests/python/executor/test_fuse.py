"""The passes `fuse`, `layout` and `chain`: predictions with them equal predictions without."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import mixgrad as mx

Floats = npt.NDArray[np.float32]
ENDS: dict[str, Any] = {
    "relu": lambda x: mx.sym.Activation(x, act_type="relu", name="end"),
    "relu op": lambda x: mx.sym.relu(x, name="end"),
    "sigmoid": lambda x: mx.sym.Activation(x, act_type="sigmoid", name="end"),
    "tanh": lambda x: mx.sym.Activation(x, act_type="tanh", name="end"),
    "relu6": lambda x: mx.sym.clip(x, a_min=0, a_max=6, name="end"),
    "leaky": lambda x: mx.sym.LeakyReLU(x, act_type="leaky", slope=0.1, name="end"),
    "hard sigmoid": lambda x: mx.sym.hard_sigmoid(x, name="end"),
}
CONVOLUTIONS: dict[str, dict[str, Any]] = {
    "3x3": {"kernel": (3, 3), "pad": (1, 1), "num_filter": 32},
    "1x1": {"kernel": (1, 1), "num_filter": 32},
    "stride": {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "num_filter": 20},
    "dilate": {"kernel": (3, 2), "dilate": (2, 1), "num_filter": 5},
    "depthwise": {"kernel": (3, 3), "pad": (1, 1), "num_filter": 32, "num_group": 32},
    "depthwise stride": {"kernel": (5, 5), "stride": (2, 2), "num_filter": 32, "num_group": 32},
    "groups": {"kernel": (3, 3), "pad": (1, 1), "num_filter": 8, "num_group": 4},
}


@pytest.fixture(autouse=True)
def all_passes() -> Iterator[None]:
    with mx.passes.using("all"):
        yield


def last_graph(net: mx.Symbol, **shapes: tuple[int, ...]) -> str:
    return net.graph_str(**shapes).rsplit("\n# ", 1)[-1]


def arrays(names: list[str], shapes: list[tuple[int, ...]], seed: int) -> dict[str, mx.NDArray]:
    random = np.random.default_rng(seed)
    made = {}
    for name, shape in zip(names, shapes):
        x = random.standard_normal(shape).astype(np.float32)
        made[name] = mx.nd.array(np.abs(x) + 0.2 if name.endswith("var") else x)
    return made


def bound(net: mx.Symbol, seed: int = 0, **shapes: tuple[int, ...]) -> mx.Executor:
    given, _, states = net.infer_shape(**shapes)
    args = arrays(net.list_arguments(), given, seed)
    aux = arrays(net.list_auxiliary_states(), states, seed + 1)
    return net.bind(mx.cpu(), args, grad_req="null", aux_states=aux)


def predict(net: mx.Symbol, seed: int = 0, **shapes: tuple[int, ...]) -> list[Floats]:
    return [x.asnumpy() for x in bound(net, seed, **shapes).forward(is_train=False)]


def check_same(net: mx.Symbol, **shapes: tuple[int, ...]) -> None:
    fused = predict(net, **shapes)
    with mx.passes.using("-layout"):
        plain = predict(net, **shapes)
    with mx.passes.using("-fuse"):
        expected = predict(net, **shapes)
    for a, b, c in zip(fused, plain, expected):
        scale = max(1.0, float(np.abs(c).max()))
        np.testing.assert_allclose(a, c, rtol=1e-5, atol=1e-5 * scale)
        np.testing.assert_allclose(b, c, rtol=1e-5, atol=1e-5 * scale)


def block(
    x: mx.Symbol, name: str, norm: bool = True, residual: mx.Symbol | None = None, end: str = "", **conv: Any
) -> mx.Symbol:
    x = mx.sym.Convolution(x, name=name, **conv)
    if norm:
        x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-4, name=f"{name}_bn")
    if residual is not None:
        x = x + residual
    return ENDS[end](x) if end else x


@pytest.mark.parametrize("kind", CONVOLUTIONS)
@pytest.mark.parametrize("no_bias", [False, True])
def test_convolution_with_all_that_follows(kind: str, no_bias: bool) -> None:
    shape = (2, 32, 13, 11)
    for norm, add, end in itertools.product([False, True], [False, True], ["", "relu"]):
        conv = dict(CONVOLUTIONS[kind], no_bias=no_bias)
        residual = mx.sym.var("residual") if add else None
        net = block(mx.sym.var("data"), "c", norm, residual, end, **conv)
        graph = last_graph(net, data=shape)
        assert graph.count("_fused_convolution") == 1
        assert "BatchNorm(" not in graph and "elemwise_add" not in graph and "Activation" not in graph
        check_same(net, data=shape)


@pytest.mark.parametrize("end", ENDS)
def test_endings(end: str) -> None:
    net = block(mx.sym.var("data"), "c", end=end, kernel=(3, 3), num_filter=16)
    assert last_graph(net, data=(1, 4, 8, 8)).count(" = ") == 8  # 7 variables and the call
    check_same(net, data=(1, 4, 8, 8))
    layer = ENDS[end](mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=7, name="fc"))
    assert "_fused_fully_connected" in last_graph(layer, data=(3, 2, 5))
    check_same(layer, data=(3, 2, 5))
    flat = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=7, flatten=False, no_bias=True)
    check_same(ENDS[end](flat), data=(3, 2, 5))


def test_one_axis_and_fixed_gamma() -> None:
    x = mx.sym.Convolution(mx.sym.var("data"), kernel=(3,), stride=(2,), num_filter=33, name="c")
    net = mx.sym.relu(mx.sym.BatchNorm(x, name="bn"))
    assert "_fused_convolution" in last_graph(net, data=(2, 16, 30))
    check_same(mx.sym.Convolution(net, kernel=(2,), num_filter=4, name="d"), data=(2, 16, 30))


def test_values_with_other_users_stay() -> None:
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), num_filter=8, name="c")
    norm = mx.sym.BatchNorm(conv, name="bn")
    end = mx.sym.relu(norm, name="end")
    shape = (1, 3, 6, 6)
    for extra, kept in ((conv, "BatchNorm("), (norm, "relu(")):
        for net in (mx.sym.Group([end, extra]), mx.sym.Group([end, mx.sym.tanh(extra)])):
            assert kept in last_graph(net, data=shape)
            check_same(net, data=shape)
    several = mx.sym.BatchNorm(conv, output_mean_var=True, name="several")
    net = mx.sym.Group([mx.sym.relu(several[0]), several[1]])
    assert "BatchNorm(" in last_graph(net, data=shape)
    check_same(net, data=shape)
    check_same(mx.sym.relu(norm + norm), data=shape)


def test_what_does_not_fit_stays() -> None:
    data = mx.sym.var("data")
    shape = (1, 16, 6, 6)
    conv = mx.sym.Convolution(data, kernel=(1, 1), num_filter=16, name="c")
    wide = mx.sym.broadcast_add(conv, mx.sym.var("b", shape=(1, 16, 1, 1)))
    assert "broadcast_add(" in last_graph(wide, data=shape)
    check_same(wide, data=shape)
    other_axis = mx.sym.BatchNorm(conv, axis=3, name="bn")
    assert "BatchNorm(" in last_graph(other_axis, data=shape)
    check_same(other_axis, data=shape)
    last = mx.sym.Convolution(data, kernel=(1, 1), num_filter=4, layout="NHWC", name="last")
    assert "_fused" not in last_graph(last, data=(1, 6, 6, 16))
    assert "_fused" not in mx.sym.relu(conv).graph_str(gradients=True, data=shape)
    assert "_fused" not in last_graph(mx.sym.relu(data), data=shape)


def residual_network() -> mx.Symbol:
    x = block(mx.sym.var("data"), "stem", end="relu", kernel=(3, 3), pad=(1, 1), num_filter=32, no_bias=True)
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    for i, filters in enumerate((32, 24, 24, 40)):
        same = {"kernel": (3, 3), "pad": (1, 1), "num_filter": filters, "no_bias": True}
        skip = x if i in (0, 2) else block(x, f"skip{i}", kernel=(1, 1), num_filter=filters)
        y = block(x, f"a{i}", end="relu", **same)
        y = block(y, f"b{i}", end="relu6", num_group=filters, **same)
        x = block(y, f"c{i}", residual=skip, end="relu", kernel=(1, 1), num_filter=filters)
    x = mx.sym.Pooling(x, global_pool=True, pool_type="avg")
    return mx.sym.FullyConnected(x, num_hidden=10, name="fc")


def test_images_stay_in_blocks_between_convolutions() -> None:
    net = residual_network()
    graph = last_graph(net, data=(2, 3, 16, 16))
    assert graph.count("_fused_convolution(") == 15
    assert "BatchNorm(" not in graph and "Activation(" not in graph
    assert graph.count("_to_blocked(") == 0 and graph.count("_to_plain(") == 1
    check_same(net, data=(2, 3, 16, 16))


def check_chained(net: mx.Symbol, **shapes: tuple[int, ...]) -> None:
    """Chains add the same numbers in the same order as single calls."""
    chained = predict(net, **shapes)
    with mx.passes.using("-chain"):
        single = predict(net, **shapes)
    with mx.passes.using("none"):
        expected = predict(net, **shapes)
    for a, b, c in zip(chained, single, expected):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-4, atol=1e-4 * float(np.abs(c).max()))


RESIDUALS: dict[str, dict[str, Any]] = {
    "plain": {},
    "steps": {"stride": (2, 2)},
    "wide": {"kernel": (5, 5), "pad": (2, 2)},
    "far": {"dilate": (2, 2), "pad": (2, 2)},
    "leaky": {"end": "leaky"},
    "hard sigmoid": {"end": "hard sigmoid"},
    "no norm": {"norm": False},
}


def inverted(x: mx.Symbol, name: str, expanded: int, out: int, norm: bool = True, **given: Any) -> mx.Symbol:
    """Expanded by a 1x1 convolution, then depthwise, then projected."""
    facts: dict[str, Any] = {"kernel": (3, 3), "pad": (1, 1), "num_filter": expanded, "num_group": expanded}
    end = given.pop("end", "relu6")
    y = block(x, f"{name}_a", norm, end=end, kernel=(1, 1), num_filter=expanded)
    y = block(y, f"{name}_b", norm, end=end, **{**facts, **given})
    return block(y, f"{name}_c", norm, kernel=(1, 1), num_filter=out)


@pytest.mark.parametrize("kind", RESIDUALS)
@pytest.mark.parametrize("shape", [(1, 16, 28, 28), (3, 16, 33, 21)])
def test_inverted_residuals_are_chains(kind: str, shape: tuple[int, ...]) -> None:
    x = block(mx.sym.var("data"), "before", kernel=(1, 1), num_filter=24)
    x = inverted(x, "first", 120, 40, **RESIDUALS[kind])
    y = inverted(x, "second", 408, 40)
    net = mx.sym.Convolution(x + y, kernel=(1, 1), num_filter=8, name="after")
    graph = last_graph(net, data=shape)
    assert graph.count("_fused_convolution_chain(") == 2 and graph.count("_fused_convolution(") == 2
    check_chained(net, data=shape)


@pytest.mark.parametrize("shape", [(2, 3, 64, 64), (1, 3, 97, 71)])
def test_first_layers_are_a_chain(shape: tuple[int, ...]) -> None:
    x = block(mx.sym.var("data"), "a", end="relu6", kernel=(3, 3), stride=(2, 2), pad=(1, 1), num_filter=72)
    x = block(x, "b", end="relu6", kernel=(3, 3), pad=(1, 1), num_filter=72, num_group=72)
    x = block(x, "c", kernel=(1, 1), num_filter=16)
    net = mx.sym.Convolution(x, kernel=(3, 3), num_filter=16, name="after")
    assert last_graph(net, data=shape).count("_fused_convolution_chain(") == 1
    check_chained(net, data=shape)


def test_chains_need_values_of_their_own() -> None:
    data = block(mx.sym.var("data"), "before", kernel=(1, 1), num_filter=16)
    wide = block(data, "a", end="relu6", kernel=(1, 1), num_filter=96)
    deep = block(wide, "b", end="relu6", kernel=(3, 3), pad=(1, 1), num_filter=96, num_group=96)
    shape = (1, 16, 32, 32)

    def after(x: mx.Symbol) -> mx.Symbol:
        return mx.sym.Convolution(x, kernel=(1, 1), num_filter=16, name="after")

    out = block(deep, "c", kernel=(1, 1), num_filter=16)
    for nets, chains in (
        ([after(out + block(wide, "d", kernel=(1, 1), num_filter=16))], 1),
        ([after(out + block(deep, "d", kernel=(1, 1), num_filter=16))], 0),
        ([after(out), deep], 0),
        ([out], 0),
    ):
        net = mx.sym.Group(nets)
        assert last_graph(net, data=shape).count("_fused_convolution_chain(") == chains
        check_chained(net, data=shape)


def test_joined_channels_stay_in_blocks() -> None:
    x = block(mx.sym.var("data"), "a", end="relu", kernel=(3, 3), num_filter=16)
    parts = [block(x, f"b{i}", end="relu", kernel=(1, 1), num_filter=16 * i) for i in (1, 2)]
    parts.append(mx.sym.Pooling(x, kernel=(3, 3), pad=(1, 1), pool_type="max"))
    joined = mx.sym.concat(*parts, dim=1, name="joined")
    again = mx.sym.concat(joined, parts[0], dim=-3, name="again")
    net = mx.sym.Convolution(
        mx.sym.Pooling(again, kernel=(2, 2), pool_type="avg"), kernel=(1, 1), num_filter=8
    )
    graph = last_graph(net, data=(2, 3, 12, 11))
    assert "_to_plain(" not in graph and "_to_blocked(" not in graph
    check_same(net, data=(2, 3, 12, 11))
    # A reader that wants it plain, and channels that fill no whole blocks.
    check_same(mx.sym.Group([net, mx.sym.abs(joined)]), data=(2, 3, 12, 11))
    odd = block(x, "odd", kernel=(1, 1), num_filter=24)
    net = mx.sym.Convolution(mx.sym.concat(odd, *parts, dim=1), kernel=(1, 1), num_filter=8, name="last")
    check_same(net, data=(1, 3, 12, 11))


POOLINGS: dict[str, dict[str, Any]] = {
    "max": {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "max"},
    "max full": {"kernel": (3, 2), "stride": (3, 2), "pool_type": "max", "pooling_convention": "full"},
    "avg": {"kernel": (3, 3), "stride": (2, 1), "pad": (1, 1), "pool_type": "avg"},
    "avg inside": {"kernel": (3, 3), "pad": (2, 2), "pool_type": "avg", "count_include_pad": False},
    "sum same": {"kernel": (2, 2), "pool_type": "sum", "pooling_convention": "same"},
    "global": {"global_pool": True, "kernel": (1, 1), "stride": (9, 9), "pool_type": "avg"},
    "global max": {"global_pool": True, "pool_type": "max"},
}


@pytest.mark.parametrize("kind", POOLINGS)
@pytest.mark.parametrize("filters", [16, 30])
def test_pooling_stays_in_blocks(kind: str, filters: int) -> None:
    net = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(1, 1), num_filter=filters, name="before")
    pooled = mx.sym.Pooling(net, name="pool", **POOLINGS[kind])
    after = mx.sym.Convolution(pooled, kernel=(1, 1), num_filter=20, name="after")
    check_same(after, data=(2, 3, 9, 8))
    graph = last_graph(after, data=(2, 3, 9, 8))
    assert ", 16) float32 = Pooling(" in graph
    assert "_to_plain(" not in graph and "_to_blocked(" not in graph
    layer = mx.sym.FullyConnected(pooled, num_hidden=5, name="layer")
    check_same(layer, data=(2, 3, 9, 8))
    assert last_graph(layer, data=(2, 3, 9, 8)).count("_to_plain(") == 1


def test_pooling_with_several_readers() -> None:
    net = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), num_filter=32, name="before")
    pooled = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    twice = mx.sym.Pooling(pooled, kernel=(2, 2), pool_type="avg", name="again")
    one = mx.sym.Convolution(pooled, kernel=(2, 2), num_filter=32, name="one")
    groups = mx.sym.Convolution(pooled, kernel=(2, 2), num_filter=32, num_group=4, name="groups")
    nets = [one + twice, groups * one, mx.sym.Group([twice, one]), mx.sym.Group([pooled, one])]
    nets += [mx.sym.Group([one, net]), mx.sym.concat(pooled, mx.sym.sin(pooled), dim=1)]
    for both in nets:
        check_same(both, data=(1, 3, 14, 12))


def test_pooling_of_one_axis_in_blocks() -> None:
    net = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3,), num_filter=32, name="before")
    net = mx.sym.Pooling(net, kernel=(3,), stride=(2,), pad=(1,), pool_type="max", name="pool")
    net = mx.sym.Convolution(net, kernel=(3,), num_filter=16, name="after")
    check_same(net, data=(2, 3, 19))


def test_parameters_may_change_between_runs() -> None:
    net = residual_network()
    executor = bound(net, data=(1, 3, 16, 16))

    def same() -> None:
        fused = executor.forward(is_train=False)[0].asnumpy()
        with mx.passes.using("-fuse"):
            fresh = net.bind(mx.cpu(), executor.arg_dict, grad_req="null", aux_states=executor.aux_dict)
            expected = fresh.forward(is_train=False)[0].asnumpy()
        np.testing.assert_allclose(fused, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())

    same()
    same()
    executor.arg_dict["a0_weight"][:] *= 1.5
    same()
    executor.arg_dict["b1_bn_gamma"][3] = 4.0
    same()
    executor.aux_dict["c2_bn_moving_mean"][:] = 0.3
    same()
    executor.copy_params_from({"skip1_weight": executor.arg_dict["skip1_weight"] * 0.5})
    same()
    seen = np.from_dlpack(executor.arg_dict["c3_weight"])
    same()
    ctypes.c_float.from_address(seen.ctypes.data).value = 5.0  # written behind the engine's back
    same()


def test_predictions_follow_training() -> None:
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=16, name="c")
    net = mx.sym.LinearRegressionOutput(mx.sym.relu(mx.sym.BatchNorm(net, name="bn")), name="loss")
    executor = net.simple_bind(mx.cpu(), data=(2, 4, 6, 6))
    for i, array in enumerate(executor.arg_arrays):
        array[:] = mx.nd.array(np.random.default_rng(i).standard_normal(array.shape))
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward()
        executor.arg_dict["c_weight"] -= 0.1 * executor.grad_dict["c_weight"]
        fused = executor.forward(is_train=False)[0].asnumpy()
        with mx.passes.using("-fuse"):
            plain = net.bind(mx.cpu(), executor.arg_dict, grad_req="null", aux_states=executor.aux_dict)
            expected = plain.forward(is_train=False)[0].asnumpy()
        np.testing.assert_allclose(fused, expected, rtol=1e-5, atol=1e-5)


def test_monitors_see_the_symbols_values() -> None:
    net = block(mx.sym.var("data"), "c", end="relu", kernel=(3, 3), num_filter=16)
    executor = bound(net, data=(1, 3, 8, 8))
    before = executor.forward(is_train=False)[0].asnumpy()
    seen: list[str] = []
    executor.set_monitor_callback(lambda name, value: seen.append(name))
    watched = executor.forward(is_train=False)[0].asnumpy()
    assert {"c_output", "c_bn_output", "end_output"} <= set(seen)
    np.testing.assert_allclose(watched, before, rtol=1e-5, atol=1e-5)


def test_errors_name_the_nodes() -> None:
    with pytest.raises(ValueError, match="_fused_convolution"):
        mx.nd._fused_convolution(
            mx.nd.zeros((1, 3, 4, 4)),
            mx.nd.zeros((4, 3, 3, 3)),
            kernel=(3, 3),
            stride=(1, 1),
            dilate=(1, 1),
            pad=(0, 0),
            num_filter=4,
        )


@pytest.mark.parametrize("rows", [1, 7, 64, 200])
@pytest.mark.parametrize("end", ENDS)
def test_layers_are_fused_while_training(end: str, rows: int) -> None:
    """Where the gradient reads the output of the activation; not where it reads that of the layer."""
    net = ENDS[end](mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=96, name="fc1"))
    net = mx.sym.FullyConnected(net, num_hidden=20, name="fc2")
    shapes = {"data": (rows, 50)}
    graph = net.graph_str(gradients=True, **shapes).rsplit("\n# ", 1)[-1]
    assert ("_fused_fully_connected" in graph) == (end not in ("relu6", "leaky"))
    given = arrays(net.list_arguments(), net.infer_shape(**shapes)[0], 0)
    results = []
    for switches in ("all", "none"):
        grads = {name: mx.nd.zeros(a.shape) for name, a in given.items()}
        with mx.passes.using(switches):
            exe = net.bind(mx.cpu(), given, args_grad=grads)
        exe.forward(is_train=True)
        exe.backward([mx.nd.ones((rows, 20)) * 0.1])
        results.append([a.asnumpy() for a in (*exe.outputs, *grads.values())])
    for a, b in zip(*results):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
