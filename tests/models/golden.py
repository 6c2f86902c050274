"""Writes ``golden.npz``: what real MXNet 1.9.1 computes for the networks of mx.models.

First with a Python that has mixgrad, then with one that has MXNet::

    PYTHONPATH=python:tests python tests/models/golden.py symbols build/models
    PYTHONPATH=tests <python with MXNet> tests/models/golden.py answers build/models [network ...]
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np

from models.cases import CASES, answer, dtype, predicted, wanted

GOLDEN = Path(__file__).resolve().parent / "golden.npz"


def write_symbols(folder: Path) -> None:
    """The networks as files."""
    import mixgrad as mx

    folder.mkdir(parents=True, exist_ok=True)
    for name, (options, _) in CASES.items():
        mx.models.get_symbol(name, **options).save(str(folder / f"{name}-symbol.json"))


def write_answers(folder: Path, names: list[str]) -> None:
    """What MXNet makes of these files; of some, the other answers stay."""
    import mxnet as mx  # type: ignore[import-not-found]

    found = dict(np.load(GOLDEN)) if names else {}
    for name in names or CASES:
        shapes = CASES[name][1]
        net = mx.sym.load(str(folder / f"{name}-symbol.json"))
        requests = wanted(name, net.list_arguments(), shapes)
        for kind in dict.fromkeys((dtype(name), "float32")):
            types = dict.fromkeys(shapes, kind)
            make = partial(mx.nd.array, dtype=kind)
            executor = net.simple_bind(mx.cpu(), grad_req=requests, type_dict=types, **shapes)
            shown, prints = answer(name, executor, make)
            found[f"{name}/{kind}/output"] = shown
            found[f"{name}/{kind}/gradients"] = np.array(list(prints.values()))
            found[f"{name}/names"] = np.array(list(prints))
        executor = net.simple_bind(mx.cpu(), grad_req="null", type_dict=types, **shapes)
        found[f"{name}/prediction"] = predicted(name, executor, make)
        print(name, shown[:3], len(prints), flush=True)
    np.savez_compressed(GOLDEN, **found)


if __name__ == "__main__":
    task, place, *chosen = sys.argv[1:]
    write_symbols(Path(place)) if task == "symbols" else write_answers(Path(place), chosen)
