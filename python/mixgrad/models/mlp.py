"""Perceptron of several layers."""

from __future__ import annotations

from collections.abc import Sequence

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, data

__all__ = ["mlp"]


def mlp(num_classes: int = 10, hidden: Sequence[int] = (128, 64)) -> Symbol:
    """Fully connected layers with ReLU between them.

    With the defaults and 784 inputs: 109,386 parameters, 109,184 multiply-adds per example.

    Parameters
    ----------
    num_classes : int
        Number of classes.
    hidden : sequence of int
        Units of each hidden layer.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, ...) and ``softmax_label`` (batch,), float32; output ``softmax_output``
        (batch, num_classes). Layers are called ``fc1``, ``relu1``, ``fc2``, ...

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.mlp().infer_shape(data=(32, 784))[1]
    [(32, 10)]
    """
    net = data()
    for i, units in enumerate(hidden, 1):
        net = sym.FullyConnected(net, num_hidden=units, name=f"fc{i}")
        net = sym.Activation(net, act_type="relu", name=f"relu{i}")
    return classifier(net, num_classes, f"fc{len(hidden) + 1}")
