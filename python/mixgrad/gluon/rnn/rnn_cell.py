"""Recurrent cells, under the name of MXNet's module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _hints
from .bidirectional import BidirectionalCell
from .cell import HybridRecurrentCell, RecurrentCell
from .cells import GRUCell, LSTMCell, RNNCell
from .containers import HybridSequentialRNNCell, SequentialRNNCell
from .modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
