"""Writes ``golden.npz`` and ``structures.json``: what real MXNet 1.9.1 makes of its model zoo, in float64.

With a Python that has MXNet::

    PYTHONPATH=tests <python with MXNet> tests/zoo/golden.py
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from zoo.cases import CASES, NAMES, answer, structure

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    import mxnet as mx  # type: ignore[import-not-found]

    structures = {name: structure(mx, name) for name in NAMES}
    (HERE / "structures.json").write_text(json.dumps(structures, indent=1) + "\n")
    found = {}
    for name in CASES:
        for key, values in answer(mx, name, "float64").items():
            found[f"{name}/{key}"] = values
        print(name, flush=True)
    np.savez_compressed(HERE / "golden.npz", **found)
