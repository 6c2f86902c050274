"""Trains a network on handwritten digits with mx.model.FeedForward, as MXNet's users write it.

    python examples/train_digits.py                        the UCI digits that scikit-learn ships (8x8 pixels)
    python examples/train_digits.py --mnist FOLDER         MNIST's four idx files (28x28), gzipped or not
    python examples/train_digits.py --network mlp --devices 2 --kv-store device
    python examples/train_digits.py --prefix /tmp/digits   a checkpoint after every epoch; a run that was
                                                           killed goes on from the last one

Prints the accuracy on held-out digits.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import numpy as np

import mixgrad as mx


def mlp() -> mx.sym.Symbol:
    """Two hidden layers."""
    data = mx.sym.Variable("data")
    fc1 = mx.sym.FullyConnected(data, name="fc1", num_hidden=128)
    act1 = mx.sym.Activation(fc1, name="relu1", act_type="relu")
    fc2 = mx.sym.FullyConnected(act1, name="fc2", num_hidden=64)
    act2 = mx.sym.Activation(fc2, name="relu2", act_type="relu")
    fc3 = mx.sym.FullyConnected(act2, name="fc3", num_hidden=10)
    return mx.sym.SoftmaxOutput(fc3, name="softmax")


def lenet() -> mx.sym.Symbol:
    """Two convolutions with pooling, one hidden layer."""
    data = mx.sym.Variable("data")
    for i, filters in enumerate((20, 50), start=1):
        data = mx.sym.Convolution(data, name=f"conv{i}", kernel=(3, 3), pad=(1, 1), num_filter=filters)
        data = mx.sym.Activation(data, name=f"tanh{i}", act_type="tanh")
        data = mx.sym.Pooling(data, name=f"pool{i}", pool_type="max", kernel=(2, 2), stride=(2, 2))
    fc1 = mx.sym.FullyConnected(mx.sym.Flatten(data), name="fc1", num_hidden=128)
    fc2 = mx.sym.FullyConnected(mx.sym.Activation(fc1, act_type="tanh"), name="fc2", num_hidden=10)
    return mx.sym.SoftmaxOutput(fc2, name="softmax")


def iterators(options: argparse.Namespace) -> tuple[mx.io.DataIter, mx.io.DataIter]:
    """Batches to train on, and held-out ones."""
    if options.mnist is not None:
        files = {
            part: {
                "image": str(options.mnist / f"{part}-images-idx3-ubyte"),
                "label": str(options.mnist / f"{part}-labels-idx1-ubyte"),
            }
            for part in ("train", "t10k")
        }
        return (
            mx.io.MNISTIter(**files["train"], batch_size=options.batch_size, shuffle=True),
            mx.io.MNISTIter(**files["t10k"], batch_size=options.batch_size, shuffle=False),
        )
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = digits.images[:, None].astype(np.float32) / 16
    order = np.random.RandomState(options.seed).permutation(len(images))
    test, train = order[: len(order) // 5], order[len(order) // 5 :]
    return (
        mx.io.NDArrayIter(
            images[train],
            digits.target[train],
            options.batch_size,
            shuffle=True,
            last_batch_handle="roll_over",
        ),
        mx.io.NDArrayIter(images[test], digits.target[test], options.batch_size),
    )


def train(options: argparse.Namespace) -> float:
    """Train, from the last checkpoint if there is one; return the accuracy on held-out digits."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mx.random.seed(options.seed)
    np.random.seed(options.seed)  # noqa: NPY002  (NDArrayIter shuffles with it)
    training, held_out = iterators(options)
    devices = [mx.cpu(i) for i in range(options.devices)]
    settings = {
        "ctx": devices,
        "num_epoch": options.epochs,
        "optimizer": "sgd",
        "learning_rate": options.lr,
        "momentum": 0.9,
        "wd": 1e-5,
    }
    last = mx.model.last_checkpoint(options.prefix) if options.prefix else None
    if last is None:
        network = {"mlp": mlp, "lenet": lenet}[options.network]()
        model = mx.model.FeedForward(network, initializer=mx.init.Xavier(), **settings)
    else:
        logging.info("Going on after epoch %d", last)
        model = mx.model.FeedForward.load(options.prefix, last, **settings)
    model.fit(
        X=training,
        eval_data=held_out,
        kvstore=options.kv_store,
        batch_end_callback=mx.callback.Speedometer(options.batch_size, 20),
        epoch_end_callback=mx.callback.do_checkpoint(options.prefix) if options.prefix else None,
    )
    return float(model.score(held_out))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--network", choices=("mlp", "lenet"), default="lenet")
    parser.add_argument("--mnist", type=Path, help="folder with MNIST's four idx files")
    parser.add_argument("--devices", type=int, default=1, help="CPU devices that share each batch")
    parser.add_argument("--kv-store", choices=("local", "device"), default="local")
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--prefix", help="start of the names of checkpoints")
    print(f"accuracy on held-out digits: {train(parser.parse_args()):.4f}")


if __name__ == "__main__":
    main()
