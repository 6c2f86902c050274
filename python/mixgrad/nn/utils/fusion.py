"""A layer and the normalisation behind it as one layer, for predictions."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Optional, TypeVar, cast

from ... import numpy as np
from ...base import InvalidArgumentError
from ..grad_mode import no_grad
from ..module import Module
from ..modules.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..modules.linear import Linear
from ..modules.normalization import _BatchNorm
from ..parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_linear_bn_eval"]

Some = TypeVar("Some", bound=Module)
FORWARD, TRANSPOSED = (Conv1d, Conv2d, Conv3d), (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)


def fuse_conv_bn_eval(conv: Some, bn: Module, transpose: bool = False) -> Some:
    """A convolution that does what a convolution and a batch normalisation do, both in ``eval()``.

    Parameters
    ----------
    conv : Module
        The convolution, of which a copy is made.
    bn : Module
        The batch normalisation behind it, with running values.
    transpose : bool
        Whether the convolution is transposed.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> conv, norm = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3)
    >>> x = np.random.normal(size=(4, 2, 5, 5))
    >>> _ = norm(conv(x))
    >>> fused = nn.utils.fuse_conv_bn_eval(conv.eval(), norm.eval())
    >>> bool(np.abs(fused(x) - norm(conv(x))).max() < 1e-5)
    True
    """
    who = "fuse_conv_bn_eval"
    if not isinstance(conv, TRANSPOSED if transpose else FORWARD):
        kind = "transposed convolution" if transpose else "convolution"
        raise InvalidArgumentError(
            f"[{who}] transpose is {transpose!r} and the layer {type(conv).__name__}; expected a {kind}"
        )
    return cast(Some, _fused(who, conv, bn, getattr(conv, "groups", None) if transpose else None))


def fuse_linear_bn_eval(linear: Some, bn: Module) -> Some:
    """A linear layer that does what it and a batch normalisation do, both in ``eval()``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> linear, norm = nn.Linear(2, 3), nn.BatchNorm1d(3)
    >>> x = np.random.normal(size=(4, 2))
    >>> _ = norm(linear(x))
    >>> fused = nn.utils.fuse_linear_bn_eval(linear.eval(), norm.eval())
    >>> bool(np.abs(fused(x) - norm(linear(x))).max() < 1e-5)
    True
    """
    who = "fuse_linear_bn_eval"
    if not isinstance(linear, Linear):
        raise InvalidArgumentError(f"[{who}] the layer is {type(linear).__name__}; expected a linear layer")
    return cast(Some, _fused(who, linear, bn, None))


def _fused(who: str, layer: Any, norm: Any, groups: Optional[int]) -> Any:
    weight, mean = layer.weight, getattr(norm, "running_mean", None)
    if not isinstance(norm, _BatchNorm) or mean is None:
        raise InvalidArgumentError(
            f"[{who}] the normalisation is {type(norm).__name__}; "
            "expected one of batches, with running values"
        )
    if layer.training or norm.training:
        raise InvalidArgumentError(f"[{who}] a layer is in training; expected both after eval()")
    count = weight.shape[0] if groups is None else weight.shape[1] * groups
    if mean.shape != (count,):
        raise InvalidArgumentError(
            f"[{who}] the layer gives {count} features and the normalisation takes {mean.shape[0]}; "
            "expected as many"
        )
    fused = deepcopy(layer)
    bias = layer.bias
    with no_grad():
        scale = 1 / np.sqrt(norm.running_var + norm.eps)
        if norm.weight is not None:
            scale = scale * norm.weight.detach()
        shift = -mean if bias is None else bias.detach() - mean
        shift = shift * scale
        if norm.bias is not None:
            shift = shift + norm.bias.detach()
        scale = scale.astype(weight.dtype)
        if groups is None:
            values = weight.detach() * scale.reshape((count, *(1,) * (weight.ndim - 1)))
        else:  # (inputs, outputs of a group, ...), the inputs of a group together
            parts = weight.detach().reshape((groups, -1, *weight.shape[1:]))
            values = parts * scale.reshape((groups, 1, -1, *(1,) * (weight.ndim - 2)))
            values = values.reshape(weight.shape)
    wanted = weight.requires_grad if bias is None else bias.requires_grad
    fused.weight = Parameter(values, weight.requires_grad)
    fused.bias = Parameter(shift.astype(weight.dtype), wanted)
    return fused
