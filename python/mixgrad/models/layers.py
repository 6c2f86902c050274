"""Pieces that several networks share."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from .. import symbol as sym
from ..symbol import Symbol

__all__ = ["classifier", "conv_bn", "conv_relu", "data", "images_to_vector"]

Pair = tuple[int, int]


def data(name: str = "data") -> Symbol:
    """The network's input."""
    return sym.var(name)


def conv_relu(net: Symbol, filters: int, kernel: Pair, names: Sequence[str], **options: Any) -> Symbol:
    """Convolution with bias and ReLU; ``names`` of both."""
    net = sym.Convolution(net, num_filter=filters, kernel=kernel, name=names[0], **options)
    return sym.Activation(net, act_type="relu", name=names[1])


def conv_bn(
    net: Symbol,
    filters: int,
    kernel: Pair,
    names: Sequence[str],
    eps: float = 1e-5,
    fix_gamma: bool = False,
    no_bias: bool = True,
    activation: Optional[str] = "relu",
    **options: Any,
) -> Symbol:
    """Convolution, BatchNorm and, unless ``activation`` is None, ReLU or ReLU6; ``names`` of the three."""
    net = sym.Convolution(net, num_filter=filters, kernel=kernel, no_bias=no_bias, name=names[0], **options)
    net = sym.BatchNorm(net, eps=eps, momentum=0.9, fix_gamma=fix_gamma, name=names[1])
    if activation is None:
        return net
    if activation == "relu6":
        return sym.clip(net, a_min=0.0, a_max=6.0, name=names[2])
    return sym.Activation(net, act_type=activation, name=names[2])


def images_to_vector(net: Symbol, pool: str = "global_pool", flat: str = "flatten") -> Symbol:
    """Mean over height and width: (batch, channels, height, width) to (batch, channels)."""
    net = sym.Pooling(net, global_pool=True, kernel=(7, 7), pool_type="avg", name=pool)
    return sym.Flatten(net, name=flat)


def classifier(net: Symbol, num_classes: int, name: str = "fc1") -> Symbol:
    """FullyConnected and SoftmaxOutput called ``softmax``, whose label is ``softmax_label`` (batch,)."""
    net = sym.FullyConnected(net, num_hidden=num_classes, name=name)
    return sym.SoftmaxOutput(net, name="softmax")
