"""Writes ``lbfgs.json``: the losses, counts and weights of PyTorch's LBFGS, in float64.

python tests/data/nn/make_lbfgs.py      with PyTorch 2.13
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))
from lbfgs_cases import CASES, START, path

recorded = {}
for name in CASES:
    params = [torch.nn.Parameter(torch.tensor(one)) for one in START]
    recorded[name] = path(name, torch.optim, params, lambda one: one.detach().numpy())
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items())
(Path(__file__).parent / "lbfgs.json").write_text(f"{{\n{lines}\n}}\n")
