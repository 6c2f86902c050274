"""Recurrent networks of symbols (``mx.rnn``): cells, their weights in files, sentences by length.

A cell makes the graph of one step when it is called, and of a whole sequence by ``unroll``. With a symbol for
every length, :class:`mixgrad.mod.BucketingModule` trains on what :class:`BucketSentenceIter` gives.
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import io, rnn, rnn_cell
from .base import BaseRNNCell, RNNParams
from .cells import GRUCell, LSTMCell, RNNCell
from .checkpoint import do_rnn_checkpoint, load_rnn_checkpoint, rnn_unroll, save_rnn_checkpoint
from .combined import BidirectionalCell, SequentialRNNCell
from .convolutional import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell
from .dropout import DropoutCell
from .fused import FusedRNNCell
from .modifiers import ModifierCell, ResidualCell, ZoneoutCell
from .sentences import BucketSentenceIter, encode_sentences

__all__ = [
    "BaseConvRNNCell",
    "BaseRNNCell",
    "BidirectionalCell",
    "BucketSentenceIter",
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
    "do_rnn_checkpoint",
    "encode_sentences",
    "io",
    "load_rnn_checkpoint",
    "rnn",
    "rnn_cell",
    "rnn_unroll",
    "save_rnn_checkpoint",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
