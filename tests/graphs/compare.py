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


def run_updates(
    network: Network, seed: int, passes: str, recompute: str, groups: bool, inside: bool
) -> Results:
    """Outputs of two steps that update arguments, and what all arrays hold then.

    Updates are made inside the backward part, or after it by the gradients that it gave.
    """
    places = {"a": mx.cpu(0), "b": mx.cpu(1)} if groups else None
    symbol = network.symbol
    if seed % 2:  # gradients of ones, which simplify to other arguments
        symbol = mx.sym.Group([mx.sym.make_loss(mx.sym.sum(symbol[i])) for i in range(len(symbol))])
    options = {"lr": 0.05, "wd": 0.01, "momentum": 0.5}
    mx.executor.set_recompute(recompute)
    try:
        with mx.passes.using(passes):
            exe = symbol.simple_bind(mx.cpu(0), grad_req=network.requests, group2ctx=places, **network.shapes)
            for name, array in (*exe.arg_dict.items(), *exe.aux_dict.items()):
                array[:] = mx.nd.array(value(name, array.shape, seed))
            updated = [name for name in exe.arg_dict if network.requests.get(name) == "write"]
            states = {name: mx.nd.zeros_like(exe.arg_dict[name]) for name in updated}
            if inside:
                exe.set_updates({name: ("sgd_mom_update", [states[name]], options) for name in updated})
            found: Results = {}
            for step in range(2):
                mx.random.seed(seed + step)
                found[f"outputs {step}"] = _copies(exe.forward(is_train=True))
                exe.backward([mx.nd.array(value("head", o.shape, seed)) for o in exe.outputs])
                for name in [] if inside else updated:
                    weight = exe.arg_dict[name]
                    mx.nd.sgd_mom_update(weight, exe.grad_dict[name], states[name], out=weight, **options)
            found["arguments"] = _copies(exe.arg_arrays)
            found["momenta"] = _copies(states.values())
            found["other gradients"] = _copies(
                [g for name, g in exe.grad_dict.items() if g is not None and name not in updated]
            )
            found["states"] = _copies(exe.aux_arrays)
            found["prediction after"] = _copies(exe.forward(is_train=False))
            return found
    finally:
        mx.executor.set_recompute("off")


def check_updates(seed: int, size: int) -> None:
    """Arguments updated inside the network of that seed are to the bit what they are updated outside."""
    passes, recompute, groups = settings(seed)
    network = draw(seed, size, groups)
    for trial in ("none", passes, "all"):
        outside, inside = (run_updates(network, seed, trial, recompute, groups, b) for b in (False, True))
        for key, arrays in outside.items():
            for i, (a, b) in enumerate(zip(arrays, inside[key])):
                assert a.tobytes() == b.tobytes(), (
                    f"seed {seed}, size {size}, passes {trial}, recompute {recompute}, groups {groups}: "
                    f"{key} {i} differ"
                )


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
