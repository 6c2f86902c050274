"""A training run that is killed and goes on: ``python interrupted.py FOLDER`` trains until it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

EPOCHS = 60


def run(folder: Path, epochs: int) -> dict[str, Any]:
    """Train in this process from the last checkpoint in ``folder``; return the parameters."""
    import mixgrad as mx

    folder.mkdir(exist_ok=True)
    prefix = str(folder / "net")
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=16, name="fc1")
    x = mx.sym.BatchNorm(mx.sym.Activation(x, act_type="relu"), name="bn")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc2"), name="softmax")
    rng = np.random.RandomState(0)
    points = rng.randn(400, 8)
    labels = points[:, :3].argmax(1)
    context = [mx.cpu(0), mx.cpu(1)]
    last = mx.model.last_checkpoint(prefix)
    if last is None:
        mx.random.seed(1)
        mod = mx.mod.Module(net, context=context)
    else:
        mod = mx.mod.Module.load(prefix, last, load_optimizer_states=True, context=context)
    mod.fit(
        mx.io.NDArrayIter(points, labels, 20),
        optimizer="adam",
        optimizer_params={"learning_rate": 0.01, "lr_scheduler": mx.lr_scheduler.FactorScheduler(50, 0.9)},
        initializer=mx.init.Xavier(),
        kvstore="device",
        begin_epoch=last or 0,
        num_epoch=epochs,
        epoch_end_callback=mx.callback.module_checkpoint(mod, prefix, save_optimizer_states=True),
    )
    return parameters(folder)


def parameters(folder: Path) -> dict[str, Any]:
    """The parameters of the last checkpoint."""
    import mixgrad as mx

    prefix = str(folder / "net")
    last = mx.model.last_checkpoint(prefix)
    if last is None:
        return {}
    parts = mx.model.load_params(prefix, last)
    return {name: value.asnumpy() for part in parts for name, value in part.items()}


def run_with_kills(folder: Path, rng: np.random.RandomState, most: int) -> int:
    """Train in child processes that are killed at random times, ``most`` of them; return how many were."""
    kills = 0
    folder.mkdir(exist_ok=True)
    while True:
        command = [sys.executable, __file__, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            if child.stdout.readline() != b"training\n":
                raise RuntimeError(f"the training process ended early: {child.wait()}")
            try:
                child.wait(timeout=0.02 + 0.15 * rng.rand() if kills < most else 120)
            except subprocess.TimeoutExpired:
                os.kill(child.pid, signal.SIGKILL)
                kills += 1
                continue
            if child.returncode != 0:
                raise RuntimeError(f"the training process failed: {child.returncode}")
            return kills


if __name__ == "__main__":
    import mixgrad.module  # noqa: F401  (so that what follows is training)

    print("training", flush=True)
    run(Path(sys.argv[1]), EPOCHS)
