"""Writes ``golden.npz``: what real MXNet 1.9.1 makes of the recurrent cases.

With a Python that has MXNet::

    PYTHONPATH=tests <python with MXNet> tests/recurrent/golden.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from recurrent.cases import CASES, answer

if __name__ == "__main__":
    import mxnet as mx  # type: ignore[import-not-found]

    found = {f"{name}/{key}": values for name in CASES for key, values in answer(mx, name).items()}
    np.savez_compressed(Path(__file__).resolve().parent / "golden.npz", **found)
