"""Runs of one random network under several settings, compared."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import mixgrad as mx

from .networks import Network, draw, value

PASSES = ("prune", "common", "fold", "fuse", "layout", "chain")
RECOMPUTE = ("off", "cheap", "least", "20KB")
Results = dict[str, list[np.ndarray]]


def run(network: Network, seed: int, passes: str, recompute: str, groups: bool) -> Results:
    """Outputs of two training steps and a prediction, gradients and states."""
    places = {"a": mx.cpu(0), "b": mx.cpu(1)} if groups else None
    mx.executor.set_recompute(recompute)
    try:
        with mx.passes.using(passes):
            exe = network.symbol.simple_bind(
                mx.cpu(0), grad_req=network.requests, group2ctx=places, **network.shapes
            )
            for name, array in (*exe.arg_dict.items(), *exe.aux_dict.items()):
                array[:] = mx.nd.array(value(name, array.shape, seed))
            for name, array in exe.grad_dict.items():
                if array is not None:
                    array[:] = mx.nd.array(value(name, array.shape, seed + 1))
            found: Results = {"prediction": _copies(exe.forward(is_train=False))}
            for step in range(2):
                mx.random.seed(seed + step)
                found[f"outputs {step}"] = _copies(exe.forward(is_train=True))
                exe.backward([mx.nd.array(value("head", o.shape, seed)) for o in exe.outputs])
            found["gradients"] = _copies([g for g in exe.grad_arrays if g is not None])
            found["states"] = _copies(exe.aux_arrays)
            found["prediction after"] = _copies(exe.forward(is_train=False))
            return found
    finally:
        mx.executor.set_recompute("off")


def _copies(arrays: Any) -> list[np.ndarray]:
    return [array.asnumpy().copy() for array in arrays]


def gap(one: Results, two: Results) -> tuple[float, str]:
    """The largest difference, against the largest number of its array, and where it is."""
    worst, place = 0.0, "nowhere"
    for key, arrays in one.items():
        assert len(arrays) == len(two[key]), key
        for i, (a, b) in enumerate(zip(arrays, two[key])):
            assert a.shape == b.shape, (key, i)
            if not a.size:
                continue
            scale = max(float(np.abs(a).max()), 1e-3)
            found = float(np.abs(a - b).max()) / scale
            if not found <= worst:  # also NaN
                worst, place = found, f"{key} {i}"
    return worst, place


def settings(seed: int) -> tuple[str, str, bool]:
    """Passes, recompute and placement of that seed."""
    rng = random.Random(seed)
    chosen = [name for name in PASSES if rng.random() < 0.6]
    return ",".join(["none", *chosen]), rng.choice(RECOMPUTE), rng.random() < 0.3


TOLERANCE = 2e-5  # fused calls sum in another order


def check(seed: int, size: int) -> None:
    """The network of that seed gives under the seed's settings what it gives node by node."""
    passes, recompute, groups = settings(seed)
    network = draw(seed, size, groups)
    plain = run(network, seed, "none", "off", False)
    for trial in (passes, "all"):
        worst, place = gap(plain, run(network, seed, trial, recompute, groups))
        assert worst <= TOLERANCE, (
            f"seed {seed}, size {size}, passes {trial}, recompute {recompute}, groups {groups}: "
            f"{place} differs by {worst:.2e}"
        )
