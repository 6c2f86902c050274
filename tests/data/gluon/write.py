"""Writes what make.py of this folder writes, by mixgrad, for MXNet to read: write.py FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import networks
import numpy as np

import mixgrad as mx


def write(folder: Path) -> None:
    x = mx.nd.array(np.random.RandomState(1).uniform(-1, 1, (6, 1, 8, 8)))
    net = networks.digits(mx)
    net.initialize()
    net.hybridize()
    net(x)
    networks.fill(mx, net, 7)
    net.save_parameters(folder / "net.params")
    net.collect_params().save(folder / "prefixed.params")
    net.export(folder / "exported", 3)
    np.savez_compressed(folder / "answers.npz", **{"net/output": net(x).asnumpy()})  # type: ignore[arg-type]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
