"""GoogLeNet."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import Pair, classifier, conv_relu, data, images_to_vector

__all__ = ["googlenet"]

# Filters of the 1x1 path, the 3x3 path (reduced, out), the 5x5 path (reduced, out), behind the pooling.
_MODULES = {
    "in3a": (64, 96, 128, 16, 32, 32),
    "in3b": (128, 128, 192, 32, 96, 64),
    "in4a": (192, 96, 208, 16, 48, 64),
    "in4b": (160, 112, 224, 24, 64, 64),
    "in4c": (128, 128, 256, 24, 64, 64),
    "in4d": (112, 144, 288, 32, 64, 64),
    "in4e": (256, 160, 320, 32, 128, 128),
    "in5a": (256, 160, 320, 32, 128, 128),
    "in5b": (384, 192, 384, 48, 128, 128),
}


def googlenet(num_classes: int = 1000) -> Symbol:
    """Nine inception modules, without auxiliary classifiers and normalisation.

    With (3, 224, 224) inputs: 6,998,552 parameters, 1,582,671,872 multiply-adds per image.

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
    Szegedy et al.: Going deeper with convolutions, arXiv:1409.4842.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.googlenet().infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    net = _conv(data(), 64, (7, 7), "conv1", stride=(2, 2), pad=(3, 3))
    net = _halve(net, "pool1")
    net = _conv(net, 64, (1, 1), "conv2")
    net = _conv(net, 192, (3, 3), "conv3", pad=(1, 1))
    net = _halve(net, "pool3")
    for name, filters in _MODULES.items():
        net = _module(net, name, *filters)
        if name in ("in3b", "in4e"):
            net = _halve(net, f"pool_{name}")
    return classifier(images_to_vector(net), num_classes)


def _conv(net: Symbol, filters: int, kernel: Pair, name: str, suffix: str = "", **options: Pair) -> Symbol:
    return conv_relu(net, filters, kernel, (f"conv_{name}{suffix}", f"relu_{name}{suffix}"), **options)


def _halve(net: Symbol, name: str) -> Symbol:
    return sym.Pooling(
        net, pool_type="max", kernel=(3, 3), stride=(2, 2), pooling_convention="full", name=name
    )


def _module(
    net: Symbol, name: str, one: int, reduced3: int, three: int, reduced5: int, five: int, proj: int
) -> Symbol:
    paths = [
        _conv(net, one, (1, 1), f"{name}_1x1"),
        _conv(
            _conv(net, reduced3, (1, 1), f"{name}_3x3", "_reduce"), three, (3, 3), f"{name}_3x3", pad=(1, 1)
        ),
        _conv(
            _conv(net, reduced5, (1, 1), f"{name}_5x5", "_reduce"), five, (5, 5), f"{name}_5x5", pad=(2, 2)
        ),
    ]
    pool = sym.Pooling(
        net, pool_type="max", kernel=(3, 3), stride=(1, 1), pad=(1, 1), name=f"max_pool_{name}_pool"
    )
    paths.append(_conv(pool, proj, (1, 1), f"{name}_proj"))
    return sym.Concat(*paths, name=f"ch_concat_{name}_chconcat")
