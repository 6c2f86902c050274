"""Graphs for ONNX Runtime, which folds BatchNorm and fuses activations itself."""

from __future__ import annotations

import importlib
import os
from typing import Any

from .case import Call
from .graph import Node, Shape, read

_SAME = {"elemwise_add": "Add", "Activation": "Relu", "Flatten": "Flatten"}


def _operator(node: Node) -> tuple[str, dict[str, Any]]:
    """An operator's name and attributes in ONNX."""
    if node.op in _SAME:
        return _SAME[node.op], {}
    if node.op == "Concat":
        return "Concat", {"axis": 1}
    if node.op == "FullyConnected":
        return "Gemm", {"transB": 1}
    if node.op == "BatchNorm":
        return "BatchNormalization", {"epsilon": node.value("eps", 1e-3)}
    if node.op == "clip":
        return "Clip", {}
    if node.op == "Pooling" and node.value("global_pool", False):
        return "GlobalAveragePool", {}
    if node.op == "LRN":
        values = {"alpha": "alpha", "beta": "beta", "bias": "knorm"}
        return "LRN", {
            "size": node.value("nsize", 5),
            **{k: float(node.value(v, 0)) for k, v in values.items()},
        }
    if node.op not in ("Convolution", "Pooling"):
        raise ValueError(f"[{node.name}] no ONNX operator for {node.op!r}")
    kernel, stride, pad = node.window()
    window = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [pad] * 4}
    if node.op == "Pooling":
        return "MaxPool", {**window, "ceil_mode": int(node.full)}
    return "Conv", {**window, "group": node.value("num_group", 1)}


def _model(model: str, shape: Shape) -> bytes:
    onnx: Any = importlib.import_module("onnx")
    np: Any = importlib.import_module("numpy")
    graph = read(model)
    values = graph.parameters()
    nodes = []
    for node in graph.nodes:
        kind, attributes = _operator(node)
        inputs = list(node.inputs)
        if node.op == "clip":
            for key in ("a_min", "a_max"):
                values[f"{node.name}_{key}"] = np.float32(node.value(key, 0))
                inputs.append(f"{node.name}_{key}")
        nodes.append(onnx.helper.make_node(kind, inputs, [node.name], node.name, **attributes))
    float32 = onnx.TensorProto.FLOAT
    written = onnx.helper.make_graph(
        nodes,
        model,
        [onnx.helper.make_tensor_value_info("data", float32, shape)],
        [onnx.helper.make_tensor_value_info(graph.output, float32, None)],
        [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in values.items()],
    )
    made = onnx.helper.make_model(written, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    return bytes(made.SerializeToString())


def onnx_prediction(model: str, image: Any) -> Call:
    """A call that predicts one batch; input and output stay where they are."""
    ort: Any = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    session = ort.InferenceSession(_model(model, image.shape), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_ortvalue_input("data", ort.OrtValue.ortvalue_from_numpy(image))
    binding.bind_output(session.get_outputs()[0].name)

    def call() -> Any:
        session.run_with_iobinding(binding)
        return binding.get_outputs()[0].numpy()

    return call
