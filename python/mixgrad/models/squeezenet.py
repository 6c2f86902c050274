"""SqueezeNet."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from .. import symbol as sym
from ..symbol import Symbol
from .layers import conv_relu, data, images_to_vector

__all__ = ["squeezenet"]

_FILTERS = (16, 16, 32, 32, 48, 48, 64, 64)  # of the squeezing convolution of fire2 to fire9
_POOLS = {"1.0": ("conv1", "fire4", "fire8"), "1.1": ("conv1", "fire3", "fire5")}  # pooling follows these


def squeezenet(version: str = "1.0", num_classes: int = 1000, dropout: float = 0.5) -> Symbol:
    """Fire modules: a 1x1 convolution squeezes, a 1x1 and a 3x3 convolution expand.

    With (3, 224, 224) inputs and 1000 classes, per image: version 1.0 has 1,248,424 parameters and
    818,924,576 multiply-adds, version 1.1 has 1,235,496 and 349,151,936.

    Parameters
    ----------
    version : {'1.0', '1.1'}
        1.1 pools earlier and starts with 64 filters of 3x3 instead of 96 of 7x7.
    num_classes : int
        Number of classes.
    dropout : float
        Share of activations dropped before the last convolution in training.

    Returns
    -------
    Symbol
        Inputs ``data`` (batch, 3, height, width), at least 32 each way, and ``softmax_label`` (batch,),
        float32; output ``softmax_output`` (batch, num_classes).

    Reference
    ---------
    Iandola et al.: SqueezeNet: AlexNet-level accuracy with 50x fewer parameters and <0.5MB model size,
    arXiv:1602.07360.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.squeezenet("1.1").infer_shape(data=(4, 3, 224, 224))[1]
    [(4, 1000)]
    """
    if version not in _POOLS:
        raise ValueError(f"[squeezenet] version is {version!r}; expected one of {sorted(_POOLS)}")
    filters, size = (96, 7) if version == "1.0" else (64, 3)
    net = conv_relu(data(), filters, (size, size), ("conv1", "relu_conv1"), stride=(2, 2))
    net = _pool_after(net, "conv1", version)
    for i, squeezed in enumerate(_FILTERS, 2):
        net = _pool_after(_fire(net, squeezed, f"fire{i}"), f"fire{i}", version)
    net = sym.Dropout(net, p=dropout, name="drop9")
    net = conv_relu(net, num_classes, (1, 1), ("conv10", "relu_conv10"))
    return sym.SoftmaxOutput(images_to_vector(net, "pool10"), name="softmax")


def _pool_after(net: Symbol, name: str, version: str) -> Symbol:
    if name not in _POOLS[version]:
        return net
    return sym.Pooling(
        net,
        pool_type="max",
        kernel=(3, 3),
        stride=(2, 2),
        pooling_convention="full",
        name=f"pool_{name}",
    )


def _fire(net: Symbol, squeezed: int, name: str) -> Symbol:
    net = _named(net, squeezed, 1, f"{name}_squeeze1x1")
    paths = [_named(net, 4 * squeezed, size, f"{name}_expand{size}x{size}") for size in (1, 3)]
    return sym.Concat(*paths, name=f"{name}_concat")


def _named(net: Symbol, filters: int, size: int, name: str) -> Symbol:
    pad = (size // 2, size // 2)
    return conv_relu(net, filters, (size, size), (name, f"{name}_relu"), pad=pad)
