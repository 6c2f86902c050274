"""What pooling by largest elements took away, as zeros around them."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional

from ... import numpy as np
from ... import ops
from ...base import ShapeError
from .convolution import Ints, many
from .linear import check_whole

__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]


def _unpool(
    axes: int,
    input: Any,
    indices: Any,
    kernel_size: Ints,
    stride: Optional[Ints],
    padding: Ints,
    output_size: Optional[Sequence[int]],
) -> np.ndarray:
    who = f"max_unpool{axes}d"
    if input.ndim not in (axes + 1, axes + 2) or indices.shape != input.shape:
        raise ShapeError(
            f"[{who}] input {input.shape} and indices {indices.shape}; expected one shape of {axes + 2} "
            f"axes, or {axes + 1} without a batch"
        )
    check_whole(who, "indices", indices)
    kernel = many(kernel_size, axes)
    step = kernel if stride is None or stride == () else many(stride, axes)
    sides = many(padding, axes)
    lead, pooled = input.shape[:-axes], input.shape[-axes:]
    usual = tuple((n - 1) * s - 2 * p + k for n, s, p, k in zip(pooled, step, sides, kernel))
    given = usual if output_size is None else tuple(output_size)
    wanted = given[-axes:]
    if len(given) not in (axes, input.ndim) or any(
        abs(one - have) >= s for one, have, s in zip(wanted, usual, step)
    ):
        raise ValueError(
            f"[{who}] output_size is {tuple(output_size or ())}; expected {usual}, and less than a stride "
            f"{step} from it"
        )
    rows = math.prod(lead)
    flat = (rows, math.prod(pooled))
    row = np.broadcast_to(np.arange(rows, dtype="int64", ctx=input.context).reshape(-1, 1), flat)
    base = np.zeros((rows, math.prod(wanted)), dtype=input.dtype, ctx=input.context)
    places = (row, indices.reshape(flat))
    found: Any = ops._index_put(base, input.reshape(flat), *places, axes=(0, 1), mode="raise")
    return found.reshape(*lead, *wanted)


def max_unpool1d(
    input: Any,
    indices: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    output_size: Optional[Sequence[int]] = None,
) -> np.ndarray:
    """The reverse of :func:`max_pool1d`, ``(N, C, L)``; see :func:`max_unpool2d`."""
    return _unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: Any,
    indices: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    output_size: Optional[Sequence[int]] = None,
) -> np.ndarray:
    """Largest elements where :func:`max_pool2d` found them, and zeros elsewhere (Zeiler et al. 2011).

    Parameters
    ----------
    input : array
        ``(N, C, H, W)``, or ``(C, H, W)``, any dtype.
    indices : array of int64
        The same shape: what ``return_indices=True`` gave. One beyond the output is an IndexError where the
        result is read; where one repeats, the last value stays.
    kernel_size, stride, padding
        Those of the pooling.
    output_size : sequence of int, optional
        Extents of the output, or its shape, since several sizes give one when they are pooled. By default
        ``(H - 1) * stride - 2 * padding + kernel_size``, and so for ``W``.

    Returns
    -------
    array
        ``(N, C, *output_size)``, of the dtype of the input.

    Raises
    ------
    ValueError
        The shapes differ, or pooling does not give this one of ``output_size``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> largest, places = nn.functional.max_pool2d(np.arange(16).reshape(1, 4, 4), 2, return_indices=True)
    >>> nn.functional.max_unpool2d(largest, places, 2)
    array([[[ 0.,  0.,  0.,  0.],
            [ 0.,  5.,  0.,  7.],
            [ 0.,  0.,  0.,  0.],
            [ 0., 13.,  0., 15.]]])
    """
    return _unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Any,
    indices: Any,
    kernel_size: Ints,
    stride: Optional[Ints] = None,
    padding: Ints = 0,
    output_size: Optional[Sequence[int]] = None,
) -> np.ndarray:
    """The reverse of :func:`max_pool3d`, ``(N, C, D, H, W)``; see :func:`max_unpool2d`."""
    return _unpool(3, input, indices, kernel_size, stride, padding, output_size)
