"""Known networks (``gluon.model_zoo``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _hints
from . import model_store, vision

__all__ = ["model_store", "vision"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
