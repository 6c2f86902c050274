"""Metrics of predicted classes: accuracy, top-k accuracy, the multi-class correlation coefficient."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import RefusedValueError
from .base import Array, EvalMetric, alias, register

__all__ = ["PCC", "Accuracy", "TopKAccuracy"]


@alias("acc")
@register
class Accuracy(EvalMetric):
    """Share of predictions that equal their label.

    Parameters
    ----------
    axis : int
        Axis of the classes; the largest score along it is the predicted class. Predictions whose shape equals
        the labels' are classes already.
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> acc = mx.metric.Accuracy()
    >>> acc.update([mx.nd.array([0, 1, 1])], [mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]])])
    >>> acc.get()
    ('accuracy', 0.6666666666666666)
    """

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            given = pred
            if pred.shape != label.shape:
                if not -pred.ndim <= self.axis < pred.ndim:
                    raise ValueError(
                        f"[Accuracy] predictions of shape {pred.shape} have no axis {self.axis}; "
                        f"labels have shape {label.shape}"
                    )
                pred = pred.argmax(axis=self.axis)
            if pred.size != label.size:
                raise ValueError(
                    f"[Accuracy] predictions of shape {given.shape} do not fit labels of shape {label.shape}"
                )
            right = pred.astype(np.int64).ravel() == label.astype(np.int64).ravel()
            self.add(float(right.sum()), right.size)


@alias("top_k_accuracy", "top_k_acc")
@register
class TopKAccuracy(EvalMetric):
    """Share of labels that are among the ``top_k`` classes with the largest scores.

    Parameters
    ----------
    top_k : int
        At least 2; the name gets it as a suffix.
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> top2 = mx.metric.TopKAccuracy(top_k=2)
    >>> top2.update([mx.nd.array([2, 0])], [mx.nd.array([[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]])])
    >>> top2.get()
    ('top_k_accuracy_2', 0.5)
    """

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        if top_k < 2:
            raise RefusedValueError(
                f"[TopKAccuracy] top_k must be at least 2, got {top_k}; Accuracy is the case of 1"
            )
        super().__init__(f"{name}_{top_k}", output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        config["name"] = self.name[: -len(f"_{self.top_k}")]
        return config

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if pred.ndim > 2 or label.size != pred.shape[0]:
                raise ValueError(
                    f"[TopKAccuracy] expected predictions (batch, classes), got {pred.shape} for labels "
                    f"{label.shape}"
                )
            wanted = label.astype(np.int64).reshape(-1, 1)
            if pred.ndim == 1:
                best = pred.astype(np.int64).reshape(-1, 1)
            else:
                count = min(self.top_k, pred.shape[1])
                best = np.argpartition(pred.astype(np.float32), -count, axis=1)[:, -count:]
            self.add(float((best == wanted).any(axis=1).sum()), len(wanted))


@register
class PCC(EvalMetric):
    """Correlation between predicted and true classes, for any number of classes (Gorodkin 2004).

    With two classes it equals the Matthews correlation coefficient. The table of counts grows with the
    largest class seen. The value covers all predictions together, not the mean over batches.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    has_global_stats : bool
        Whether :meth:`get_global` is kept.

    Examples
    --------
    >>> import mixgrad as mx
    >>> pcc = mx.metric.PCC()
    >>> pcc.update([mx.nd.array([0, 1, 2, 2])], [mx.nd.array([0, 1, 1, 2])])
    >>> round(pcc.get()[1], 3)
    0.7
    """

    def __init__(
        self,
        name: str = "pcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        has_global_stats: bool = True,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    # Counts by (prediction, label).
    _local: Array
    _global: Array

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if pred.shape != label.shape:
                if pred.ndim < 2:
                    raise ValueError(f"[PCC] predictions {pred.shape} do not fit labels {label.shape}")
                pred = pred.argmax(axis=1)
            truth, guess = label.astype(np.int64).ravel(), pred.astype(np.int64).ravel()
            if truth.size != guess.size or (truth.size and min(truth.min(), guess.min()) < 0):
                raise ValueError(
                    f"[PCC] expected a class of 0 or more for each label, got labels {label.shape} and "
                    f"predictions {pred.shape}"
                )
            classes = int(max(truth.max(initial=1), guess.max(initial=1))) + 1
            table = np.zeros((classes, classes))
            np.add.at(table, (guess, truth), 1)
            self._local = _added(self._local, table)
            self._global = _added(self._global, table)
        self.num_inst += 1
        self.global_num_inst += 1
        self.sum_metric = _correlation(self._local) * self.num_inst
        self.global_sum_metric = _correlation(self._global) * self.global_num_inst

    def reset(self) -> None:
        super().reset()
        self._local, self._global = np.zeros((2, 2)), np.zeros((2, 2))

    def reset_local(self) -> None:
        super().reset_local()
        self._local = np.zeros((2, 2))


def _added(left: Array, right: Array) -> Array:
    """Sum of two square tables of counts, the smaller padded with zeros."""
    size = max(len(left), len(right))
    total = np.zeros((size, size))
    total[: len(left), : len(left)] += left
    total[: len(right), : len(right)] += right
    return total


def _correlation(table: Array) -> float:
    count = table.sum()
    guesses, truths = table.sum(axis=1), table.sum(axis=0)
    spread_of_guesses = np.sum(guesses * (count - guesses))
    spread_of_truths = np.sum(truths * (count - truths))
    if spread_of_guesses == 0 or spread_of_truths == 0:
        return math.nan
    together = np.sum(table.diagonal() * count - guesses * truths)
    return float(together / math.sqrt(spread_of_guesses) / math.sqrt(spread_of_truths))
