"""What both networks of the page are made with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import mixgrad as mx

HERE = Path(__file__).resolve().parent


def fit(network: mx.sym.Symbol, data: Any, labels: Any, epochs: int, rate: float) -> mx.mod.Module:
    """Trains with a rate that falls to a hundredth along half a cosine."""
    batches = mx.io.NDArrayIter(
        data, labels.astype(np.float32), 64, shuffle=True, last_batch_handle="discard"
    )
    steps = epochs * (len(data) // 64)
    module = mx.mod.Module(network)
    module.fit(
        batches,
        num_epoch=epochs,
        optimizer="sgd",
        optimizer_params={
            "momentum": 0.9,
            "wd": 1e-4,
            "lr_scheduler": mx.lr_scheduler.CosineScheduler(steps, base_lr=rate, final_lr=rate / 100),
        },
        initializer=mx.init.Xavier(),
    )
    return module


def score(module: mx.mod.Module, data: Any, labels: Any) -> float:
    """Share of right answers."""
    batches = mx.io.NDArrayIter(data, labels.astype(np.float32), 64)
    return float(module.score(batches, "acc")[0][1])


def pack(name: str, module: mx.mod.Module, format: mx.model.InputFormat, labels: list[str]) -> None:
    path = HERE / f"{name}.mxg"
    args, aux = module.get_params()
    mx.model.save_packed(path, module.symbol, args, aux, format, labels, weights="int8")
    print(f"{path.name}: {path.stat().st_size} bytes")
