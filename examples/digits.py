"""Trains a small convolutional network on handwritten digits, written imperatively with mx.autograd.

    python examples/digits.py                       the UCI digits that scikit-learn ships (8x8 pixels)
    python examples/digits.py --mnist FOLDER        MNIST's four idx files (28x28 pixels), gzipped or not

Prints the held-out accuracy after every epoch, saves the parameters and loads them again, and draws a
confusion matrix.
"""

from __future__ import annotations

import argparse
import gzip
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mixgrad as mx

Params = dict[str, mx.nd.NDArray]


def read_idx(folder: Path, name: str) -> np.ndarray:
    """One of MNIST's idx files as an array of bytes."""
    for path in (folder / name, folder / f"{name}.gz", folder / name.replace("-idx", ".idx")):
        if path.exists():
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            zero, kind, ndim = struct.unpack(">HBB", content[:4])
            if zero != 0 or kind != 8:
                sys.exit(f"digits: {path} is not an idx file of bytes")
            shape = struct.unpack(f">{ndim}I", content[4 : 4 + 4 * ndim])
            return np.frombuffer(content, np.uint8, offset=4 + 4 * ndim).reshape(shape)
    sys.exit(f"digits: {folder} has no {name} or {name}.gz")


def load_mnist(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training images and labels, test images and labels."""
    parts = [read_idx(folder, f"{p}-images-idx3-ubyte") for p in ("train", "t10k")]
    labels = [read_idx(folder, f"{p}-labels-idx1-ubyte") for p in ("train", "t10k")]
    images = [p[:, None].astype(np.float32) / 255 for p in parts]
    return images[0], labels[0], images[1], labels[1]


def load_digits(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The UCI digits, a fifth of them held out."""
    from sklearn.datasets import load_digits as sklearn_digits

    data = sklearn_digits()
    images = data.images[:, None].astype(np.float32) / 16
    order = np.random.RandomState(seed).permutation(len(images))
    held_out = len(images) // 5
    test, train = order[:held_out], order[held_out:]
    return images[train], data.target[train], images[test], data.target[test]


def make_params(pixels: int) -> Params:
    """Parameters of the network for square images of that many pixels a side."""
    side = pixels // 2  # after one pooling
    shapes = {
        "conv1_weight": (32, 1, 3, 3),
        "conv1_bias": (32,),
        "conv2_weight": (32, 32, 3, 3),
        "conv2_bias": (32,),
        "fc1_weight": (128, 32 * side * side),
        "fc1_bias": (128,),
        "fc2_weight": (10, 128),
        "fc2_bias": (10,),
    }
    init = mx.init.Xavier(rnd_type="gaussian", factor_type="in", magnitude=2)
    params = {}
    for name, shape in shapes.items():
        params[name] = mx.nd.zeros(shape)
        init(mx.init.InitDesc(name), params[name])
        params[name].attach_grad()
    return params


def network(x: mx.nd.NDArray, p: Params) -> mx.nd.NDArray:
    """Class scores of shape (batch, 10) for images of shape (batch, 1, height, width)."""
    for i in (1, 2):
        weight, bias = p[f"conv{i}_weight"], p[f"conv{i}_bias"]
        x = mx.nd.relu(mx.nd.Convolution(x, weight, bias, kernel=(3, 3), pad=(1, 1), num_filter=32))
    x = mx.nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = mx.nd.Dropout(x, p=0.25)
    x = mx.nd.relu(mx.nd.FullyConnected(x, p["fc1_weight"], p["fc1_bias"], num_hidden=128))
    x = mx.nd.Dropout(x, p=0.5)
    return mx.nd.FullyConnected(x, p["fc2_weight"], p["fc2_bias"], num_hidden=10)


def batches(
    images: np.ndarray, labels: np.ndarray, size: int, random: np.random.RandomState
) -> Iterator[tuple]:
    order = random.permutation(len(images))
    for at in range(0, len(order), size):
        chosen = order[at : at + size]
        yield mx.nd.array(images[chosen]), mx.nd.array(labels[chosen])


def predict(images: np.ndarray, params: Params) -> np.ndarray:
    """Most likely class of each image."""
    with mx.autograd.predict_mode():
        parts = [
            network(mx.nd.array(images[at : at + 500]), params).argmax(axis=1).asnumpy()
            for at in range(0, len(images), 500)
        ]
    return np.concatenate(parts).astype(int)


def train(args: argparse.Namespace, digits: tuple[np.ndarray, ...], params: Params) -> float:
    """Trains and prints the held-out accuracy per epoch; returns the last."""
    from tqdm import tqdm

    images, labels, test_images, test_labels = digits
    steps = -(-len(images) // args.batch)
    optimizer = mx.optimizer.Adam(
        learning_rate=args.rate,
        lr_scheduler=mx.lr_scheduler.CosineScheduler(max_update=args.epochs * steps, base_lr=args.rate),
        rescale_grad=1 / args.batch,
    )
    updater = mx.optimizer.get_updater(optimizer)
    random = np.random.RandomState(args.seed)
    accuracy = 0.0
    for epoch in range(args.epochs):
        metric = mx.metric.Accuracy()
        bar = tqdm(
            batches(images, labels, args.batch, random),
            total=steps,
            desc=f"epoch {epoch + 1}",
            leave=False,
            disable=None,  # where stderr is no terminal
        )
        for x, y in bar:
            with mx.autograd.record():
                scores = network(x, params)
                loss = mx.nd.softmax_cross_entropy(scores, y)
            loss.backward()
            for i, weight in enumerate(params.values()):
                updater(i, weight.grad, weight)
            metric.update([y], [scores])
        accuracy = float((predict(test_images, params) == test_labels).mean())
        print(f"epoch {epoch + 1:2d}: training {metric.get()[1]:.4f}, held out {accuracy:.4f}", flush=True)
    return accuracy


def draw_confusion(truth: np.ndarray, guess: np.ndarray, path: Path) -> None:
    """Writes a picture of which digit was taken for which."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    counts = np.zeros((10, 10), int)
    np.add.at(counts, (truth, guess), 1)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    figure, axes = plt.subplots(figsize=(6, 5.4), layout="constrained")
    image = axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    for row in range(10):
        for column in range(10):
            if counts[row, column]:
                color = "white" if share[row, column] > 0.5 else "black"
                axes.text(column, row, counts[row, column], ha="center", va="center", color=color, fontsize=9)
    axes.set(
        xticks=range(10),
        yticks=range(10),
        xlabel="predicted digit",
        ylabel="true digit",
        title=f"Held-out digits: {np.trace(counts)} of {counts.sum()} right",
    )
    figure.colorbar(image, label="share of the true digit")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a convolutional network on handwritten digits.")
    parser.add_argument("--mnist", type=Path, help="folder with MNIST's idx files; UCI digits otherwise")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3, help="first learning rate of Adam")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "out", help="folder for results")
    args = parser.parse_args()
    if args.epochs < 1 or args.batch < 1:
        parser.error("--epochs and --batch must be at least 1")

    mx.random.seed(args.seed)
    data = load_mnist(args.mnist) if args.mnist else load_digits(args.seed)
    print(f"{len(data[0])} digits to train on, {len(data[2])} held out")
    params = make_params(data[0].shape[-1])
    started = time.perf_counter()
    train(args, data, params)
    print(f"trained in {time.perf_counter() - started:.1f} s")

    args.out.mkdir(parents=True, exist_ok=True)
    mx.nd.save(args.out / "digits.params", params)
    loaded = mx.nd.load(args.out / "digits.params")
    assert isinstance(loaded, dict)
    guess = predict(data[2], loaded)
    draw_confusion(data[3].astype(int), guess, args.out / "confusion.png")
    print(f"parameters saved to {args.out / 'digits.params'} and loaded again")
    print(f"confusion matrix drawn in {args.out / 'confusion.png'}")
    print(f"held-out accuracy: {(guess == data[3]).mean():.4f}")


if __name__ == "__main__":
    main()
