"""Files of recurrent networks (``mx.rnn.rnn``)."""

from typing import TYPE_CHECKING

from .. import _hints
from .base import BaseRNNCell
from .checkpoint import do_rnn_checkpoint, load_rnn_checkpoint, rnn_unroll, save_rnn_checkpoint

__all__ = ["BaseRNNCell", "do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
