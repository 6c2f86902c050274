"""Products with weights, and rows of tables."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Optional

import numpy as onp

from ... import _core
from ... import numpy as np
from ...base import InvalidArgumentError, UnsupportedError
from ...numpy.operators import operators as ops

__all__ = [
    "bilinear",
    "cosine_similarity",
    "embedding",
    "linear",
    "normalize",
    "one_hot",
    "pairwise_distance",
]

_HOST = (1, 3, 5)  # numbers of mx.cpu, cpu_pinned and cpu_shared


def linear(input: Any, weight: Any, bias: Optional[Any] = None) -> np.ndarray:
    """``input @ weight.T + bias``.

    Parameters
    ----------
    input : array
        ``(..., in_features)``.
    weight : array
        ``(out_features, in_features)``.
    bias : array, optional
        ``(out_features,)``.

    Returns
    -------
    array
        ``(..., out_features)``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.linear(np.ones((2, 3)), np.ones((4, 3)), np.zeros((4,))).shape
    (2, 4)
    """
    if input.ndim == 1:
        return linear(input.reshape(1, -1), weight, bias).reshape(-1)
    units = weight.shape[0]
    if bias is None:
        return ops.FullyConnected(input, weight, num_hidden=units, no_bias=True, flatten=False)
    return ops.FullyConnected(input, weight, bias, num_hidden=units, flatten=False)


def bilinear(input1: Any, input2: Any, weight: Any, bias: Optional[Any] = None) -> np.ndarray:
    """``input1 @ weight[k] @ input2`` for each ``k``, plus a bias.

    Parameters
    ----------
    input1, input2 : array
        ``(..., in1)`` and ``(..., in2)``.
    weight : array
        ``(out, in1, in2)``.
    bias : array, optional
        ``(out,)``.
    """
    units, first, second = weight.shape
    lead = input1.shape[:-1]
    flat = input2.reshape(-1, second)
    left = linear(input1.reshape(-1, first), weight.transpose(0, 2, 1).reshape(units * second, first))
    found = (left.reshape(-1, units, second) * flat.reshape(-1, 1, second)).sum(axis=2)
    if bias is not None:
        found = found + bias
    return found.reshape(*lead, units)


def check_whole(who: str, what: str, array: Any) -> None:
    """Raise for floats on the host that are no whole numbers.

    Those of ``mx.np`` are float32 unless a dtype is said, so that indices may be of floats. Only these are
    waited for, and no operation is pushed for it. On a GPU, and where a graph is written down, nothing is
    read and fractions are cut off.
    """
    if "float" not in array._dtype_name() or array._device[0] not in _HOST or _core.trace_is_active():
        return
    values = array.asnumpy()
    wrong = values[values != onp.floor(values)]
    if wrong.size:
        raise InvalidArgumentError(
            f"[{who}] {what} of shape {array.shape} has the fraction {wrong[0]}; expected whole numbers, "
            "such as an array of int64"
        )


def embedding(
    input: Any,
    weight: Any,
    padding_idx: Optional[int] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> np.ndarray:
    """Rows of a table.

    Parameters
    ----------
    input : array
        Indices, any shape. One that is no row is an IndexError where the result is read; those of floats
        are whole numbers.
    weight : array
        ``(num_embeddings, embedding_dim)``.
    padding_idx : int, optional
        The row to which no gradient flows.
    sparse : bool
        Accepted; gradients are dense.
    """
    if max_norm is not None or scale_grad_by_freq:
        raise UnsupportedError("[embedding] max_norm and scale_grad_by_freq are not supported")
    check_whole("embedding", "input", input)
    found = ops.take(weight, input, axis=0, mode="raise")
    if padding_idx is None:
        return found
    count = weight.shape[0]
    if not -count <= padding_idx < count:
        raise InvalidArgumentError(
            f"[embedding] padding_idx is {padding_idx}; expected a row of the table, which has {count}"
        )
    hidden = np.expand_dims(input == padding_idx % count, -1)
    return np.where(hidden, found.detach(), found)


def one_hot(tensor: Any, num_classes: int = -1) -> np.ndarray:
    """Integers as rows with a single 1; -1 classes are as many as the values need, which waits for them."""
    if num_classes == -1:
        num_classes = int(tensor.max().item()) + 1
    return ops.one_hot(tensor, num_classes, dtype="int64")


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> np.ndarray:
    """Divide by the norm along an axis, or by ``eps`` where that is larger."""
    return input / np.maximum(_norm(input, p, dim, True), eps)


def _norm(x: Any, p: float, dim: int, keepdims: bool) -> Any:
    if p == 2:
        return np.sqrt((x * x).sum(axis=dim, keepdims=keepdims))
    if p == 1:
        return np.abs(x).sum(axis=dim, keepdims=keepdims)
    if p == float("inf"):
        return np.abs(x).max(axis=dim, keepdims=keepdims)
    return (np.abs(x) ** p).sum(axis=dim, keepdims=keepdims) ** (1.0 / p)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> np.ndarray:
    """The cosine of the angle between vectors along an axis."""
    first = np.maximum(_norm(x1, 2, dim, False), eps)
    second = np.maximum(_norm(x2, 2, dim, False), eps)
    return (x1 * x2).sum(axis=dim) / (first * second)


def pairwise_distance(
    x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> np.ndarray:
    """The norm of ``x1 - x2 + eps`` along the last axis."""
    return _norm(x1 - x2 + eps, p, -1, keepdim)
