"""Layers with weight norms, for PyTorch (``tests/data/nn/make_weight_norm.py``) and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# The layer, the shape of its input, and the axis.
CASES: dict[str, tuple[str, tuple[int, ...], Any]] = {
    "linear": ("nn.Linear(3, 2)", (2, 3), 0),
    "columns": ("nn.Linear(3, 2)", (2, 3), 1),
    "last": ("nn.Linear(3, 2)", (2, 3), -1),
    "all": ("nn.Linear(3, 2)", (2, 3), None),
    "convolution": ("nn.Conv1d(3, 2, 2)", (2, 3, 4), 0),
}


def steps(name: str, nn: Any, tensor: Callable[[Any], Any], numbers: Callable[[Any], Any]) -> dict[str, Any]:
    """What a layer gives with a weight norm, whose lengths are half as large again, and after it."""
    source, shape, dim = CASES[name]
    layer = eval(source, {"nn": nn})
    state = {}
    for place, (key, value) in enumerate(layer.state_dict().items()):
        extents = tuple(value.shape)
        ramp = np.arange(int(np.prod(extents)), dtype=np.float32).reshape(extents)
        state[key] = tensor(ramp * np.float32(0.7) + np.float32(place - 1))
    layer.load_state_dict(state)
    assert nn.utils.weight_norm(layer, dim=dim) is layer
    x = tensor(np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape) % 5 - 2)
    layer.weight_g.data = layer.weight_g.data * 1.5
    y = layer(x)
    (y * y).sum().backward()
    found: dict[str, Any] = {"names": list(layer.state_dict()), "output": numbers(y)}
    for part in ("weight_g", "weight_v"):
        found[part] = numbers(getattr(layer, part))
        found[f"gradient of {part}"] = numbers(getattr(layer, part).grad)
    nn.utils.remove_weight_norm(layer)
    found.update({"names after": list(layer.state_dict()), "weight": numbers(layer.weight)})
    found["output after"] = numbers(layer(x))
    return found
