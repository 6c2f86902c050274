"""Blocks: names, parameters, running operator by operator and as graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import nn

GRAPHS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "dense": (lambda: nn.Dense(3, activation="tanh"), (2, 4)),
    "dense without bias": (lambda: nn.Dense(3, use_bias=False, flatten=False), (2, 3, 4)),
    "embedding": (lambda: nn.Embedding(5, 3), (2, 4)),
    "conv 1d": (lambda: nn.Conv1D(4, 3, padding=1), (2, 3, 8)),
    "conv 2d": (lambda: nn.Conv2D(4, 3, groups=2, activation="relu"), (2, 4, 8, 8)),
    "conv 3d": (lambda: nn.Conv3D(2, (1, 2, 3), strides=2), (1, 3, 4, 6, 8)),
    "conv 1d transposed": (lambda: nn.Conv1DTranspose(4, 3, strides=2, output_padding=1), (2, 3, 8)),
    "conv 2d transposed": (lambda: nn.Conv2DTranspose(4, 3, groups=2), (2, 4, 5, 5)),
    "conv 3d transposed": (lambda: nn.Conv3DTranspose(2, 2, strides=2), (1, 3, 2, 3, 4)),
    "max pool": (lambda: nn.MaxPool2D(3, 2, ceil_mode=True), (1, 2, 8, 8)),
    "average pool": (lambda: nn.AvgPool1D(3, 2, 1, count_include_pad=False), (1, 2, 8)),
    "global pool": (nn.GlobalAvgPool3D, (1, 2, 4, 5, 6)),
    "batch norm": (nn.BatchNorm, (4, 3, 5)),
    "batch norm with relu": (nn.BatchNormReLU, (4, 3, 5)),
    "batch norm of the last axis": (lambda: nn.BatchNorm(axis=-1, scale=False, center=False), (4, 5, 3)),
    "instance norm": (lambda: nn.InstanceNorm(scale=True), (4, 3, 5)),
    "instance norm of the last axis": (lambda: nn.InstanceNorm(axis=2), (4, 5, 3)),
    "layer norm": (nn.LayerNorm, (4, 3, 5)),
    "group norm": (lambda: nn.GroupNorm(2), (4, 6, 5)),
    "reflection pad": (lambda: nn.ReflectionPad2D(2), (1, 2, 4, 5)),
    "prelu": (lambda: nn.PReLU(in_channels=3), (4, 3, 5)),
    "leaky relu": (lambda: nn.LeakyReLU(0.1), (4, 3)),
    "elu": (lambda: nn.ELU(0.5), (4, 3)),
    "selu": (nn.SELU, (4, 3)),
    "gelu": (nn.GELU, (4, 3)),
    "swish": (lambda: nn.Swish(1.5), (4, 3)),
    "flatten": (nn.Flatten, (4, 3, 5)),
    "dropout of nothing": (lambda: nn.Dropout(0), (4, 3)),
    "lambda": (lambda: nn.HybridLambda("tanh"), (4, 3)),
}


def pass_of(net: Any, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Output, gradient of the input and gradients of the parameters of a training pass."""
    x = mx.nd.array(values)
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
        loss = (y * y).sum()
    loss.backward()
    grads = {k: p.grad().asnumpy() for k, p in net.collect_params().items() if p.grad_req != "null"}
    return y.asnumpy(), x.grad.asnumpy(), grads


@pytest.mark.parametrize("case", GRAPHS)
def test_graphs_compute_what_operators_compute(case: str) -> None:
    make, shape = GRAPHS[case]
    values = np.random.RandomState(0).uniform(0.1, 3, shape).astype(np.float32)
    net = make()
    net.initialize(mx.init.Xavier() if len(shape) > 1 else None)
    if case == "embedding":
        values = values.round()
    one = pass_of(net, values)
    net.hybridize()
    for _ in range(2):
        other = pass_of(net, values)
        np.testing.assert_allclose(other[0], one[0], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(other[1], one[1], rtol=1e-4, atol=1e-4)
        assert other[2].keys() == one[2].keys()
        for name, gradient in one[2].items():
            np.testing.assert_allclose(other[2][name], gradient, rtol=1e-4, atol=1e-4)
