"""Writes ``schedules.json``: rates and momenta of PyTorch's CyclicLR and ChainedScheduler.

python tests/data/nn/make_schedules.py      with PyTorch 2.13
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))
from schedule_cases import CHAINS, CYCLES, chained, optimizer_of, options, rows

warnings.simplefilter("ignore")
recorded = {}
for kind in ("SGD", "NAdam"):
    for name, words in CYCLES.items():
        optimizer = optimizer_of(kind, torch.optim, torch.nn.Parameter(torch.ones(1)))
        schedule = torch.optim.lr_scheduler.CyclicLR(optimizer, **options(words))
        recorded[f"{name}|{kind}"] = rows(schedule, optimizer)
for name in CHAINS:
    optimizer = optimizer_of("SGD", torch.optim, torch.nn.Parameter(torch.ones(1)))
    recorded[name] = rows(chained(name, torch.optim, optimizer), optimizer)
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items())
(Path(__file__).parent / "schedules.json").write_text(f"{{\n{lines}\n}}\n")
