"""Samplers, under the name of MXNet's module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from ...data.sampler import IntervalSampler

__all__ = ["IntervalSampler"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
