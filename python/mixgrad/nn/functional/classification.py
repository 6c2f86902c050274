"""Losses of scores for classes."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Optional

from ... import numpy as np
from ... import ops
from ...base import ShapeError
from .linear import check_whole
from .loss import numpy_kind, reduced

__all__ = [
    "cross_entropy",
    "ctc_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
]


def _checked(target: Any, classes: int) -> Any:
    """The targets; whoever reads what is made of them gets an IndexError if one is no class."""
    return ops.take(np.arange(classes, dtype="int64", ctx=target.context), target, axis=0, mode="raise")


def _picked(scores: Any, target: Any) -> Any:
    """Of scores ``(N, C, ...)`` those of the target classes, ``(N, ...)``."""
    axis = 1 if scores.ndim > 1 else 0
    return ops.pick(scores, _checked(target, scores.shape[axis]), axis=axis)


def _check_weight(who: str, weight: Any, classes: int) -> None:
    if tuple(weight.shape) != (classes,):
        raise ShapeError(f"[{who}] weight has the shape {weight.shape}; expected ({classes},), by class")


def nll_loss(
    input: Any,
    target: Any,
    weight: Optional[Any] = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> np.ndarray:
    """Minus the logarithms of probabilities, ``(N, C, ...)``, of the target classes, ``(N, ...)``.

    Parameters
    ----------
    input : array
        Logarithms of probabilities.
    target : array of int, or of floats that are whole numbers
        Classes. A fraction is an error, on the host at once. One below 0 or beyond the last, other than
        ``ignore_index``, is an IndexError where the loss or a gradient is read.
    weight : array, optional
        ``(C,)``, a weight for each class; the mean is that of weighted elements.
    ignore_index : int
        A target that does not count.
    reduction : {'mean', 'sum', 'none'}
        What becomes of the elements.
    """
    scores, target = numpy_kind(input), numpy_kind(target)
    if tuple(target.shape) != tuple(scores.shape[:1] + scores.shape[2:] if scores.ndim > 1 else ()):
        raise ShapeError(
            f"[nll_loss] input {scores.shape} and target {target.shape}; expected (N, C, ...) and (N, ...)"
        )
    check_whole("nll_loss", "target", target)
    if weight is not None:
        _check_weight("nll_loss", weight, scores.shape[1 if scores.ndim > 1 else 0])
    kept = (target != ignore_index).astype(scores.dtype)
    target = np.where(kept != 0, target, np.zeros_like(target))
    loss = -_picked(scores, target)
    if weight is not None:
        kept = kept * ops.take(weight, target)
    # What is ignored may be anything, also not finite.
    loss = np.where(kept != 0, loss, np.zeros_like(loss)) * kept
    return loss.sum() / kept.sum() if reduction == "mean" else reduced(loss, reduction, "nll_loss")


def cross_entropy(
    input: Any,
    target: Any,
    weight: Optional[Any] = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> np.ndarray:
    """:func:`nll_loss` of ``log_softmax(input)``; the target may also be probabilities.

    Parameters
    ----------
    input : array
        Scores, ``(N, C, ...)`` or ``(C,)``.
    target : array
        Classes, ``(N, ...)``, or probabilities, ``(N, C, ...)``.
    weight, ignore_index, reduction
        See :func:`nll_loss`.
    label_smoothing : float
        The share of the target that is spread evenly over classes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.cross_entropy(np.zeros((2, 4)), np.array([0, 3], dtype="int32"))
    array(1.3862944)
    """
    x = numpy_kind(input)
    axis = 1 if x.ndim > 1 else 0
    logs = ops.log_softmax(x, axis=axis)
    classes = x.shape[axis]
    if weight is not None:
        _check_weight("cross_entropy", weight, classes)
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"[cross_entropy] label_smoothing is {label_smoothing}; expected a share, 0 to 1")
    shape = (-1, *(1,) * (x.ndim - 1 - axis))
    target = numpy_kind(target)
    if tuple(target.shape) == tuple(x.shape):
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        loss = -(logs * target if weight is None else logs * target * weight.reshape(*shape)).sum(axis=axis)
        if reduction == "mean":
            return loss.sum() / max(x.size // classes, 1)
        return reduced(loss, reduction, "cross_entropy")
    if not label_smoothing:
        return nll_loss(logs, target, weight, ignore_index, reduction)
    hard = nll_loss(logs, target, weight, ignore_index, "none")
    spread = -(logs if weight is None else logs * weight.reshape(*shape)).sum(axis=axis)
    kept = (target != ignore_index).astype(x.dtype)
    loss = hard * (1 - label_smoothing) + spread * kept * (label_smoothing / classes)
    if reduction != "mean":
        return reduced(loss, reduction, "cross_entropy")
    return loss.sum() / (kept if weight is None else kept * ops.take(weight, target)).sum()


def multi_margin_loss(
    input: Any,
    target: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Optional[Any] = None,
    reduction: str = "mean",
) -> np.ndarray:
    """By how much other classes come within a margin of the target's score, ``(N, C)``."""
    x, target = numpy_kind(input), numpy_kind(target)
    check_whole("multi_margin_loss", "target", target)
    classes = x.shape[1]
    if weight is not None:
        _check_weight("multi_margin_loss", weight, classes)
    if p not in (1, 2):
        raise ValueError(f"[multi_margin_loss] p is {p!r}; expected 1 or 2")
    found = np.maximum(margin - _picked(x, target).reshape(-1, 1) + x, 0)
    found = found * found if p == 2 else found
    if weight is not None:
        found = found * ops.take(weight, target).reshape(-1, 1)
    others = 1 - ops.one_hot(target, classes, dtype=str(x.dtype))
    return reduced((found * others).sum(axis=1) / classes, reduction, "multi_margin_loss")


