"""A worker's script: trains a classifier of digits through a distributed store, while processes are killed.

Its gradients are those of its part of each batch. training_worker.py TYPE STEPS RESULT [EVENT...], where an
event is STEP:NAME and kills that process at that step of worker 0, once: 12:server:1, 5:scheduler. Several
at once are 7:server:0+server:1. TRAINING_PROGRESS names files where each worker says which step it has done,
TRAINING_MOMENTUM is that of the optimiser.
"""

from __future__ import annotations

import functools
import gzip
import importlib.util
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

import mixgrad as mx

BATCH, FEATURES, HIDDEN, CLASSES = 32, 64, 40, 10
SHAPES = {"w1": (FEATURES, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, CLASSES), "b2": (CLASSES,)}


@functools.cache
def data(count: int = 640) -> tuple[np.ndarray, np.ndarray]:
    """Handwritten digits of 8 x 8 pixels, those that scikit-learn ships; to import it would take longer."""
    sklearn = importlib.util.find_spec("sklearn")
    assert sklearn is not None and sklearn.submodule_search_locations is not None
    with gzip.open(Path(sklearn.submodule_search_locations[0], "datasets", "data", "digits.csv.gz")) as file:
        rows = np.loadtxt(file, "float32", delimiter=",", max_rows=count)
    return (rows[:, :-1] - rows[:, :-1].mean()) / 4, rows[:, -1]


def first_values() -> dict[str, mx.nd.NDArray]:
    random = np.random.default_rng(7)
    return {
        name: mx.nd.array(random.normal(size=shape).astype("float32") * (0.1 if len(shape) > 1 else 0))
        for name, shape in SHAPES.items()
    }


def scores(values: dict[str, mx.nd.NDArray], pictures: mx.nd.NDArray) -> mx.nd.NDArray:
    hidden = mx.nd.relu(mx.nd.broadcast_add(mx.nd.dot(pictures, values["w1"]), values["b1"]))
    return mx.nd.broadcast_add(mx.nd.dot(hidden, values["w2"]), values["b2"])


def gradients(
    values: dict[str, mx.nd.NDArray], pictures: np.ndarray, labels: np.ndarray
) -> list[mx.nd.NDArray]:
    for value in values.values():
        value.attach_grad()
    with mx.autograd.record():
        output = mx.nd.log_softmax(scores(values, mx.nd.array(pictures)))
        loss = -mx.nd.pick(output, mx.nd.array(labels)).sum()
    loss.backward()
    return [value.grad for value in values.values()]


def part(step: int, number: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a batch that one of `count` workers has."""
    pictures, labels = data()
    first = step * BATCH % len(labels)
    rows = slice(first + BATCH // count * number, first + BATCH // count * (number + 1))
    return pictures[rows], labels[rows]


def optimizer() -> mx.optimizer.Optimizer:
    momentum = float(os.environ.get("TRAINING_MOMENTUM", "0.9"))
    return mx.optimizer.SGD(learning_rate=0.03, momentum=momentum, rescale_grad=1 / BATCH, wd=1e-4)


def accuracy(values: dict[str, mx.nd.NDArray]) -> float:
    pictures, labels = data()
    return float((scores(values, mx.nd.array(pictures)).asnumpy().argmax(1) == labels).mean())


def alone(count: int, steps: int) -> dict[str, np.ndarray]:
    """What one process makes of the whole batches, with the sums of as many workers."""
    store, names = mx.kv.create("local"), list(SHAPES)
    values = first_values()
    store.init(names, list(values.values()))
    store.set_optimizer(optimizer())
    for step in range(steps):
        several = []
        for number in range(count):
            several.append([grad.copy() for grad in gradients(values, *part(step, number, count))])
        store.push(names, [list(one) for one in zip(*several)])
        store.pull(names, out=list(values.values()))
    return {name: value.asnumpy() for name, value in values.items()}


def process_of(name: str) -> int:
    """The process of that name beside this one, by what the launcher gave them."""
    role, _, number = name.partition(":")
    with open(f"/proc/{os.getppid()}/task/{os.getppid()}/children") as file:
        children = [int(word) for word in file.read().split()]
    for child in children:
        try:
            with open(f"/proc/{child}/environ", "rb") as file:
                words = file.read().decode().split("\0")
        except OSError:
            continue
        if f"DMLC_ROLE={role}" in words and f"MIXGRAD_NUMBER={number or 0}" in words:
            return child
    raise ValueError(f"{name} is not there")


def main() -> None:
    kind, steps, result = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    events = dict(word.split(":", 1) for word in sys.argv[4:])
    store, names = mx.kv.create(kind), list(SHAPES)
    values = first_values()
    store.init(names, list(values.values()))
    store.set_optimizer(optimizer())
    store.pull(names, out=list(values.values()))
    count, rank = store.num_workers, store.rank
    progress = os.environ.get("TRAINING_PROGRESS", "")
    for step in range(store.rounds_done, steps):
        event = events.get(str(step), "")
        once = f"{result}.{step}"
        if rank == 0 and event and not os.path.exists(once):
            open(once, "w").close()
            for process in [process_of(name) for name in event.split("+")]:
                os.kill(process, signal.SIGKILL)
        store.push(names, gradients(values, *part(step, rank, count)))
        store.pull(names, out=list(values.values()))
        if events or kind == "dist_async":
            values["w1"].wait_to_read()
            time.sleep(0.01)
        if progress:
            with open(f"{progress}.{rank}", "w") as file:
                file.write(f"{step}\n")
    store.barrier()
    store.pull(names, out=list(values.values()))
    if rank == 0:
        np.savez(result, accuracy=accuracy(values), **{n: v.asnumpy() for n, v in values.items()})


if __name__ == "__main__":
    main()
