"""AlexNet."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, conv_relu, data

__all__ = ["alexnet"]


def alexnet(num_classes: int = 1000, groups: int = 1, dropout: float = 0.5) -> Symbol:
    """Five convolutions, three fully connected layers.

    With (3, 227, 227) inputs: 62,378,344 parameters and 1,135,256,096 multiply-adds per image; with two
    groups, as in the paper, 60,965,224 and 724,406,816. Inputs of (3, 224, 224) give 50,844,008 parameters
    (one group).

    Parameters
    ----------
    num_classes : int
        Number of classes.
    groups : {1, 2}
        Groups of the second, fourth and fifth convolution: 2 is the network over two devices of the paper.
    dropout : float
        Share of activations dropped after ``fc6`` and ``fc7`` in training.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 67 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Krizhevsky, Sutskever, Hinton: ImageNet classification with deep convolutional neural networks, 2012.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.alexnet().infer_shape(data=(4, 3, 227, 227))[1]
    [(4, 1000)]
    """
    net = conv_relu(data(), 96, (11, 11), ("conv1", "relu1"), stride=(4, 4))
    net = _normalised_pool(net, 1)
    net = conv_relu(net, 256, (5, 5), ("conv2", "relu2"), pad=(2, 2), num_group=groups)
    net = _normalised_pool(net, 2)
    for i, (filters, split) in enumerate(((384, 1), (384, groups), (256, groups)), 3):
        net = conv_relu(net, filters, (3, 3), (f"conv{i}", f"relu{i}"), pad=(1, 1), num_group=split)
    net = sym.Pooling(net, pool_type="max", kernel=(3, 3), stride=(2, 2), name="pool5")
    net = sym.Flatten(net, name="flatten")
    for i in (6, 7):
        net = sym.FullyConnected(net, num_hidden=4096, name=f"fc{i}")
        net = sym.Activation(net, act_type="relu", name=f"relu{i}")
        net = sym.Dropout(net, p=dropout, name=f"drop{i}")
    return classifier(net, num_classes, "fc8")


def _normalised_pool(net: Symbol, i: int) -> Symbol:
    net = sym.LRN(net, alpha=1e-4, beta=0.75, knorm=2, nsize=5, name=f"norm{i}")
    return sym.Pooling(net, pool_type="max", kernel=(3, 3), stride=(2, 2), name=f"pool{i}")
