"""Convolution layers of VGG-16, ResNet-50 and MobileNet v2 at batch 1, bias and relu included.

In `conv_*` every call gets weights as an array, so mixgrad and PyTorch prepare them each time; ncnn and ONNX
Runtime keep them prepared. `conv_plans` measures mixgrad's prepared convolutions against oneDNN's.
"""

from __future__ import annotations

from typing import Any

from bench.arrays import setups_of
from bench.case import Case, Goal, Program
from bench.networks import Convolution, network_setups

LAYERS = {
    "vgg_1_2": Convolution(64, 64, 224, 3),
    "vgg_2_2": Convolution(128, 128, 112, 3),
    "vgg_3_2": Convolution(256, 256, 56, 3),
    "vgg_4_2": Convolution(512, 512, 28, 3),
    "vgg_5": Convolution(512, 512, 14, 3),
    "resnet_64": Convolution(64, 64, 56, 3),
    "resnet_128": Convolution(128, 128, 28, 3),
    "resnet_256": Convolution(256, 256, 14, 3),
    "resnet_512": Convolution(512, 512, 7, 3),
    "resnet_1x1": Convolution(256, 64, 56, 1),
    "mobilenet_32": Convolution(32, 32, 112, 3, groups=32),
    "mobilenet_96_by_2": Convolution(96, 96, 112, 3, 2, groups=96),
    "mobilenet_144": Convolution(144, 144, 56, 3, groups=144),
    "mobilenet_576": Convolution(576, 576, 14, 3, groups=576),
    "mobilenet_960": Convolution(960, 960, 7, 3, groups=960),
}


def _mx(layer: Convolution) -> Any:
    def call(mx: Any, image: Any, weight: Any, bias: Any) -> Any:
        out = mx.nd.Convolution(
            image,
            weight,
            bias,
            kernel=(layer.kernel, layer.kernel),
            stride=(layer.stride, layer.stride),
            pad=(layer.kernel // 2, layer.kernel // 2),
            num_filter=layer.filters,
            num_group=layer.groups,
        )
        return mx.nd.relu(out)

    return call


def _torch(layer: Convolution) -> Any:
    def call(torch: Any, image: Any, weight: Any, bias: Any) -> Any:
        with torch.inference_mode():
            out = torch.nn.functional.conv2d(
                image, weight, bias, layer.stride, layer.kernel // 2, 1, layer.groups
            )
            return torch.relu_(out)

    return call


def _case(name: str, layer: Convolution) -> Case:
    kind = "depthwise" if layer.groups > 1 else f"{layer.channels} to {layer.filters}"
    step = f" by {layer.stride}" if layer.stride > 1 else ""
    return Case(
        f"conv_{name}",
        f"{layer.kernel}x{layer.kernel} {kind}, {layer.channels} channels at {layer.size}{step}, "
        f"{layer.flops / 1e9:.3g} GFLOP",
        {
            **setups_of(lambda: list(layer.arrays()), {"mx": _mx(layer), "torch": _torch(layer)}),
            **network_setups(layer),
        },
        # No flops: those of the direct sum exceed the machine's peak where products are saved.
        goal=Goal(("torch", "torch_kept")),
    )


CASES = [
    *(_case(name, layer) for name, layer in LAYERS.items()),
    Case(
        "conv_plans",
        "prepared convolution",
        unit="layer",
        goal=Goal(("oneDNN",)),
        program=Program("conv_plan_bench", ("2", "5"), quick=("2", "1", "resnet 1x1")),
    ),
]
