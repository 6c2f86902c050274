"""How far float32 gradients lie from the float64 ones, here and in real MXNet 1.9.1, as training starts.

First with a Python that has mixgrad, then with one that has MXNet, which prints the table
of docs/models.md::

    PYTHONPATH=python:tests python tests/models/rounding.py ours build/models [network ...]
    PYTHONPATH=tests <python with MXNet> tests/models/rounding.py mxnet build/models [network ...]
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from models.cases import CASES, has_loss, wanted

SALTS = (0, 1, 2)
NETWORKS = (
    "vgg-16-bn",
    "googlenet",
    "inception-v3",
    "resnet-18",
    "resnet-50",
    "resnet-152",
    "resnet-50-v2",
    "mobilenet-1.0",
    "mobilenet-v2-1.0",
    "squeezenet-1.0",
    "densenet-121",
)


def start(name: str, shape: tuple[int, ...], salt: int) -> np.ndarray:
    """He's scale for weights, factors 1, shifts 0, images of unit variance."""
    random = np.random.RandomState(zlib.crc32(f"{name} {salt}".encode()))
    if name.endswith(("_gamma", "_moving_var", "_running_var")):
        return np.ones(shape, np.float32)
    if name in ("data", "head"):
        return random.standard_normal(shape).astype(np.float32)
    if name.endswith("_weight"):
        scale = np.sqrt(2 / max(int(np.prod(shape[1:])), 1)) * (0.1 if name.startswith("fc") else 1)
        return (random.standard_normal(shape) * scale).astype(np.float32)
    return np.zeros(shape, np.float32)


def gradients(mx: Any, net: Any, name: str, kind: str, salt: int) -> dict[str, np.ndarray]:
    """All gradients in that dtype."""
    shapes = CASES[name][1]
    requests = wanted(name, net.list_arguments(), shapes)
    executor = net.simple_bind(mx.cpu(), grad_req=requests, type_dict=dict.fromkeys(shapes, kind), **shapes)
    for key, array in (*executor.arg_dict.items(), *executor.aux_dict.items()):
        array[:] = mx.nd.array(start(key, tuple(array.shape), salt), dtype=kind)
    executor.forward(is_train=True)
    assert has_loss(name)
    executor.backward()
    return {key: g.asnumpy() for key, g in executor.grad_dict.items() if g is not None}


def errors(found: dict[str, np.ndarray], exact: Any) -> np.ndarray:
    """Relative to each gradient's norm; of those that are 0 but for rounding, nothing."""
    norms = {key: float(np.linalg.norm(exact[key])) for key in found}
    least = 1e-5 * float(np.median(list(norms.values())))
    return np.array(
        [np.linalg.norm(found[k].astype(np.float64) - exact[k]) / norms[k] for k in found if norms[k] > least]
    )


def main() -> None:
    who, folder, chosen = sys.argv[1], Path(sys.argv[2]), sys.argv[3:] or NETWORKS
    folder.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        if who == "ours":
            import mixgrad as mx

            net = mx.models.get_symbol(name, **CASES[name][0])
            net.save(str(folder / f"{name}-symbol.json"))
            for salt in SALTS:
                exact = gradients(mx, net, name, "float64", salt)
                np.savez(folder / f"{name}-{salt}.npz", **exact)
                np.save(
                    folder / f"{name}-{salt}.npy", errors(gradients(mx, net, name, "float32", salt), exact)
                )
            continue
        import mxnet as mx  # type: ignore[import-not-found]

        net = mx.sym.load(str(folder / f"{name}-symbol.json"))
        rows = []
        for salt in SALTS:
            with np.load(folder / f"{name}-{salt}.npz") as exact:
                theirs = errors(gradients(mx, net, name, "float32", salt), exact)
            ours = np.load(folder / f"{name}-{salt}.npy")
            rows.append([ours.max(), theirs.max(), np.median(ours), np.median(theirs)])
            (folder / f"{name}-{salt}.npz").unlink()
        cells = [" / ".join(f"{value:.0e}" for value in column) for column in zip(*rows)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
