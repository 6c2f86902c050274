"""Dropout: elements, or whole channels, are zero in training by chance."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any

from ... import autograd, ops
from ... import numpy as np
from .activation import _given

__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]

_ALPHA = -1.7580993408473766  # what selu gives far below 0


def _check(p: float, who: str) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"[{who}] p is {p}; expected a probability, from 0 to 1")


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> np.ndarray:
    """Zero elements with probability ``p``, and multiply the others by ``1 / (1 - p)``.

    Parameters
    ----------
    input : array
        Any shape.
    p : float
        The probability.
    training : bool
        False: the input itself.
    inplace : bool
        Whether the input takes over the values.
    """
    _check(p, "dropout")
    if not training or p == 0:
        return input
    if p == 1:
        return _given(input * 0, input, inplace)
    return _given(ops.Dropout(input, p=p, mode="always"), input, inplace)


def _channels(input: Any, p: float, training: bool, inplace: bool, who: str) -> Any:
    _check(p, who)
    if not training or p == 0:
        return input
    if p == 1:
        return _given(input * 0, input, inplace)
    axes = tuple(range(2, input.ndim))
    return _given(ops.Dropout(input, p=p, mode="always", axes=axes), input, inplace)


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> np.ndarray:
    """:func:`dropout` of whole channels, ``(N, C, L)``."""
    return _channels(input, p, training, inplace, "dropout1d")


def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> np.ndarray:
    """:func:`dropout` of whole channels, ``(N, C, H, W)``."""
    return _channels(input, p, training, inplace, "dropout2d")


def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> np.ndarray:
    """:func:`dropout` of whole channels, ``(N, C, D, H, W)``."""
    return _channels(input, p, training, inplace, "dropout3d")


def _alpha(input: Any, p: float, training: bool, inplace: bool, shape: Any, who: str) -> Any:
    _check(p, who)
    if not training or p == 0:
        return input
    if p == 1:
        return _given(input * 0, input, inplace)
    scale = ((1 - p) * (1 + p * _ALPHA**2)) ** -0.5
    with autograd.pause():
        kept = np.random.uniform(0, 1, size=shape, ctx=input.context) >= p
        kept = kept.astype(input.dtype)
    result = (input * kept + (1 - kept) * _ALPHA) * scale - scale * p * _ALPHA
    return _given(result, input, inplace)


def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> np.ndarray:
    """Dropout that keeps mean and variance of what ``selu`` gives."""
    return _alpha(input, p, training, inplace, input.shape, "alpha_dropout")


def feature_alpha_dropout(
    input: Any, p: float = 0.5, training: bool = False, inplace: bool = False
) -> np.ndarray:
    """:func:`alpha_dropout` of whole channels."""
    shape = input.shape[:2] + (1,) * (input.ndim - 2)
    return _alpha(input, p, training, inplace, shape, "feature_alpha_dropout")
