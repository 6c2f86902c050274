"""Inception with BatchNorm."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Optional

from .. import symbol as sym
from ..symbol import Symbol
from .layers import Pair, classifier, conv_bn, data, images_to_vector

__all__ = ["inception_bn"]

# Filters of the 1x1 path, the 3x3 path (reduced, out), the double 3x3 path (reduced, out), kind of pooling
# and filters behind it. Modules without the first and the last halve height and width.
_MODULES: dict[str, tuple[Optional[int], int, int, int, int, str, Optional[int]]] = {
    "3a": (64, 64, 64, 64, 96, "avg", 32),
    "3b": (64, 64, 96, 64, 96, "avg", 64),
    "3c": (None, 128, 160, 64, 96, "max", None),
    "4a": (224, 64, 96, 96, 128, "avg", 128),
    "4b": (192, 96, 128, 96, 128, "avg", 128),
    "4c": (160, 128, 160, 128, 160, "avg", 128),
    "4d": (96, 128, 192, 160, 192, "avg", 128),
    "4e": (None, 128, 192, 192, 256, "max", None),
    "5a": (352, 192, 320, 160, 224, "avg", 128),
    "5b": (352, 192, 320, 192, 224, "max", 128),
}


def inception_bn(num_classes: int = 1000) -> Symbol:
    """Ten inception modules of 3x3 convolutions, each with BatchNorm.

    With (3, 224, 224) inputs: 11,295,240 parameters, 2,032,600,064 multiply-adds per image.

    Parameters
    ----------
    num_classes : int
        Number of classes.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 32 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Ioffe, Szegedy: Batch normalization: accelerating deep network training by reducing internal covariate
    shift, arXiv:1502.03167.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.inception_bn().infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    net = _conv(data(), 64, (7, 7), "1", stride=(2, 2), pad=(3, 3))
    net = _halve(net, "pool_1")
    net = _conv(net, 64, (1, 1), "2_red")
    net = _conv(net, 192, (3, 3), "2", pad=(1, 1))
    net = _halve(net, "pool_2")
    for name, filters in _MODULES.items():
        net = _module(net, name, *filters)
    return classifier(images_to_vector(net), num_classes)


def _conv(net: Symbol, filters: int, kernel: Pair, name: str, **options: Any) -> Symbol:
    names = (f"conv_{name}", f"bn_{name}", f"relu_{name}")
    return conv_bn(net, filters, kernel, names, eps=1e-5, no_bias=False, **options)


def _halve(net: Symbol, name: str) -> Symbol:
    return sym.Pooling(
        net, pool_type="max", kernel=(3, 3), stride=(2, 2), pooling_convention="full", name=name
    )


def _pool(net: Symbol, name: str, kind: str, stride: int) -> Symbol:
    pad = (1, 1)
    return sym.Pooling(net, pool_type=kind, kernel=(3, 3), stride=(stride, stride), pad=pad, name=name)


def _module(
    net: Symbol,
    name: str,
    one: Optional[int],
    reduced3: int,
    three: int,
    reduced_double: int,
    double: int,
    kind: str,
    proj: Optional[int],
) -> Symbol:
    stride = 1 if proj else 2
    last = {"pad": (1, 1), "stride": (stride, stride)}
    paths = []
    if one:
        paths.append(_conv(net, one, (1, 1), f"{name}_1x1"))
    path = _conv(net, reduced3, (1, 1), f"{name}_3x3_reduce")
    paths.append(_conv(path, three, (3, 3), f"{name}_3x3", **last))
    path = _conv(net, reduced_double, (1, 1), f"{name}_double_3x3_reduce")
    path = _conv(path, double, (3, 3), f"{name}_double_3x3_0", pad=(1, 1))
    paths.append(_conv(path, double, (3, 3), f"{name}_double_3x3_1", **last))
    path = _pool(net, f"{kind}_pool_{name}_pool", kind, stride)
    paths.append(_conv(path, proj, (1, 1), f"{name}_proj") if proj else path)
    return sym.Concat(*paths, name=f"ch_concat_{name}_chconcat")
