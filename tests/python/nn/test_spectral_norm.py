"""Spectral norms give what PyTorch gave, by ``tests/data/nn/make_spectral_norm.py``, and can be undone."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn
from mixgrad.base import InvalidArgumentError

from .spectral_norm_cases import CASES, steps

RECORDED = json.loads(
    (Path(__file__).resolve().parents[2] / "data" / "nn" / "spectral_norm.json").read_text()
)


@pytest.mark.parametrize("name", CASES)
def test_spectral_norm(name: str) -> None:
    found = steps(name, nn, lambda value: mx.np.array(value, dtype=value.dtype), lambda one: one.asnumpy())
    assert found.keys() == RECORDED[name].keys()
    for key, wanted in RECORDED[name].items():
        if "names" in key:
            assert found[key] == wanted
        else:
            assert found[key].shape == np.shape(wanted)
            np.testing.assert_allclose(found[key], wanted, rtol=1e-5, atol=1e-5, err_msg=key)


def test_copies_have_vectors_of_their_own() -> None:
    layer = nn.utils.spectral_norm(nn.Linear(2, 3))
    x = mx.np.ones((1, 2))
    before = layer.weight_u.asnumpy()
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        twin(x)
        assert abs(twin.weight_u.asnumpy() - before).max() > 0
    np.testing.assert_array_equal(layer.weight_u.asnumpy(), before)
    layer.eval()(x)
    np.testing.assert_array_equal(layer.weight_u.asnumpy(), before)


def test_the_parameter_stays_the_same_object() -> None:
    layer = nn.Linear(2, 3, dtype="float64")
    weight = layer.weight
    weight.requires_grad_(False)
    nn.utils.spectral_norm(layer)
    assert layer.weight_orig is weight and str(layer.weight_u.dtype) == "float64"
    assert not nn.utils.remove_spectral_norm(layer).weight.requires_grad


@pytest.mark.filterwarnings("ignore:.*hooks")
def test_a_planned_graph_takes_the_steps() -> None:
    layer = nn.utils.spectral_norm(nn.Linear(2, 3))
    planned = mx.jit(layer)
    before = layer.weight_u.asnumpy()
    planned(mx.np.ones((1, 2)))
    assert abs(layer.weight_u.asnumpy() - before).max() > 0


def test_wrong_arguments() -> None:
    layer = nn.utils.spectral_norm(nn.Linear(2, 3))
    with pytest.raises(InvalidArgumentError, match="has a spectral norm already"):
        nn.utils.spectral_norm(layer)
    for words in ({"n_power_iterations": 0}, {"dim": 2}, {"eps": -1}):
        with pytest.raises(
            InvalidArgumentError, match=r"\[spectral_norm\] n_power_iterations .*; expected one"
        ):
            nn.utils.spectral_norm(nn.Linear(2, 3), **words)  # type: ignore[arg-type]
    without: Any = nn.Linear(2, 3, bias=False)
    for module, name in ((layer, "scale"), (without, "bias"), (nn.LazyLinear(3), "weight")):
        with pytest.raises(InvalidArgumentError, match=rf"no parameter '{name}' with values"):
            nn.utils.spectral_norm(module, name)
    with pytest.raises(InvalidArgumentError, match=r"'weight' of ReLU has no spectral norm"):
        nn.utils.remove_spectral_norm(nn.ReLU())
