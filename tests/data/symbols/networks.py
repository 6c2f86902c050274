"""Networks that MXNet and mixgrad build alike: functions of the package that give a symbol and shapes."""

from __future__ import annotations

from typing import Any, Callable


def mlp(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    net = mx.sym.Variable("data")
    for i, hidden in enumerate((128, 64, 10)):
        net = mx.sym.FullyConnected(net, num_hidden=hidden, name=f"fc{i + 1}")
        if i < 2:
            net = mx.sym.Activation(net, act_type="relu", name=f"relu{i + 1}")
    return mx.sym.SoftmaxOutput(net, name="softmax"), {"data": (32, 784)}


def lenet(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    net = mx.sym.var("data")
    for filters in (20, 50):
        net = mx.sym.Convolution(data=net, kernel=(5, 5), num_filter=filters)
        net = mx.sym.Activation(data=net, act_type="tanh")
        net = mx.sym.Pooling(data=net, pool_type="max", kernel=(2, 2), stride=(2, 2))
    net = mx.sym.Flatten(data=net)
    net = mx.sym.FullyConnected(data=net, num_hidden=500)
    net = mx.sym.Dropout(net, p=0.3)
    net = mx.sym.FullyConnected(data=net, num_hidden=10, no_bias=True)
    return mx.sym.SoftmaxOutput(data=net, name="softmax"), {"data": (8, 1, 28, 28)}


def residual(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    net = mx.sym.var("data", dtype="float32")
    net = mx.sym.BatchNorm(net, fix_gamma=True, eps=2e-5, momentum=0.9, name="bn_data")
    for i in range(2):
        inner = mx.sym.BatchNorm(net, fix_gamma=False, eps=2e-5, name=f"unit{i}_bn")
        inner = mx.sym.Activation(inner, act_type="relu", name=f"unit{i}_relu")
        inner = mx.sym.Convolution(
            inner, num_filter=3, kernel=(3, 3), pad=(1, 1), no_bias=True, workspace=256, name=f"unit{i}_conv"
        )
        net = inner + net
    net = mx.sym.Pooling(net, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool")
    return mx.sym.Flatten(net, name="flat"), {"data": (2, 3, 9, 9)}


def tower(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    data = mx.sym.Variable("data")
    parts = [
        mx.sym.Convolution(data, kernel=(k, k), pad=(k // 2, k // 2), num_filter=4, name=f"conv{k}")
        for k in (1, 3, 5)
    ]
    joined = mx.sym.Concat(*parts, name="joined")
    halves = mx.sym.SliceChannel(joined, num_outputs=3, axis=1, name="halves")
    total = mx.sym.add_n(halves[0], halves[1], halves[2], name="total")
    up = mx.sym.Deconvolution(total, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=2, name="up")
    return mx.sym.Group([up, mx.sym.LRN(total, nsize=5, name="lrn")]), {"data": (2, 3, 8, 8)}


def cell(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    weight, bias = mx.sym.var("i2h_weight"), mx.sym.var("i2h_bias", init=mx.init.LSTMBias(forget_bias=1.0))
    words = mx.sym.Embedding(mx.sym.var("data"), input_dim=50, output_dim=6, name="embed")
    steps = mx.sym.SliceChannel(words, num_outputs=3, axis=1, squeeze_axis=True)
    state, hidden = None, None
    own_weight, own_bias = mx.sym.var("h2h_weight"), mx.sym.var("h2h_bias")
    for t in range(3):
        gates = mx.sym.FullyConnected(steps[t], weight, bias, num_hidden=16, name=f"t{t}_i2h")
        if hidden is not None:
            gates = gates + mx.sym.FullyConnected(
                hidden, own_weight, own_bias, num_hidden=16, name=f"t{t}_h2h"
            )
        parts = mx.sym.SliceChannel(gates, num_outputs=4, name=f"t{t}_slice")
        entered = mx.sym.sigmoid(parts[0]) * mx.sym.tanh(parts[2])
        state = entered if state is None else mx.sym.sigmoid(parts[1]) * state + entered
        hidden = mx.sym.sigmoid(parts[3]) * mx.sym.tanh(state)
    return hidden, {"data": (5, 3)}


def marked(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    with mx.AttrScope(ctx_group="stage1", __mood__="calm"):
        data = mx.sym.var("data", shape=(0, 7), lr_mult=0.5, wd_mult=2.0)
        net = mx.sym.FullyConnected(data, num_hidden=3, name="fc1", attr={"__mirror_stage__": "1"})
    with mx.AttrScope(ctx_group="stage2"):
        net = mx.sym.LeakyReLU(net, act_type="prelu", name="act")
    return net, {"data": (4, 7)}


def arithmetic(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = (a + b) * (a - 2) / (1.5 + b) - 3 * a**2 + 2**b % 5 - (-a)
    net = mx.sym.maximum(net, 0.25) + mx.sym.broadcast_add(a, b, name="wide")
    net = net.reshape(shape=(0, -1)).sum(axis=1, keepdims=True)
    compared = (a > b) + (a == 1) + (b <= a)
    return mx.sym.Group([net, compared, mx.sym.zeros(shape=(2, 3)), mx.sym.arange(0, 6)]), {
        "a": (2, 3),
        "b": (2, 3),
    }


def losses(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    data = mx.sym.var("data")
    wide = mx.sym.FullyConnected(data, num_hidden=4, name="fc")
    return (
        mx.sym.Group(
            [
                mx.sym.LinearRegressionOutput(wide, name="linear"),
                mx.sym.SoftmaxOutput(wide, mx.sym.var("label"), grad_scale=0.5, name="softmax"),
                mx.sym.MakeLoss(mx.sym.square(wide), name="loss"),
                mx.sym.BlockGrad(wide, name="stop"),
            ]
        ),
        {"data": (6, 5)},
    )


NETWORKS: dict[str, Callable[[Any], tuple[Any, dict[str, tuple[int, ...]]]]] = {
    f.__name__: f for f in (mlp, lenet, residual, tower, cell, marked, arithmetic, losses)
}
