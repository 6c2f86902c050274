"""Blocks: layers and networks."""

from .block import Block
from .hybrid_block import HybridBlock
from .scope import _BlockScope
from .symbol_block import SymbolBlock

__all__ = ["Block", "HybridBlock", "SymbolBlock", "_BlockScope"]
