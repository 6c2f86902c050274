"""Residual networks."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import classifier, conv_bn, data, images_to_vector

__all__ = ["resnet"]

_EPS = 2e-5
_UNITS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def resnet(num_layers: int = 50, num_classes: int = 1000, version: int = 1) -> Symbol:
    """Residual units in four stages; from 50 layers on with bottlenecks.

    With (3, 224, 224) inputs and 1000 classes, per image:

    ====== ============= ================ ============= ================
    layers v1 parameters v1 multiply-adds v2 parameters v2 multiply-adds
    ====== ============= ================ ============= ================
    18     11,689,512     1,814,073,344   11,687,854     1,814,073,344
    34     21,797,672     3,663,761,408   21,796,014     3,663,761,408
    50     25,557,032     3,857,973,248   25,549,486     4,089,184,256
    101    44,549,160     7,570,194,432   44,541,614     7,801,405,440
    152    60,192,808    11,282,415,616   60,185,262    11,513,626,624
    ====== ============= ================ ============= ================

    Parameters
    ----------
    num_layers : {18, 34, 50, 101, 152}
        Layers with weights.
    num_classes : int
        Number of classes.
    version : {1, 2}
        1: convolution, BatchNorm, ReLU, the sum is activated; a bottleneck's first convolution has the
        stride. 2: BatchNorm and ReLU come first and sums stay as they are; images pass a BatchNorm called
        ``bn_data`` and a bottleneck's 3x3 convolution has the stride.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width) and ``softmax_label`` (batch,), float32; output
        ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    He, Zhang, Ren, Sun: Deep residual learning for image recognition, arXiv:1512.03385 (version 1), and
    Identity mappings in deep residual networks, arXiv:1603.05027 (version 2).

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.resnet(50).infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    if num_layers not in _UNITS:
        raise ValueError(f"[resnet] num_layers is {num_layers!r}; expected one of {sorted(_UNITS)}")
    if version not in (1, 2):
        raise ValueError(f"[resnet] version is {version!r}; expected 1 or 2")
    net = data()
    if version == 2:
        net = sym.BatchNorm(net, fix_gamma=True, eps=_EPS, momentum=0.9, name="bn_data")
    net = conv_bn(net, 64, (7, 7), ("conv0", "bn0", "relu0"), eps=_EPS, stride=(2, 2), pad=(3, 3))
    net = sym.Pooling(net, pool_type="max", kernel=(3, 3), stride=(2, 2), pad=(1, 1), name="pooling0")
    bottleneck = num_layers >= 50
    unit = _unit_v1 if version == 1 else _unit_v2
    for stage, units in enumerate(_UNITS[num_layers], 1):
        filters = 64 * 2 ** (stage - 1) * (4 if bottleneck else 1)
        for i in range(1, units + 1):
            stride = 2 if i == 1 and stage > 1 else 1
            keeps = i > 1 or (stage == 1 and not bottleneck)
            net = unit(net, filters, stride, keeps, bottleneck, f"stage{stage}_unit{i}")
    if version == 2:
        net = _bn_relu(net, "bn1", "relu1")
    return classifier(images_to_vector(net, "pool1", "flatten0"), num_classes)


def _plan(filters: int, stride: int, bottleneck: bool, version: int) -> list[tuple[int, int, int]]:
    """Filters, kernel and stride of a unit's convolutions."""
    if not bottleneck:
        return [(filters, 3, stride), (filters, 3, 1)]
    first, second = (stride, 1) if version == 1 else (1, stride)
    return [(filters // 4, 1, first), (filters // 4, 3, second), (filters, 1, 1)]


def _unit_v1(net: Symbol, filters: int, stride: int, keeps: bool, bottleneck: bool, name: str) -> Symbol:
    body = net
    plan = _plan(filters, stride, bottleneck, 1)
    for i, (width, kernel, step) in enumerate(plan, 1):
        names = tuple(f"{name}_{part}{i}" for part in ("conv", "bn", "relu"))
        last = i == len(plan)
        pad = (kernel // 2, kernel // 2)
        body = conv_bn(
            body,
            width,
            (kernel, kernel),
            names,
            eps=_EPS,
            activation=None if last else "relu",
            stride=(step, step),
            pad=pad,
        )
    short = net
    if not keeps:
        names = (f"{name}_conv1sc", f"{name}_sc")
        short = conv_bn(net, filters, (1, 1), names, eps=_EPS, activation=None, stride=(stride, stride))
    total = sym.elemwise_add(body, short, name=f"{name}_plus")
    return sym.Activation(total, act_type="relu", name=f"{name}_relu{len(plan)}")


def _bn_relu(net: Symbol, bn: str, relu: str) -> Symbol:
    net = sym.BatchNorm(net, fix_gamma=False, eps=_EPS, momentum=0.9, name=bn)
    return sym.Activation(net, act_type="relu", name=relu)


def _unit_v2(net: Symbol, filters: int, stride: int, keeps: bool, bottleneck: bool, name: str) -> Symbol:
    body, entered = net, net
    for i, (width, kernel, step) in enumerate(_plan(filters, stride, bottleneck, 2), 1):
        body = _bn_relu(body, f"{name}_bn{i}", f"{name}_relu{i}")
        entered = body if i == 1 else entered
        body = sym.Convolution(
            body,
            num_filter=width,
            kernel=(kernel, kernel),
            stride=(step, step),
            pad=(kernel // 2, kernel // 2),
            no_bias=True,
            name=f"{name}_conv{i}",
        )
    short = net
    if not keeps:
        short = sym.Convolution(
            entered,
            num_filter=filters,
            kernel=(1, 1),
            stride=(stride, stride),
            no_bias=True,
            name=f"{name}_sc",
        )
    return sym.elemwise_add(body, short, name=f"{name}_plus")
