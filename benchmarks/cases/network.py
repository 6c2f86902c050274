"""Whole networks of mx.models, the same graph and parameters in every library: predictions, training steps.

Prediction ends with the values before softmax. PyTorch is judged by the fastest of three: eager channels
first, eager channels last, and compiled (for prediction with frozen weights).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any, Callable

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.graph import network, parameter, stored, write
from bench.inputs import integers, uniform
from bench.ncnn_network import ncnn_prediction
from bench.onnx_network import onnx_prediction
from bench.torch_network import torch_network

TORCH = ("torch_kept", "torch_channels_last", "torch_compile")
RATE, MOMENTUM = 1e-3, 0.9
# Name of the case, model, title, size of images.
NETWORKS = (
    ("resnet50", "ResNet-50", 224),
    ("mobilenet_v2", "MobileNet v2", 224),
    ("squeezenet", "SqueezeNet 1.0", 224),
    ("vgg16", "VGG-16", 224),
    ("alexnet", "AlexNet", 227),
    ("alexnet_groups", "AlexNet with two groups", 227),
)


def _mx_parameters(mx: Any, model: str, net: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments and auxiliary states, with the seeds that :meth:`Graph.parameters` gives them."""
    _, shapes = stored(model)
    values = {name: to_array(mx, parameter(name, s, i)) for i, (name, s) in enumerate(shapes.items())}
    states = set(net.list_auxiliary_states())
    given = {name: value for name, value in values.items() if name not in states}
    return given, {name: values[name] for name in states}


def _mx_network(key: str, model: str) -> tuple[Any, Any]:
    """The library and the network; MXNet loads the file that mixgrad has written."""
    mx: Any = importlib.import_module(module_of(key))
    return mx, network(mx, model) if key.startswith("mixgrad") else mx.sym.load_json(stored(model)[0])


def _mx_prediction(key: str, model: str, image: Any) -> Call:
    mx, net = _mx_network(key, model)
    net = net.get_children()[0]  # what goes into softmax
    args, aux = _mx_parameters(mx, model, net)
    executor = net.bind(mx.cpu(), {"data": to_array(mx, image), **args}, grad_req="null", aux_states=aux)

    def call() -> Any:
        out = executor.forward(is_train=False)[0]
        out.wait_to_read()
        return out

    return call


def _torch_prediction(key: str, model: str, image: Any) -> Call:
    torch: Any = importlib.import_module("torch")
    net = torch_network(model).eval()
    data = torch.from_numpy(image)
    if key == "torch_channels_last":
        net, data = net.to(memory_format=torch.channels_last), data.to(memory_format=torch.channels_last)
    if key == "torch_compile":
        inductor: Any = importlib.import_module("torch._inductor.config")
        inductor.freezing = True
        net = torch.compile(net)

    def call() -> Any:
        with torch.no_grad():
            return net(data)

    return call


def _prediction(key: str, model: str, batch: int, size: int) -> Setup:
    def setup() -> Call:
        image = uniform(batch, 3, size, size, seed=1)
        if key == "onnxruntime":
            return onnx_prediction(model, image)
        if key == "ncnn":
            return ncnn_prediction(model, image)
        return (_torch_prediction if key in TORCH else _mx_prediction)(key, model, image)

    return setup


def _mx_step(key: str, model: str, image: Any, label: Any) -> Call:
    mx, net = _mx_network(key, model)
    mod = mx.mod.Module(net)
    mod.bind([("data", image.shape)], [("softmax_label", label.shape)])
    args, aux = _mx_parameters(mx, model, net)
    mod.init_params(arg_params=args, aux_params=aux)
    mod.init_optimizer(optimizer_params={"learning_rate": RATE, "momentum": MOMENTUM, "wd": 0.0})
    batch = mx.io.DataBatch([to_array(mx, image)], [to_array(mx, label.astype("float32"))], pad=0)
    first = net.list_arguments()[1]

    def call() -> Any:
        mod.forward_backward(batch)
        mod.update()
        mx.nd.waitall()
        return mod._exec_group.execs[0].grad_dict[first]

    return call


def _torch_step(key: str, model: str, image: Any, label: Any) -> Call:
    torch: Any = importlib.import_module("torch")
    net = torch_network(model).train()
    data, labels = torch.from_numpy(image), torch.from_numpy(label)
    if key == "torch_channels_last":
        net, data = net.to(memory_format=torch.channels_last), data.to(memory_format=torch.channels_last)
    first = next(net.parameters())
    # The sum over the batch, as SoftmaxOutput gives it; the rate makes a mean of it.
    sgd = torch.optim.SGD(net.parameters(), lr=RATE / len(label), momentum=MOMENTUM, foreach=True)
    run: Callable[[Any], Any] = torch.compile(net) if key == "torch_compile" else net

    def call() -> Any:
        loss = torch.nn.functional.cross_entropy(run(data), labels, reduction="sum")
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        return first.grad.contiguous()

    return call


def _step(key: str, model: str, batch: int, size: int) -> Setup:
    def setup() -> Call:
        image, label = uniform(batch, 3, size, size, seed=1), integers(batch, below=1000, seed=2)
        return (_torch_step if key in TORCH else _mx_step)(key, model, image, label)

    return setup


def _prediction_case(model: str, title: str, size: int, batch: int) -> Case:
    keys = ["mixgrad", *TORCH, "onnxruntime", "mxnet"]
    goals = [Goal(TORCH, 1.25), Goal(("onnxruntime",))]
    if batch == 1:
        keys.append("ncnn")
        if not model.startswith(("resnet", "mobilenet")):
            goals.append(Goal(("ncnn",)))
    return Case(
        f"network_{model}_{batch}",
        f"{title}, prediction, batch {batch}",
        {key: _prediction(key, model, batch, size) for key in keys},
        # No flops: those of the direct sum exceed the machine's peak where products are saved.
        goal=tuple(goals),
        tolerance=1e-3,
        prepare=functools.partial(write, model, (batch, 3, size, size)),
    )


def _step_case(model: str, title: str, size: int, batch: int) -> Case:
    return Case(
        f"network_{model}_step",
        f"{title}, training step, batch {batch}",
        {key: _step(key, model, batch, size) for key in ("mixgrad", *TORCH, "mxnet")},
        goal=Goal(TORCH, 1.2),
        tolerance=1e-2,
        prepare=functools.partial(write, model, (batch, 3, size, size)),
    )


CASES = [
    *(
        _prediction_case(*facts, batch)
        for facts in NETWORKS
        for batch in ((1,) if facts[0].startswith(("alexnet", "squeezenet")) else (1, 16))
    ),
    *(_step_case(*facts, 16) for facts in NETWORKS if facts[0] in ("resnet50", "mobilenet_v2", "vgg16")),
]
