"""Pooling."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional, Union

from ... import numpy as np
from ... import ops
from ...base import ShapeError, UnsupportedError
from .convolution import Ints, _batched, many

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
]

Size = Union[int, Sequence[Optional[int]]]


def _pool(
    axes: int,
    kind: str,
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints],
    padding: Ints,
    ceil_mode: bool,
    places: bool = False,
    **words: Any,
) -> Any:
    kernel = many(kernel_size, axes)
    step = kernel if stride is None or stride == () else many(stride, axes)
    sides = many(padding, axes)
    for k, p in zip(kernel, sides):
        if 2 * p > k:
            raise ValueError(
                f"[{kind}_pool{axes}d] padding {sides}; expected at most half of the kernel {kernel}"
            )

    words.update(kernel=kernel, stride=step, pad=sides, pool_type=kind)
    words["pooling_convention"] = "full" if ceil_mode else "valid"

    def call(x: Any) -> Any:
        found = (ops._pooling_places if places else ops.Pooling)(x, **words)
        if ceil_mode:  # windows that begin beyond the input and its left padding are none
            most = [
                min(have, (extent + p - 1) // s + 1)
                for have, extent, p, s in zip(found.shape[2:], x.shape[2:], sides, step)
            ]
            if tuple(most) != tuple(found.shape[2:]):
                cuts = (slice(None), slice(None), *map(slice, most))
                found = found[cuts]
        return found

    return _batched(call, input, axes, f"{kind}_pool{axes}d")


def _max(axes: int, input: Any, args: tuple[Any, ...]) -> Any:
    kernel_size, stride, padding, dilation, ceil_mode, return_indices = args
    if any(one != 1 for one in many(dilation, axes)):
        raise UnsupportedError(f"[max_pool{axes}d] a dilation other than 1 is not supported")
    words = (kernel_size, stride, padding, ceil_mode)
    if not return_indices:
        return _pool(axes, "max", input, *words)
    return _pool(axes, "max", input, *words), _pool(axes, "max", input.detach(), *words, places=True)


def max_pool1d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of ``(N, C, L)``; see :func:`max_pool2d`."""
    return _max(1, input, (kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def max_pool2d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window.

    Parameters
    ----------
    input : array
        ``(N, C, H, W)``, or ``(C, H, W)``.
    kernel_size : int or tuple of int
        Extents of a window.
    stride : int or tuple of int, optional
        Steps between windows, by default ``kernel_size``.
    padding : int or tuple of int
        On each side, with values that are never the largest.
    dilation
        Others than 1 are not supported.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
    return_indices : bool
        Whether the result is the largest elements and where they were: positions in ``H * W``, of int64, as
        :func:`max_unpool2d` takes them.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.max_pool2d(np.arange(16).reshape(1, 4, 4), 2, return_indices=True)
    (array([[[ 5.,  7.],
            [13., 15.]]]), array([[[ 5,  7],
            [13, 15]]], dtype=int64))
    """
    return _max(2, input, (kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def max_pool3d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of ``(N, C, D, H, W)``; see :func:`max_pool2d`."""
    return _max(3, input, (kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def _avg(
    axes: int,
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints],
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Optional[int] = None,
) -> Any:
    if divisor_override is not None:
        total = _pool(axes, "sum", input, kernel_size, stride, padding, ceil_mode)
        return total / divisor_override
    return _pool(
        axes, "avg", input, kernel_size, stride, padding, ceil_mode, count_include_pad=count_include_pad
    )


def avg_pool1d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> np.ndarray:
    """The mean of each window of ``(N, C, L)``; see :func:`avg_pool2d`."""
    return _avg(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def avg_pool2d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Optional[int] = None,
) -> np.ndarray:
    """The mean of each window.

    Parameters
    ----------
    input : array
        ``(N, C, H, W)``, or ``(C, H, W)``.
    kernel_size, stride, padding, ceil_mode
        As in :func:`max_pool2d`; the padding is zeros.
    count_include_pad : bool
        Whether padding counts in the mean.
    divisor_override : int, optional
        Divides the sum in place of the number of elements.
    """
    return _avg(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(
    input: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Optional[int] = None,
) -> np.ndarray:
    """The mean of each window of ``(N, C, D, H, W)``; see :func:`avg_pool2d`."""
    return _avg(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _lp(
    axes: int, input: Any, norm_type: float, kernel_size: Ints, stride: Optional[Ints], ceil_mode: bool
) -> Any:
    if ceil_mode:  # a last window that reaches beyond counts as a whole one of its mean
        mean = _pool(axes, "avg", input**norm_type, kernel_size, stride, 0, True)
        total = mean * math.prod(many(kernel_size, axes))
    else:
        total = _pool(axes, "sum", input**norm_type, kernel_size, stride, 0, False)
    return (np.sign(total) * np.maximum(np.abs(total), 0)) ** (1.0 / norm_type)


def lp_pool1d(
    input: Any, norm_type: float, kernel_size: Ints, stride: Optional[Ints] = None, ceil_mode: bool = False
) -> np.ndarray:
    """The root of the sum of powers of each window of ``(N, C, L)``."""
    return _lp(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(
    input: Any, norm_type: float, kernel_size: Ints, stride: Optional[Ints] = None, ceil_mode: bool = False
) -> np.ndarray:
    """The root of the sum of powers of each window of ``(N, C, H, W)``."""
    return _lp(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(
    input: Any, norm_type: float, kernel_size: Ints, stride: Optional[Ints] = None, ceil_mode: bool = False
) -> np.ndarray:
    """The root of the sum of powers of each window of ``(N, C, D, H, W)``."""
    return _lp(3, input, norm_type, kernel_size, stride, ceil_mode)


def _adaptive(axes: int, kind: str, input: Any, output_size: Size) -> Any:
    wanted = many(output_size, axes)

    def call(x: Any) -> Any:
        extents = x.shape[2:]
        sizes = tuple(extent if size is None else int(size) for size, extent in zip(wanted, extents))
        if min(sizes) < 1 or min(extents) < 1:
            raise ShapeError(
                f"[adaptive_{kind}_pool{axes}d] {output_size!r:.60} of the shape {x.shape}; expected extents "
                "of at least 1"
            )
        if all(size == 1 for size in sizes):
            return ops.Pooling(x, kernel=(1,) * axes, pool_type=kind, global_pool=True)
        if all(extent % size == 0 for size, extent in zip(sizes, extents)):
            kernel = tuple(extent // size for size, extent in zip(sizes, extents))
            return ops.Pooling(x, kernel=kernel, pool_type=kind, stride=kernel)
        for axis, size in enumerate(sizes, 2):  # both means and maxima may go axis by axis
            x = _adaptive_axis(x, axis, size, kind)
        return x

    return _batched(call, input, axes, f"adaptive_{kind}_pool{axes}d")


def _adaptive_axis(x: Any, axis: int, size: int, kind: str) -> Any:
    extent = x.shape[axis]
    parts = []
    for i in range(size):
        window = slice(i * extent // size, math.ceil((i + 1) * extent / size))
        part = x[(slice(None),) * axis + (window,)]
        parts.append(getattr(part, "max" if kind == "max" else "mean")(axis=axis, keepdims=True))
    return np.concatenate(parts, axis=axis)


def adaptive_avg_pool1d(input: Any, output_size: Size) -> np.ndarray:
    """Means of as many windows as the output has elements, ``(N, C, L)``."""
    return _adaptive(1, "avg", input, output_size)


def adaptive_avg_pool2d(input: Any, output_size: Size) -> np.ndarray:
    """Means of as many windows as the output has elements, ``(N, C, H, W)``; None keeps an extent.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.adaptive_avg_pool2d(np.ones((1, 2, 7, 5)), (3, None)).shape
    (1, 2, 3, 5)
    """
    return _adaptive(2, "avg", input, output_size)


def adaptive_avg_pool3d(input: Any, output_size: Size) -> np.ndarray:
    """Means of as many windows as the output has elements, ``(N, C, D, H, W)``."""
    return _adaptive(3, "avg", input, output_size)


def _adaptive_max(axes: int, input: Any, output_size: Size, return_indices: bool) -> Any:
    if return_indices:
        raise UnsupportedError(f"[adaptive_max_pool{axes}d] return_indices is not supported")
    return _adaptive(axes, "max", input, output_size)


def adaptive_max_pool1d(input: Any, output_size: Size, return_indices: bool = False) -> Any:
    """Largest elements of as many windows as the output has elements, ``(N, C, L)``."""
    return _adaptive_max(1, input, output_size, return_indices)


def adaptive_max_pool2d(input: Any, output_size: Size, return_indices: bool = False) -> Any:
    """Largest elements of as many windows as the output has elements, ``(N, C, H, W)``."""
    return _adaptive_max(2, input, output_size, return_indices)


def adaptive_max_pool3d(input: Any, output_size: Size, return_indices: bool = False) -> Any:
    """Largest elements of as many windows as the output has elements, ``(N, C, D, H, W)``."""
    return _adaptive_max(3, input, output_size, return_indices)
