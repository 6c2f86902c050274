"""Graphs for ncnn: its own files, with BatchNorm and activations folded into layers as its optimiser does."""

from __future__ import annotations

import importlib
import os
import tempfile
from pathlib import Path
from typing import Any, Optional

from .case import Call
from .graph import Graph, Node, constants, read

_NORM = ("BatchNorm",)
_ENDS = ("Activation", "clip")


class _Writer:
    """Layers and weights of one network, written in the order of its nodes."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.values = graph, graph.parameters()
        self.layers: list[str] = ["Input data 0 1 data"]
        self.weights: list[bytes] = []
        self.blobs = {"data": ["data"]}  # copies of a result that are not read yet
        self.count = 1
        for node in graph.nodes:
            if node.name not in self.blobs:
                self._write(node)

    def _sole_reader(self, name: str, ops: tuple[str, ...]) -> Optional[Node]:
        readers = self.graph.readers(name)
        return readers[0] if len(readers) == 1 and readers[0].op in ops else None

    def _add(self, kind: str, name: str, inputs: list[str], parameters: str) -> None:
        """A layer, and behind it one that splits its result where several layers read that."""
        head = f"{kind} {name} {len(inputs)} 1 {' '.join(inputs)} {name}"
        self.layers.append(f"{head} {parameters}".rstrip())
        copies = len(self.graph.readers(name))
        self.blobs[name] = [name]
        self.count += 1
        if copies > 1:
            self.blobs[name] = [f"{name}_{i}" for i in range(copies)]
            self.count += copies
            outputs = " ".join(self.blobs[name])
            self.layers.append(f"Split {name}_split 1 {copies} {name} {outputs}")

    def _write(self, node: Node) -> None:
        if node.op in ("Convolution", "FullyConnected"):
            self._product(node)
            return
        inputs = [self.blobs[name].pop() for name in node.inputs]
        if node.op == "Pooling" and node.value("global_pool", False):
            self._add("Pooling", node.name, inputs, "0=1 4=1")
        elif node.op == "Pooling":
            kernel, stride, pad = node.window()
            self._add(
                "Pooling", node.name, inputs, f"0=0 1={kernel} 2={stride} 3={pad} 5={int(not node.full)}"
            )
        elif node.op == "Concat":
            self._add("Concat", node.name, inputs, "0=0")
        elif node.op == "elemwise_add":
            self._add("BinaryOp", node.name, inputs, "0=0")
        elif node.op == "Activation":
            self._add("ReLU", node.name, inputs, "")
        elif node.op == "clip":
            low, high = (float(node.value(key, 0)) for key in ("a_min", "a_max"))
            self._add("Clip", node.name, inputs, f"0={low} 1={high}")
        elif node.op == "Flatten":
            self._add("Flatten", node.name, inputs, "")
        elif node.op == "LRN":
            pairs = ((1, "nsize", 5), (2, "alpha", 1e-4), (3, "beta", 0.75), (4, "knorm", 2))
            text = " ".join(f"{number}={node.value(key, value)}" for number, key, value in pairs)
            self._add("LRN", node.name, inputs, f"0=0 {text}")
        else:
            raise ValueError(f"[{node.name}] no ncnn layer for operator {node.op!r}")

    def _product(self, node: Node) -> None:
        """A convolution or fully connected layer, with the BatchNorm and the activation that follow."""
        np: Any = importlib.import_module("numpy")
        weight, *bias = constants(self.values, node.inputs[1:])
        offset = bias[0] if bias else np.zeros(len(weight), np.float32)
        name = node.name
        norm = self._sole_reader(name, _NORM)
        if norm:
            gamma, beta, mean, variance = constants(self.values, norm.inputs[1:])
            scale = gamma / np.sqrt(variance + np.float32(norm.value("eps", 1e-3)))
            weight = weight * scale.reshape(-1, *[1] * (weight.ndim - 1))
            offset, name = beta + (offset - mean) * scale, norm.name
        end = self._sole_reader(name, _ENDS)
        text = ""
        if end:
            low_high = [float(end.value(key, 0)) for key in ("a_min", "a_max")]
            text = " 9=1" if end.op == "Activation" else " 9=3 -23310=2,{},{}".format(*low_high)
            name = end.name
        inputs = [self.blobs[node.inputs[0]].pop()]
        if node.op == "FullyConnected":
            self._add("InnerProduct", name, inputs, f"0={len(weight)} 1=1 2={weight.size}{text}")
        else:
            kernel, stride, pad = node.window()
            groups = node.value("num_group", 1)
            kind = "Convolution" if groups == 1 else "ConvolutionDepthWise"
            split = "" if groups == 1 else f" 7={groups}"
            window = f"0={len(weight)} 1={kernel} 3={stride} 4={pad} 5=1 6={weight.size}{split}"
            self._add(kind, name, inputs, window + text)
        for folded in {node.name, norm.name if norm else "", name} - {name, ""}:
            self.blobs[folded] = []
        self.weights += [np.zeros(1, np.uint32).tobytes(), weight.tobytes(), offset.tobytes()]

    def save(self, folder: Path) -> tuple[str, str]:
        param, model = folder / "param", folder / "bin"
        text = "\n".join(["7767517", f"{len(self.layers)} {self.count}", *self.layers, ""])
        param.write_text(text, encoding="utf-8")
        model.write_bytes(b"".join(self.weights))
        return str(param), str(model)


def ncnn_prediction(model: str, image: Any) -> Call:
    """A call that predicts one image; all of ncnn's fast paths for float32 are on, as they are by default."""
    ncnn: Any = importlib.import_module("ncnn")
    graph = read(model)
    net = ncnn.Net()
    net.opt.num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    # The same numbers as the others.
    for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
        setattr(net.opt, f"use_{name}", False)
    with tempfile.TemporaryDirectory() as folder:
        param, weights = _Writer(graph).save(Path(folder))
        if net.load_param(param) or net.load_model(weights):
            raise RuntimeError(f"[{model}] ncnn refused its files")
    held = ncnn.Mat(image[0]).clone()
    np: Any = importlib.import_module("numpy")

    def call() -> Any:
        extractor = net.create_extractor()
        extractor.input("data", held)
        return np.array(extractor.extract(graph.output)[1])

    return call
