"""MobileNet, versions 1 and 2."""

from __future__ import annotations

from typing import Optional

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, conv_bn, data, images_to_vector

__all__ = ["mobilenet", "mobilenet_v2"]

# Filters and stride of each pair of depthwise and pointwise convolution.
_V1 = (
    *((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)),
    *((512, 1) for _ in range(5)),
    *((1024, 2), (1024, 1)),
)
# Expansion, filters, blocks and stride of each sequence.
_V2 = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def mobilenet(num_classes: int = 1000, multiplier: float = 1.0) -> Symbol:
    """Depthwise separable convolutions.

    With (3, 224, 224) inputs and 1000 classes, per image:

    ========== ========== =============
    multiplier parameters multiply-adds
    ========== ========== =============
    1.0        4,231,976  568,740,352
    0.75       2,585,560  325,400,448
    0.5        1,331,592  149,497,088
    0.25         470,072   41,030,272
    ========== ========== =============

    Parameters
    ----------
    num_classes : int
        Number of classes.
    multiplier : float
        Factor of every number of filters.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width) and ``softmax_label`` (batch,), float32; output
        ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Howard et al.: MobileNets: efficient convolutional neural networks for mobile vision applications,
    arXiv:1704.04861.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.mobilenet(multiplier=0.25).infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    width = _width("mobilenet", 32, multiplier)
    net = _conv(data(), width, 3, 2, "conv_1")
    for i, (filters, stride) in enumerate(_V1, 2):
        net = _conv(net, width, 3, stride, f"conv_{i}_dw", groups=width)
        width = _width("mobilenet", filters, multiplier)
        net = _conv(net, width, 1, 1, f"conv_{i}")
    return classifier(images_to_vector(net), num_classes, "fc")


def mobilenet_v2(num_classes: int = 1000, multiplier: float = 1.0) -> Symbol:
    """Inverted residuals with linear bottlenecks.

    With (3, 224, 224) inputs and 1000 classes, per image: 3,504,872 parameters and 300,774,272 multiply-adds
    (multiplier 1.0), 6,108,776 and 582,195,824 (1.4).

    Parameters
    ----------
    num_classes : int
        Number of classes.
    multiplier : float
        Factor of every number of filters, which then becomes a multiple of 8; the last convolution has at
        least 1280.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width) and ``softmax_label`` (batch,), float32; output
        ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Sandler, Howard, Zhu, Zhmoginov, Chen: MobileNetV2: inverted residuals and linear bottlenecks,
    arXiv:1801.04381.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.mobilenet_v2().infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    width = _rounded("mobilenet_v2", 32 * multiplier)
    net = _conv(data(), width, 3, 2, "first-3x3-conv", activation="relu6")
    for sequence, (expansion, filters, blocks, stride) in enumerate(_V2):
        out = _rounded("mobilenet_v2", filters * multiplier)
        for block in range(blocks):
            name = f"seq-{sequence}-block{block}"
            inner, body = width * expansion, net
            if expansion > 1:
                body = _conv(body, inner, 1, 1, f"{name}-exp", activation="relu6")
            step = stride if block == 0 else 1
            body = _conv(body, inner, 3, step, f"{name}-depthwise", groups=inner, activation="relu6")
            body = _conv(body, out, 1, 1, f"{name}-linear", activation=None)
            net = sym.elemwise_add(body, net, name=f"{name}-plus") if block else body
            width = out
    last = _rounded("mobilenet_v2", 1280 * max(1.0, multiplier))
    net = _conv(net, last, 1, 1, "last-1x1-conv", activation="relu6")
    return classifier(images_to_vector(net), num_classes, "fc")


def _conv(
    net: Symbol,
    filters: int,
    kernel: int,
    stride: int,
    name: str,
    groups: int = 1,
    activation: Optional[str] = "relu",
) -> Symbol:
    return conv_bn(
        net,
        filters,
        (kernel, kernel),
        tuple(f"{name}-{part}" if "-" in name else f"{name}_{part}" for part in _PARTS),
        activation=activation,
        stride=(stride, stride),
        pad=(kernel // 2, kernel // 2),
        num_group=groups,
    )


_PARTS = ("conv2d", "batchnorm", "relu")


def _width(who: str, filters: int, multiplier: float) -> int:
    if not multiplier > 0:
        raise ValueError(f"[{who}] multiplier is {multiplier!r}; expected more than 0")
    return max(1, int(filters * multiplier))


def _rounded(who: str, filters: float) -> int:
    """The nearest multiple of 8 that is not more than a tenth smaller."""
    if not filters > 0:
        raise ValueError(f"[{who}] multiplier gives {filters!r} filters; expected more than 0")
    near = max(8, int(filters + 4) // 8 * 8)
    return near + 8 if near < 0.9 * filters else near
