"""A training step of a convolutional network of the model zoo: hybridised, and its graph bound by hand."""

from __future__ import annotations

import importlib
from typing import Any

from bench.arrays import to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import integers, uniform

BATCH, SIZE, CLASSES = 4, 64, 1000
OPTIONS = {"learning_rate": 1e-4, "momentum": 0.9, "wd": 0.0}


def _network(mx: Any) -> tuple[Any, Any, Any]:
    """ResNet-50 with the same values every time, its loss, and a batch."""
    net = mx.gluon.model_zoo.vision.resnet50_v1(classes=CLASSES)
    net.initialize(mx.init.Constant(0.0))
    batch = to_array(mx, uniform(BATCH, 3, SIZE, SIZE, seed=1))
    label = to_array(mx, integers(BATCH, below=CLASSES).astype("float32"))
    net(batch[:1])
    for seed, one in enumerate(net.collect_params().values()):
        if one.name.endswith("weight"):
            fan = one.shape[1] * (one.shape[2] * one.shape[3] if len(one.shape) == 4 else 1)
            bound = (3.0 / fan) ** 0.5
            one.set_data(to_array(mx, uniform(*one.shape, seed=seed, low=-bound, high=bound)))
        elif one.name.endswith(("gamma", "running_var")):
            one.set_data(mx.nd.ones(one.shape))
    return net, mx.gluon.loss.SoftmaxCrossEntropyLoss(), (batch, label)


def _hybrid() -> Call:
    mx: Any = importlib.import_module("mixgrad")
    net, loss_of, (batch, label) = _network(mx)
    net.hybridize(static_alloc=True, static_shape=True)
    loss_of.hybridize(static_alloc=True, static_shape=True)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", dict(OPTIONS))

    def call() -> Any:
        with mx.autograd.record():
            loss = loss_of(net(batch), label)
        loss.backward()
        trainer.step(BATCH)
        mx.nd.waitall()
        return loss

    return call


def _executor() -> Call:
    mx: Any = importlib.import_module("mixgrad")
    net, loss_of, (batch, label) = _network(mx)
    loss = loss_of(net(mx.sym.Variable("data")), mx.sym.Variable("label"))
    parameters = net.collect_params()
    requests = {
        name: parameters[name].grad_req if name in parameters else "null" for name in loss.list_arguments()
    }
    executor = loss.simple_bind(mx.cpu(), grad_req=requests, data=batch.shape, label=label.shape)
    held = {**executor.arg_dict, **executor.aux_dict}
    for name, parameter in parameters.items():
        held[name][:] = parameter.data()
    trained = [name for name, request in requests.items() if request != "null"]
    weights, grads = ([found[name] for name in trained] for found in (executor.arg_dict, executor.grad_dict))
    update = mx.optimizer.get_updater(mx.optimizer.SGD(rescale_grad=1 / BATCH, **OPTIONS))
    indices = list(range(len(trained)))
    ones = mx.nd.ones((BATCH,))

    def call() -> Any:
        (loss,) = executor.forward(is_train=True, data=batch, label=label)
        executor.backward(ones)
        update(indices, grads, weights)
        mx.nd.waitall()
        return loss

    return call


_SETUPS: dict[str, Setup] = {"mixgrad": _hybrid, "mixgrad_executor": _executor}

CASES = [
    Case(
        "resnet50_hybrid",
        f"training step of ResNet-50 of the model zoo, {BATCH} pictures of {SIZE} x {SIZE}, hybridised",
        _SETUPS,
        unit="step",
        goal=Goal(("mixgrad_executor",), ratio=1 / 1.03),
        tolerance=1e-3,
    )
]
