"""The contributed operators under the names of old scripts: ``mx.contrib.nd`` and ``mx.contrib.sym``."""

from typing import TYPE_CHECKING

from . import _hints, autograd
from .ndarray import contrib as nd
from .ndarray import contrib as ndarray
from .symbol import contrib as sym
from .symbol import contrib as symbol

__all__ = ["autograd", "nd", "ndarray", "sym", "symbol"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
