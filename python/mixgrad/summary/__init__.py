"""Scalars, pictures, histograms and graphs for TensorBoard (``mx.summary``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _hints
from .writer import Writer

__all__ = ["Writer"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
