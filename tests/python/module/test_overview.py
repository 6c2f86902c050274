"""The programs of MXNet's overview, as written there."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

import mixgrad as mx


def mlp() -> Any:
    """The chain of the overview: each layer is applied to the one before it."""
    layers = [
        lambda data: mx.sym.FullyConnected(data, name="fc1", num_hidden=64),
        lambda data: mx.sym.Activation(data, name="relu1", act_type="relu"),
        lambda data: mx.sym.FullyConnected(data, name="fc2", num_hidden=10),
        lambda data: mx.sym.SoftmaxOutput(data, name="softmax"),
    ]
    return reduce(lambda net, layer: layer(net), layers, mx.sym.Variable("data"))


def digits(rows: int = 600) -> tuple[Any, Any]:
    """Blurred prototypes of ten classes."""
    rng = np.random.RandomState(0)
    prototypes, labels = rng.rand(10, 36), rng.randint(0, 10, rows)
    return (prototypes[labels] + 0.2 * rng.randn(rows, 36)).astype("float32"), labels


def test_a_chain_of_layers_is_a_network() -> None:
    net = mlp()
    inputs = ["data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias", "softmax_label"]
    assert net.list_arguments() == inputs and net.list_outputs() == ["softmax_output"]
    shapes, outputs, _ = net.infer_shape(data=(100, 36))
    assert shapes[1] == (64, 36) and outputs == [(100, 10)]


def test_arrays_as_in_numpy() -> None:
    a = mx.nd.ones((2, 3), mx.cpu(1))
    assert ((a * 2).asnumpy() == 2).all() and (a * 2).context == mx.cpu(1)


def test_a_loop_that_mixes_graphs_and_arrays() -> None:
    """Forward and backward run a planned graph; the update is arithmetic on the same arrays."""
    x, y = digits(200)
    net = mlp().simple_bind(mx.cpu(), data=(200, 36))
    rng = np.random.RandomState(1)
    for name, array in net.arg_dict.items():
        if name.endswith("weight"):
            array[:] = rng.randn(*array.shape) * 0.1
    net.arg_dict["data"][:] = x
    net.arg_dict["softmax_label"][:] = y
    params = [name for name in net.arg_dict if name.endswith(("weight", "bias"))]
    eta = 0.5 / 200
    for _ in range(60):
        net.forward(is_train=True)
        net.backward()
        for name in params:
            weight, grad = net.arg_dict[name], net.grad_dict[name]
            weight -= eta * grad
    assert (net.forward()[0].asnumpy().argmax(1) == y).mean() > 0.95


def test_feedforward_on_two_devices() -> None:
    x, y = digits()
    train_iter = mx.io.NDArrayIter(x[:500], y[:500], batch_size=50, shuffle=True)
    model = mx.model.FeedForward(
        ctx=[mx.cpu(0), mx.cpu(1)],
        symbol=mlp(),
        num_epoch=10,
        learning_rate=0.5,
        momentum=0.9,
        initializer=mx.init.Xavier(),
    )
    model.fit(X=train_iter, eval_data=(x[500:], y[500:]))
    assert (model.predict(x[500:]).argmax(1) == y[500:]).mean() > 0.95


def test_a_store_shares_weights_between_devices() -> None:
    """Each device computes its gradients, pushes them and pulls what they made of the weights."""
    x, y = digits(400)
    devices = [mx.cpu(0), mx.cpu(1)]
    nets = [mlp().simple_bind(ctx, data=(100, 36)) for ctx in devices]
    names = [name for name in nets[0].arg_dict if name.endswith(("weight", "bias"))]
    rng = np.random.RandomState(1)
    kv = mx.kv.create("device")
    for name in names:
        kv.init(name, mx.nd.array(rng.randn(*nets[0].arg_dict[name].shape) * 0.1))
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, rescale_grad=1 / 200))
    for step in range(60):
        for i, net in enumerate(nets):
            rows = slice(100 * (2 * (step % 2) + i), 100 * (2 * (step % 2) + i + 1))
            kv.pull(names, out=[net.arg_dict[name] for name in names])
            net.forward(is_train=True, data=x[rows], softmax_label=y[rows])
            net.backward()
        kv.push(names, [[net.grad_dict[name] for net in nets] for name in names])
    nets[0].forward(data=x[:100], softmax_label=y[:100])
    assert (nets[0].outputs[0].asnumpy().argmax(1) == y[:100]).mean() > 0.95
