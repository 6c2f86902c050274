"""VGG networks."""

from __future__ import annotations

from collections.abc import Sequence

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, conv_bn, conv_relu, data

__all__ = ["vgg", "vgg_features"]

_FILTERS = (64, 128, 256, 512, 512)
_LAYERS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}


def vgg(
    num_layers: int = 16, num_classes: int = 1000, batch_norm: bool = False, dropout: float = 0.5
) -> Symbol:
    """3x3 convolutions in five stages, three fully connected layers.

    With (3, 224, 224) inputs and 1000 classes, per image:

    ====== =========== ============== ===============
    layers parameters  with BatchNorm multiply-adds
    ====== =========== ============== ===============
    11     132,863,336 132,868,840     7,609,090,048
    13     133,047,848 133,053,736    11,308,466,176
    16     138,357,544 138,365,992    15,470,264,320
    19     143,667,240 143,678,248    19,632,062,464
    ====== =========== ============== ===============

    Parameters
    ----------
    num_layers : {11, 13, 16, 19}
        Layers with weights.
    num_classes : int
        Number of classes.
    batch_norm : bool
        BatchNorm after every convolution.
    dropout : float
        Share of activations dropped after ``fc6`` and ``fc7`` in training.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 32 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Simonyan, Zisserman: Very deep convolutional networks for large-scale image recognition, arXiv:1409.1556.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.vgg(16).infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    if num_layers not in _LAYERS:
        raise ValueError(f"[vgg] num_layers is {num_layers!r}; expected one of {sorted(_LAYERS)}")
    net = sym.Flatten(vgg_features(data(), _LAYERS[num_layers], batch_norm), name="flatten")
    for i in (6, 7):
        net = sym.FullyConnected(net, num_hidden=4096, name=f"fc{i}")
        net = sym.Activation(net, act_type="relu", name=f"relu{i}")
        net = sym.Dropout(net, p=dropout, name=f"drop{i}")
    return classifier(net, num_classes, "fc8")


def vgg_features(
    net: Symbol,
    layers: Sequence[int] = (2, 2, 4, 4, 4),
    batch_norm: bool = False,
    pool_type: str = "max",
    last_pool: bool = True,
) -> Symbol:
    """The convolutions of a VGG network.

    Parameters
    ----------
    net : Symbol
        Images (batch, 3, height, width).
    layers : sequence of int
        Convolutions per stage; at most five stages.
    batch_norm : bool
        BatchNorm after every convolution.
    pool_type : {'max', 'avg'}
        How the end of a stage halves height and width.
    last_pool : bool
        Whether the last stage ends that way too.

    Returns
    -------
    Symbol
        (batch, filters, height', width'). Nodes are called ``conv1_1``, ``relu1_1``, ..., ``pool1``, ...
    """
    for stage, (filters, count) in enumerate(zip(_FILTERS, layers), 1):
        for i in range(1, count + 1):
            at = f"{stage}_{i}"
            names = [f"conv{at}", f"relu{at}"]
            if batch_norm:
                names = [f"conv{at}", f"bn{at}", f"relu{at}"]
                net = conv_bn(net, filters, (3, 3), names, no_bias=False, pad=(1, 1))
            else:
                net = conv_relu(net, filters, (3, 3), names, pad=(1, 1))
        if last_pool or stage < len(layers):
            net = sym.Pooling(net, pool_type=pool_type, kernel=(2, 2), stride=(2, 2), name=f"pool{stage}")
    return net
