"""Losses that compare values."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, Optional

import numpy as onp

from ... import numpy as np
from ... import ops
from ..._hints import kind_name
from ...base import ShapeError
from ...ndarray import NDArray
from .linear import cosine_similarity, pairwise_distance

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]


def reduced(loss: Any, reduction: str, who: str) -> Any:
    """The loss, its mean, or its sum."""
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    if reduction != "none":
        raise ValueError(f"[{who}] reduction is {reduction!r}; expected 'mean', 'sum' or 'none'")
    return loss


def numpy_kind(x: Any) -> Any:
    """The same array as one of ``mx.np``."""
    if not isinstance(x, NDArray):
        raise TypeError(f"[loss] got {kind_name(x)}; expected an array, which mx.np.array makes of it")
    return x if x._is_np else x.as_np_ndarray()


_told: set[tuple[str, tuple[int, ...], tuple[int, ...]]] = set()  # of which shapes a warning was given


def _difference(who: str, input: Any, target: Any) -> Any:
    """``input - target``; a warning, once of each two shapes, where that has more elements than either."""
    x = numpy_kind(input)
    shape = getattr(target, "shape", x.shape)
    if shape != x.shape and (who, x.shape, tuple(shape)) not in _told:
        made = onp.broadcast_shapes(x.shape, shape)  # an error where there is none
        _told.add((who, x.shape, tuple(shape)))
        same = math.prod(shape) == x.size
        warnings.warn(
            f"[{who}] input {x.shape} and target {tuple(shape)} are broadcast: the loss is that of the "
            f"{math.prod(made)} elements of {made}, not of pairs; expected one shape"
            + (", as of target.reshape(input.shape)" if same else ""),
            UserWarning,
            stacklevel=3,
        )
    return x - target


def _check_target(who: str, input: Any, target: Any) -> None:
    if isinstance(target, NDArray) and target.shape != input.shape:
        raise ShapeError(f"[{who}] the target has the shape {target.shape}; expected {input.shape}")


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> np.ndarray:
    """``abs(input - target)``."""
    return reduced(np.abs(_difference("l1_loss", input, target)), reduction, "l1_loss")


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> np.ndarray:
    """``(input - target) ** 2``.

    Parameters
    ----------
    input, target : array
        Of one shape; a warning says, once of each two, that others are broadcast.
    reduction : {'mean', 'sum', 'none'}
        What becomes of the elements.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.mse_loss(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    array(2.5)
    """
    return reduced(np.square(_difference("mse_loss", input, target)), reduction, "mse_loss")


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> np.ndarray:
    """``0.5 * d ** 2 / beta`` where the difference ``d`` is below ``beta``, else ``abs(d) - 0.5 * beta``."""
    if beta < 0:
        raise ValueError(f"[smooth_l1_loss] beta is {beta}; expected at least 0")
    if beta == 0:
        return l1_loss(input, target, reduction)
    return reduced(
        _huber(_difference("smooth_l1_loss", input, target), beta) / beta, reduction, "smooth_l1_loss"
    )


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> np.ndarray:
    """``delta`` times :func:`smooth_l1_loss`."""
    if delta <= 0:
        raise ValueError(f"[huber_loss] delta is {delta}; expected more than 0")
    return reduced(_huber(_difference("huber_loss", input, target), delta), reduction, "huber_loss")


def _huber(difference: Any, delta: float) -> Any:
    size = np.abs(difference)
    return np.where(size < delta, 0.5 * difference * difference, delta * (size - 0.5 * delta))


def binary_cross_entropy(
    input: Any, target: Any, weight: Optional[Any] = None, reduction: str = "mean"
) -> np.ndarray:
    """``-(target * log(input) + (1 - target) * log(1 - input))``; logarithms are at least -100.

    Parameters
    ----------
    input : array
        Probabilities, any shape of floats. One that is not from 0 to 1, or not a number, is an error where
        the loss or a gradient is read; :func:`binary_cross_entropy_with_logits` takes scores.
    target : array
        Of the same shape, from 0 to 1; it is not checked.
    weight : array, optional
        Multiplies the elements, to which it broadcasts.
    reduction : {'mean', 'sum', 'none'}
        What becomes of the elements.

    Raises
    ------
    ValueError
        The shapes differ; or, when the result is read, an input is no probability. Read the loss before
        ``backward()`` where that can happen: weights of a step that was made of it have the error, too.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.binary_cross_entropy(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    array(0.6931472)
    >>> try:
    ...     nn.functional.binary_cross_entropy(np.array([1.5]), np.array([1.0])).item()
    ... except ValueError as error:
    ...     print(str(error)[:66])
    [_npx_constraint_check] binary_cross_entropy: an input is no proba
    """
    p = numpy_kind(input)
    _check_target("binary_cross_entropy", p, target)
    values = p.detach()
    valid = ops._npx_constraint_check(
        values == ops.clip(values, 0, 1),
        msg="binary_cross_entropy: an input is no probability, from 0 to 1; sigmoid makes one of a score, "
        "and binary_cross_entropy_with_logits takes scores",
    )
    loss = -(target * np.maximum(np.log(p), -100) + (1 - target) * np.maximum(np.log(1 - p), -100))
    found = reduced(loss if weight is None else loss * weight, reduction, "binary_cross_entropy")
    return found * valid.astype(found.dtype)  # what is made of the loss has the error, too


def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Optional[Any] = None,
    reduction: str = "mean",
    pos_weight: Optional[Any] = None,
) -> np.ndarray:
    """:func:`binary_cross_entropy` of ``sigmoid(input)``, exact also for large values."""
    x = numpy_kind(input)
    _check_target("binary_cross_entropy_with_logits", x, target)
    below = -ops.log_sigmoid(x)  # the loss where the target is 1; where it is 0, that and x
    if pos_weight is None:
        loss = (1 - target) * x + below
    else:
        loss = (1 - target) * x + (1 + (pos_weight - 1) * target) * below
    return reduced(loss if weight is None else loss * weight, reduction, "binary_cross_entropy_with_logits")


def kl_div(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> np.ndarray:
    """``target * (log(target) - input)``; 'batchmean' divides the sum by the first extent."""
    x = numpy_kind(input)
    if log_target:
        loss = np.exp(target) * (target - x)
    else:
        safe = np.where(target > 0, target, np.ones_like(target))
        loss = target * (np.log(safe) - x)
    if reduction == "batchmean":
        return loss.sum() / x.shape[0]
    return reduced(loss, reduction, "kl_div")


def poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> np.ndarray:
    """The loss of a Poisson distribution's rate, or of its logarithm."""
    x = numpy_kind(input)
    loss = np.exp(x) - target * x if log_input else x - target * np.log(x + eps)
    if full:
        safe = np.maximum(target, 1)
        stirling = safe * np.log(safe) - safe + 0.5 * np.log(2 * math.pi * safe)
        loss = loss + np.where(target > 1, stirling, np.zeros_like(stirling))
    return reduced(loss, reduction, "poisson_nll_loss")


def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> np.ndarray:
    """The loss of a normal distribution's mean and variance, which is at least ``eps``."""
    limited = var + (np.maximum(var, eps) - var).detach()
    loss = 0.5 * (np.log(limited) + np.square(numpy_kind(input) - target) / limited)
    return reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction, "gaussian_nll_loss")


def hinge_embedding_loss(input: Any, target: Any, margin: float = 1.0, reduction: str = "mean") -> np.ndarray:
    """``input`` where the target is 1, ``max(0, margin - input)`` where it is -1."""
    x = numpy_kind(input)
    loss = np.where(target == 1, x, np.maximum(margin - x, 0))
    return reduced(loss, reduction, "hinge_embedding_loss")


def margin_ranking_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean"
) -> np.ndarray:
    """``max(0, -target * (input1 - input2) + margin)``."""
    loss = np.maximum(-target * (numpy_kind(input1) - input2) + margin, 0)
    return reduced(loss, reduction, "margin_ranking_loss")


