"""Metrics of predicted numbers: absolute and squared error, Pearson's correlation."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from .base import Array, EvalMetric, alias, register

__all__ = ["MAE", "MSE", "RMSE", "MeanCosineSimilarity", "MeanPairwiseDistance", "PearsonCorrelation"]


class _Error(EvalMetric, ABC):
    """Mean over the arrays of an error; vectors count as columns, and labels and predictions broadcast."""

    def __init__(
        self,
        name: str | None = None,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        name = type(self).__name__.lower() if name is None else name
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @abstractmethod
    def _error(self, difference: Array) -> float:
        """The error of one array, from label - prediction."""

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            left = label.reshape(-1, 1) if label.ndim == 1 else label
            right = pred.reshape(-1, 1) if pred.ndim == 1 else pred
            try:
                difference = left - right
            except ValueError:
                raise ValueError(
                    f"[{type(self).__name__}] predictions of shape {pred.shape} do not fit labels of shape "
                    f"{label.shape}"
                ) from None
            self.add(self._error(difference), 1)


@register
class MAE(_Error):
    """Mean absolute error; the mean over the arrays of each array's mean.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mae = mx.metric.MAE()
    >>> mae.update([mx.nd.array([3, 1])], [mx.nd.array([2, 4])])
    >>> mae.get()
    ('mae', 2.0)
    """

    def _error(self, difference: Array) -> float:
        return float(np.abs(difference).mean())


@register
class MSE(_Error):
    """Mean squared error; the mean over the arrays of each array's mean.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mse = mx.metric.MSE()
    >>> mse.update([mx.nd.array([3, 1])], [mx.nd.array([2, 4])])
    >>> mse.get()
    ('mse', 5.0)
    """

    def _error(self, difference: Array) -> float:
        return float(np.square(difference).mean())


@register
class RMSE(_Error):
    """Root of the mean squared error; the mean over the arrays of each array's root.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> rmse = mx.metric.RMSE()
    >>> rmse.update([mx.nd.array([3, 1])], [mx.nd.array([3, 1])])
    >>> rmse.get()
    ('rmse', 0.0)
    """

    def _error(self, difference: Array) -> float:
        return float(np.sqrt(np.square(difference).mean()))


class _Pairwise(EvalMetric, ABC):
    """Mean over the examples of a number per pair of vectors, along the last axis."""

    @abstractmethod
    def _numbers(self, label: Array, pred: Array) -> Array:
        """A number per pair, along the last axis of both."""

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if label.shape != pred.shape or label.ndim < 1:
                raise ValueError(
                    f"[{type(self).__name__}] predictions {pred.shape} do not fit labels {label.shape}"
                )
            numbers = self._numbers(label.astype(np.float64), pred.astype(np.float64))
            self.add(float(numbers.sum()), numbers.size)


@register
class MeanPairwiseDistance(_Pairwise):
    """Mean distance of vectors (MXNet 2.0): the ``p``-norm of the difference.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    p : float
        Which norm.

    Examples
    --------
    >>> import mixgrad as mx
    >>> metric = mx.metric.MeanPairwiseDistance()
    >>> metric.update([mx.nd.array([[1, 0], [4, 2]])], [mx.nd.array([[1, 2], [1, 6]])])
    >>> metric.get()
    ('mpd', 3.5)
    """

    def __init__(
        self,
        name: str = "mpd",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        p: float = 2,
    ) -> None:
        super().__init__(name, output_names, label_names, p=p, has_global_stats=True)
        self.p = p

    def _numbers(self, label: Array, pred: Array) -> Array:
        distances: Array = (np.abs(label - pred) ** self.p).sum(axis=-1) ** (1 / self.p)
        return distances


@register
class MeanCosineSimilarity(_Pairwise):
    """Mean cosine of the angle between vectors (MXNet 2.0).

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    eps : float
        Least length by which a product is divided.

    Examples
    --------
    >>> import mixgrad as mx
    >>> metric = mx.metric.MeanCosineSimilarity()
    >>> metric.update([mx.nd.array([[3, 4], [2, 2]])], [mx.nd.array([[1, 0], [1, 1]])])
    >>> round(metric.get()[1], 6)
    0.8
    """

    def __init__(
        self,
        name: str = "cos_sim",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        eps: float = 1e-8,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def _numbers(self, label: Array, pred: Array) -> Array:
        lengths = np.linalg.norm(label, axis=-1) * np.linalg.norm(pred, axis=-1)
        cosines: Array = (label * pred).sum(axis=-1) / np.maximum(lengths, self.eps)
        return cosines


class _Moments:
    """Means and sums of squares and products of pairs of numbers, merged by batches (Chan et al. 1983)."""

    def __init__(self) -> None:
        self.count = 0
        self.mean_x = self.mean_y = 0.0
        self.xx = self.yy = self.xy = 0.0

    def merge(self, x: Array, y: Array) -> None:
        count = x.size
        if not count:
            return
        mean_x, mean_y = float(x.mean()), float(y.mean())
        dx, dy = mean_x - self.mean_x, mean_y - self.mean_y
        total = self.count + count
        weight = self.count * count / total
        self.xx += float(np.square(x - mean_x).sum()) + dx * dx * weight
        self.yy += float(np.square(y - mean_y).sum()) + dy * dy * weight
        self.xy += float(((x - mean_x) * (y - mean_y)).sum()) + dx * dy * weight
        self.mean_x += dx * count / total
        self.mean_y += dy * count / total
        self.count = total

    def correlation(self) -> float:
        scale = math.sqrt(self.xx) * math.sqrt(self.yy)
        return self.xy / scale if scale else math.nan


@alias("pearsonr")
@register
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation between labels and predictions of equal shape.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    average : {'macro', 'micro'}
        ``'macro'``: mean of the arrays' correlations; ``'micro'``: the correlation of all numbers together.

    Examples
    --------
    >>> import mixgrad as mx
    >>> pearson = mx.metric.PearsonCorrelation()
    >>> pearson.update([mx.nd.array([1, 2, 3])], [mx.nd.array([2, 4, 6])])
    >>> round(pearson.get()[1], 6)
    1.0
    """

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        if average not in ("macro", "micro"):
            raise ValueError(f"[PearsonCorrelation] average must be 'macro' or 'micro', got {average!r}")
        self.average = average
        super().__init__(name, output_names, label_names, average=average, has_global_stats=True)

    def update(self, labels: Any, preds: Any) -> None:
        for label, pred in self._each(labels, preds):
            if label.shape != pred.shape:
                raise ValueError(
                    f"[PearsonCorrelation] predictions {pred.shape} do not fit labels {label.shape}"
                )
            x, y = pred.astype(np.float64).ravel(), label.astype(np.float64).ravel()
            if self.average == "macro":
                batch = _Moments()
                batch.merge(x, y)
                self.add(batch.correlation(), 1)
            else:
                self._local.merge(x, y)
                self._global.merge(x, y)
                self.num_inst += 1
                self.global_num_inst += 1

    def reset(self) -> None:
        super().reset()
        self._local, self._global = _Moments(), _Moments()

    def reset_local(self) -> None:
        super().reset_local()
        self._local = _Moments()

    def get(self) -> tuple[str, float]:
        if self.average == "macro":
            return super().get()
        return self.name, self._local.correlation()

    def get_global(self) -> tuple[str, float]:
        if self.average == "macro":
            return super().get_global()
        return self.name, self._global.correlation()
