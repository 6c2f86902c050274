"""Writes ``one_cycle.json``: rates and momenta of PyTorch's OneCycleLR, before each step and after the last.

python tests/data/nn/make_one_cycle.py      with PyTorch 2.13
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))
from optimizer_cases import ONE_CYCLE


def rows(kind: str, options: dict[str, Any]) -> list[list[float]]:
    """The rate and the momentum of each step."""
    weight = [torch.nn.Parameter(torch.ones(1))]
    optimizer: Any = torch.optim.SGD(weight, lr=0.1, momentum=0.9)
    if kind == "Adam":
        optimizer = torch.optim.Adam(weight, lr=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, **options)
    found = []
    for step in range(schedule.total_steps + 1):
        group = optimizer.param_groups[0]
        found.append([schedule.get_last_lr()[0], group["betas"][0] if kind == "Adam" else group["momentum"]])
        if step < schedule.total_steps:
            optimizer.step()
            schedule.step()
    return found


recorded = {
    f"{name}|{kind}": rows(kind, words) for name, words in ONE_CYCLE.items() for kind in ("SGD", "Adam")
}
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items())
(Path(__file__).parent / "one_cycle.json").write_text(f"{{\n{lines}\n}}\n")
