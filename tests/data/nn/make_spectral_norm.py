"""Writes ``spectral_norm.json``: what PyTorch gives for the cases of ``spectral_norm_cases.py``.

Run by an interpreter that has torch: ``python tests/data/nn/make_spectral_norm.py``.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))

from spectral_norm_cases import CASES, steps


def numbers(tensor: Any) -> Any:
    """Nested lists."""
    return tensor.detach().double().numpy().round(7).tolist()


warnings.simplefilter("ignore")
recorded = {name: steps(name, torch.nn, torch.tensor, numbers) for name in CASES}
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items())
(Path(__file__).parent / "spectral_norm.json").write_text(f"{{\n{lines}\n}}\n")
