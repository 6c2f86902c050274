"""A worker's script: trains, writes the states of the servers' optimisers, and goes on from such a file.

states_worker.py RULE FIRST LAST FOLDER: makes the steps from FIRST to LAST. Where FIRST is not 0, weights and
states are read from the folder; at the end weights and states are written there.
"""

from __future__ import annotations

import sys

import numpy as np

import mixgrad as mx

if __package__:
    from .training_worker import BATCH, SHAPES, first_values, gradients, part
else:
    from training_worker import BATCH, SHAPES, first_values, gradients, part


def rule(name: str) -> mx.optimizer.Optimizer:
    options = {"momentum": 0.9} if name == "sgd" else {}
    return mx.optimizer.create(name, learning_rate=0.02, rescale_grad=1 / BATCH, wd=1e-3, **options)


def train(kind: str, name: str, first: int, last: int, folder: str, workers: int) -> None:
    store, names = mx.kv.create(kind), list(SHAPES)
    is_local = kind == "local"
    ranks = range(workers) if is_local else [store.rank]
    values = first_values()
    if first > 0:
        with np.load(f"{folder}/{first}.npz") as saved:
            values = {n: mx.nd.array(saved[n]) for n in names}
    store.init(names, list(values.values()))
    store.set_optimizer(rule(name))
    if first > 0:
        store.load_optimizer_states(f"{folder}/{first}.states")
    for step in range(first, last):
        pushed = [[g.copy() for g in gradients(values, *part(step, rank, workers))] for rank in ranks]
        store.push(names, [list(several) for several in zip(*pushed)])
        store.pull(names, out=list(values.values()))
    if is_local or store.rank == 0:
        store.save_optimizer_states(f"{folder}/{last}.states")
        store.save_optimizer_states(f"{folder}/{last}.dump", dump_optimizer=True)
        np.savez(f"{folder}/{last}.npz", **{n: v.asnumpy() for n, v in values.items()})
    store.barrier()


if __name__ == "__main__":
    train("dist_sync", sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], 2)
