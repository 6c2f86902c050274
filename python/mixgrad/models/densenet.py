"""DenseNet."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, conv_bn, data, images_to_vector

__all__ = ["densenet"]

# Filters of the first convolution, growth, layers of the four blocks.
_PLANS = {
    121: (64, 32, (6, 12, 24, 16)),
    161: (96, 48, (6, 12, 36, 24)),
    169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)),
}


def densenet(num_layers: int = 121, num_classes: int = 1000, dropout: float = 0.0) -> Symbol:
    """Blocks in which every layer reads the outputs of all layers before it.

    With (3, 224, 224) inputs and 1000 classes, per image:

    ====== ========== =============
    layers parameters multiply-adds
    ====== ========== =============
    121     7,978,856 2,834,161,664
    161    28,681,000 7,727,907,072
    169    14,149,480 3,359,843,328
    201    20,013,928 4,291,365,888
    ====== ========== =============

    Parameters
    ----------
    num_layers : {121, 161, 169, 201}
        Layers with weights.
    num_classes : int
        Number of classes.
    dropout : float
        Share of each layer's output dropped in training; 0 adds no node.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 32 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Huang, Liu, van der Maaten, Weinberger: Densely connected convolutional networks, arXiv:1608.06993.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.densenet(121).infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    if num_layers not in _PLANS:
        raise ValueError(f"[densenet] num_layers is {num_layers!r}; expected one of {sorted(_PLANS)}")
    width, growth, blocks = _PLANS[num_layers]
    net = conv_bn(data(), width, (7, 7), ("conv0", "bn0", "relu0"), stride=(2, 2), pad=(3, 3))
    net = sym.Pooling(net, pool_type="max", kernel=(3, 3), stride=(2, 2), pad=(1, 1), name="pool0")
    for stage, layers in enumerate(blocks, 1):
        for i in range(1, layers + 1):
            net = _layer(net, growth, dropout, f"stage{stage}_unit{i}")
        width += layers * growth
        if stage < len(blocks):
            width //= 2
            net = _bn_relu_conv(net, width, 1, f"transition{stage}_", "")
            net = sym.Pooling(
                net, pool_type="avg", kernel=(2, 2), stride=(2, 2), name=f"transition{stage}_pool"
            )
    net = _bn_relu(net, "bn1", "relu1")
    return classifier(images_to_vector(net), num_classes)


def _bn_relu(net: Symbol, bn: str, relu: str) -> Symbol:
    net = sym.BatchNorm(net, fix_gamma=False, eps=1e-5, momentum=0.9, name=bn)
    return sym.Activation(net, act_type="relu", name=relu)


def _bn_relu_conv(net: Symbol, filters: int, size: int, prefix: str, suffix: str) -> Symbol:
    net = _bn_relu(net, f"{prefix}bn{suffix}", f"{prefix}relu{suffix}")
    return sym.Convolution(
        net,
        num_filter=filters,
        kernel=(size, size),
        pad=(size // 2, size // 2),
        no_bias=True,
        name=f"{prefix}conv{suffix}",
    )


def _layer(net: Symbol, growth: int, dropout: float, name: str) -> Symbol:
    new = _bn_relu_conv(net, 4 * growth, 1, f"{name}_", "1")
    new = _bn_relu_conv(new, growth, 3, f"{name}_", "2")
    if dropout:
        new = sym.Dropout(new, p=dropout, name=f"{name}_drop")
    return sym.Concat(net, new, name=f"{name}_concat")
