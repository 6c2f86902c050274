"""Cells over images: their products are convolutions (Shi et al. 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from .conv_gru import Conv1DGRUCell, Conv2DGRUCell, Conv3DGRUCell
from .conv_lstm import Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell
from .conv_rnn import Conv1DRNNCell, Conv2DRNNCell, Conv3DRNNCell

__all__ = [
    "Conv1DGRUCell",
    "Conv1DLSTMCell",
    "Conv1DRNNCell",
    "Conv2DGRUCell",
    "Conv2DLSTMCell",
    "Conv2DRNNCell",
    "Conv3DGRUCell",
    "Conv3DLSTMCell",
    "Conv3DRNNCell",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
