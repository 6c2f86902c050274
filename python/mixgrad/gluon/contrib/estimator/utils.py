"""Metrics of an estimator: which ones, and whether handlers watch those that are updated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .... import metric as _metric
from ...loss import SoftmaxCrossEntropyLoss

__all__ = ["check_handler_metrics", "check_metrics", "metric_of_loss"]


def check_metrics(metrics: Any) -> list[Any]:
    """A metric, a list of them or None as a list."""
    found = [metrics] if isinstance(metrics, _metric.EvalMetric) else list(metrics or [])
    for one in found:
        if not isinstance(one, _metric.EvalMetric):
            raise ValueError(f"[Estimator] metrics hold {type(one).__name__}; expected metrics of mx.metric")
    return found


def check_handler_metrics(handler: Any, known: Iterable[Any]) -> None:
    """Refuses a handler that watches a metric which nobody updates."""
    allowed = list(known)
    for name, value in vars(handler).items():
        if "metric" not in name and "monitor" not in name:
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, _metric.EvalMetric) and not any(one is other for other in allowed):
                raise ValueError(
                    f"[Estimator] {type(handler).__name__} refers to the metric {one.name!r}, which is none "
                    "of estimator.train_metrics and estimator.val_metrics; those are updated"
                )


def metric_of_loss(loss: Any) -> Any:
    """The metric that people look at with a loss, or None."""
    return _metric.Accuracy() if isinstance(loss, SoftmaxCrossEntropyLoss) else None
