"""Which libzmq stores of several processes use: that of pyzmq where it is installed, else the system's."""

from __future__ import annotations

import importlib.util
import os
from glob import glob

from .. import _core

__all__ = ["load"]

_loaded = False


def _of_pyzmq() -> str | None:
    """The libzmq that pyzmq's wheel brings, without importing pyzmq."""
    found = importlib.util.find_spec("zmq")
    if found is None or not found.submodule_search_locations:
        return None
    beside = os.path.dirname(next(iter(found.submodule_search_locations)))
    libraries = sorted(glob(os.path.join(beside, "pyzmq.libs", "libzmq*.so*")))
    return libraries[0] if libraries else None


def load() -> None:
    """Name the library, once; the first store or server opens it."""
    global _loaded
    if _loaded:
        return
    path = _of_pyzmq()
    if path is not None:
        _core.kvstore_load_transport(path)
    _loaded = True
