"""Writes ``optimizers.npz``: what PyTorch computes for the cases of ``optimizer_cases.py``, in float64.

Run by an interpreter that has torch: ``python tests/data/nn/make_optimizers.py``.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))

from optimizer_cases import CHANGE, EPOCHS, OPTIMIZERS, SCHEDULES, SHAPES, STEPS, gradient, start


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    arrays: dict[str, np.ndarray] = {}
    for name, (kind, options) in OPTIMIZERS.items():
        params = [torch.nn.Parameter(torch.tensor(start(i)).double()) for i in range(len(SHAPES))]
        optimizer = getattr(torch.optim, kind)(params, **options)
        for step in range(STEPS):
            if step == CHANGE:
                optimizer.param_groups[0]["lr"] /= 2
            for i, param in enumerate(params):
                param.grad = torch.tensor(gradient(i, step)).double()
            optimizer.step()
        for i, param in enumerate(params):
            arrays[f"{name}|weight {i}"] = param.detach().numpy().astype(np.float32)
        for i, state in optimizer.state_dict()["state"].items():
            for key, value in state.items():
                if value is not None and key != "step":
                    arrays[f"{name}|state {i} {key}"] = value.numpy().astype(np.float32)
    for name, (kind, options) in SCHEDULES.items():
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.5)
        schedule = getattr(torch.optim.lr_scheduler, kind)(optimizer, **options)
        rates = []
        for _ in range(EPOCHS):
            rates.append(schedule.get_last_lr()[0])
            schedule.step()
        arrays[f"rates {name}"] = np.array(rates)
    target = Path(__file__).parent / "optimizers.npz"
    np.savez_compressed(target, **arrays)
    count = len(OPTIMIZERS) + len(SCHEDULES)
    print(f"{count} cases, {target.stat().st_size} bytes, torch {torch.__version__}")


main()
