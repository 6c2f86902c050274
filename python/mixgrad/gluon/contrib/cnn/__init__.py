"""Further convolution layers (``gluon.contrib.cnn``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from . import conv_layers
from .conv_layers import DeformableConvolution, ModulatedDeformableConvolution

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution", "conv_layers"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
