"""Key-value stores (``mx.kv``): how devices share weights and add up gradients.

``push`` sums the values of a key over devices and hands the sum to the optimiser, ``pull`` copies the stored
value to each device. Everything runs through the engine: calls return at once, and the result is that of the
calls one by one.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .base import KVStoreBase, create
from .kvstore import KVStore

__all__ = ["KVStore", "KVStoreBase", "create"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
