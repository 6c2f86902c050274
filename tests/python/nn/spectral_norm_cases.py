"""Layers with spectral norms, for PyTorch (``tests/data/nn/make_spectral_norm.py``) and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# The layer, the shape of its input, and options.
CASES: dict[str, tuple[str, tuple[int, ...], dict[str, Any]]] = {
    "linear": ("nn.Linear(3, 2)", (2, 3), {}),
    "columns, three steps": ("nn.Linear(3, 2)", (2, 3), {"dim": 1, "n_power_iterations": 3}),
    "convolution": ("nn.Conv1d(3, 2, 2)", (2, 3, 4), {}),
    "transposed": ("nn.ConvTranspose1d(3, 2, 2)", (2, 3, 4), {"eps": 0.5}),
}


def ramp(*shape: int) -> np.ndarray:
    """Numbers that differ."""
    return np.cos(np.arange(1, int(np.prod(shape)) + 1) * 1.3).reshape(shape).astype(np.float32)


def steps(name: str, nn: Any, tensor: Callable[[Any], Any], numbers: Callable[[Any], Any]) -> dict[str, Any]:
    """What a layer gives in training, twice before one backward pass, in predictions, and after it."""
    source, shape, words = CASES[name]
    layer = nn.utils.spectral_norm(eval(source, {"nn": nn}), **words)
    layer.load_state_dict({key: tensor(ramp(*one.shape)) for key, one in layer.state_dict().items()})
    found: dict[str, Any] = {"names": list(layer.state_dict())}
    x = tensor(ramp(*shape))
    first, second = layer(x), layer(x * 2)
    ((first * first).sum() + (second**3).sum()).backward()
    found.update({"first": numbers(first), "second": numbers(second)})
    for key, one in layer.named_parameters():
        found[f"gradient of {key}"] = numbers(one.grad)
    found.update({key: numbers(one) for key, one in layer.state_dict().items()})
    layer.eval()
    layer(x)
    found["prediction"] = numbers(layer(x))
    nn.utils.remove_spectral_norm(layer)
    found.update({"names after": list(layer.state_dict()), "weight": numbers(layer.weight)})
    found["output after"] = numbers(layer(x))
    return found
