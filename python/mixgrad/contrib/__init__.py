"""Contributed operators as ``mx.contrib.nd`` and ``mx.contrib.sym``, for old scripts; quantisation."""

from typing import TYPE_CHECKING

from .. import _hints, autograd
from ..ndarray import contrib as nd
from ..ndarray import contrib as ndarray
from ..symbol import contrib as sym
from ..symbol import contrib as symbol
from . import quantization

__all__ = ["autograd", "nd", "ndarray", "quantization", "sym", "symbol"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
