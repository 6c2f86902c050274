"""Networks as symbols (``mx.models``): functions that build them, and a catalogue with their costs.

>>> import mixgrad as mx
>>> net = mx.models.resnet(18, num_classes=10)
>>> mx.models.parameters(net, data=(1, 3, 224, 224))
11181642
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _hints
from .alexnet import alexnet
from .catalog import CATALOG, Entry, get_symbol
from .cost import multiply_adds, parameters
from .densenet import densenet
from .googlenet import googlenet
from .inception_bn import inception_bn
from .inception_v3 import inception_v3
from .lenet import lenet
from .lstm import lstm_language_model
from .mlp import mlp
from .mobilenet import mobilenet, mobilenet_v2
from .neural_style import neural_style, neural_style_features
from .resnet import resnet
from .squeezenet import squeezenet
from .transformer import transformer_encoder
from .vgg import vgg, vgg_features

__all__ = [
    "CATALOG",
    "Entry",
    "alexnet",
    "densenet",
    "get_symbol",
    "googlenet",
    "inception_bn",
    "inception_v3",
    "lenet",
    "lstm_language_model",
    "mlp",
    "mobilenet",
    "mobilenet_v2",
    "multiply_adds",
    "neural_style",
    "neural_style_features",
    "parameters",
    "resnet",
    "squeezenet",
    "transformer_encoder",
    "vgg",
    "vgg_features",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
