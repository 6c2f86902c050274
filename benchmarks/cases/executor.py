"""Executors: what a node of a planned graph costs beside its work, and binding a deep graph."""

from __future__ import annotations

import importlib
from typing import Any

from bench.arrays import module_of
from bench.case import Call, Case, Goal, Setup

NODES = 2000


def _chain(mx: Any, nodes: int) -> Any:
    net = mx.sym.Variable("x")
    for i in range(nodes):
        net = mx.sym.tanh(net) if i % 2 else net + 1.0
    return net


def _run(key: str, training: bool) -> Setup:
    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        if key == "mixgrad":
            mx.passes.switch("-fuse,-pointwise")  # or there were few nodes left
        exe = _chain(mx, NODES).simple_bind(mx.cpu(), grad_req="write" if training else "null", x=(4,))
        head = mx.nd.ones((4,))

        def call() -> Any:
            exe.forward(is_train=training)
            if training:
                exe.backward(head)
            result = exe.grad_arrays[0] if training else exe.outputs[0]
            result.wait_to_read()
            return result

        return call

    return setup


def _bind(key: str, nodes: int) -> Setup:
    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        net = _chain(mx, nodes)
        return lambda: net.simple_bind(mx.cpu(), x=(4,)).arg_arrays[0]

    return setup


def _bind_network(key: str) -> Setup:
    """With all arrays allocated and filled, as simple_bind does."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        models: Any = importlib.import_module("mixgrad.models")
        net = mx.sym.load_json(models.get_symbol("resnet-152").tojson())

        def call() -> Any:
            executor = net.simple_bind(mx.cpu(), data=(16, 3, 224, 224))
            mx.nd.waitall()
            return executor.arg_dict["softmax_label"]

        return call

    return setup


def _both(make: Any, *args: Any) -> dict[str, Setup]:
    return {key: make(key, *args) for key in ("mixgrad", "mxnet")}


CASES = [
    Case(
        "executor_node",
        "a node of a chain of tiny operators in a bound graph",
        _both(_run, False),
        count=NODES,
        unit="node",
        goal=Goal(limit=1e-6),
    ),
    Case(
        "executor_node_training",
        "the same, forward and backward",
        _both(_run, True),
        count=NODES,
        unit="node",
        goal=Goal(limit=2e-6),
    ),
    Case(
        "executor_bind",
        "binding a graph for training",
        _both(_bind, NODES),
        count=NODES,
        unit="node",
        goal=Goal(("mxnet",)),
    ),
    *(
        Case(
            f"executor_bind_{nodes}",
            f"binding a chain of {nodes} nodes for training",
            {"mixgrad": _bind("mixgrad", nodes)},
            count=nodes,
            unit="node",
        )
        for nodes in (10_000, 100_000)
    ),
    Case(
        "executor_bind_resnet_152",
        "ResNet-152, batch 16, bound for training with all its arrays",
        {"mixgrad": _bind_network("mixgrad")},
        unit="bind",
        goal=Goal(limit=0.5),
    ),
]
