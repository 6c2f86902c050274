"""Metrics of predicted probabilities: cross entropy, negative log likelihood, perplexity."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import RefusedValueError
from .base import Array, EvalMetric, alias, register

__all__ = ["CrossEntropy", "NegativeLogLikelihood", "Perplexity"]


def _picked(where: str, label: Array, pred: Array) -> Array:
    """Probability of each label's class; ``pred`` is (batch, classes), ``label`` has ``batch`` elements."""
    if pred.ndim != 2 or label.size != pred.shape[0]:
        raise RefusedValueError(
            f"[{where}] expected probabilities (batch, classes) with one label each, got {pred.shape} and "
            f"{label.shape}"
        )
    classes = label.astype(np.int64).ravel()
    if classes.size and (classes.min() < 0 or classes.max() >= pred.shape[1]):
        raise ValueError(
            f"[{where}] labels must lie in 0..{pred.shape[1] - 1}, got {classes.min()}..{classes.max()}"
        )
    return np.asarray(pred[np.arange(classes.size), classes])


class _LogLoss(EvalMetric):
    """Mean of ``-log(probability of the label + eps)``."""

    def __init__(
        self,
        eps: float,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            probability = _picked(type(self).__name__, label, pred)
            self.add(float((-np.log(probability + self.eps)).sum()), probability.size)


@alias("ce")
@register
class CrossEntropy(_LogLoss):
    """Mean over the samples of ``-log(p + eps)``, with ``p`` the probability given to the true class.

    Parameters
    ----------
    eps : float
        Keeps the logarithm finite.
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> ce = mx.metric.CrossEntropy()
    >>> ce.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0, 1]])])
    >>> round(ce.get()[1], 4)
    0.3466
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@alias("nll_loss")
@register
class NegativeLogLikelihood(_LogLoss):
    """The same number as :class:`CrossEntropy`, under the name statisticians use.

    Parameters
    ----------
    eps : float
        Keeps the logarithm finite.
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> nll = mx.metric.NegativeLogLikelihood()
    >>> nll.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0, 1]])])
    >>> round(nll.get()[1], 4)
    0.3466
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
class Perplexity(EvalMetric):
    """``exp`` of the mean of ``-log(p)``, with ``p`` the probability of the true class, at least 1e-10.

    Parameters
    ----------
    ignore_label : int or None
        Samples with this label do not count.
    axis : int
        Axis of the classes; the labels have as many elements as the predictions without it.
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> perplexity = mx.metric.Perplexity(ignore_label=None)
    >>> perplexity.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0.5, 0.5]])])
    >>> round(perplexity.get()[1], 4)
    2.0
    """

    _told = False  # of labels outside the classes, once in a process

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name, output_names, label_names, ignore_label=ignore_label, axis=axis, has_global_stats=True
        )
        self.ignore_label = ignore_label
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if not -pred.ndim <= self.axis < pred.ndim or label.size * pred.shape[self.axis] != pred.size:
                raise ValueError(
                    f"[Perplexity] labels of shape {label.shape} do not fit predictions {pred.shape} "
                    f"with classes on axis {self.axis}"
                )
            classes = np.moveaxis(pred, self.axis, -1).reshape(label.size, -1)
            truth = label.astype(np.int64).ravel()
            counted = np.ones(truth.shape, dtype=bool)
            if self.ignore_label is not None:
                counted = truth != self.ignore_label
            probability = _picked("Perplexity", self._inside(truth[counted], classes), classes[counted])
            self.add(float(-np.log(np.maximum(probability, 1e-10)).sum()), int(counted.sum()))

    def _inside(self, truth: Array, classes: Array) -> Array:
        """The labels, with the nearest class in place of those outside."""
        inside = np.clip(truth, 0, classes.shape[1] - 1)
        strangers = truth[truth != inside]
        if strangers.size and not Perplexity._told:
            Perplexity._told = True
            warnings.warn(
                f"[Perplexity] label {strangers[0]}; expected a class from 0 to {classes.shape[1] - 1}. The "
                "nearest class counts instead; this is said once",
                stacklevel=3,
            )
        return inside

    def _value(self, total: float, count: float) -> float:
        return math.exp(total / count) if count else math.nan
