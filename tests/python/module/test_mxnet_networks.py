"""Networks of GluonCV and of MXNet's examples: names, shapes, outputs and gradients are those of MXNet 1.9.1.

Where MXNet computes in float64, the numbers agree to 1e-6, else (some operators, and all of 8 bits) to 1e-4.
"""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest
from networks.answers import Network, gradients, interface, load, prediction, shown

import mixgrad as mx

NETWORKS = load()
TOLERANCE = {"float64": 1e-6, "float32": 1e-4}


def names_with(kind: str) -> list[str]:
    return [name for name, network in NETWORKS.items() if kind in network.answers]


def far(got: np.ndarray, want: np.ndarray) -> float:
    """The largest difference, relative to the largest number."""
    assert got.shape == want.shape
    if want.size == 0:
        return 0
    return float(np.abs(got.astype(np.float64) - want).max() / max(float(np.abs(want).max()), 1e-30))


@pytest.mark.parametrize("name", NETWORKS)
def test_interface(name: str) -> None:
    network = NETWORKS[name]
    text = interface(mx.sym.load_json(network.text), network.inputs)
    assert zlib.crc32(text.encode()) == int(network.answers["interface"])


@pytest.mark.parametrize("name", NETWORKS)
def test_outputs(name: str) -> None:
    network = NETWORKS[name]
    dtype = str(network.answers["dtype"])
    for i, out in enumerate(prediction(mx, network, dtype)):
        assert far(shown(out), network.answers[f"out{i}"]) < TOLERANCE[dtype], f"output {i}"


def differences(network: Network) -> dict[str, float]:
    """Of each gradient: relative to its norm, or to a tenth of the median norm if that is more."""
    dtype = str(network.answers["gradient_dtype"])
    names, want = json.loads(str(network.answers["gradient_names"])), network.answers["gradients"]
    prints = gradients(mx, network, dtype)
    assert list(prints) == names
    scale = np.maximum(want[:, 0], 0.1 * np.median(want[:, 0])) + 1e-300
    found = np.abs(np.array(list(prints.values())) - want).max(axis=1) / scale
    return {name: float(one) for name, one in zip(names, found)}


@pytest.mark.parametrize("name", names_with("gradients"))
def test_gradients(name: str) -> None:
    network = NETWORKS[name]
    tolerance = TOLERANCE[str(network.answers["gradient_dtype"])]
    assert {k: v for k, v in differences(network).items() if not v < tolerance} == {}
