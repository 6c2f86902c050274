"""Weight norms give what PyTorch gave, by ``tests/data/nn/make_weight_norm.py``, and can be undone."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn, optim
from mixgrad.base import InvalidArgumentError

from .weight_norm_cases import CASES, steps

RECORDED = json.loads((Path(__file__).resolve().parents[2] / "data" / "nn" / "weight_norm.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_weight_norm(name: str) -> None:
    found = steps(name, nn, lambda value: mx.np.array(value, dtype=value.dtype), lambda one: one.asnumpy())
    assert found.keys() == RECORDED[name].keys()
    for key, wanted in RECORDED[name].items():
        if "names" in key:
            assert found[key] == wanted
        else:
            assert found[key].shape == np.shape(wanted)
            np.testing.assert_allclose(found[key], wanted, rtol=1e-5, atol=2e-3)


def trained(layer: Any) -> Any:
    sgd = optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):
        sgd.zero_grad()
        layer(mx.np.ones((1, 2))).sum().backward()
        sgd.step()
    return layer(mx.np.ones((1, 2)))


def test_copies_have_norms_of_their_own() -> None:
    layer = nn.utils.weight_norm(nn.Linear(2, 3))
    first = layer(mx.np.ones((1, 2))).asnumpy()
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        np.testing.assert_allclose(twin(mx.np.ones((1, 2))).asnumpy(), first, rtol=1e-6)
        assert abs(trained(twin).asnumpy() - first).max() > 1e-3
        nn.utils.remove_weight_norm(twin)
        assert twin._hooks is None
    np.testing.assert_allclose(layer(mx.np.ones((1, 2))).asnumpy(), first, rtol=1e-6)


def test_frozen_weights_stay_frozen() -> None:
    layer = nn.Linear(2, 3)
    layer.weight.requires_grad_(False)
    nn.utils.weight_norm(layer)
    assert [name for name, one in layer.named_parameters() if one.requires_grad] == ["bias"]
    assert not nn.utils.remove_weight_norm(layer).weight.requires_grad


def test_what_has_no_weight_to_norm() -> None:
    layer = nn.utils.weight_norm(nn.Linear(2, 3))
    with pytest.raises(InvalidArgumentError, match="has a weight norm already"):
        nn.utils.weight_norm(layer)
    without: Any = nn.Linear(2, 3, bias=False)
    for module, name in ((layer, "scale"), (without, "bias"), (nn.LazyLinear(3), "weight")):
        with pytest.raises(InvalidArgumentError, match=rf"no parameter '{name}' with values"):
            nn.utils.weight_norm(module, name)
    with pytest.raises(InvalidArgumentError, match=r"'weight' of ReLU has no weight norm"):
        nn.utils.remove_weight_norm(nn.ReLU())
