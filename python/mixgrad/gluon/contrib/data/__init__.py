"""Further datasets and samplers (``gluon.contrib.data``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from . import sampler, text
from .sampler import IntervalSampler

__all__ = ["IntervalSampler", "sampler", "text"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
