"""A worker's script for stores without servers: collective_worker.py WHAT FOLDER."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np

import mixgrad as mx

if __package__:
    from .training_worker import SHAPES, accuracy, data, first_values, gradients, optimizer, part
else:  # a worker's script
    from training_worker import SHAPES, accuracy, data, first_values, gradients, optimizer, part


def train(store: mx.kv.CollectiveKVStore, folder: Path, steps: int = 30) -> None:
    """As training_worker.py does, but for what every worker ends with."""
    names, values = list(SHAPES), first_values()
    if store.rank != 0:  # only worker 0's count
        values = {name: value * 0 for name, value in values.items()}
    store.init(names, list(values.values()))
    store.set_optimizer(optimizer())
    store.pull(names, out=list(values.values()))
    for step in range(store.rounds_done, steps):
        store.push(names, gradients(values, *part(step, store.rank, store.num_workers)))
        store.pull(names, out=list(values.values()))
        if step == 12:  # states go through a file, of each worker
            shared = store.type == "collective_sharded"
            file = folder / ("states" if shared else f"states-{store.rank}")
            store.save_optimizer_states(file, dump_optimizer=shared)
            store.barrier()
            store.load_optimizer_states(file)
            owned = [name for name in names if store.owner(name) == store.rank]
            assert sorted(store._updater.states) == sorted(owned)
    store.barrier()
    found = {name: value.asnumpy() for name, value in values.items()}
    np.savez(folder / f"{store.rank}", accuracy=accuracy(values), **found)


def fit(store: mx.kv.CollectiveKVStore, folder: Path) -> None:
    """By a Trainer whose store adds up gradients, which every worker applies."""
    pictures, labels = data(200)
    mine = slice(store.rank, None, store.num_workers)
    mx.random.seed(store.rank)
    net = mx.gluon.nn.Dense(10, in_units=pictures.shape[1])
    net.initialize(mx.init.Xavier())
    options = {"learning_rate": 0.3, "momentum": 0.9}
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", options, kvstore=store, update_on_kvstore=False)
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(5):
        with mx.autograd.record():
            each = loss(net(mx.nd.array(pictures[mine])), mx.nd.array(labels[mine]))
        each.backward()
        trainer.step(len(labels))
    found = [value.data().asnumpy() for value in net.collect_params().values()]
    right = (net(mx.nd.array(pictures)).asnumpy().argmax(1) == labels).mean()
    np.savez(folder / f"{store.rank}", *found, accuracy=right)


def memory(store: mx.kv.CollectiveKVStore, folder: Path) -> None:
    """What training takes, and what was planned."""
    before = mx.memory_info(mx.cpu()).in_use
    value = mx.sym.var("data")
    for i, size in enumerate((700, 300, 900, 10)):
        value = mx.sym.FullyConnected(value, num_hidden=size, name=f"fc{i}")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(value, name="softmax"))
    module.bind([("data", (32, 1000))], [("softmax_label", (32,))])
    plan = module.plan_memory("adam", kvstore=store.type, num_workers=store.num_workers)[store.rank]
    module.init_params()
    module.init_optimizer(kvstore=store, optimizer="adam")
    batch = mx.io.DataBatch([mx.nd.ones((32, 1000))], [mx.nd.zeros((32,))])
    for _ in range(3):
        module.forward_backward(batch)
        module.update()
    store.barrier()
    mx.nd.waitall()
    del batch
    taken = mx.memory_info(mx.cpu()).in_use - before
    np.savez(folder / f"{store.rank}", taken=taken, planned=plan.total, states=plan.states)


def end_badly(store: mx.kv.CollectiveKVStore, how: str) -> None:
    """Worker 1 ends; the others print what they are told."""
    store.init("w", mx.nd.ones((5,)))
    if store.rank == 1 and how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if store.rank == 1 and how == "optimizer":
        store.set_optimizer(mx.optimizer.SGD(learning_rate=0.2))
    out = mx.nd.zeros((5,))
    try:
        if how == "optimizer":
            store.set_optimizer(mx.optimizer.SGD(learning_rate=0.1))
        if how == "shape":
            store.init("v", mx.nd.zeros((2 + store.rank,)))
        store.push("w", mx.nd.ones((5,)))
        store.pull("w", out=out)
        out.wait_to_read()
    except mx.base.MXNetError as error:
        print(f"worker {store.rank}: {error}", flush=True)
        raise SystemExit(3) from None


def main() -> None:
    what, folder = sys.argv[1], Path(sys.argv[2])
    sharded = what in ("sharded", "memory_sharded")
    store = mx.kv.create("collective_sharded" if sharded else "collective")
    if what in ("train", "sharded"):
        train(store, folder)
    elif what == "fit":
        fit(store, folder)
    elif what in ("memory", "memory_sharded"):
        memory(store, folder)
    else:
        end_badly(store, what)


if __name__ == "__main__":
    main()