def multilabel_margin_loss(input: Any, target: Any, reduction: str = "mean") -> np.ndarray:
    """By how much scores of other classes come within 1 of those of the target classes, of which are several.

    Parameters
    ----------
    input : array
        Scores, ``(N, C)`` or ``(C,)``.
    target : array of int, or of floats that are whole numbers
        The same shape: classes, up to the first that is below 0; what follows does not count. One beyond the
        last class is an IndexError where the loss or a gradient is read.
    reduction : {'mean', 'sum', 'none'}
        What becomes of the losses, ``(N,)``: each a sum over pairs of a target and another class, divided
        by ``C``.

    Raises
    ------
    ValueError
        The shapes are others, or a target is a fraction.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> scores, classes = np.array([[0.1, 0.2, 0.4, 0.8]]), np.array([[3, 0, -1, 1]], dtype="int64")
    >>> nn.functional.multilabel_margin_loss(scores, classes)  # of 3 and 0 with 1 and 2
    array(0.85)
    """
    x, target = numpy_kind(input), numpy_kind(target)
    if x.ndim not in (1, 2) or tuple(target.shape) != tuple(x.shape):
        raise ShapeError(
            f"[multilabel_margin_loss] input {x.shape} and target {target.shape}; expected (N, C) or (C,), "
            "alike"
        )
    check_whole("multilabel_margin_loss", "target", target)
    classes = x.shape[-1]
    rows, labels = x.reshape(-1, classes), target.reshape(-1, classes).astype("int64")
    counts = np.cumsum((labels < 0).astype("int64"), axis=1) == 0
    labels = _checked(np.where(counts, labels, np.zeros_like(labels)), classes)
    kept = counts.astype(rows.dtype)
    is_target = (ops.one_hot(labels, classes, dtype=str(rows.dtype)) * np.expand_dims(kept, 2)).max(axis=1)
    scores = ops._take_along_axis(rows, labels, axis=1)
    # (N, targets, classes)
    short = np.maximum(1 - np.expand_dims(scores, 2) + np.expand_dims(rows, 1), 0)
    pairs = np.expand_dims(kept, 2) * np.expand_dims(1 - is_target, 1)
    loss = (short * pairs).sum(axis=(1, 2)) / classes
    return reduced(loss.reshape(x.shape[:-1]), reduction, "multilabel_margin_loss")


def multilabel_soft_margin_loss(
    input: Any, target: Any, weight: Optional[Any] = None, reduction: str = "mean"
) -> np.ndarray:
    """The mean over classes of the two-class loss of each score, ``(N, C)``."""
    x = numpy_kind(input)
    loss = -(target * ops.log_sigmoid(x) + (1 - target) * ops.log_sigmoid(-x))
    loss = loss if weight is None else loss * weight
    return reduced(loss.mean(axis=-1), reduction, "multilabel_soft_margin_loss")


def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> np.ndarray:
    """Connectionist temporal classification (Graves et al. 2006).

    Parameters
    ----------
    log_probs : array
        ``(T, N, C)``, logarithms of probabilities.
    targets : array
        ``(N, S)``.
    input_lengths, target_lengths : array or tuple of int
        ``(N,)``.
    blank : int
        The first class, 0, or the last one.
    reduction : {'mean', 'sum', 'none'}
        'mean' divides by the lengths of targets first.
    zero_infinity : bool
        Whether infinite losses count as 0.
    """
    x = numpy_kind(log_probs)
    if blank not in (0, x.shape[2] - 1):
        raise ValueError(
            f"[ctc_loss] blank is {blank}; expected the first or the last of {x.shape[2]} classes"
        )
    lengths = [one if hasattr(one, "asnumpy") else np.array(one) for one in (input_lengths, target_lengths)]
    inputs, wanted = (one.astype(x.dtype) for one in lengths)
    loss = ops.CTCLoss(
        x,
        targets.astype(x.dtype),
        inputs,
        wanted,
        use_data_lengths=True,
        use_label_lengths=True,
        blank_label="first" if blank == 0 else "last",
    )
    loss = loss[0] if isinstance(loss, (list, tuple)) else loss
    if zero_infinity:
        loss = np.where(np.isinf(loss), np.zeros_like(loss), loss)
    if reduction == "mean":
        return (loss / np.maximum(wanted, 1)).mean()
    return reduced(loss, reduction, "ctc_loss")
