"""Layers and losses give what PyTorch gave: ``tests/data/nn/make.py`` wrote ``layers.npz``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn

from .cases import CASES, flat, inputs_of, parameters_of, weight_of

DATA = Path(__file__).resolve().parents[2] / "data" / "nn"
RECORDED = np.load(DATA / "layers.npz")
TEXTS = json.loads(str(RECORDED["texts"]))


def array(value: Any, grads: list[Any], wanted: bool = True) -> Any:
    """An array, which gets gradients where it is of floats."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(array(one, grads) for one in value)
    made = mx.np.array(value, dtype=value.dtype)
    grads.append(made)
    if value.dtype == np.float32 and wanted:
        made.attach_grad("add")
    return made


@pytest.mark.parametrize("name", CASES)
def test_layer(name: str) -> None:
    case = CASES[name]
    module = eval(case.make, {"nn": nn, "x": lambda v: mx.np.array(v, dtype="float32")})
    # PyTorch's name for the last product of attention says what its quantisation does.
    shown = TEXTS[name]["repr"].replace("NonDynamicallyQuantizableLinear", "Linear")
    assert repr(module) == shown
    state = module.state_dict()
    assert {k: list(v.shape) for k, v in state.items()} == TEXTS[name]["state"]
    assert list(state) == list(TEXTS[name]["state"])
    own = dict(module.named_parameters())
    shapes = {k: v.shape for k, v in state.items() if k in own or "running" in k}
    module.load_state_dict({**state, **parameters_of(name, shapes)})
    module.train(case.training)
    given: list[Any] = []
    inputs = [
        array(one, given, not isinstance(spec, np.ndarray)) for spec, one in zip(case.inputs, inputs_of(name))
    ]
    words = {
        k: mx.np.array(v, dtype=v.dtype) if isinstance(v, np.ndarray) else v for k, v in case.words.items()
    }
    outputs = flat(module(*inputs, **words), mx.np.ndarray)
    total = sum((one * mx.np.array(weight_of(i, one.shape))).sum() for i, one in enumerate(outputs))
    total.backward()
    found = {f"output {i}": one for i, one in enumerate(outputs)}
    found.update({f"input {i}": one.grad for i, one in enumerate(given) if one.grad is not None})
    found.update({f"gradient {k}": v.grad for k, v in own.items()})
    found.update({f"buffer {k}": v for k, v in module.named_buffers()})
    start = name + "|"
    recorded = {k[len(start) :]: RECORDED[k] for k in RECORDED.files if k.startswith(start)}
    assert found.keys() == recorded.keys()
    for key, expected in recorded.items():
        assert found[key] is not None, key
        assert found[key].shape == expected.shape, key
        np.testing.assert_allclose(found[key].asnumpy(), expected, rtol=1e-5, atol=1e-5, err_msg=key)
