"""States that PyTorch wrote load by name: torchvision's layout of ResNet-18, with few channels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import gluon, nn

from .residual import CLASSES, WIDTHS, resnet

DATA = Path(__file__).resolve().parents[2] / "data" / "nn"
STATE = DATA / "resnet18.safetensors"
RECORDED = np.load(DATA / "resnet18.npz")


def test_a_state_of_pytorchs_gives_its_numbers() -> None:
    net = resnet(nn).eval()
    state = mx.nd.load(str(STATE))
    assert repr(net.load_state_dict(state)) == "<All keys matched successfully>"
    y = net(mx.np.array(RECORDED["x"]))
    np.testing.assert_allclose(y.asnumpy(), RECORDED["y"], rtol=1e-4, atol=1e-5)
    (y * mx.np.arange(6).reshape(2, 3)).sum().backward()
    np.testing.assert_allclose(net.conv1.weight.grad.asnumpy(), RECORDED["conv1"], rtol=1e-3, atol=1e-4)


def test_our_file_has_the_same_layout(tmp_path: Path) -> None:
    net = resnet(nn)
    path = str(tmp_path / "net.safetensors")
    mx.nd.save(path, net.state_dict())
    ours, theirs = mx.nd.load(path), mx.nd.load(str(STATE))
    assert {k: (v.shape, v.dtype) for k, v in ours.items()} == {
        k: (v.shape, v.dtype) for k, v in theirs.items()
    }
    other = resnet(nn)
    other.load_state_dict(ours)
    x = mx.np.array(RECORDED["x"])
    assert (net.eval()(x) == other.eval()(x)).all()


def gluon_name(name: str) -> Optional[str]:
    """The path in Gluon's ResNet of a name of torchvision's; None for what Gluon does not have."""
    if name.endswith("num_batches_tracked"):
        return None
    for theirs, ours in (("conv1.", "features.0."), ("bn1.", "features.1."), ("fc.", "output.")):
        if name.startswith(theirs):
            name = ours + name[len(theirs) :]
    found = re.match(r"layer(\d)\.(\d)\.(.*)", name)
    if found:
        stage, block, rest = found.groups()
        places = {"conv1": "body.0", "bn1": "body.1", "conv2": "body.3", "bn2": "body.4"}
        layer, _, last = rest.rpartition(".")
        name = f"features.{int(stage) + 3}.{block}.{places.get(layer, layer)}.{last}"
    norm = re.search(r"(features\.1|body\.1|body\.4|downsample\.1)\.", name)
    return name.replace("weight", "gamma").replace("bias", "beta") if norm else name


def test_a_state_of_pytorchs_in_gluons_network() -> None:
    zoo = gluon.model_zoo.vision
    net = zoo.ResNetV1(zoo.BasicBlockV1, [2, 2, 2, 2], list(WIDTHS), classes=CLASSES)
    net.initialize()
    x = mx.nd.array(RECORDED["x"])
    net(x)
    layer = nn.GluonModule(net)
    state: Any = nn.mapped_state(mx.nd.load(str(STATE)), gluon_name)
    assert repr(layer.load_state_dict(state)) == "<All keys matched successfully>"
    np.testing.assert_allclose(net(x).asnumpy(), RECORDED["y"], rtol=1e-4, atol=1e-5)


def test_a_file_of_another_network_is_refused() -> None:
    net = resnet(nn)
    net.fc = nn.Linear(WIDTHS[4], 5)
    del net.layer4
    with pytest.raises(ValueError, match="does not fit") as caught:
        net.load_state_dict(mx.nd.load(str(STATE)))
    assert "'fc.weight' has the shape (3, 16) and is (5, 16) here" in str(caught.value)
    assert "unexpected: 'layer4.0." in str(caught.value)
