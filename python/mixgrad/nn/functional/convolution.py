"""Convolutions, and what spreads and gathers windows."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ...base import ShapeError, UnsupportedError
from ...numpy.operators import operators as ops
from .padding import pad

if TYPE_CHECKING:
    from ... import numpy as np

__all__ = [
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "fold",
    "unfold",
]

Ints = Union[int, Sequence[int]]


def many(value: Any, count: int) -> tuple[Any, ...]:
    """A number for each axis."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def _batched(function: Any, input: Any, axes: int, who: str) -> Any:
    """Call with a batch of one where there is none."""
    if input.ndim == axes + 2:
        return function(input)
    if input.ndim != axes + 1:
        raise ShapeError(
            f"[{who}] got the shape {input.shape}; expected {axes + 2} axes, or {axes + 1} without a batch"
        )
    result = function(input.reshape(1, *input.shape))
    return result.reshape(*result.shape[1:])


def _conv(
    axes: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Ints,
    padding: Union[str, Ints],
    dilation: Ints,
    groups: int,
) -> Any:
    kernel = tuple(weight.shape[2:])
    stride, dilation = many(stride, axes), many(dilation, axes)
    if padding == "valid":
        padding = 0
    elif padding == "same":
        if any(step != 1 for step in stride):
            raise ValueError(f"[conv{axes}d] padding is 'same' and stride {stride}; expected a stride of 1")
        total = [d * (k - 1) for k, d in zip(kernel, dilation)]
        if any(one % 2 for one in total):
            sides = [side for one in reversed(total) for side in (one // 2, one - one // 2)]
            input, padding = pad(input, sides), 0
        else:
            padding = [one // 2 for one in total]
    elif isinstance(padding, str):
        raise ValueError(f"[conv{axes}d] padding is {padding!r}; expected 'valid', 'same' or numbers")
    words = {
        "kernel": kernel,
        "stride": stride,
        "dilate": dilation,
        "pad": many(padding, axes),
        "num_filter": weight.shape[0],
        "num_group": groups,
    }

    def call(x: Any) -> Any:
        if bias is None:
            return ops.Convolution(x, weight, no_bias=True, **words)
        return ops.Convolution(x, weight, bias, **words)

    return _batched(call, input, axes, f"conv{axes}d")


def conv1d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Union[str, Ints] = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> np.ndarray:
    """Convolution of ``(N, C, L)``; see :func:`conv2d`."""
    return _conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Union[str, Ints] = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> np.ndarray:
    """Convolution of pictures.

    Parameters
    ----------
    input : array
        ``(N, C, H, W)``, or ``(C, H, W)``.
    weight : array
        ``(out_channels, C / groups, KH, KW)``.
    bias : array, optional
        ``(out_channels,)``.
    stride, dilation : int or tuple of int
        Steps between windows, and between the elements of one.
    padding : int, tuple of int, 'valid' or 'same'
        Zeros on each side.
    groups : int
        Channels that are convolved apart.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.conv2d(np.ones((1, 3, 8, 8)), np.ones((4, 3, 3, 3)), padding="same").shape
    (1, 4, 8, 8)
    """
    return _conv(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Union[str, Ints] = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> np.ndarray:
    """Convolution of ``(N, C, D, H, W)``; see :func:`conv2d`."""
    return _conv(3, input, weight, bias, stride, padding, dilation, groups)


def _transposed(
    axes: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Ints,
    padding: Ints,
    output_padding: Ints,
    groups: int,
    dilation: Ints,
) -> Any:
    words = {
        "kernel": tuple(weight.shape[2:]),
        "stride": many(stride, axes),
        "dilate": many(dilation, axes),
        "pad": many(padding, axes),
        "adj": many(output_padding, axes),
        "num_filter": weight.shape[1] * groups,
        "num_group": groups,
    }

    def call(x: Any) -> Any:
        if bias is None:
            return ops.Deconvolution(x, weight, no_bias=True, **words)
        return ops.Deconvolution(x, weight, bias, no_bias=False, **words)

    return _batched(call, input, axes, f"conv_transpose{axes}d")


def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
    groups: int = 1,
    dilation: Ints = 1,
) -> np.ndarray:
    """The transpose of :func:`conv1d`; see :func:`conv_transpose2d`."""
    return _transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
    groups: int = 1,
    dilation: Ints = 1,
) -> np.ndarray:
    """The transpose of :func:`conv2d`: what its gradient does to the output.

    Parameters
    ----------
    input : array
        ``(N, C, H, W)``, or ``(C, H, W)``.
    weight : array
        ``(C, out_channels / groups, KH, KW)``.
    bias : array, optional
        ``(out_channels,)``.
    stride, padding, dilation, groups
        Those of the convolution.
    output_padding : int or tuple of int
        Extent that the output has besides, on one side.
    """
    return _transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
    groups: int = 1,
    dilation: Ints = 1,
) -> np.ndarray:
    """The transpose of :func:`conv3d`; see :func:`conv_transpose2d`."""
    return _transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def unfold(
    input: Any, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1
) -> np.ndarray:
    """Windows of ``(N, C, H, W)`` as columns, ``(N, C * KH * KW, windows)``."""
    if input.ndim != 4:
        raise ShapeError(f"[unfold] the input has the shape {input.shape}; expected (N, C, H, W)")
    found = ops.im2col(
        input,
        kernel=many(kernel_size, 2),
        stride=many(stride, 2),
        dilate=many(dilation, 2),
        pad=many(padding, 2),
    )
    return found.reshape(found.shape[0], found.shape[1], math.prod(found.shape[2:]))


def fold(
    input: Any,
    output_size: Ints,
    kernel_size: Ints,
    dilation: Ints = 1,
    padding: Ints = 0,
    stride: Ints = 1,
) -> np.ndarray:
    """The sum of windows that :func:`unfold` spread, ``(N, C, *output_size)``."""
    if input.ndim != 3:
        raise UnsupportedError(
            f"[fold] the input has the shape {input.shape}; expected (N, C * KH * KW, windows)"
        )
    return ops.col2im(
        input,
        output_size=many(output_size, 2),
        kernel=many(kernel_size, 2),
        stride=many(stride, 2),
        dilate=many(dilation, 2),
        pad=many(padding, 2),
    )
