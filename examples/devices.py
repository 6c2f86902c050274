"""The current device, copies between devices, batches in pinned memory whose copies overlap computation.

    python examples/devices.py              two devices of the host's CPU, or the GPUs that there are
    python examples/devices.py --rows 4096  larger batches

Prints where arrays are, and that what was computed on the devices is the same as on the host.
"""

from __future__ import annotations

import argparse

import numpy as np

import mixgrad as mx
from mixgrad import gluon


def devices() -> list[mx.Context]:
    """Up to two GPUs; without a GPU two devices of the CPU, which take the same code."""
    count = min(mx.num_gpus(), 2)
    return [mx.gpu(i) for i in range(count)] if count else [mx.cpu(0), mx.cpu(1)]


def show_current_device(first: mx.Context, last: mx.Context) -> None:
    """New arrays lie on the current device, results on the device of their inputs."""
    x = mx.nd.ones((2, 3))
    with first:
        y = mx.nd.ones((2, 3))
        with last:
            z = mx.nd.zeros((2, 3))
        total = y + 1
    print(f"without a block {x.context}, in blocks {y.context} and {z.context}, a sum {total.context}")
    moved = x.as_in_context(last)
    total.copyto(z)
    print(f"moved to {moved.context}, copied to {z.context}: {z.sum().asscalar():g}")


def product_of_batches(images: np.ndarray, weight: mx.nd.NDArray, batch_size: int) -> list[np.ndarray]:
    """Products of batches on the weight's device; a batch is on its way while the one before is computed."""
    dataset = gluon.data.ArrayDataset(mx.nd.array(images))
    loader = gluon.data.DataLoader(dataset, batch_size, pin_memory=mx.num_gpus() > 0)
    results = []
    for batch in loader:
        # Nothing here waits: copies and products are tasks, which run as soon as what they read is there.
        here = batch.as_in_context(weight.context)
        results.append(mx.nd.dot(here, weight).as_in_context(mx.cpu()))
    return [result.asnumpy() for result in results]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=256, help="rows of a batch")
    options = parser.parse_args()
    first, *others = devices()
    show_current_device(first, others[0] if others else first)

    random = np.random.default_rng(0)
    images = random.normal(size=(options.rows * 4, 128)).astype(np.float32)
    weight = random.normal(size=(128, 64)).astype(np.float32)
    for device in (first, *others):
        parts = product_of_batches(images, mx.nd.array(weight, ctx=device), options.rows)
        error = np.abs(np.concatenate(parts) - images @ weight).max()
        verdict = "below" if error < 1e-2 else "above"
        print(f"{len(parts)} batches on {device}: largest difference {verdict} 0.01")


if __name__ == "__main__":
    main()
