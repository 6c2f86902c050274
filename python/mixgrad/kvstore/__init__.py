"""Key-value stores (``mx.kv``): how devices share weights and add up gradients.

``push`` sums the values of a key over devices and hands the sum to the optimiser, ``pull`` copies the stored
value to each device. Everything runs through the engine: calls return at once, and the result is that of the
calls one by one.
"""

from .base import KVStoreBase, create
from .kvstore import KVStore

__all__ = ["KVStore", "KVStoreBase", "create"]
