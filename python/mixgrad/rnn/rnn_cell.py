"""Recurrent cells (``mx.rnn.rnn_cell``)."""

from typing import TYPE_CHECKING

from .. import _hints
from .base import BaseRNNCell, RNNParams
from .cells import GRUCell, LSTMCell, RNNCell
from .combined import BidirectionalCell, SequentialRNNCell
from .convolutional import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell
from .dropout import DropoutCell
from .fused import FusedRNNCell
from .modifiers import ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BaseConvRNNCell",
    "BaseRNNCell",
    "BidirectionalCell",
    "ConvGRUCell",
    "ConvLSTMCell",
    "ConvRNNCell",
    "DropoutCell",
    "FusedRNNCell",
    "GRUCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RNNParams",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
