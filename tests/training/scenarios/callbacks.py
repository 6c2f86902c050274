"""What callbacks and the monitor write into the log."""

from __future__ import annotations

import logging
import re
from typing import Any

TOLERANCE = 1e-6


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(re.sub(r"Speed: \S+", "Speed: N", record.getMessage()))


def _logged(run: Any) -> list[str]:
    root, handler = logging.getLogger(), _Lines()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        run()
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    return handler.lines


def _epochs(mx: Any, callback: Any, metric: Any) -> list[str]:
    def run() -> None:
        for epoch in range(2):
            if metric is not None:
                metric.reset()
            for nbatch in range(9):
                if metric is not None:
                    metric.update([mx.nd.array([nbatch, 1.0])], [mx.nd.array([0.5, nbatch])])
                callback(mx.model.BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=None))

    return _logged(run)


def speedometer(mx: Any) -> Any:
    out = []
    for auto_reset in (True, False):
        for metric in (None, mx.metric.MAE(), mx.metric.create(["mae", "mse"])):
            out.append(_epochs(mx, mx.callback.Speedometer(4, 3, auto_reset), metric))
    return out


def log_train_metric(mx: Any) -> Any:
    return [_epochs(mx, mx.callback.log_train_metric(4, reset), mx.metric.MAE()) for reset in (True, False)]


def progress_bar(mx: Any) -> Any:
    return _epochs(mx, mx.callback.ProgressBar(9, 20), None)


def validation(mx: Any) -> Any:
    return _epochs(mx, mx.callback.LogValidationMetricsCallback(), mx.metric.MAE())


class _Module:
    def __init__(self) -> None:
        self.calls: list[Any] = []

    def save_checkpoint(self, *args: Any) -> None:
        self.calls.append(list(args))


def module_checkpoint(mx: Any) -> Any:
    out = []
    for period, states in ((1, False), (3, True), (0, False)):
        module = _Module()
        save = mx.callback.module_checkpoint(module, "p", period, states)
        for epoch in range(7):
            save(epoch, None, None, None)
        out.append(module.calls)
    return out
