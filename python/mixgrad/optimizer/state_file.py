"""Optimiser states as bytes, without running code from a file.

MXNet stores states with ``pickle``, and reading a pickle calls whatever functions it names: a states file
from elsewhere could run any program. This module writes a container of its own that can only hold data::

    b"MGSTATES" | version, u32 | length of the header, u64 | header, JSON | arrays, one after another

(little endian). The header holds the tree of values; an array is its dtype, shape and place in the last
part, a row_sparse one its shape and two arrays, the rows and their numbers. An optimiser or a schedule is
its class name and fields: the class must be registered (or, for a schedule, be defined) in the running
program already, and its ``__init__`` is not called.

States that MXNet pickled can still be read, through a reader that accepts nothing but arrays, plain
containers and registered optimisers and schedules (:mod:`mixgrad.optimizer.legacy_states`).
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from .. import ndarray as nd
from ..base import MXNetError
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from ..ndarray.sparse import RowSparseNDArray
from . import legacy_states
from .base import Optimizer

__all__ = ["check_start", "dump", "load"]

_MAGIC = b"MGSTATES"
_VERSION = 1
_PREFIX = struct.Struct("<8sIQ")
# Dtypes that NumPy has; others (bfloat16) are stored as float32 and cast back.
_PLAIN_DTYPES = (
    *("float16", "float32", "float64", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


def dump(value: Any) -> bytes:
    """Return ``value`` as bytes.

    Parameters
    ----------
    value : object
        A tree of None, bool, int, float, str, list, tuple, dict, NDArray, numpy.ndarray, Optimizer and
        LRScheduler; anything else is a ``TypeError`` that names the type.
    """
    chunks: list[bytes] = []
    place = 0

    def array(source: Any, tag: str) -> dict[str, Any]:
        nonlocal place
        name = _dtype_name(source.dtype)
        if name not in _PLAIN_DTYPES and tag == "nd":
            source = source.astype("float32")
        values = np.ascontiguousarray(source.asnumpy() if tag == "nd" else source)
        if values.dtype.name not in _PLAIN_DTYPES:
            raise TypeError(f"[optimizer states] cannot save an array of dtype {values.dtype}")
        values = values.astype(values.dtype.newbyteorder("<"), copy=False)
        chunks.append(values.tobytes())
        entry = {"dtype": name, "stored": values.dtype.name, "shape": list(source.shape), "at": place}
        place += values.nbytes
        return {tag: entry}

    def tree(item: Any) -> Any:
        if item is None or isinstance(item, (bool, str)):
            return item
        if isinstance(item, (int, np.integer)):
            return int(item)
        if isinstance(item, (float, np.floating)):
            number = float(item)
            return number if math.isfinite(number) else {"float": repr(number)}
        if isinstance(item, RowSparseNDArray):
            return {"rows": [list(item.shape), array(item.data, "nd"), array(item.indices, "nd")]}
        if isinstance(item, NDArray):
            return array(item, "nd")
        if isinstance(item, np.ndarray):
            return array(item, "np")
        if isinstance(item, list):
            return {"list": [tree(x) for x in item]}
        if isinstance(item, tuple):
            return {"tuple": [tree(x) for x in item]}
        if isinstance(item, dict):
            return {"dict": [[tree(k), tree(v)] for k, v in item.items()]}
        if isinstance(item, Optimizer):
            return {"optimizer": [type(item).__name__.lower(), tree(item.__getstate__())]}
        if isinstance(item, LRScheduler):
            return {"schedule": [type(item).__qualname__, tree(dict(item.__dict__))]}
        raise TypeError(f"[optimizer states] cannot save a {type(item).__name__}: {item!r}")

    header = json.dumps(tree(value), separators=(",", ":"), allow_nan=False).encode()
    return b"".join([_PREFIX.pack(_MAGIC, _VERSION, len(header)), header, *chunks])


def check_start(data: bytes) -> None:
    """Raises ``ValueError`` unless these may be the first bytes of states."""
    if not legacy_states.is_pickle(data) and (len(data) < _PREFIX.size or not data.startswith(_MAGIC)):
        raise ValueError(f"[optimizer states] not a states file: {len(data)} bytes that begin {data[:8]!r}")


def load(data: bytes) -> Any:
    """Return what :func:`dump` was given; ``ValueError`` with the reason if ``data`` is not that."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ValueError(f"[optimizer states] expected bytes, got {type(data).__name__}")
    data = bytes(data)
    check_start(data)
    if legacy_states.is_pickle(data):
        return legacy_states.load(data)
    _, version, size = _PREFIX.unpack_from(data)
    if version != _VERSION:
        raise ValueError(f"[optimizer states] version {version} is not known; this program reads {_VERSION}")
    begin = _PREFIX.size + size
    if begin > len(data):
        raise ValueError(
            f"[optimizer states] cut short: {len(data)} bytes, and the header alone ends at {begin}"
        )
    try:
        header = json.loads(data[_PREFIX.size : begin])
        return _Reader(memoryview(data)[begin:]).value(header)
    except RecursionError:
        raise ValueError("[optimizer states] the header is nested too deeply") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"[optimizer states] damaged header: {error}") from None


