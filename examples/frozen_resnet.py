"""A trained residual network gets a new last layer; all that was trained before stays as it is.

    python examples/frozen_resnet.py                    trains on digits 0 to 4, a new last layer on 5 to 9
    python examples/frozen_resnet.py --weights FILE     keeps what was trained first, or takes it from there
    python examples/frozen_resnet.py --logdir FOLDER    curves and the graph for TensorBoard

The digits are those that scikit-learn ships. Prints the accuracy on held-out digits.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mixgrad as mx
from mixgrad import autograd, gluon
from mixgrad.gluon.model_zoo import vision


def make_network() -> vision.ResNetV1:
    """A residual network for pictures of 8 x 8 pixels in five classes."""
    return vision.ResNetV1(vision.BasicBlockV1, [1, 1, 1], [16, 16, 32, 64], classes=5, thumbnail=True)


def make_loaders(first: int, seed: int) -> tuple[gluon.data.DataLoader, gluon.data.DataLoader]:
    """Batches of five digits from ``first`` on, labelled from 0 on: to train on, and held out."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    chosen = (digits.target >= first) & (digits.target < first + 5)
    images = digits.images[chosen, None].astype(np.float32) / 16
    labels = digits.target[chosen].astype(np.float32) - first
    order = np.random.RandomState(seed).permutation(len(images))
    parts = (order[len(order) // 4 :], order[: len(order) // 4])
    train, test = (gluon.data.ArrayDataset(mx.nd.array(images[p]), mx.nd.array(labels[p])) for p in parts)
    return gluon.data.DataLoader(train, 32, shuffle=True), gluon.data.DataLoader(test, 128)


def train(
    forward: Callable[[mx.nd.NDArray], mx.nd.NDArray],
    trainer: gluon.Trainer,
    loader: gluon.data.DataLoader,
    epochs: int,
    history: mx.callback.History,
) -> None:
    """Trains what the trainer has; keeps the loss of each batch."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for epoch in range(epochs):
        metric = mx.metric.Accuracy()
        for x, label in mx.callback.progress(loader, f"epoch {epoch}", metric):
            with autograd.record():
                scores = forward(x)
                loss = loss_of(scores, label)
            loss.backward()
            trainer.step(len(x))
            metric.update([label], [scores])
            history.add("loss", loss.mean())


def measure(net: gluon.HybridBlock, loader: gluon.data.DataLoader) -> float:
    """The share of digits that it knows."""
    metric = mx.metric.Accuracy()
    for x, label in loader:
        metric.update([label], [net(x)])
    return float(metric.get()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--weights", type=Path, help="parameters of the network for the digits 0 to 4")
    parser.add_argument("--logdir", type=Path, help="folder for TensorBoard's files")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    mx.random.seed(options.seed)
    np.random.seed(options.seed)  # noqa: NPY002  (loaders shuffle with it)

    # A network that knows the digits 0 to 4.
    net, history = make_network(), mx.callback.History()
    loader, held_out = make_loaders(0, options.seed)
    if options.weights is not None and options.weights.exists():
        net.load_parameters(str(options.weights))
    else:
        net.initialize(mx.init.Xavier())
        net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
        train(net, trainer, loader, options.epochs, history)
        if options.weights is not None:
            net.save_parameters(str(options.weights))
    print(f"digits 0 to 4: {measure(net, held_out):.3f}")

    # Arrays without gradients, and a pass that is not recorded and no training for the averages of BatchNorm.
    net.collect_params().setattr("grad_req", "null")
    with net.name_scope():
        net.output = gluon.nn.Dense(5, in_units=64)
    net.output.initialize(mx.init.Xavier())
    before = {name: p.data().asnumpy() for name, p in net.features.collect_params().items()}

    def forward(x: mx.nd.NDArray) -> mx.nd.NDArray:
        with autograd.pause():
            features = net.features(x)
        return net.output(features)

    loader, held_out = make_loaders(5, options.seed)
    trainer = gluon.Trainer(net.output.collect_params(), "adam", {"learning_rate": 0.01})
    history = mx.callback.History()
    train(forward, trainer, loader, options.epochs, history)
    changed = [
        name
        for name, p in net.features.collect_params().items()
        if (p.data().asnumpy() != before[name]).any()
    ]
    print(
        f"digits 5 to 9: {measure(net, held_out):.3f}, {len(changed)} of {len(before)} frozen arrays changed"
    )

    if options.logdir is not None:
        with mx.summary.Writer(options.logdir) as writer:
            for step, loss in history.curves["loss"]:
                writer.add_scalar("loss", loss, step)
            writer.add_histogram("output/weight", net.output.weight.data())
            writer.add_graph(net, mx.nd.zeros((1, 1, 8, 8)))
        history.plot("a new last layer").save(options.logdir / "loss.svg")


if __name__ == "__main__":
    main()