def soft_margin_loss(input: Any, target: Any, reduction: str = "mean") -> np.ndarray:
    """``log(1 + exp(-target * input))``."""
    loss = -ops.log_sigmoid(numpy_kind(input) * target)
    return reduced(loss, reduction, "soft_margin_loss")


def cosine_embedding_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean"
) -> np.ndarray:
    """``1 - cos`` where the target is 1, ``max(0, cos - margin)`` where it is -1."""
    cosine = cosine_similarity(numpy_kind(input1), input2, dim=-1, eps=1e-12)
    loss = np.where(target == 1, 1 - cosine, np.maximum(cosine - margin, 0))
    return reduced(loss, reduction, "cosine_embedding_loss")


def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> np.ndarray:
    """``max(0, distance(anchor, positive) - distance(anchor, negative) + margin)``."""

    def distance(x: Any, y: Any) -> Any:
        return pairwise_distance(x, y, p, eps)

    return _triplet("triplet_margin_loss", distance, anchor, positive, negative, margin, swap, reduction)


def _triplet(
    who: str,
    distance: Callable[[Any, Any], Any],
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float,
    swap: bool,
    reduction: str,
) -> Any:
    anchor, positive, negative = map(numpy_kind, (anchor, positive, negative))
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = np.minimum(far, distance(positive, negative))
    return reduced(np.maximum(near - far + margin, 0), reduction, who)


def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Optional[Callable[[Any, Any], Any]] = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> np.ndarray:
    """:func:`triplet_margin_loss` with a distance of one's own.

    Parameters
    ----------
    anchor, positive, negative : array
        ``(N, ...)``, with the same number of axes.
    distance_function : function, optional
        Takes two of them and gives ``(N,)``; :func:`pairwise_distance` by default.
    margin : float
        By how much the negative one shall be farther away, above 0.
    swap : bool
        Whether the distance from the positive to the negative one counts where that is smaller
        (Balntas et al. 2016).
    reduction : {'mean', 'sum', 'none'}
        What becomes of the losses, ``(N,)``.

    Raises
    ------
    ValueError
        The margin is not above 0, or numbers of axes differ.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> cosine = lambda x, y: 1 - nn.functional.cosine_similarity(x, y)
    >>> x, y, z = np.array([[1.0, 0.0]]), np.array([[2.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> nn.functional.triplet_margin_with_distance_loss(x, y, z, distance_function=cosine, margin=1.5)
    array(0.5)
    """
    who = "triplet_margin_with_distance_loss"
    if not margin > 0:
        raise ValueError(f"[{who}] margin is {margin}; expected more than 0")
    axes = [one.ndim for one in map(numpy_kind, (anchor, positive, negative))]
    if len(set(axes)) > 1:
        raise ShapeError(f"[{who}] anchor, positive and negative have {axes} axes; expected the same number")
    distance = distance_function or pairwise_distance
    return _triplet(who, distance, anchor, positive, negative, margin, swap, reduction)
