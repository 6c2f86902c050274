"""Training with gradients of less variance (``mx.contrib.svrg_optimization``)."""

from typing import TYPE_CHECKING

from ... import _hints
from . import svrg_module, svrg_optimizer
from .svrg_module import SVRGModule

__all__ = ["SVRGModule", "svrg_module", "svrg_optimizer"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
