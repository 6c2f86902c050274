"""Loops and branches inside graphs: building, files, refusals, random numbers, passes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def recurrent() -> mx.Symbol:
    def body(x: Any, h: Any) -> Any:
        hidden = mx.sym.FullyConnected(x, num_hidden=3, name="i2h")
        hidden = mx.sym.tanh(hidden + mx.sym.FullyConnected(h, num_hidden=3, name="h2h"), name="cell")
        return mx.sym.Dropout(hidden, p=0.3), hidden

    out, last = mx.sym.contrib.foreach(body, mx.sym.var("data"), mx.sym.var("state"))
    return mx.sym.Group([mx.sym.MakeLoss(out, name="loss"), mx.sym.BlockGrad(last)])


def bound(net: mx.Symbol, **shapes: tuple[int, ...]) -> Any:
    exe = net.simple_bind(mx.cpu(), **shapes)
    rng = np.random.RandomState(0)
    for _, array in sorted(exe.arg_dict.items()):
        array[:] = mx.nd.array(rng.randn(*array.shape) * 0.5)
    return exe


SHAPES = {"data": (4, 2, 5), "state": (2, 3)}


def test_shapes_follow_both_ways() -> None:
    net = recurrent()
    arguments, outputs, states = net.infer_shape(**SHAPES)
    found = dict(zip(net.list_arguments(), arguments))
    assert found["i2h_weight"] == (3, 5) and found["h2h_weight"] == (3, 3)
    assert outputs == [(4, 2, 3), (2, 3)] and states == []
    partial = net.infer_shape_partial(data=(0, 2, 5))
    assert dict(zip(net.list_arguments(), partial[0]))["i2h_weight"] == (3, 5)


def test_bodies_are_grouped_to_the_same_bits() -> None:
    def body(x: Any, h: Any) -> Any:
        h = mx.sym.tanh(x * 0.5 + h) * mx.sym.sigmoid(x - h)
        return h, h

    net = mx.sym.make_loss(mx.sym.contrib.foreach(body, mx.sym.var("data"), mx.sym.var("state"))[0])
    found = []
    for switches in ("all", "-pointwise"):
        with mx.passes.using(switches):
            exe = bound(net, data=(5, 7), state=(7,))
            exe.forward(is_train=True)
            exe.backward()
            found.append([array.asnumpy() for array in (*exe.outputs, *exe.grad_arrays)])
    for one, other in zip(*found):
        np.testing.assert_array_equal(one, other)


def test_gradient_repeats_the_random_numbers() -> None:
    exe = bound(recurrent(), **SHAPES)
    mx.random.seed(5)
    dropped = exe.forward(is_train=True)[0].asnumpy() == 0
    assert 0 < dropped.sum() < dropped.size
    exe.backward()
    first = {k: g.asnumpy() for k, g in exe.grad_dict.items()}
    # The same computation written out, step by step, with the masks that were drawn.
    args = {k: v.copy() for k, v in exe.arg_dict.items()}
    for array in args.values():
        array.attach_grad()
    with mx.autograd.record():
        h, total = args["state"], 0
        for t in range(4):
            fc = mx.nd.FullyConnected(args["data"][t], args["i2h_weight"], args["i2h_bias"], num_hidden=3)
            h = mx.nd.tanh(fc + mx.nd.FullyConnected(h, args["h2h_weight"], args["h2h_bias"], num_hidden=3))
            total = total + (h * mx.nd.array(~dropped[t] / 0.7)).sum()
    total.backward()
    for name, array in args.items():
        np.testing.assert_allclose(first[name], array.grad.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name)


def results_under(passes: str) -> list[np.ndarray]:
    with mx.passes.using(passes):
        exe = bound(recurrent(), **SHAPES)
        mx.random.seed(1)
        exe.forward(is_train=True)
        exe.backward()
        return [a.asnumpy() for a in (*exe.outputs, *exe.grad_arrays)]


PASSES = ["all", "none", "-fold", "none,common,prune"]


@pytest.mark.parametrize("passes", PASSES)
def test_passes_change_nothing(passes: str) -> None:
    for one, two in zip(results_under("none"), results_under(passes)):
        np.testing.assert_array_equal(one, two)


def test_passes_reach_the_bodies() -> None:
    def body(x: Any, h: Any) -> Any:
        return mx.sym.tanh(x, name="one") * mx.sym.tanh(x, name="other"), h

    peaks = {}
    for setting in ("none", "all", "none"):
        out, _ = mx.sym.contrib.foreach(body, mx.sym.var("data"), mx.sym.var("state"))
        with mx.passes.using(setting):
            exe = bound(out, data=(2, 1 << 19), state=(1 << 19,))
        exe.forward()[0].wait_to_read()
        mx.reset_peak_memory()
        before = mx.memory_info().in_use
        exe.forward()[0].wait_to_read()
        peaks[setting] = mx.memory_info().peak - before
    assert peaks["none"] > peaks["all"] + (1 << 20)  # "common" leaves one of the two


def test_files_keep_the_bodies() -> None:
    net = recurrent()
    again = mx.sym.load_json(net.tojson())
    assert again.tojson() == net.tojson()
    assert again.list_arguments() == net.list_arguments()
    node = next(n for n in json.loads(net.tojson())["nodes"] if n["op"] == "_foreach")
    assert [n["name"] for n in node["subgraphs"][0]["nodes"]][-1].startswith("dropout") or node["subgraphs"]
    assert "subgraph0" not in node["attrs"] and "subgraph0" not in str(net.attr_dict())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n: n.pop("subgraphs"), "0 subgraphs; expected 1"),
        (lambda n: n["subgraphs"].append(n["subgraphs"][0]), "2 subgraphs; expected 1"),
        (lambda n: n["subgraphs"].__setitem__(0, {"nodes": []}), 'no "heads"'),
        (lambda n: n["attrs"].update(in_data_locs="[7]"), "from 0 to"),
        (lambda n: n["attrs"].update(in_data_locs="[1]"), "again"),
        (lambda n: n["attrs"].update(num_out_data="2"), "expected at least one data"),
        (lambda n: n["attrs"].update(subgraph0="{}"), "unknown parameter 'subgraph0'"),
    ],
)
def test_damaged_files_are_refused(change: Any, message: str) -> None:
    graph = json.loads(recurrent().tojson())
    change(next(n for n in graph["nodes"] if n["op"] == "_foreach"))
    with pytest.raises(mx.MXNetError, match=message.replace("[", r"\[")):
        mx.sym.load_json(json.dumps(graph)).infer_shape(**SHAPES)


def test_subgraphs_belong_to_operators_that_take_them() -> None:
    graph = json.loads((mx.sym.var("x") * 2).tojson())
    graph["nodes"][1]["subgraphs"] = [json.loads(mx.sym.var("y").tojson())]
    with pytest.raises(mx.MXNetError, match="1 subgraphs; expected 0"):
        mx.sym.load_json(json.dumps(graph))


def test_items_of_one_axis_have_shape_1() -> None:
    body = lambda x, s: (x * s[0], [s[0] * 2])  # noqa: E731
    out, last = mx.sym.contrib.foreach(body, mx.sym.var("x"), [mx.sym.var("s")])
    net = mx.sym.Group([out, last[0]])
    assert net.infer_shape(x=(3,), s=(1,))[1] == [(3, 1), (1,)]
    values, gradient = mx.nd.array([1, 2, 3]), mx.nd.zeros((3,))
    exe = net.bind(mx.cpu(), {"x": values, "s": mx.nd.ones((1,))}, {"x": gradient})
    outputs = exe.forward(is_train=True)
    exe.backward([mx.nd.ones((3, 1)), mx.nd.zeros((1,))])
    eager, _ = mx.nd.contrib.foreach(body, values, [mx.nd.ones((1,))])
    assert outputs[0].asnumpy().tolist() == eager.asnumpy().tolist() == [[1], [4], [12]]
    assert gradient.asnumpy().tolist() == [1, 2, 4]


def test_states_inside_are_refused() -> None:
    body = lambda x, s: (mx.sym.BatchNorm(x, name="bn"), [s[0] + 1])  # noqa: E731
    out, _ = mx.sym.contrib.foreach(body, mx.sym.var("x"), [mx.sym.var("s")])
    with pytest.raises(mx.MXNetError, match="bn_moving_mean"):
        out.infer_shape(x=(2, 3, 4), s=(1,))


def test_refused_calls() -> None:
    x, s = mx.sym.var("x"), mx.sym.var("s")
    for kind in (mx.MXNetError, AssertionError):
        with pytest.raises(kind, match="does not use 's'"):
            mx.sym.contrib.foreach(lambda d, st: (d, [d]), x, [s])
    with pytest.raises(mx.MXNetError, match="2 states; expected 1"):
        mx.sym.contrib.foreach(lambda d, st: (d, [d, st[0]]), x, [s])
    with pytest.raises(TypeError, match="int"):
        mx.sym.contrib.foreach(lambda d, st: (3, st), x, [s])
    with pytest.raises(ValueError, match="max_iterations"):
        mx.sym.contrib.while_loop(lambda v: v < 1, lambda v: (v, [v]), [x])
    with pytest.raises(ValueError, match="1 and 2 outputs"):
        mx.sym.contrib.cond(x < 1, lambda: [x], lambda: [x, x])
    with pytest.raises(ValueError, match="leading extent"):
        mx.nd.contrib.foreach(lambda d, st: (d[0], st), [mx.nd.ones((2, 1)), mx.nd.ones((3, 1))], [])
    many = mx.sym.contrib.cond(x, lambda: x * 2, lambda: x * 3)
    with pytest.raises(mx.MXNetError, match="the condition has 2 elements"):
        many.eval(x=mx.nd.ones((2,)))[0].asnumpy()


def test_whole_numbers_count() -> None:
    i, total = mx.sym.var("i"), mx.sym.var("total")
    out, last = mx.sym.contrib.while_loop(
        lambda i, t: i < 4,
        lambda i, t: (t, [i + 1, mx.sym.broadcast_mul(t, mx.sym.cast(i, dtype="float32"))]),
        [i, total],
        max_iterations=6,
    )
    net = mx.sym.MakeLoss(mx.sym.sum(last[1]))
    exe = net.simple_bind(mx.cpu(), type_dict={"i": "int32"}, i=(1,), total=(2,))
    exe.arg_dict["i"][:] = 1
    exe.arg_dict["total"][:] = 2
    assert exe.forward(is_train=True)[0].asnumpy().tolist() == [24]
    exe.backward()
    assert exe.grad_dict["total"].asnumpy().tolist() == [6, 6]
    assert last[0].infer_type(i="int32")[1] == [np.int32]
    assert out is not None


def test_executors_of_one_loop_run_at_once() -> None:
    net = recurrent()
    executors = [bound(net, **SHAPES) for _ in range(3)]
    for exe in executors:
        exe.forward(is_train=False)
    answers = [exe.outputs[1].asnumpy() for exe in executors]
    assert all((a == answers[0]).all() for a in answers)


def test_gradients_as_symbols() -> None:
    x, w = mx.sym.var("x"), mx.sym.var("w")
    net = mx.sym.sum(mx.sym.tanh(x) * w)
    slopes = net.gradient(["w", "x"])
    values = {"x": mx.nd.array([0.5, -1]), "w": mx.nd.array([2, 3])}
    dw, dx = (o.asnumpy() for o in slopes.eval(**values))
    np.testing.assert_allclose(dw, np.tanh([0.5, -1]), rtol=1e-6)
    np.testing.assert_allclose(dx, np.array([2, 3]) / np.cosh([0.5, -1]) ** 2, rtol=1e-6)
    assert slopes.infer_shape(x=(5,), w=(5,))[1] == [(5,), (5,)]
    step = x - 0.1 * net.grad("x")  # a graph that holds its own descent
    assert step.list_arguments() == ["x", "w"]
    with pytest.raises(mx.MXNetError, match="no argument is called 'y'"):
        net.gradient("y")


def test_backward_is_in_the_mode_of_forward() -> None:
    exe = mx.sym.Dropout(mx.sym.var("x")).simple_bind(mx.cpu(), x=(4,))
    exe.forward(is_train=True, x=mx.nd.ones((4,)))
    out = exe.outputs[0].asnumpy().tolist()
    exe.backward(mx.nd.ones((4,)), is_train=False)
    assert exe.grad_dict["x"].asnumpy().tolist() == [2 * (kept > 0) for kept in out]
    exe.forward(is_train=False)
    exe.backward(mx.nd.ones((4,)), is_train=False)
    assert exe.grad_dict["x"].asnumpy().tolist() == [1, 1, 1, 1]
