"""Names that scripts import from where MXNet 1.9.1 has them, beside the public ones."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import pytest

import mixgrad as mx
from mixgrad.gluon.data.vision import transforms
from mixgrad.gluon.loss import Loss, _apply_weighting, _reshape_like
from mixgrad.gluon.model_zoo.vision import densenet, resnet, vgg


def test_a_loss_of_ones_own_weights_its_samples() -> None:
    class Squares(Loss):
        def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
            loss = F.square(_reshape_like(F, label, pred) - pred)
            return F.mean(_apply_weighting(F, loss, self._weight, sample_weight), axis=0, exclude=True)

    loss = Squares(0.5, 0)
    pred, label = mx.nd.array([[1.0], [2.0]]), mx.nd.array([3.0, 5.0])
    for hybrid in (False, True):
        loss.hybridize(hybrid)
        assert loss(pred, label, mx.nd.array([[1.0], [2.0]])).asnumpy().tolist() == [2.0, 9.0]


def test_transforms_have_the_blocks_that_they_are_made_of() -> None:
    assert transforms.Block is mx.gluon.Block and transforms.HybridBlock is mx.gluon.HybridBlock
    assert transforms.Sequential is mx.gluon.nn.Sequential
    assert transforms.HybridSequential is mx.gluon.nn.HybridSequential


PLACES = """\
import importlib
import sys

import mixgrad as mx
import mixgrad.mxnet

pairs = [place.split("=") for place in sys.argv[1:]]
for place, own in pairs:  # attributes first: nothing is imported yet
    found = mx
    for name in place.split("."):
        found = getattr(found, name)
    assert found is importlib.import_module(f"mixgrad.{own}"), place
mixgrad.mxnet.install()
for place, own in pairs:
    module = importlib.import_module(f"mixgrad.{own}")
    assert importlib.import_module(f"mxnet.{place}") is importlib.import_module(f"mixgrad.{place}") is module
    assert (module.__name__, module.__spec__.name) == (f"mixgrad.{own}",) * 2, place
from mxnet.ndarray.ndarray import NDArray, concatenate, moveaxis, zeros
from mxnet.ndarray.numpy.random import uniform
from mxnet.numpy import random
from mxnet.symbol.symbol import Symbol, Variable, load, ones

assert concatenate is mx.nd.concatenate and load is mx.sym.load and uniform is random.uniform
"""


def test_modules_are_found_where_mxnet_has_them() -> None:
    places = [
        *("io.io=io", "io.utils=io", "optimizer.optimizer=optimizer", "contrib.quant=contrib.quantization"),
        *("ndarray.op=ndarray.ops", "ndarray.utils=ndarray", "ndarray.numpy=numpy"),
        *("ndarray.numpy_extension=numpy_extension", "ndarray.numpy.linalg=numpy.linalg"),
        *("numpy.multiarray=numpy", "numpy.utils=numpy", "numpy.stride_tricks=numpy"),
        *("numpy_extension.utils=numpy_extension",),
    ]
    subprocess.run([sys.executable, "-c", PLACES, *places], check=True)
    short = "import mixgrad as mx; assert mx.nd.np is mx.np is mx.np.multiarray; mx.nd.utils.load"
    subprocess.run([sys.executable, "-c", short], check=True)


@pytest.mark.parametrize("name", ["onnx", "contrib.onnx", "notebook"])
def test_an_import_of_an_absent_module_says_what_there_is(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"is not there yet: \w+"):
        importlib.import_module(f"mixgrad.{name}")


def test_networks_are_made_of_the_tables_that_scripts_import() -> None:
    kind, layers, channels = resnet.resnet_spec[18]
    block = resnet.resnet_block_versions[1][kind]
    net = resnet.resnet_net_versions[1](block, layers, channels, classes=4)
    assert list(net.collect_params(".*weight")) and block is resnet.BasicBlockV2
    assert vgg.vgg_spec[16] == ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512])
    assert densenet.densenet_spec[161] == (96, 48, [6, 12, 36, 24])
    resnet.resnet_spec[10] = ("basic_block", [1, 1, 1, 1], channels)
    try:
        assert resnet.get_resnet(1, 10).features
    finally:
        del resnet.resnet_spec[10]
    with pytest.raises(KeyError, match=r"\[get_densenet\] num_layers is 7; expected one of \[121, 161"):
        densenet.get_densenet(7)
