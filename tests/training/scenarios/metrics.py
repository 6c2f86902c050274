"""Values of every metric over some batches, since the start and since the last reset of the local part."""

from __future__ import annotations

from typing import Any

import numpy as np

TOLERANCE = 1e-5


def rows(seed: int, classes: int, count: int = 7) -> Any:
    rng = np.random.RandomState(seed)
    scores = rng.rand(count, classes) + 0.05
    return scores / scores.sum(1, keepdims=True), rng.randint(0, classes, count)


CASES: dict[str, tuple[str, dict[str, Any], Any]] = {
    "accuracy": ("acc", {}, lambda i: rows(i, 4)),
    "accuracy of labels": ("accuracy", {}, lambda i: (rows(i, 4)[1], rows(i + 1, 4)[1])),
    "accuracy axis": ("accuracy", {"axis": 0}, lambda i: (rows(i, 4)[0].T, rows(i, 4)[1])),
    "top 2": ("top_k_accuracy", {"top_k": 2}, lambda i: rows(i, 5)),
    "top 3": ("top_k_acc", {"top_k": 3, "name": "mine"}, lambda i: rows(i, 5)),
    "f1": ("f1", {}, lambda i: rows(i, 2)),
    "f1 micro": ("f1", {"average": "micro"}, lambda i: rows(i, 2)),
    "mcc": ("mcc", {}, lambda i: rows(i, 2)),
    "mcc micro": ("mcc", {"average": "micro"}, lambda i: rows(i, 2)),
    "pcc": ("pcc", {}, lambda i: rows(i, 3)),
    "perplexity": ("perplexity", {"ignore_label": None}, lambda i: rows(i, 4)),
    "perplexity ignoring": ("perplexity", {"ignore_label": 1}, lambda i: rows(i, 4)),
    "mae": ("mae", {}, lambda i: (rows(i, 2)[0], rows(i + 9, 2)[0])),
    "mse": ("mse", {}, lambda i: (rows(i, 2)[0], rows(i + 9, 2)[0])),
    "rmse": ("rmse", {}, lambda i: (rows(i, 2)[0][:, 0], rows(i + 9, 2)[0][:, 1])),
    "ce": ("ce", {}, lambda i: rows(i, 4)),
    "nll": ("nll_loss", {"eps": 1e-3}, lambda i: rows(i, 4)),
    "pearson": ("pearsonr", {}, lambda i: (rows(i, 3)[0], rows(i + 9, 3)[0])),
    "loss": ("loss", {}, lambda i: rows(i, 3)),
    "torch": ("torch", {}, lambda i: rows(i, 3)),
    "caffe": ("caffe", {}, lambda i: rows(i, 3)),
}


def _run(mx: Any, metric: Any, make: Any) -> Any:
    out = []
    for i in range(4):
        pred, label = make(i)
        metric.update([mx.nd.array(label)], [mx.nd.array(pred)])
        pairs = metric.get_name_value() + metric.get_global_name_value()
        out.append([[name, float(value)] for name, value in pairs])
        if i == 1:
            metric.reset_local()
    metric.reset()
    name, value = metric.get()
    return [out, name, float(value)]


def metric(mx: Any, case: str) -> Any:
    name, options, make = CASES[case]
    return _run(mx, mx.metric.create(name, **options), make)


def composite(mx: Any) -> Any:
    metric = mx.metric.create(["acc", mx.metric.CrossEntropy(), mx.metric.TopKAccuracy(2)])
    out = []
    for i in range(3):
        pred, label = rows(i, 4)
        metric.update([mx.nd.array(label)], [mx.nd.array(pred)])
        names, values = metric.get()
        out.append([names, [float(v) for v in values]])
    return out


def custom(mx: Any) -> Any:
    def worst(label: Any, pred: Any) -> float:
        return float(np.abs(label - pred.max(1)).max())

    def pair(label: Any, pred: Any) -> Any:
        return float(label.sum()), len(label)

    made = [mx.metric.np(worst), mx.metric.CustomMetric(pair, "mean"), mx.metric.create(worst)]
    return [_run(mx, metric, lambda i: rows(i, 3)) for metric in made]


def several_outputs(mx: Any) -> Any:
    metric = mx.metric.create("acc", output_names=["b"], label_names=["y"])
    pred, label = rows(0, 3)
    wrong, _ = rows(5, 3)
    metric.update_dict({"y": mx.nd.array(label)}, {"a": mx.nd.array(wrong), "b": mx.nd.array(pred)})
    return list(map(str, metric.get()))
