"""A program with a loader of two workers: prints their process ids and waits to be killed."""

from __future__ import annotations

import multiprocessing
import sys
import time

import numpy as np

import mixgrad as mx

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    rows = np.arange(64)[:, None] * np.ones(50000, np.float32)
    loader = mx.gluon.data.DataLoader(rows, batch_size=4, num_workers=2)
    batches = iter(loader)
    for number in range(3):
        batch = next(batches)
        assert (batch.asnumpy() == rows[4 * number : 4 * number + 4]).all()
    print(*(worker.process.pid for worker in loader._pool._workers), flush=True)
    time.sleep(60)
