"""Attention."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Any, Optional

from ... import numpy as np
from ... import ops
from .dropout import dropout

__all__ = ["scaled_dot_product_attention"]


def attention_weights(
    query: Any, key: Any, attn_mask: Optional[Any], is_causal: bool, scale: Optional[float]
) -> Any:
    """The share of each key, ``(..., L, S)``; zeros where the mask leaves a query no key."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = np.matmul(query * factor, key.swapaxes(-2, -1))
    if is_causal:
        rows, columns = scores.shape[-2:]
        allowed = np.tril(np.ones((rows, columns), ctx=query.context)) > 0
        scores = np.where(allowed, scores, np.full_like(scores, -math.inf))
    if attn_mask is not None:
        if str(attn_mask.dtype) == "bool":
            scores = np.where(attn_mask, scores, np.full_like(scores, -math.inf))
        else:
            scores = scores + attn_mask
        # The softmax of -inf alone is NaN, and so is its gradient, also where nothing depends on it.
        alone = scores.detach().max(axis=-1, keepdims=True) == -math.inf
        none = np.zeros_like(scores)
        return np.where(alone, none, ops.softmax(np.where(alone, none, scores), axis=-1))
    return ops.softmax(scores, axis=-1)


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Optional[Any] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
) -> np.ndarray:
    """``softmax(query @ key.T * scale + mask) @ value``.

    Parameters
    ----------
    query, key, value : array
        ``(..., L, E)``, ``(..., S, E)`` and ``(..., S, Ev)``.
    attn_mask : array, optional
        Added to the scores; one of bool says which keys count. A query without keys gets zeros.
    dropout_p : float
        Chance that a weight is zero; 0 outside training.
    is_causal : bool
        Whether keys behind the query's place count for nothing.
    scale : float, optional
        By default the inverse root of ``E``.
    """
    weights = attention_weights(query, key, attn_mask, is_causal, scale)
    return np.matmul(dropout(weights, dropout_p, dropout_p > 0), value)
