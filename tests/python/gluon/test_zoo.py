"""gluon.model_zoo: the graphs and numbers of real MXNet, and weights from folders."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from zoo.cases import CASES, NAMES, answer, structure

import mixgrad as mx
from mixgrad.gluon.model_zoo import model_store, vision

FOLDER = Path(__file__).resolve().parents[2] / "zoo"
STRUCTURES = json.loads((FOLDER / "structures.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_graphs_are_those_of_mxnet(name: str) -> None:
    """Operators, names, attributes, parameters and their order."""
    assert structure(mx, name) == STRUCTURES[name]


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_mxnet(name: str) -> None:
    golden = np.load(FOLDER / "golden.npz")
    found = answer(mx, name, "float64")
    for key in ("predicted", "output"):
        expected = golden[f"{name}/{key}"]
        np.testing.assert_allclose(found[key], expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())
    expected = golden[f"{name}/gradients"]
    scale = np.maximum(expected[:, :1], 0.1 * np.median(expected[:, 0]))
    assert (np.abs(found["gradients"] - expected) / scale).max() < 1e-6


@pytest.mark.parametrize("name", ["resnet18_v1", "vgg11_bn", "mobilenet0.25", "squeezenet1.1"])
def test_predictions_in_float32(name: str) -> None:
    expected = np.load(FOLDER / "golden.npz")[f"{name}/predicted"]
    found = answer(mx, name, "float32")["predicted"]
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_names() -> None:
    assert vision.get_model("ResNet18_v1").__class__ is vision.ResNetV1
    with pytest.raises(ValueError, match="resnet50_v1"):
        vision.get_model("resnet50v1")
    for make in (lambda: vision.get_resnet(3, 18), lambda: vision.get_resnet(1, 19)):
        with pytest.raises(AssertionError):
            make()


def test_small_pictures() -> None:
    net = vision.ResNetV1(vision.BasicBlockV1, [1, 1], [8, 8, 16], classes=10, thumbnail=True)
    net.initialize()
    assert net(mx.nd.ones((2, 3, 32, 32))).shape == (2, 10)


# ---- weights


def _place(folder: Path, name: str) -> Any:
    """A file of weights under the name that its checksum asks for."""
    net = vision.get_model(name, classes=3)
    net.initialize(mx.init.Xavier())
    net(mx.nd.ones((1, 3, 64, 64)))
    path = folder / "weights.params"
    net.save_parameters(str(path))
    digest = hashlib.sha1(path.read_bytes()).hexdigest()
    os.rename(path, folder / f"{name}-{digest[:8]}.params")
    return net, folder / f"{name}-{digest[:8]}.params"


def test_pretrained_weights_of_a_folder(tmp_path: Path) -> None:
    net, _ = _place(tmp_path, "mobilenet0.25")
    again = vision.mobilenet0_25(pretrained=True, root=str(tmp_path), classes=3)
    x = mx.nd.random.uniform(shape=(2, 3, 64, 64))
    assert (net(x).asnumpy() == again(x).asnumpy()).all()


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"resnet50_v1-0aee57f9\.params.*0aee57f96768c0a2d5b23a6ec91eb08d"
    ):
        vision.resnet50_v1(pretrained=True, root=str(tmp_path))
    with pytest.raises(FileNotFoundError, match="memory://nowhere"):
        vision.get_model("vgg11", pretrained=True, root="memory://nowhere")


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    _, path = _place(tmp_path, "mobilenet0.25")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(mx.base.FileFormatError, match="SHA-1"):
        vision.mobilenet0_25(pretrained=True, root=str(tmp_path), classes=3)
    (tmp_path / "alexnet-44335d1f.params").write_bytes(b"no weights")
    with pytest.raises(mx.base.FileFormatError, match="SHA-1"):
        model_store.get_model_file("alexnet", root=str(tmp_path))
    model_store.purge(str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_weights_behind_a_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    net, path = _place(tmp_path, "mobilenet0.25")
    digest = hashlib.sha1(path.read_bytes()).hexdigest()
    monkeypatch.setitem(model_store._model_sha1, "mobilenet0.25", digest)
    with fsspec.open(f"memory://zoo/{path.name}", "wb") as file:
        file.write(path.read_bytes())
    again = vision.mobilenet0_25(pretrained=True, root="memory://zoo", classes=3)
    x = mx.nd.random.uniform(shape=(1, 3, 64, 64))
    assert (net(x).asnumpy() == again(x).asnumpy()).all()
