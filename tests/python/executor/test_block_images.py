"""The pass `layout` in training: networks in blocks of 16 channels train like plain ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union

import numpy as np
import numpy.typing as npt
import pytest

import mixgrad as mx

Results = dict[str, npt.NDArray[np.float32]]


@pytest.fixture(autouse=True)
def all_passes() -> Iterator[None]:
    with mx.passes.using("all"):
        yield


def last_graph(net: mx.Symbol, **shapes: tuple[int, ...]) -> str:
    return net.graph_str(gradients=True, **shapes).rsplit("\n# ", 1)[-1]


def train(
    net: mx.Symbol, grad_req: Union[str, dict[str, str]] = "write", **shapes: tuple[int, ...]
) -> Results:
    """Outputs, gradients and states after two runs."""
    executor = net.simple_bind(mx.cpu(), grad_req=grad_req, **shapes)
    for i, (name, array) in enumerate(sorted({**executor.arg_dict, **executor.aux_dict}.items())):
        x = np.random.default_rng(i).standard_normal(array.shape)
        fan = int(np.prod(array.shape[1:]))
        array[:] = (
            np.abs(x) + 0.5
            if name.endswith(("var", "gamma"))
            else x / np.sqrt(fan)
            if "weight" in name
            else x
        )
    for array in executor.grad_dict.values():
        if array is not None:
            array[:] = 0.5
    heads = [mx.nd.array(np.random.default_rng(9).standard_normal(o.shape)) for o in executor.outputs]
    for _ in range(2):
        executor.forward(is_train=True)
        executor.backward(heads)
    found = {f"output {i}": o.asnumpy() for i, o in enumerate(executor.outputs)}
    found.update({f"gradient of {k}": v.asnumpy() for k, v in executor.grad_dict.items() if v is not None})
    found.update({k: v.asnumpy() for k, v in executor.aux_dict.items()})
    return found


def check_same(net: mx.Symbol, error: float = 2e-5, **options: Any) -> None:
    blocked = train(net, **options)
    with mx.passes.using("-layout"):
        expected = train(net, **options)
    assert blocked.keys() == expected.keys()
    for name, value in expected.items():
        limit = error * max(1.0, float(np.abs(value).max()))
        np.testing.assert_allclose(blocked[name], value, rtol=0, atol=limit, err_msg=name)


def block(
    x: mx.Symbol, name: str, end: str = "", kernel: int = 3, norm: bool = True, **params: Any
) -> mx.Symbol:
    pad = (kernel // 2,) * 2
    x = mx.sym.Convolution(x, kernel=(kernel, kernel), pad=pad, no_bias=norm, name=name, **params)
    if norm:
        x = mx.sym.BatchNorm(x, fix_gamma=False, name=f"{name}_bn")
    if end == "relu6":
        return mx.sym.clip(x, a_min=0, a_max=6)
    return mx.sym.Activation(x, act_type=end) if end else x


def residual_network() -> mx.Symbol:
    x = block(mx.sym.var("data"), "first", "relu", num_filter=32, stride=(2, 2))
    x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for i, (filters, step) in enumerate(((32, 1), (64, 2), (24, 1), (32, 1))):
        skip = x if i == 0 else block(x, f"skip{i}", kernel=1, num_filter=filters, stride=(step, step))
        y = block(x, f"a{i}", "relu", kernel=1, num_filter=2 * filters)
        y = block(y, f"b{i}", "relu6", num_filter=2 * filters, num_group=2 * filters, stride=(step, step))
        y = block(y, f"c{i}", "", num_filter=filters)
        x = mx.sym.relu(y + skip)
    x = mx.sym.Pooling(x, global_pool=True, pool_type="avg", kernel=(1, 1))
    return mx.sym.FullyConnected(x, num_hidden=10, name="fc")


def test_residual_networks() -> None:
    net = residual_network()
    graph = last_graph(net, data=(2, 3, 32, 32))
    assert graph.count("_image_convolution") >= 25
    assert graph.count("_image_batch_norm") >= 20
    check_same(net, error=2e-4, data=(2, 3, 32, 32))


def test_plain_convolutions_with_bias() -> None:
    x = mx.sym.var("data")
    for i, filters in enumerate((16, 32, 32)):
        x = block(x, f"c{i}", "relu", norm=False, num_filter=filters)
        x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type=("max", "avg", "max")[i])
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=8, name="fc"), name="softmax")
    graph = last_graph(net, data=(3, 3, 24, 20))
    assert graph.count("_image_convolution") == 6 and graph.count("_image_pooling") == 6
    check_same(net, data=(3, 3, 24, 20))


@pytest.mark.parametrize("end", ["relu", "relu6", "tanh", ""])
@pytest.mark.parametrize("params", [{"fix_gamma": True}, {"use_global_stats": True, "fix_gamma": False}, {}])
def test_norms(end: str, params: dict[str, Any]) -> None:
    x = block(mx.sym.var("data"), "a", norm=False, num_filter=32)
    x = mx.sym.BatchNorm(x, name="bn", **params)
    x = (
        mx.sym.clip(x, a_min=-0.5, a_max=0.5)
        if end == "relu6"
        else mx.sym.Activation(x, act_type=end)
        if end
        else x
    )
    check_same(block(x, "b", norm=False, num_filter=16, kernel=1), error=1e-4, data=(2, 3, 9, 7))


def test_values_with_other_users() -> None:
    x = block(mx.sym.var("data"), "a", norm=False, num_filter=32)
    y = mx.sym.BatchNorm(x, fix_gamma=False, name="bn")
    z = mx.sym.relu(y)
    out = block(z, "b", norm=False, num_filter=32) + block(y, "c", norm=False, num_filter=32)
    check_same(
        mx.sym.Group([out, mx.sym.sum(mx.sym.transpose(z, axes=(0, 2, 3, 1)))]),
        error=1e-4,
        data=(2, 16, 8, 8),
    )
    check_same(mx.sym.Group([mx.sym.tanh(out), y]), error=1e-4, data=(2, 16, 8, 8))


@pytest.mark.parametrize("grad_req", ["add", "null"])
def test_gradient_requests(grad_req: str) -> None:
    net = residual_network()
    names = net.list_arguments()
    requests = {
        n: grad_req if n in ("data", "first_weight", "a1_bn_gamma", "b2_weight") else "write" for n in names
    }
    check_same(net, error=2e-4, grad_req=requests, data=(2, 3, 32, 32))


def test_no_gradient_below() -> None:
    net = residual_network()
    requests = {n: "write" if n.startswith(("c3", "fc")) else "null" for n in net.list_arguments()}
    check_same(net, error=2e-4, grad_req=requests, data=(2, 3, 32, 32))


@pytest.mark.parametrize("channels", [16, 48, 160])
@pytest.mark.parametrize("filters", [16, 96, 64])
def test_single_pixels(channels: int, filters: int) -> None:
    x = block(mx.sym.var("data"), "a", norm=False, num_filter=channels)
    x = block(x, "b", norm=False, kernel=1, num_filter=filters)
    x = block(x, "c", norm=False, kernel=1, num_filter=32, stride=(2, 2))
    check_same(x, error=1e-4, data=(3, 3, 15, 14))


@pytest.mark.parametrize("goal", ["cheap", "least"])
def test_recompute(goal: str) -> None:
    net = residual_network()
    kept = train(net, data=(2, 3, 32, 32))
    mx.executor.set_recompute(goal)
    try:
        again = train(net, data=(2, 3, 32, 32))
    finally:
        mx.executor.set_recompute("off")
    for name, value in kept.items():
        np.testing.assert_array_equal(again[name], value, err_msg=name)


def test_small_and_odd_images_stay_plain() -> None:
    x = block(mx.sym.var("data"), "a", "relu", num_filter=20)
    x = block(x, "b", "relu", num_filter=8)
    assert "_image" not in last_graph(x, data=(2, 3, 8, 8))
    check_same(x, data=(2, 3, 8, 8))


def test_plans_do_not_grow() -> None:
    net = mx.models.get_symbol("mobilenet-v2-1.0")
    blocked = net.simple_bind(mx.cpu(), data=(4, 3, 96, 96)).planned_bytes()
    with mx.passes.using("-layout"):
        plain = net.simple_bind(mx.cpu(), data=(4, 3, 96, 96)).planned_bytes()
    assert blocked[0] <= plain[0]


def test_images_wanted_in_both_layouts_are_turned_again() -> None:
    x, losses = mx.sym.Variable("data"), []
    for i in range(4):
        x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=32, name=f"conv{i}")
        x = mx.sym.Activation(x, act_type="relu", name=f"relu{i}")
        rows = mx.sym.Reshape(x, shape=(32, -1), name=f"rows{i}")
        losses.append(mx.sym.sum(mx.sym.square(mx.sym.dot(rows, rows, transpose_b=True) / 1000)))
    net = mx.sym.add_n(*losses)
    shape = (1, 16, 24, 24)
    assert "'rows0_plain_again'" in net.simple_bind(mx.cpu(), data=shape).debug_str()
    check_same(net, data=shape)


def test_plan_of_neural_style_does_not_grow() -> None:
    entry = mx.models.CATALOG["neural-style"]
    blocked = entry.symbol().simple_bind(mx.cpu(), **entry.shapes).planned_bytes()
    with mx.passes.using("none"):
        plain = entry.symbol().simple_bind(mx.cpu(), **entry.shapes).planned_bytes()
    assert blocked[0] <= plain[0]
