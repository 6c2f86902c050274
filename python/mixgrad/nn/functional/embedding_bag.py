"""Sums, means and maxima of rows of tables."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Any, Optional

import numpy as onp

from ... import numpy as np
from ... import ops
from ...base import InvalidArgumentError, ShapeError, UnsupportedError
from .linear import check_whole

__all__ = ["embedding_bag"]


def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Optional[Any] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Optional[Any] = None,
    include_last_offset: bool = False,
    padding_idx: Optional[int] = None,
) -> np.ndarray:
    """The sum, mean or largest elements of some rows of a table for each bag of indices.

    Parameters
    ----------
    input : array
        Indices: ``(B, L)``, bags of ``L`` each, or ``(n,)``, all bags one after another. One that is no row
        is an IndexError where the result is read; those of floats are whole numbers.
    weight : array
        ``(num_embeddings, embedding_dim)``, of floats.
    offsets : array, optional
        ``(B,)`` for an ``input`` of one axis: where each bag begins, ascending from 0. One outside of the
        input is an IndexError where the result is read.
    max_norm, scale_grad_by_freq
        Not supported.
    norm_type, sparse
        Accepted; gradients are dense.
    mode : {'sum', 'mean', 'max'}
        What is made of the rows of a bag; a bag without rows gives zeros. 'max' of bags by offsets waits for
        these, since it makes rows of one length of them.
    per_sample_weights : array, optional
        The shape of ``input``: what rows are multiplied by, for 'sum' alone.
    include_last_offset : bool
        Whether ``offsets`` is ``(B + 1,)``, whose last one is ``n``.
    padding_idx : int, optional
        A row that does not count.

    Returns
    -------
    array
        ``(B, embedding_dim)``, of the dtype of ``weight``.

    Raises
    ------
    ValueError
        Shapes, the mode or ``padding_idx`` are none of these, or an index is a fraction.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> weight = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]])
    >>> bags, offsets = np.array([0, 1, 2, 2], dtype="int64"), np.array([0, 3], dtype="int64")
    >>> nn.functional.embedding_bag(bags, weight, offsets)
    array([[3., 5.],
           [5., 9.]])
    """
    if max_norm is not None or scale_grad_by_freq:
        raise UnsupportedError("[embedding_bag] max_norm and scale_grad_by_freq are not supported")
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"[embedding_bag] mode is {mode!r}; expected 'sum', 'mean' or 'max'")
    if per_sample_weights is not None:
        if mode != "sum":
            raise ValueError(f"[embedding_bag] per_sample_weights and mode {mode!r}; expected 'sum'")
        if per_sample_weights.shape != input.shape:
            raise ShapeError(
                f"[embedding_bag] per_sample_weights has the shape {per_sample_weights.shape}; expected "
                f"{input.shape}, as input"
            )
    if input.ndim not in (1, 2) or (offsets is None) != (input.ndim == 2):
        given = "none" if offsets is None else f"of shape {offsets.shape}"
        raise ShapeError(
            f"[embedding_bag] input has the shape {input.shape}, offsets are {given}; expected (B, L) "
            "without, or (n,) with offsets (B,)"
        )
    check_whole("embedding_bag", "input", input)
    count = weight.shape[0]
    if padding_idx is not None and not -count <= padding_idx < count:
        raise InvalidArgumentError(
            f"[embedding_bag] padding_idx is {padding_idx}; expected a row of the table, which has {count}"
        )
    kept = None if padding_idx is None else input != padding_idx % count
    if offsets is None:
        return _of_rows(input, weight, mode, kept, per_sample_weights)
    check_whole("embedding_bag", "offsets", offsets)
    if offsets.ndim != 1 or (include_last_offset and not len(offsets)):
        raise ShapeError(f"[embedding_bag] offsets has the shape {offsets.shape}; expected (B,)")
    starts = offsets[:-1] if include_last_offset else offsets
    if mode == "max":
        return _of_rows(*_padded(input, weight, starts, kept), None)
    return _of_segments(input, weight, starts, mode, kept, per_sample_weights)


def _of_rows(input: Any, weight: Any, mode: str, kept: Any, scale: Any) -> Any:
    """Bags ``(B, L)``, of which ``kept`` says what counts."""
    rows = ops.take(weight, input, axis=0, mode="raise")
    if not input.shape[1]:
        return rows.sum(axis=1)
    if mode == "max":
        if kept is not None:
            rows = np.where(np.expand_dims(kept, 2), rows, np.full_like(rows, -math.inf))
        # One row has the gradient, also where the same one is there twice.
        found = ops._take_along_axis(rows, np.expand_dims(rows.detach().argmax(axis=1), 1), axis=1)[:, 0]
        if kept is None:
            return found
        return np.where(kept.any(axis=1).reshape(-1, 1), found, np.zeros_like(found))
    if scale is not None:
        rows = rows * np.expand_dims(scale, 2)
    if kept is not None:
        rows = np.where(np.expand_dims(kept, 2), rows, np.zeros_like(rows))
    total = rows.sum(axis=1)
    if mode == "sum":
        return total
    if kept is None:
        return total / input.shape[1]
    return total / np.maximum(kept.astype(weight.dtype).sum(axis=1).reshape(-1, 1), 1)


def _of_segments(input: Any, weight: Any, starts: Any, mode: str, kept: Any, scale: Any) -> Any:
    """Bags one after another, which are added to their places: nothing is waited for."""
    n, bags, place = input.shape[0], starts.shape[0], input.context

    def added(values: Any, indices: Any, count: int) -> Any:
        base = np.zeros((count, *values.shape[1:]), dtype=values.dtype, ctx=place)
        return ops._index_add(base, values, indices, axes=(0,), mode="raise")

    # Where offsets descend, an index that is none: an error where the result is read.
    descends = starts[1:] < starts[:-1]
    starts = np.concatenate([starts[:1], np.where(descends, np.full_like(starts[1:], -n - 2), starts[1:])])
    begins = added(np.ones((bags,), dtype="int64", ctx=place), starts.astype("int64"), n + 1)
    bag = np.cumsum(begins)[:n] - 1  # below 0 before the first bag, which is an error
    rows = ops.take(weight, input, axis=0, mode="raise")
    if scale is not None:
        rows = rows * np.expand_dims(scale, 1)
    if kept is not None:
        rows = np.where(np.expand_dims(kept, 1), rows, np.zeros_like(rows))
    total = added(rows, bag, bags)
    if mode == "sum":
        return total
    ones = np.ones((n,), dtype=weight.dtype, ctx=place) if kept is None else kept.astype(weight.dtype)
    return total / np.maximum(added(ones, bag, bags).reshape(-1, 1), 1)


def _padded(input: Any, weight: Any, starts: Any, kept: Any) -> tuple[Any, Any, str, Any]:
    """Bags one after another as rows of one length."""
    n = input.shape[0]
    begin = starts.asnumpy().astype("int64")
    if len(begin) and (begin[0] != 0 or begin[-1] > n or (onp.diff(begin) < 0).any()):
        raise InvalidArgumentError(
            f"[embedding_bag] offsets are {begin.tolist()!r:.60}; expected numbers from 0 on that ascend, "
            f"at most {n}"
        )
    end = onp.append(begin[1:], n)
    places = begin[:, None] + onp.arange(max((end - begin).max(initial=0), 1))
    inside = np.array(places < end[:, None], dtype="bool", ctx=input.context)
    places = np.array(onp.minimum(places, max(n - 1, 0)), dtype="int64", ctx=input.context)
    if not n:
        return np.zeros(places.shape, dtype="int64", ctx=input.context), weight, "max", inside
    kept = inside if kept is None else inside & kept[places]
    return input[places], weight, "max", kept
