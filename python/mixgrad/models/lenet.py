"""LeNet."""

from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, data

__all__ = ["lenet"]


def lenet(num_classes: int = 10) -> Symbol:
    """Two convolutions with tanh and max pooling, two fully connected layers.

    With (1, 28, 28) inputs: 431,080 parameters, 2,293,000 multiply-adds per image.

    Parameters
    ----------
    num_classes : int
        Number of classes.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 1, 28, 28) and ``softmax_label`` (batch,), float32; output ``softmax_output``
        (batch, num_classes).

    Reference
    ---------
    LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition, 1998. The sizes
    are those in use since for MNIST: 20 and 50 filters, 500 units.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.lenet().infer_shape(data=(8, 1, 28, 28))[1]
    [(8, 10)]
    """
    net = data()
    for i, filters in enumerate((20, 50), 1):
        net = sym.Convolution(net, num_filter=filters, kernel=(5, 5), name=f"conv{i}")
        net = sym.Activation(net, act_type="tanh", name=f"tanh{i}")
        net = sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2), name=f"pool{i}")
    net = sym.FullyConnected(sym.Flatten(net, name="flatten"), num_hidden=500, name="fc1")
    net = sym.Activation(net, act_type="tanh", name="tanh3")
    return classifier(net, num_classes, "fc2")
