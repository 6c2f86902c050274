"""Networks of gluon.model_zoo, one for each family, on small pictures; parameters follow from names."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
from models.cases import fingerprint, value

# Batch and size of the pictures.
CASES: dict[str, tuple[int, int]] = {
    "alexnet": (2, 67),
    "densenet121": (2, 224),
    "inceptionv3": (2, 299),
    "mobilenet0.25": (4, 64),
    "mobilenetv2_0.25": (4, 64),
    "resnet18_v1": (4, 64),
    "resnet18_v2": (4, 64),
    "resnet50_v1": (4, 64),
    "resnet50_v2": (4, 64),
    "squeezenet1.1": (1, 224),
    "vgg11": (2, 32),
    "vgg11_bn": (4, 32),
}
NAMES = [
    *("alexnet", "inceptionv3", "squeezenet1.0", "squeezenet1.1"),
    *(f"densenet{n}" for n in (121, 161, 169, 201)),
    *(f"{kind}{width}" for kind in ("mobilenet", "mobilenetv2_") for width in ("0.25", "0.5", "0.75", "1.0")),
    *(f"resnet{n}_v{version}" for n in (18, 34, 50, 101, 152) for version in (1, 2)),
    *(f"vgg{n}{more}" for n in (11, 13, 16, 19) for more in ("", "_bn")),
]


def structure(mx: Any, name: str) -> str:
    """The digest of a network's graph (operators, names, inputs, attributes), parameters and shapes."""
    net = mx.gluon.model_zoo.vision.get_model(name, prefix="net_", classes=7)
    symbol = net(mx.sym.var("data"))
    nodes = [
        (
            node["op"],
            node["name"],
            [place[:2] for place in node["inputs"]],
            sorted((k, str(v)) for k, v in node.get("attrs", {}).items() if not k.startswith("__")),
        )
        for node in json.loads(symbol.tojson())["nodes"]
    ]
    size = 299 if name == "inceptionv3" else 224
    shapes = symbol.infer_shape(data=(2, 3, size, size))[:2]
    names = [list(net.collect_params().keys()), list(net._collect_params_with_prefix())]
    text = json.dumps([nodes, [list(map(list, part)) for part in shapes], names])
    return hashlib.sha1(text.encode()).hexdigest()


def _no_dropout(block: Any) -> None:
    if type(block).__name__ == "Dropout":
        block._rate = 0


def filled(mx: Any, name: str, dtype: str) -> tuple[Any, Any]:
    """The network with its parameters, and the pictures."""
    batch, size = CASES[name]
    net = mx.gluon.model_zoo.vision.get_model(name, classes=10)
    net.initialize()
    net.apply(_no_dropout)
    net.cast(dtype)
    data = mx.nd.array(value("data", (batch, 3, size, size)), dtype=dtype)
    net(data[:1])
    for key, parameter in net._collect_params_with_prefix().items():
        fitting = key.replace(".", "_")
        parameter.set_data(mx.nd.array(value(fitting, parameter.shape), dtype=dtype))
    return net, data


def answer(mx: Any, name: str, dtype: str) -> dict[str, np.ndarray]:
    """Outputs in prediction and in training, and fingerprints of all gradients."""
    net, data = filled(mx, name, dtype)
    net.hybridize()
    data.attach_grad()
    predicted = net(data).asnumpy()
    with mx.autograd.record():
        output = net(data)
    output.backward(mx.nd.array(value("head", output.shape), dtype=dtype))
    gradients = {"data": data.grad}
    gradients.update(
        (key, parameter.grad())
        for key, parameter in net._collect_params_with_prefix().items()
        if parameter.grad_req != "null"
    )
    return {
        "predicted": predicted,
        "output": output.asnumpy(),
        "gradients": np.array([fingerprint(key, g.asnumpy()) for key, g in gradients.items()]),
    }