class _Reader:
    """Builds values from the header; ``arrays`` is the part of the file behind it."""

    def __init__(self, arrays: memoryview) -> None:
        self._arrays = arrays
        self._taken = 0  # bytes of arrays, of which a hostile header may name the same ones often
        self._builders: dict[str, Callable[[Any], Any]] = {
            "nd": self._ndarray,
            "rows": self._rows,
            "np": self._numpy,
            "float": self._float,
            "list": self._list,
            "tuple": lambda body: tuple(self._list(body)),
            "dict": self._dict,
            "optimizer": self._optimizer,
            "schedule": self._schedule,
        }

    def value(self, item: Any) -> Any:
        if item is None or isinstance(item, (bool, int, float, str)):
            return item
        if isinstance(item, dict) and len(item) == 1:
            tag, body = next(iter(item.items()))
            if tag in self._builders:
                return self._builders[tag](body)
        raise ValueError(f"[optimizer states] damaged header: unexpected {_short(item)}")

    def _list(self, body: Any) -> list[Any]:
        if not isinstance(body, list):
            raise ValueError(f"[optimizer states] damaged header: expected a list, got {_short(body)}")
        return [self.value(item) for item in body]

    def _dict(self, body: Any) -> dict[Any, Any]:
        result = {}
        for pair in body if isinstance(body, list) else [body]:
            if not (isinstance(pair, list) and len(pair) == 2):
                raise ValueError(f"[optimizer states] damaged header: expected a pair, got {_short(pair)}")
            key = self.value(pair[0])
            try:
                result[key] = self.value(pair[1])
            except TypeError:
                raise ValueError(
                    f"[optimizer states] damaged header: {_short(key)} cannot be a key"
                ) from None
        return result

    def _float(self, body: Any) -> float:
        if body not in ("inf", "-inf", "nan"):
            raise ValueError(f"[optimizer states] damaged header: {_short(body)} is not a number")
        return float(body)

    def _numpy(self, body: Any) -> npt.NDArray[Any]:
        entry: dict[str, Any] = body if isinstance(body, dict) else {}
        stored, shape, at = entry.get("stored"), entry.get("shape"), entry.get("at")
        if stored not in _PLAIN_DTYPES or not _is_size(at) or not isinstance(shape, list):
            raise ValueError(f"[optimizer states] damaged header: bad array {_short(body)}")
        if len(shape) > 32 or not all(_is_size(size) for size in shape):
            raise ValueError(f"[optimizer states] damaged header: bad shape {_short(shape)}")
        assert isinstance(at, int)
        dtype = np.dtype(stored).newbyteorder("<")
        count = math.prod(shape)
        if at + count * dtype.itemsize > len(self._arrays):
            raise ValueError(
                f"[optimizer states] cut short: an array of shape {tuple(shape)} and dtype {stored} at byte "
                f"{at} does not fit in {len(self._arrays)} bytes of arrays"
            )
        self._taken += count * dtype.itemsize
        if self._taken > len(self._arrays):
            raise ValueError(
                f"[optimizer states] cut short: arrays of {self._taken} bytes in {len(self._arrays)}"
            )
        values = np.empty(0, dtype)
        if count:  # an empty array may lie at the very end, where NumPy reads nothing
            values = np.frombuffer(self._arrays, dtype=dtype, count=count, offset=at)
        if stored == "bool":  # any byte other than 0 is true, and becomes 1
            values = values.view(np.uint8) != 0
        return values.reshape(shape).astype(np.dtype(stored))

    def _ndarray(self, body: Any) -> NDArray:
        values = self._numpy(body)
        try:
            result = nd.array(values, dtype=values.dtype)
        except (TypeError, ValueError) as error:
            raise ValueError(f"[optimizer states] damaged header: {error}") from None
        wanted = body.get("dtype")
        if wanted == body["stored"]:
            return result
        if wanted != "bfloat16":
            raise ValueError(f"[optimizer states] damaged header: bad array {_short(body)}")
        return result.astype(wanted)

    def _rows(self, body: Any) -> NDArray:
        parts = [self.value(part) for part in body[1:]] if isinstance(body, list) else []
        if len(parts) != 2 or not all(isinstance(part, NDArray) for part in parts):
            raise ValueError(f"[optimizer states] damaged header: bad rows {_short(body)}")
        if not isinstance(body[0], list) or not all(_is_size(size) for size in body[0]):
            raise ValueError(f"[optimizer states] damaged header: bad shape {_short(body[0])}")
        try:
            result: NDArray = nd.sparse.row_sparse_array(
                tuple(parts), shape=tuple(body[0]), dtype=parts[0].dtype
            )
            result.check_format()  # type: ignore[attr-defined]
        except (MXNetError, TypeError, ValueError, IndexError) as error:
            raise ValueError(f"[optimizer states] damaged header: {error}") from None
        return result

    def _fields(self, body: Any) -> tuple[str, dict[str, Any]]:
        if isinstance(body, list) and len(body) == 2 and isinstance(body[0], str):
            fields = self.value(body[1])
            if isinstance(fields, dict) and all(isinstance(key, str) for key in fields):
                return body[0], fields
        raise ValueError(f"[optimizer states] damaged header: expected a name and fields, got {_short(body)}")

    def _optimizer(self, body: Any) -> Optimizer:
        name, fields = self._fields(body)
        return make_optimizer(name, fields)

    def _schedule(self, body: Any) -> LRScheduler:
        name, fields = self._fields(body)
        return make_schedule(name, fields)


