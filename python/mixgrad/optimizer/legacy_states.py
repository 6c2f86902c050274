"""Reads states that MXNet pickled, refusing everything a states file has no reason to contain.

A pickle is a small program. The reader here resolves a name only if it stands for an NDArray, a registered
optimiser, a defined learning-rate schedule or plain bytes, and hands the program stand-ins instead of the
classes themselves: a stand-in holds fields and does nothing. Values are built from the stand-ins afterwards.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import struct
from typing import Any

from .. import ndarray as nd
from ..base import MXNetError

__all__ = ["is_pickle", "load"]

_LIST_MAGIC = 0x112


def is_pickle(data: bytes) -> bool:
    """Whether ``data`` begins as pickles of protocol 2 and later do."""
    return len(data) >= 2 and data[0] == 0x80 and 2 <= data[1] <= 5


def load(data: bytes) -> Any:
    """Return the states in a pickle by MXNet; ``ValueError`` if it contains or is anything else."""
    try:
        _scan(data)
        tree = _Unpickler(io.BytesIO(data)).load()
    except _Refused:
        raise
    except Exception as error:  # damaged pickles raise nearly anything
        raise ValueError(f"[optimizer states] damaged pickle: {type(error).__name__}: {error}") from None
    try:
        return _built(tree)
    except RecursionError:
        raise ValueError("[optimizer states] the pickle is nested too deeply") from None


class _Refused(ValueError):
    """The content is well formed, but not what states contain."""


class _StandIn:
    """Fields of an object of class ``name`` from ``module``; subclasses are made per class."""

    module = ""
    name = ""

    def __init__(self, *_: Any) -> None:
        self.fields: dict[str, Any] = {}

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, dict):
            raise _Refused(f"[optimizer states] unexpected content for {self.name}: {type(state).__name__}")
        self.fields = state


class _Bytes:
    """Stands for ``bytes`` and ``bytearray``; without a ``__dict__``, so that a pickle cannot change it."""

    __slots__ = ()

    def __call__(self, source: Any = b"", *_: Any) -> bytes:
        # A number here would ask for that many zero bytes.
        if not isinstance(source, (bytes, str)):
            raise _Refused(f"[optimizer states] unexpected content for bytes: {type(source).__name__}")
        return source if isinstance(source, bytes) else source.encode("latin-1")


class _Reconstruct:
    """Stands for ``copyreg._reconstructor``, for stand-ins only."""

    __slots__ = ()

    def __call__(self, klass: Any, *_: Any) -> _StandIn:
        if not (isinstance(klass, type) and issubclass(klass, _StandIn)):
            raise _Refused(f"[optimizer states] refused to build {klass!r}")
        return klass()


# Instructions that MXNet's states do not use and that could reach past find_class or ask for much memory.
_REFUSED = frozenset(
    ["EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID", "INST", "OBJ", "BYTEARRAY8", "NEXT_BUFFER"]
)


def _scan(data: bytes) -> None:
    for count, (code, argument, _) in enumerate(pickletools.genops(data)):
        far = code.name in ("PUT", "BINPUT", "LONG_BINPUT") and int(argument or 0) > count
        if code.name in _REFUSED or far:
            raise _Refused(f"[optimizer states] refused: the pickle uses {code.name}")


class _Unpickler(pickle.Unpickler):
    """Resolves names to stand-ins only."""

    def find_class(self, module: str, name: str) -> Any:
        if module in ("builtins", "__builtin__"):
            if name in ("bytearray", "bytes"):
                return _Bytes()
            if name == "object":
                return type(name, (_StandIn,), {"module": module, "name": name})
        elif (module, name) == ("_codecs", "encode"):
            return _Bytes()
        elif (module, name) in (("copyreg", "_reconstructor"), ("copy_reg", "_reconstructor")):
            return _Reconstruct()
        elif module.split(".")[0] == "mxnet" or module == "__main__":
            return type(name, (_StandIn,), {"module": module, "name": name})
        raise _Refused(
            f"[optimizer states] refused: the pickle asks for {module}.{name}, which states do not contain"
        )

    def persistent_load(self, pid: Any) -> Any:
        raise _Refused(f"[optimizer states] refused: the pickle refers to outside data {pid!r}")


def _built(item: Any) -> Any:
    """Turn stand-ins into arrays, optimisers and schedules, throughout a tree."""
    from . import state_file

    if isinstance(item, _StandIn):
        if item.name == "NDArray":
            return _array(item.fields.get("handle"))
        fields = {key: _built(value) for key, value in item.fields.items()}
        if item.module.endswith("lr_scheduler"):
            return state_file.make_schedule(item.name, fields)
        return state_file.make_optimizer(item.name, fields)
    if isinstance(item, dict):
        return {key: _built(value) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return type(item)(_built(value) for value in item)
    if item is None or isinstance(item, (bool, int, float, str, bytes)):
        return item
    raise _Refused(f"[optimizer states] refused: unexpected content of type {type(item).__name__}")


def _array(handle: Any) -> Any:
    """Read one array: put it into a list file of one array and no names, which the array layer reads."""
    if not isinstance(handle, bytes):
        raise _Refused(f"[optimizer states] an array without content: {type(handle).__name__}")
    container = struct.pack("<QQQ", _LIST_MAGIC, 0, 1) + handle + struct.pack("<Q", 0)
    try:
        arrays = nd.load_frombuffer(container)
    except MXNetError as error:
        raise ValueError(f"[optimizer states] damaged array: {error}") from None
    if not isinstance(arrays, list) or len(arrays) != 1:
        raise _Refused(f"[optimizer states] expected one array, got {len(arrays)}")
    return arrays[0]
