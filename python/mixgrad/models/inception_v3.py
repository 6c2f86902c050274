"""Inception-v3."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any

from .. import symbol as sym
from ..symbol import Symbol
from .layers import Pair, classifier, conv_bn, data, images_to_vector

__all__ = ["inception_v3"]


def inception_v3(num_classes: int = 1000, dropout: float = 0.5) -> Symbol:
    """Inception with factorised convolutions, without the auxiliary classifier.

    With (3, 299, 299) inputs: 23,834,568 parameters, 5,713,216,096 multiply-adds per image.

    Parameters
    ----------
    num_classes : int
        Number of classes.
    dropout : float
        Share of features dropped before the classifier in training.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 75 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: Rethinking the inception architecture for computer vision,
    arXiv:1512.00567.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.inception_v3().infer_shape(data=(4, 3, 299, 299))[1]
    [(4, 1000)]
    """
    net = _conv(data(), 32, (3, 3), "conv", stride=(2, 2))
    net = _conv(net, 32, (3, 3), "conv_1")
    net = _conv(net, 64, (3, 3), "conv_2", pad=(1, 1))
    net = _pool(net, "pool", stride=(2, 2))
    net = _conv(net, 80, (1, 1), "conv_3")
    net = _conv(net, 192, (3, 3), "conv_4")
    net = _pool(net, "pool1", stride=(2, 2))
    for name, proj in (("mixed", 32), ("mixed_1", 64), ("mixed_2", 64)):
        net = _module_35(net, name, proj)
    net = _reduce_35(net, "mixed_3")
    for name, filters in (("mixed_4", 128), ("mixed_5", 160), ("mixed_6", 160), ("mixed_7", 192)):
        net = _module_17(net, name, filters)
    net = _reduce_17(net, "mixed_8")
    for name, kind in (("mixed_9", "avg"), ("mixed_10", "max")):
        net = _module_8(net, name, kind)
    net = sym.Dropout(images_to_vector(net), p=dropout, name="drop")
    return classifier(net, num_classes)


def _conv(net: Symbol, filters: int, kernel: Pair, name: str, suffix: str = "", **options: Any) -> Symbol:
    names = tuple(f"{name}{suffix}_{part}" for part in ("conv2d", "batchnorm", "relu"))
    return conv_bn(net, filters, kernel, names, eps=1e-3, fix_gamma=True, **options)


def _pool(net: Symbol, name: str, kind: str = "max", **options: Pair) -> Symbol:
    return sym.Pooling(net, pool_type=kind, kernel=(3, 3), name=name, **options)


def _pooled(net: Symbol, name: str, kind: str, proj: int) -> Symbol:
    pool = _pool(net, f"{kind}_pool_{name}_pool", kind, stride=(1, 1), pad=(1, 1))
    return _conv(pool, proj, (1, 1), f"{name}_tower_2", "_conv")


def _concat(name: str, *paths: Symbol) -> Symbol:
    return sym.Concat(*paths, name=f"ch_concat_{name}_chconcat")


def _module_35(net: Symbol, name: str, proj: int) -> Symbol:
    one = _conv(net, 64, (1, 1), f"{name}_conv")
    five = _conv(net, 48, (1, 1), f"{name}_tower", "_conv")
    five = _conv(five, 64, (5, 5), f"{name}_tower", "_conv_1", pad=(2, 2))
    double = _conv(net, 64, (1, 1), f"{name}_tower_1", "_conv")
    double = _conv(double, 96, (3, 3), f"{name}_tower_1", "_conv_1", pad=(1, 1))
    double = _conv(double, 96, (3, 3), f"{name}_tower_1", "_conv_2", pad=(1, 1))
    return _concat(name, one, five, double, _pooled(net, name, "avg", proj))


def _reduce_35(net: Symbol, name: str) -> Symbol:
    three = _conv(net, 384, (3, 3), f"{name}_conv", stride=(2, 2))
    double = _conv(net, 64, (1, 1), f"{name}_tower", "_conv")
    double = _conv(double, 96, (3, 3), f"{name}_tower", "_conv_1", pad=(1, 1))
    double = _conv(double, 96, (3, 3), f"{name}_tower", "_conv_2", stride=(2, 2))
    return _concat(name, three, double, _pool(net, f"max_pool_{name}_pool", stride=(2, 2)))


def _module_17(net: Symbol, name: str, filters: int) -> Symbol:
    row, column = (1, 7), (7, 1)
    pads = {row: (0, 3), column: (3, 0)}
    one = _conv(net, 192, (1, 1), f"{name}_conv")
    seven = _conv(net, filters, (1, 1), f"{name}_tower", "_conv")
    for i, (kernel, out) in enumerate(((row, filters), (column, 192)), 1):
        seven = _conv(seven, out, kernel, f"{name}_tower", f"_conv_{i}", pad=pads[kernel])
    double = _conv(net, filters, (1, 1), f"{name}_tower_1", "_conv")
    for i, kernel in enumerate((column, row, column, row), 1):
        out = 192 if i == 4 else filters
        double = _conv(double, out, kernel, f"{name}_tower_1", f"_conv_{i}", pad=pads[kernel])
    return _concat(name, one, seven, double, _pooled(net, name, "avg", 192))


def _reduce_17(net: Symbol, name: str) -> Symbol:
    three = _conv(net, 192, (1, 1), f"{name}_tower", "_conv")
    three = _conv(three, 320, (3, 3), f"{name}_tower", "_conv_1", stride=(2, 2))
    seven = _conv(net, 192, (1, 1), f"{name}_tower_1", "_conv")
    seven = _conv(seven, 192, (1, 7), f"{name}_tower_1", "_conv_1", pad=(0, 3))
    seven = _conv(seven, 192, (7, 1), f"{name}_tower_1", "_conv_2", pad=(3, 0))
    seven = _conv(seven, 192, (3, 3), f"{name}_tower_1", "_conv_3", stride=(2, 2))
    return _concat(name, three, seven, _pool(net, f"max_pool_{name}_pool", stride=(2, 2)))


def _module_8(net: Symbol, name: str, kind: str) -> Symbol:
    one = _conv(net, 320, (1, 1), f"{name}_conv")
    three = _conv(net, 384, (1, 1), f"{name}_tower", "_conv")
    row = _conv(three, 384, (1, 3), f"{name}_tower", "_mixed_conv", pad=(0, 1))
    column = _conv(three, 384, (3, 1), f"{name}_tower", "_mixed_conv_1", pad=(1, 0))
    double = _conv(net, 448, (1, 1), f"{name}_tower_1", "_conv")
    double = _conv(double, 384, (3, 3), f"{name}_tower_1", "_conv_1", pad=(1, 1))
    double_row = _conv(double, 384, (1, 3), f"{name}_tower_1", "_mixed_conv", pad=(0, 1))
    double_column = _conv(double, 384, (3, 1), f"{name}_tower_1", "_mixed_conv_1", pad=(1, 0))
    pooled = _pooled(net, name, kind, 192)
    return _concat(name, one, row, column, double_row, double_column, pooled)
