"""Single layers for libraries that run networks and not calls: ncnn and ONNX Runtime."""

from __future__ import annotations

import importlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .case import Call, Setup
from .inputs import uniform


@dataclass(frozen=True)
class Convolution:
    """A two-dimensional convolution of one square float32 image, followed by a bias and relu."""

    channels: int
    filters: int
    size: int
    kernel: int
    stride: int = 1
    groups: int = 1

    @property
    def extent(self) -> int:
        """Rows and columns of the output."""
        return (self.size + 2 * (self.kernel // 2) - self.kernel) // self.stride + 1

    @property
    def flops(self) -> int:
        """Of the direct sum."""
        return 2 * self.extent**2 * self.filters * (self.channels // self.groups) * self.kernel**2

    def arrays(self) -> tuple[Any, Any, Any]:
        """Image, weights and bias."""
        return (
            uniform(1, self.channels, self.size, self.size),
            uniform(self.filters, self.channels // self.groups, self.kernel, self.kernel, seed=1),
            uniform(self.filters, seed=2),
        )


def _threads() -> int:
    return int(os.environ.get("OMP_NUM_THREADS", "1"))


def _ncnn(layer: Convolution) -> Call:
    ncnn: Any = importlib.import_module("ncnn")
    np: Any = importlib.import_module("numpy")
    image, weight, bias = layer.arrays()
    net = ncnn.Net()
    net.opt.num_threads = _threads()
    # The same numbers as the others.
    for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
        setattr(net.opt, f"use_{name}", False)
    kind, groups = "Convolution", ""
    if layer.groups > 1:
        kind, groups = "ConvolutionDepthWise", f" 7={layer.groups}"
    parameters = (
        f"7767517\n2 2\nInput image 0 1 image\n{kind} layer 1 1 image out 0={layer.filters} 1={layer.kernel} "
        f"3={layer.stride} 4={layer.kernel // 2} 5=1 6={weight.size}{groups} 9=1\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "param").write_text(parameters, encoding="utf-8")
        raw = np.zeros(1, np.uint32).tobytes() + weight.tobytes() + bias.tobytes()
        (Path(folder) / "bin").write_bytes(raw)
        net.load_param(str(Path(folder) / "param"))
        net.load_model(str(Path(folder) / "bin"))
    held = ncnn.Mat(image[0]).clone()

    def call() -> Any:
        extractor = net.create_extractor()
        extractor.input("image", held)
        # 1: in the layout the layer leaves, as between the layers of a network.
        return extractor.extract("out", 1)[1]

    return call


def _onnxruntime(layer: Convolution) -> Call:
    onnx: Any = importlib.import_module("onnx")
    ort: Any = importlib.import_module("onnxruntime")
    image, weight, bias = layer.arrays()
    pad = layer.kernel // 2
    convolution = onnx.helper.make_node(
        "Conv",
        ["image", "weight", "bias"],
        ["sum"],
        kernel_shape=[layer.kernel] * 2,
        strides=[layer.stride] * 2,
        pads=[pad] * 4,
        group=layer.groups,
    )
    relu = onnx.helper.make_node("Relu", ["sum"], ["out"])
    float32 = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [convolution, relu],
        "layer",
        [onnx.helper.make_tensor_value_info("image", float32, image.shape)],
        [onnx.helper.make_tensor_value_info("out", float32, (1, layer.filters, layer.extent, layer.extent))],
        [onnx.numpy_helper.from_array(weight, "weight"), onnx.numpy_helper.from_array(bias, "bias")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    options = ort.SessionOptions()
    options.intra_op_num_threads = _threads()
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_ortvalue_input("image", ort.OrtValue.ortvalue_from_numpy(image))
    shape = [1, layer.filters, layer.extent, layer.extent]
    out = ort.OrtValue.ortvalue_from_shape_and_type(shape, image.dtype)
    binding.bind_ortvalue_output("out", out)

    def call() -> Any:
        session.run_with_iobinding(binding)
        return out.numpy()

    return call


def network_setups(layer: Convolution) -> dict[str, Setup]:
    """Setups of the libraries that keep weights prepared from call to call."""
    return {"ncnn": lambda: _ncnn(layer), "onnxruntime": lambda: _onnxruntime(layer)}
