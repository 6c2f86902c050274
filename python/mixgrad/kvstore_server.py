"""``python -m mixgrad.kvstore_server``: the server or scheduler of a store, as ``DMLC_ROLE`` says.

It runs until all workers have left. See :mod:`mixgrad.kvstore.kvstore_server`.
"""

import sys
from typing import TYPE_CHECKING

from . import _hints
from .kvstore.kvstore_server import KVStoreServer

__all__ = ["KVStoreServer"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)


def _main() -> int:
    try:
        KVStoreServer().run()
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(_main())
