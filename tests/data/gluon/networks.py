"""The blocks of this folder's files, for real MXNet and for mixgrad."""

from __future__ import annotations

from typing import Any


def layers(mx: Any) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Blocks by name, and the shape of what each is called with."""
    nn, more = mx.gluon.nn, mx.gluon.contrib.nn
    return {
        "dense": (nn.Dense(3, activation="tanh"), (4, 2, 3)),
        "dense of the last axis": (nn.Dense(3, use_bias=False, flatten=False), (4, 2, 3)),
        "embedding": (nn.Embedding(4, 3), (2, 5)),
        "conv 1d": (nn.Conv1D(4, 3, strides=2, padding=1, groups=2), (2, 4, 9)),
        "conv 2d": (nn.Conv2D(4, (3, 2), dilation=(2, 1), activation="relu"), (2, 3, 8, 7)),
        "conv 3d": (nn.Conv3D(2, 2, use_bias=False), (1, 3, 4, 5, 3)),
        "conv 1d transposed": (nn.Conv1DTranspose(4, 3, strides=2, output_padding=1), (2, 3, 5)),
        "conv 2d transposed": (
            nn.Conv2DTranspose(4, 3, strides=2, padding=1, groups=2, in_channels=4),
            (2, 4, 4, 5),
        ),
        "max pool": (nn.MaxPool2D(3, 2, 1, ceil_mode=True), (2, 2, 8, 8)),
        "average pool": (nn.AvgPool2D(3, 2, 1, count_include_pad=False), (2, 2, 8, 8)),
        "global pool": (nn.GlobalAvgPool1D(), (2, 3, 5)),
        "batch norm": (nn.BatchNorm(momentum=0.7), (4, 3, 5)),
        "batch norm of the last axis": (nn.BatchNorm(axis=-1, scale=False), (4, 5, 3)),
        "instance norm": (nn.InstanceNorm(scale=True), (4, 3, 5)),
        "layer norm": (nn.LayerNorm(), (4, 3, 5)),
        "group norm": (nn.GroupNorm(2), (4, 6, 5)),
        "prelu": (nn.PReLU(in_channels=3), (4, 3, 5)),
        "leaky relu": (nn.LeakyReLU(0.1), (4, 3)),
        "elu": (nn.ELU(0.5), (4, 3)),
        "selu": (nn.SELU(), (4, 3)),
        "gelu": (nn.GELU(), (4, 3)),
        "swish": (nn.Swish(1.5), (4, 3)),
        "reflection pad": (nn.ReflectionPad2D(1), (1, 2, 3, 4)),
        "sync batch norm": (more.SyncBatchNorm(num_devices=1), (4, 3, 5)),
        "pixel shuffle": (more.PixelShuffle2D((2, 3)), (2, 12, 2, 2)),
    }


def digits(mx: Any) -> Any:
    """Convolutions, normalisation and dense layers, with children at several depths."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3, padding=1, activation="relu"), nn.BatchNorm(), nn.MaxPool2D())
        head = nn.HybridSequential(prefix="head_")
        with head.name_scope():
            head.add(nn.Dense(8, activation="relu"), nn.Dense(3))
        net.add(head)
    return net


def fill(mx: Any, net: Any, seed: int) -> None:
    """Give all parameters numbers of NumPy's."""
    import numpy as np

    random = np.random.RandomState(seed)
    for parameter in net.collect_params().values():
        low = 0.5 if parameter.name.endswith(("gamma", "var")) else -0.5
        parameter.set_data(mx.nd.array(random.uniform(low, low + 1, parameter.shape)))


def train(mx: Any, net: Any, trainer: Any, x: Any, label: Any, steps: int) -> list[float]:
    """The losses of a few steps."""
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    losses = []
    for _ in range(steps):
        with mx.autograd.record():
            loss = loss_of(net(x), label)
        loss.backward()
        trainer.step(x.shape[0])
        losses.append(float(loss.mean().asscalar()))
    return losses
