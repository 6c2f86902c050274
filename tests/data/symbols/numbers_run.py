"""Runs a network on fixed numbers, with MXNet or mixgrad: a few figures of outputs, gradients and states."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

SHOWN = 12  # elements kept of each array, spread over it


def values(network: str, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers for an argument or state, the same everywhere."""
    random = np.random.RandomState(zlib.crc32(f"{network}/{name}".encode()))
    if "label" in name and len(shape) == 1:
        return random.randint(0, 3, shape).astype(np.float32)
    if network == "cell" and name == "data":
        return random.randint(0, 50, shape).astype(np.float32)
    found = random.uniform(-1, 1, shape)
    if name.endswith("_var"):
        found = np.abs(found) + 0.5
    elif network == "arithmetic":
        found = np.abs(found) + 0.1
    elif len(shape) > 1 and name != "data":
        found /= np.sqrt(np.prod(shape[1:]))
    return found.astype(np.float32)


def figures(array: np.ndarray) -> list[float]:
    """Sum, sum of magnitudes, and elements spread over the array."""
    flat = np.asarray(array, np.float64).ravel()
    chosen = flat[np.linspace(0, flat.size - 1, min(SHOWN, flat.size)).astype(int)] if flat.size else flat
    return [float(flat.sum()), float(np.abs(flat).sum()), *(float(x) for x in chosen)]


def run(mx: Any, network: str, net: Any, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Figures of a prediction, then of a training step with head gradients of 1."""
    requests = dict.fromkeys(net.list_arguments(), "write")
    if network == "cell":  # MXNet refuses gradients of indices
        requests["data"] = "null"
    executor = net.simple_bind(mx.cpu(), grad_req=requests, **shapes)
    for arrays in (executor.arg_dict, executor.aux_dict):
        for name, array in arrays.items():
            array[:] = values(network, name, array.shape)
    found: dict[str, Any] = {"predicted": [figures(o.asnumpy()) for o in executor.forward(is_train=False)]}
    if network == "lenet":  # dropout: no two libraries draw the same numbers
        return found
    outputs = executor.forward(is_train=True)
    found["outputs"] = [figures(o.asnumpy()) for o in outputs]
    executor.backward([mx.nd.ones(o.shape) for o in outputs])
    found["gradients"] = {
        name: figures(g.asnumpy()) for name, g in sorted(executor.grad_dict.items()) if g is not None
    }
    found["states"] = {name: figures(a.asnumpy()) for name, a in sorted(executor.aux_dict.items())}
    return found
