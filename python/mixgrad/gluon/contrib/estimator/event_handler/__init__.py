"""Handlers of an estimator's events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..... import _hints
from .base import BatchBegin, BatchEnd, EpochBegin, EpochEnd, EventHandler, TrainBegin, TrainEnd
from .checkpoint import CheckpointHandler
from .lines import LoggingHandler
from .metrics import MetricHandler, ValidationHandler
from .stopping import EarlyStoppingHandler, StoppingHandler
from .update import GradientUpdateHandler

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