def make_optimizer(name: str, fields: dict[str, Any]) -> Optimizer:
    """Return an optimiser of the registered class ``name`` with these fields; ``__init__`` is not called."""
    klass = Optimizer.opt_registry.get(name.lower())
    if klass is None:
        raise ValueError(f"[optimizer states] made by the optimizer '{name}', which is not registered here")
    optimizer = klass.__new__(klass)
    optimizer.__setstate__(fields)
    return optimizer


def make_schedule(name: str, fields: dict[str, Any]) -> LRScheduler:
    """Return a schedule of the defined class ``name`` with these fields; ``__init__`` is not called."""
    klass = _schedules(LRScheduler).get(name)
    if klass is None:
        raise ValueError(f"[optimizer states] uses the schedule '{name}', which is not defined here")
    schedule = klass.__new__(klass)
    schedule.__dict__.update(fields)
    return schedule


def _schedules(base: type[LRScheduler]) -> dict[str, type[LRScheduler]]:
    known = {base.__qualname__: base}
    for klass in base.__subclasses__():
        known.update(_schedules(klass))
    return known


def _dtype_name(dtype: Any) -> str:
    """Name of a dtype given by name, NumPy type or the class that stands for bfloat16."""
    if isinstance(dtype, str):
        return dtype
    return "bfloat16" if getattr(dtype, "__name__", "") == "bfloat16" else str(np.dtype(dtype).name)


def _is_size(item: Any) -> bool:
    return type(item) is int and 0 <= item < 2**63


def _short(item: Any) -> str:
    text = repr(item)
    return text if len(text) <= 80 else text[:77] + "..."
