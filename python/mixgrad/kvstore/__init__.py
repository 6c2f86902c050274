"""Key-value stores (``mx.kv``): how devices share weights and add up gradients.

``push`` sums the values of a key over devices and hands the sum to the optimiser, ``pull`` copies the stored
value to each device. Everything runs through the engine: calls return at once, and the result is that of the
calls one by one. Stores of type ``dist_*`` are shared by the workers of several processes; servers hold their
values and run the optimiser. One of type ``collective`` is shared by workers without servers.
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import kvstore_server
from .base import KVStoreBase, create
from .collective import CollectiveKVStore
from .distributed import DistributedKVStore
from .kvstore import KVStore
from .kvstore_server import KVStoreServer

__all__ = [
    "CollectiveKVStore",
    "DistributedKVStore",
    "KVStore",
    "KVStoreBase",
    "KVStoreServer",
    "create",
    "kvstore_server",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
