"""Graphs for PyTorch: modules as its users write them, run by code that torch.fx writes."""

from __future__ import annotations

import importlib
from typing import Any

from .graph import Graph, Node, read


def _module(nn: Any, node: Node, graph: Graph) -> Any:
    """The module of one node, with its own parameters still unset; None for additions and Concat."""
    if node.op in ("Convolution", "FullyConnected"):
        shape, bias = graph.shapes[node.inputs[1]], len(node.inputs) > 2
        if node.op == "FullyConnected":
            return nn.Linear(shape[1], shape[0], bias=bias)
        kernel, stride, pad = node.window()
        groups = node.value("num_group", 1)
        return nn.Conv2d(shape[1] * groups, shape[0], kernel, stride, pad, groups=groups, bias=bias)
    if node.op == "BatchNorm":
        momentum = 1 - node.value("momentum", 0.9)
        return nn.BatchNorm2d(graph.shapes[node.inputs[1]][0], node.value("eps", 1e-3), momentum)
    if node.op == "Pooling":
        if node.value("global_pool", False):
            return nn.AdaptiveAvgPool2d(1)
        return nn.MaxPool2d(*node.window(), ceil_mode=node.full)
    if node.op == "Activation":
        return nn.ReLU(inplace=True)
    if node.op == "clip":
        return nn.ReLU6(inplace=True)
    if node.op == "LRN":
        values = (node.value(*pair) for pair in (("alpha", 1e-4), ("beta", 0.75), ("knorm", 2.0)))
        return nn.LocalResponseNorm(node.value("nsize", 5), *values)
    if node.op == "Flatten":
        return nn.Flatten()
    if node.op in ("elemwise_add", "Concat"):
        return None
    raise ValueError(f"[{node.name}] no PyTorch module for operator {node.op!r}")


def torch_network(model: str) -> Any:
    """A network with its parameters, in training mode."""
    torch: Any = importlib.import_module("torch")
    fx: Any = importlib.import_module("torch.fx")
    graph = read(model)
    values = graph.parameters()
    written, root = fx.Graph(), torch.nn.Module()
    results = {"data": written.placeholder("data")}
    for node in graph.nodes:
        module = _module(torch.nn, node, graph)
        inputs = [results[name] for name in node.inputs if name in results]
        if module is None:
            join = (torch.cat, (inputs, 1)) if node.op == "Concat" else (torch.add, tuple(inputs))
            results[node.name] = written.call_function(*join)
            continue
        name = node.name.replace("-", "_")
        root.add_module(name, module)
        results[node.name] = written.call_module(name, tuple(inputs))
        given = node.inputs[1:]
        # BatchNorm: gamma, beta, mean, variance.
        parts = ("weight", "bias", "running_mean", "running_var")
        with torch.no_grad():
            for part, source in zip(parts, given):
                getattr(module, part).copy_(torch.from_numpy(values.pop(source)))
    written.output(results[graph.output])
    return fx.GraphModule(root, written)
