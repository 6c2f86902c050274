"""Writes ``sequences.json``: what PyTorch does with sequences of several lengths, norms and fused layers.

python tests/data/nn/make_sequences.py      with PyTorch 2.13
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))
from sequence_cases import CASES


def tensor(values: np.ndarray) -> Any:
    """As float32 or int64."""
    return torch.tensor(values)


def numbers(one: Any) -> Any:
    """Seven digits of each number."""
    values = one.detach().numpy()
    return np.vectorize(lambda value: float(f"{value:.7g}"))(values).tolist()


recorded = {name: function(case, torch.nn, tensor, numbers) for name, (function, case) in CASES.items()}
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items())
(Path(__file__).parent / "sequences.json").write_text(f"{{\n{lines}\n}}\n")
