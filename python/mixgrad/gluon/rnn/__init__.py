"""Recurrent layers: cells, of one step each, and layers over whole sequences (``gluon.rnn``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _hints
from . import rnn_cell, rnn_layer
from .bidirectional import BidirectionalCell
from .cell import HybridRecurrentCell, RecurrentCell
from .cells import GRUCell, LSTMCell, RNNCell
from .containers import HybridSequentialRNNCell, SequentialRNNCell
from .modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from .rnn_layer import GRU, LSTM, RNN

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
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
    "rnn_cell",
    "rnn_layer",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
