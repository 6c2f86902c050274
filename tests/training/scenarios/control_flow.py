"""Loops and branches, in graphs and on arrays."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

TOLERANCE = 1e-5


def _run(mx: Any, net: Any, values: Any, training: bool = True) -> Any:
    """Outputs and gradients, the heads' gradients being 1, 2, ..."""
    args = {k: mx.nd.array(np.array(v, "float32")) for k, v in values.items()}
    grads = {k: mx.nd.zeros(a.shape) for k, a in args.items()}
    exe = net.bind(mx.cpu(), args, args_grad=grads)
    outputs = exe.forward(is_train=training)
    exe.backward([mx.nd.array(np.arange(1, o.size + 1).reshape(o.shape)) for o in outputs])
    return [[o.asnumpy().tolist() for o in outputs], {k: g.asnumpy().tolist() for k, g in grads.items()}]


def _running_sum(mx: Any) -> Any:
    data, state, w = mx.sym.Variable("data"), mx.sym.Variable("state"), mx.sym.Variable("w")

    def body(x: Any, states: Any) -> Any:
        out = x + states[0] * w
        return out, [out]

    with mx.name.NameManager():
        outs, last = mx.sym.contrib.foreach(body, data * 2, [state])
        return mx.sym.Group([outs, *last])


def foreach(mx: Any) -> Any:
    values = {"data": [[1, 2], [3, 4], [5, 6]], "state": [1, 2], "w": [1, 2]}
    return _run(mx, _running_sum(mx), values)


def foreach_nested_lists(mx: Any) -> Any:
    a, b, s, t = (mx.sym.Variable(name) for name in "abst")

    def body(x: Any, states: Any) -> Any:
        first, (second, third) = x[0] + states[0], (x[1] * states[1], x[0] - x[1])
        return [first, [second, third]], [states[0] + 1, second]

    outs, last = mx.sym.contrib.foreach(body, [a, b], [s, t])
    net = mx.sym.Group([outs[0], *outs[1], *last])
    return _run(mx, net, {"a": [[1.0], [2.0]], "b": [[3.0], [4.0]], "s": [1.0], "t": [2.0]})


def foreach_with_layers(mx: Any) -> Any:
    data, state = mx.sym.Variable("data"), mx.sym.Variable("state")

    def body(x: Any, states: Any) -> Any:
        hidden = mx.sym.FullyConnected(x, num_hidden=2, name="i2h")
        hidden = mx.sym.tanh(hidden + mx.sym.FullyConnected(states, num_hidden=2, name="h2h"))
        return hidden, hidden

    outs, last = mx.sym.contrib.foreach(body, data, state)
    net = mx.sym.Group([outs, last])
    rng = np.random.RandomState(4)
    shapes = {
        "data": (3, 2, 2),
        "state": (2, 2),
        "i2h_weight": (2, 2),
        "i2h_bias": (2,),
        "h2h_weight": (2, 2),
        "h2h_bias": (2,),
    }
    answers = _run(mx, net, {k: rng.randn(*s).tolist() for k, s in shapes.items()})
    return [sorted(net.list_arguments()), answers]


def foreach_inside_foreach(mx: Any) -> Any:
    data, state = mx.sym.Variable("data"), mx.sym.Variable("state")

    def inner(x: Any, s: Any) -> Any:
        return x * s, x + s

    def outer(rows: Any, s: Any) -> Any:
        out, last = mx.sym.contrib.foreach(inner, rows, s)
        return out, last

    out, last = mx.sym.contrib.foreach(outer, data, state)
    return _run(mx, mx.sym.Group([out, last]), {"data": [[[1.0], [2.0]], [[3.0], [4.0]]], "state": [2.0]})


def _count(mx: Any, most: int) -> Any:
    i, s = mx.sym.Variable("i"), mx.sym.Variable("s")
    outs, last = mx.sym.contrib.while_loop(
        lambda i, s: i <= 5, lambda i, s: ([i + s], [i + 1, s * i]), (i, s), max_iterations=most
    )
    return outs, last


WHILE_LOOP_CASES = [(1.0, 10), (3.5, 2), (5.0, 4)]


def while_loop(mx: Any, case: Any) -> Any:
    start, most = case
    outs, last = _count(mx, most)
    steps = min(most, int(np.floor(5 - start)) + 1)
    net = mx.sym.Group([mx.sym.slice_axis(outs[0], axis=0, begin=0, end=steps), *last])
    return _run(mx, net, {"i": [start], "s": [2.0]})


def while_loop_reads_outside(mx: Any) -> Any:
    i, x, w, data = (mx.sym.Variable(name) for name in ("i", "x", "w", "data"))
    scaled = data * 2
    outs, last = mx.sym.contrib.while_loop(
        lambda i, x: i * 1 < 3, lambda i, x: (x * scaled * i, [i + 1, x * w]), (i, x), max_iterations=3
    )
    out = outs[0] if isinstance(outs, list) else outs
    values = {"i": [0.0], "x": [5.0], "w": [2.0], "data": [4.0]}
    return _run(mx, mx.sym.Group([out, *last]), values)


COND_CASES = [1.0, 3.0]


def cond(mx: Any, case: float) -> Any:
    a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
    out = mx.sym.contrib.cond(a * b < 5, lambda: (a + 5) * (b + 5), lambda: (a - 5) * (b - 5))
    return _run(mx, out, {"a": [case], "b": [2.0]})


def _texts(mx: Any) -> Any:
    with mx.name.NameManager():
        one = _running_sum(mx)
    with mx.name.NameManager():
        outs, last = _count(mx, 10)
        two = mx.sym.Group([*outs, *last])
    with mx.name.NameManager():
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        three = mx.sym.contrib.cond(a * b < 5, lambda: (a + 5) * (b + 5), lambda: (a - 5) * (b - 5))
    return [one, two, three]


def files(mx: Any) -> Any:
    """The graphs as MXNet writes them, but for the numbers in names of subgraphs, which count on."""

    def plain(node: Any) -> Any:
        if isinstance(node, dict):
            return {k: plain(v) for k, v in node.items() if k not in ("__subgraph_name__", "node_row_ptr")}
        return [plain(v) for v in node] if isinstance(node, list) else node

    return [plain(json.loads(net.tojson())) for net in _texts(mx)]


def arrays(mx: Any) -> Any:
    x, s = mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([1, 1])
    for array in (x, s):
        array.attach_grad()
    with mx.autograd.record():
        out, last = mx.nd.contrib.foreach(lambda d, st: (d * st[0], [d + st[0]]), x, [s])
        (out.sum() + last[0].sum()).backward()
    found = [
        out.asnumpy().tolist(),
        last[0].asnumpy().tolist(),
        x.grad.asnumpy().tolist(),
        s.grad.asnumpy().tolist(),
    ]
    i, t = mx.nd.array([1]), mx.nd.array([2])
    t.attach_grad()
    with mx.autograd.record():
        outs, last = mx.nd.contrib.while_loop(
            lambda i, t: i <= 3, lambda i, t: ([i * t], [i + 1, t * t]), [i, t], max_iterations=3
        )
        outs[0].sum().backward()
    found += [outs[0].asnumpy().tolist(), [v.asnumpy().tolist() for v in last], t.grad.asnumpy().tolist()]
    a = mx.nd.array([1])
    found.append(mx.nd.contrib.cond(a < 5, lambda: a + 5, lambda: a - 5).asnumpy().tolist())
    return found
