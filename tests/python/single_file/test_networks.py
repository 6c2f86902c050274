"""Detectors and 8-bit networks of MXNet 1.9.1 in the single file: whole (`predict-all`), and cut to them."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from networks.answers import Network, arrays_of, load, prediction
from predictor import predict

import mixgrad as mx

ROOT = Path(__file__).resolve().parents[3]
# All with one input: boxes of two kinds of graphs, regions, layers of 8 bits with and without known ranges.
CHOSEN = (
    *("example ssd", "ssd", "yolo3", "center-net-deformable", "mask-rcnn"),
    *("ssd-int8", "resnet-int8", "mobilenet-int8-none"),
)
NETWORKS = {name: network for name, network in load().items() if name in CHOSEN}


def built(folder: Path, *arguments: str) -> ctypes.CDLL:
    command = [sys.executable, str(ROOT / "tools/amalgamate.py"), "--write", str(folder), *arguments]
    subprocess.run(command, check=True)
    options = ("-std=c++17", "-O1", "-pthread", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror")
    source = str(folder / "mixgrad-all.cc")
    subprocess.run(["g++", *options, source, "-o", str(folder / "all.so")], check=True)
    library = ctypes.CDLL(str(folder / "all.so"), mode=ctypes.RTLD_LOCAL)
    library.MXGetLastError.restype = ctypes.c_char_p
    return library


def parameters(network: Network, path: Path) -> bytes:
    net = mx.sym.load_json(network.text)
    args, states = arrays_of(mx, net, network, "float32")
    named = {f"arg:{k}": v for k, v in args.items() if k not in network.inputs}
    mx.nd.save(str(path), {**named, **{f"aux:{k}": v for k, v in states.items()}})
    return path.read_bytes()


def check(library: ctypes.CDLL, folder: Path, name: str) -> None:
    """The single file's first output is that of the library, which other tests hold against MXNet."""
    network: Any = NETWORKS[name]
    want = prediction(mx, network, "float32")[0]
    got = predict(library, network.text, parameters(network, folder / "net.params"), network.inputs["data"])
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * float(np.abs(want).max()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return built(tmp_path_factory.mktemp("whole"), "--profile", "predict-all")


@pytest.mark.parametrize("name", CHOSEN)
def test_whole_file(whole: ctypes.CDLL, tmp_path: Path, name: str) -> None:
    check(whole, tmp_path, name)


def test_file_cut_to_networks(tmp_path: Path) -> None:
    arguments = []
    for name in ("ssd", "ssd-int8", "resnet-int8"):
        path = tmp_path / f"{name}-symbol.json"
        path.write_text(NETWORKS[name].text, encoding="utf-8")
        arguments += ["--model", str(path)]
    library = built(tmp_path / "out", *arguments)
    for name in ("ssd", "ssd-int8", "resnet-int8"):
        check(library, tmp_path, name)
