"""Metrics of two classes, from the counts of right and wrong predictions: F1 and Matthews correlation."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import Array, EvalMetric, register

__all__ = ["F1", "MCC", "BinaryAccuracy", "Fbeta"]


@dataclass
class _Counts:
    """Numbers of true and false positives and negatives."""

    tp: float = 0
    fp: float = 0
    fn: float = 0
    tn: float = 0

    def __iadd__(self, other: _Counts) -> _Counts:
        self.tp += other.tp
        self.fp += other.fp
        self.fn += other.fn
        self.tn += other.tn
        return self

    @property
    def total(self) -> float:
        return self.tp + self.fp + self.fn + self.tn

    def f_score(self, beta: float = 1) -> float:
        found = (1 + beta**2) * self.tp
        wanted = found + self.fp + beta**2 * self.fn
        return found / wanted if wanted else 0.0

    def mcc(self) -> float:
        """Matthews correlation; an empty row or column of the table counts as 1, so the value is 0."""
        if not self.total:
            return 0.0
        sides = (self.tp + self.fp, self.tp + self.fn, self.tn + self.fp, self.tn + self.fn)
        scale = math.prod(side or 1.0 for side in sides)
        return (self.tp * self.tn - self.fp * self.fn) / math.sqrt(scale)


class _Binary(EvalMetric, ABC):
    """Mean of a score over batches (``'macro'``), or the score of all predictions together."""

    def __init__(
        self,
        name: str | None = None,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        if average not in ("macro", "micro"):
            raise ValueError(f"[{type(self).__name__}] average must be 'macro' or 'micro', got {average!r}")
        self.average = average
        name = type(self).__name__.lower() if name is None else name
        super().__init__(name, output_names, label_names, average=average, has_global_stats=True)

    @abstractmethod
    def _score(self, counts: _Counts) -> float:
        """The score of all predictions counted."""

    def update(self, labels: Any, preds: Any) -> None:
        counts = _Counts()
        for label, pred in self._each(labels, preds):
            counts += _count(type(self).__name__, label, pred)
        if self.average == "macro":
            self.add(self._score(counts), 1)
            return
        self._local += counts
        self._global += counts
        self.num_inst = self._local.total
        self.sum_metric = self._score(self._local) * self.num_inst
        self.global_num_inst = self._global.total
        self.global_sum_metric = self._score(self._global) * self.global_num_inst

    def reset(self) -> None:
        super().reset()
        self._local, self._global = _Counts(), _Counts()

    def reset_local(self) -> None:
        super().reset_local()
        self._local = _Counts()


def _count(where: str, label: Array, pred: Array) -> _Counts:
    if pred.ndim != 2 or label.size != pred.shape[0]:
        raise ValueError(
            f"[{where}] expected predictions (batch, 2) with one label each, got {pred.shape} and "
            f"{label.shape}"
        )
    truth = label.astype(np.int64).ravel()
    if len(np.unique(truth)) > 2 or pred.shape[1] > 2:
        raise ValueError(
            f"[{where}] compares two classes, got predictions {pred.shape} and labels "
            f"{np.unique(truth).tolist()}"
        )
    guess = pred.argmax(axis=1)
    positive, true = guess == 1, truth == 1
    return _Counts(
        tp=float((positive & true).sum()),
        fp=float((positive & ~true).sum()),
        fn=float((~positive & true).sum()),
        tn=float((~positive & ~true).sum()),
    )


@register
class F1(_Binary):
    """F1 score: the harmonic mean of precision and recall of class 1, 0 if both are 0.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    average : {'macro', 'micro'}
        ``'macro'``: mean of the scores of the updates; ``'micro'``: score of all predictions together.

    Examples
    --------
    >>> import mixgrad as mx
    >>> f1 = mx.metric.F1()
    >>> f1.update([mx.nd.array([0, 1, 1])], [mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]])])
    >>> f1.get()
    ('f1', 0.8)
    """

    def _score(self, counts: _Counts) -> float:
        return counts.f_score()


@register
class Fbeta(_Binary):
    """F score that counts recall ``beta`` times as much as precision (MXNet 2.0).

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    beta : float
        1 is :class:`F1`.
    average : {'macro', 'micro'}
        ``'macro'``: mean of the scores of the updates; ``'micro'``: score of all predictions together.

    Examples
    --------
    >>> import mixgrad as mx
    >>> fbeta = mx.metric.Fbeta(beta=2)
    >>> fbeta.update([mx.nd.array([0, 1, 1])], [mx.nd.array([[0.3, 0.7], [0, 1], [0.6, 0.4]])])
    >>> fbeta.get()
    ('fbeta', 0.5)
    """

    def __init__(
        self,
        name: str = "fbeta",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        beta: float = 1,
        average: str = "micro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)
        self.beta = beta
        self._kwargs["beta"] = beta

    def _score(self, counts: _Counts) -> float:
        return counts.f_score(self.beta)


@register
class BinaryAccuracy(EvalMetric):
    """Share of scores on the right side of a threshold (MXNet 2.0); labels are 0 and 1.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    threshold : float
        Scores above it mean 1.

    Examples
    --------
    >>> import mixgrad as mx
    >>> metric = mx.metric.BinaryAccuracy(threshold=0.6)
    >>> metric.update([mx.nd.array([0, 1, 0])], [mx.nd.array([0.7, 1, 0.55])])
    >>> metric.get()
    ('binary_accuracy', 0.6666666666666666)
    """

    def __init__(
        self,
        name: str = "binary_accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        threshold: float = 0.5,
    ) -> None:
        super().__init__(name, output_names, label_names, threshold=threshold, has_global_stats=True)
        self.threshold = threshold

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if label.size != pred.size:
                raise ValueError(f"[BinaryAccuracy] predictions {pred.shape} do not fit labels {label.shape}")
            right = (pred.ravel() > self.threshold) == (label.ravel() == 1)
            self.add(float(right.sum()), right.size)


@register
class MCC(_Binary):
    """Matthews correlation coefficient of two classes (Matthews 1975), between -1 and 1.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    average : {'macro', 'micro'}
        ``'macro'``: mean over the updates; ``'micro'``: the coefficient of all predictions together.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mcc = mx.metric.MCC()
    >>> mcc.update([mx.nd.array([0, 1, 1])], [mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]])])
    >>> mcc.get()
    ('mcc', 0.0)
    """

    def _score(self, counts: _Counts) -> float:
        return counts.mcc()
