"""Writes ``layers.npz``: what PyTorch computes for the cases of ``cases.py``, in float64.

Run by an interpreter that has torch: ``python tests/data/nn/make.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))

from cases import CASES, flat, inputs_of, parameters_of, weight_of


def tensor(value: object) -> object:
    """Double precision, and gradients, for what is no integer."""
    if isinstance(value, tuple):
        return tuple(tensor(one) for one in value)
    if not isinstance(value, np.ndarray):
        return value
    made = torch.tensor(value)
    return made.double().requires_grad_() if made.is_floating_point() else made


def main() -> None:
    """Write the file."""
    torch.use_deterministic_algorithms(True, warn_only=True)
    arrays: dict[str, np.ndarray] = {}
    texts = {}
    for name, case in CASES.items():
        x = lambda values: torch.tensor(values, dtype=torch.float64)  # noqa: E731
        module = eval(case.make, {"nn": nn, "x": x}).double()
        state = module.state_dict()
        own = dict(module.named_parameters())
        shapes = {k: tuple(v.shape) for k, v in state.items() if k in own or "running" in k}
        values = parameters_of(name, shapes)
        with torch.no_grad():
            for key, value in values.items():
                state[key].copy_(torch.tensor(value))
        module.train(case.training)
        inputs = [
            torch.tensor(one, dtype=torch.float64 if one.dtype.kind == "f" else torch.int64)
            if isinstance(spec, np.ndarray)
            else tensor(one)
            for spec, one in zip(case.inputs, inputs_of(name))
        ]
        # Targets get no gradient in PyTorch's losses.
        words = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in case.words.items()}
        words = {
            k: v.double() if isinstance(v, torch.Tensor) and v.is_floating_point() else v
            for k, v in words.items()
        }
        outputs = flat(module(*inputs, **words), torch.Tensor)
        total = sum(
            (one * torch.tensor(weight_of(i, tuple(one.shape)))).sum() for i, one in enumerate(outputs)
        )
        total.backward()
        for i, one in enumerate(outputs):
            arrays[f"{name}|output {i}"] = one.detach().numpy()
        for i, one in enumerate(flat(inputs, torch.Tensor)):
            if one.grad is not None:
                arrays[f"{name}|input {i}"] = one.grad.numpy()
        for key, parameter in own.items():
            arrays[f"{name}|gradient {key}"] = parameter.grad.numpy()
        for key, buffer in module.named_buffers():
            arrays[f"{name}|buffer {key}"] = buffer.numpy()
        texts[name] = {"repr": repr(module), "state": {k: list(v.shape) for k, v in state.items()}}
    arrays = {k: v.astype(np.float32) if v.dtype == np.float64 else v for k, v in arrays.items()}
    target = Path(__file__).parent / "layers.npz"
    np.savez_compressed(target, texts=np.array(json.dumps(texts)), **arrays)
    print(f"{len(CASES)} cases, {target.stat().st_size} bytes, torch {torch.__version__}")


main()
