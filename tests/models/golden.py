"""Writes ``golden.npz``: what real MXNet 1.9.1 computes for the networks of mx.models.

First with a Python that has mixgrad, then with one that has MXNet::

    PYTHONPATH=python:tests python tests/models/golden.py symbols build/models
    PYTHONPATH=tests <python with MXNet> tests/models/golden.py answers build/models
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np

from models.cases import CASES, answer, dtype, has_loss, predicted, wanted

GOLDEN = Path(__file__).resolve().parent / "golden.npz"


def write_symbols(folder: Path) -> None:
    """The networks as files."""
    import mixgrad as mx

    folder.mkdir(parents=True, exist_ok=True)
    for name, (options, _) in CASES.items():
        mx.models.get_symbol(name, **options).save(str(folder / f"{name}-symbol.json"))


def write_answers(folder: Path) -> None:
    """What MXNet makes of these files."""
    import mxnet as mx  # type: ignore[import-not-found]

    found = {}
    for name, (_, shapes) in CASES.items():
        net = mx.sym.load(str(folder / f"{name}-symbol.json"))
        requests = wanted(name, net.list_arguments(), shapes)
        kind = dtype(name)
        types = dict.fromkeys(shapes, kind)
        executor = net.simple_bind(mx.cpu(), grad_req=requests, type_dict=types, **shapes)
        make = partial(mx.nd.array, dtype=kind)
        shown, norms = answer(executor, has_loss(name), make)
        found[f"{name}/output"] = shown
        executor = net.simple_bind(mx.cpu(), grad_req="null", type_dict=types, **shapes)
        found[f"{name}/prediction"] = predicted(executor, make)
        found[f"{name}/names"] = np.array(list(norms))
        found[f"{name}/norms"] = np.array(list(norms.values()))
        print(name, shown[:3], len(norms), flush=True)
    np.savez_compressed(GOLDEN, **found)


if __name__ == "__main__":
    {"symbols": write_symbols, "answers": write_answers}[sys.argv[1]](Path(sys.argv[2]))
