"""Layers and networks in Python: MXNet's Gluon (``mx.gluon``)."""

from . import block, data, nn, parameter, utils
from .block import Block, HybridBlock, SymbolBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict, tensor_types

__all__ = [
    "Block",
    "Constant",
    "DeferredInitializationError",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "SymbolBlock",
    "block",
    "data",
    "nn",
    "parameter",
    "tensor_types",
    "utils",
]
