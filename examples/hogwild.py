"""Trains one network in several processes at once, without locks: Hogwild.

    python examples/hogwild.py --workers 4
    python examples/hogwild.py --method spawn

The parameters lie in shared memory. Each worker computes gradients of its own batches of the UCI digits,
which scikit-learn ships, and writes its updates straight into the parameters. Nobody waits for anybody: of
two updates at the same moment a part may get lost, and a worker may compute with parameters of which only
some are new. For networks like this one that does no harm (Recht and others, 2011). Prints the held-out
accuracy.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
from digits import load_digits

import mixgrad as mx
from mixgrad.gluon import nn


def network(pixels: int) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="digits_")
    with net.name_scope():
        net.add(
            nn.Dense(128, activation="relu", in_units=pixels),
            nn.Dense(64, activation="relu", in_units=128),
            nn.Dense(10, in_units=64),
        )
    net.initialize(mx.init.Xavier())
    return net


def accuracy(net: nn.HybridSequential, images: np.ndarray, labels: np.ndarray) -> float:
    guess = net(mx.nd.array(images)).argmax(axis=1).asnumpy()
    return float((guess == labels).mean())


def work(
    number: int, net: nn.HybridSequential, images: np.ndarray, labels: np.ndarray, args: argparse.Namespace
) -> int:
    """One worker: its own order of all digits, its own gradients, everybody's parameters."""
    net.hybridize()
    trainer = mx.gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": args.rate, "momentum": 0.5}, kvstore=None
    )
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    random = np.random.RandomState(args.seed + number)
    for _ in range(args.epochs):
        order = random.permutation(len(images))
        for at in range(0, len(order), args.batch):
            chosen = order[at : at + args.batch]
            with mx.autograd.record():
                loss = loss_of(net(mx.nd.array(images[chosen])), mx.nd.array(labels[chosen]))
            loss.backward()
            trainer.step(len(chosen))
        mx.nd.waitall()
    return os.getpid()


def main() -> None:
    parser = argparse.ArgumentParser(description="Train one network in several processes without locks.")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=8, help="of each worker")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--method", choices=("fork", "forkserver", "spawn"), help="how workers are started")
    parser.add_argument("--survive", action="store_true", help="go on when a worker is killed")
    args = parser.parse_args()

    mx.random.seed(args.seed)
    images, labels, test_images, test_labels = load_digits(args.seed)
    images, test_images = images.reshape(len(images), -1), test_images.reshape(len(test_images), -1)
    net = network(images.shape[1]).share_memory()
    print(f"{len(images)} digits to train on, {len(test_images)} held out")
    print(f"held-out accuracy before: {accuracy(net, test_images, test_labels):.4f}")
    started = time.perf_counter()
    mx.processes.run(
        work,
        (net, images, labels, args),
        args.workers,
        method=args.method,
        survive=args.survive,
    )
    print(f"{args.workers} workers trained it in {time.perf_counter() - started:.1f} s")
    print(f"held-out accuracy: {accuracy(net, test_images, test_labels):.4f}")


if __name__ == "__main__":
    main()
