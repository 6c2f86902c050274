"""Reads states that MXNet pickled, refusing everything a states file has no reason to contain.

A pickle is a small program. The machine here runs the few instructions that build values: it knows an
NDArray, a registered optimiser, a defined learning-rate schedule and plain bytes by name, and makes stand-ins
of them, which hold fields and do nothing. Values are built from the stand-ins afterwards.

Time and memory are linear in the bytes: what the pickle refers to twice is built once, and a value that would
be much longer than the pickle when written out, as lists of the same lists are, is refused.
"""

from __future__ import annotations

import pickletools
import struct
from typing import Any, Callable, ClassVar, NamedTuple

from .. import ndarray as nd
from ..base import MXNetError

__all__ = ["is_pickle", "load"]

_LIST_MAGIC = 0x112
# How much longer than the pickle its values may be: written out, and as dense arrays of sparse ones.
_MOST_GROWTH, _SMALL = 16, 1000
_MOST_ARRAY_GROWTH, _SMALL_ARRAYS = 1024, 1 << 24


def is_pickle(data: bytes) -> bool:
    """Whether ``data`` begins as pickles of protocol 2 and later do."""
    return len(data) >= 2 and data[0] == 0x80 and 2 <= data[1] <= 5


def load(data: bytes) -> Any:
    """Return the states in a pickle by MXNet; ``ValueError`` if it contains or is anything else."""
    try:
        tree = _Machine().run(data)
    except _Refused:
        raise
    except Exception as error:  # damaged pickles raise nearly anything
        raise ValueError(f"[optimizer states] damaged pickle: {type(error).__name__}: {error}") from None
    try:
        return _Builder(len(data)).built(tree)
    except RecursionError:
        raise ValueError("[optimizer states] the pickle is nested too deeply") from None


class _Refused(ValueError):
    """The content is well formed, but not what states contain."""


class _Class(NamedTuple):
    """A class that a pickle names."""

    module: str
    name: str


class _StandIn:
    """Fields of an object of a class."""

    def __init__(self, klass: _Class) -> None:
        self.klass = klass
        self.fields: dict[str, Any] = {}


class _Function(NamedTuple):
    """A function that a pickle may call."""

    call: Callable[..., Any]


def _as_bytes(source: Any = b"", *_: Any) -> bytes:
    """What ``bytes``, ``bytearray`` and ``_codecs.encode`` give; a number would ask for that many zeros."""
    if not isinstance(source, (bytes, str)):
        raise _Refused(f"[optimizer states] unexpected content for bytes: {type(source).__name__}")
    return source if isinstance(source, bytes) else source.encode("latin-1")


def _new(klass: Any, *_: Any) -> _StandIn:
    if not isinstance(klass, _Class):
        raise _Refused(f"[optimizer states] refused to build a {type(klass).__name__}")
    return _StandIn(klass)


_FUNCTIONS: dict[tuple[str, str], Callable[..., Any]] = {
    **{
        (module, name): _as_bytes for module in ("builtins", "__builtin__") for name in ("bytes", "bytearray")
    },
    ("_codecs", "encode"): _as_bytes,
    ("copyreg", "_reconstructor"): _new,
    ("copy_reg", "_reconstructor"): _new,
}


def _named(module: str, name: str) -> Any:
    if (module, name) in _FUNCTIONS:
        return _Function(_FUNCTIONS[module, name])
    known = module.split(".")[0] == "mxnet" or module == "__main__"
    if known or (module in ("builtins", "__builtin__") and name == "object"):
        return _Class(module, name)
    raise _Refused(
        f"[optimizer states] refused: the pickle asks for {module}.{name}, which states do not contain"
    )


def _stored_size(array: Any) -> int:
    if array is None:
        return 0
    return int(array.size if array.stype == "default" else array.data.size + array.indices.size)


def _is_plain(item: Any) -> bool:
    return item is None or isinstance(item, (bool, int, float, str, bytes))


_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
# Instructions whose argument is the value.
_VALUES = frozenset(
    (
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    )
)
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple}
_NOTHING_TO_DO = frozenset(("PROTO", "FRAME", "STOP"))
_MARK = object()


class _Machine:
    """Runs a pickle; each instruction takes time in proportion to what it reads."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def run(self, data: bytes) -> Any:
        for count, (code, argument, _) in enumerate(pickletools.genops(data)):
            name = code.name
            if name in _VALUES:
                self._stack.append(argument)
            elif name in _CONSTANTS:
                self._stack.append(_CONSTANTS[name])
            elif name in _EMPTY:
                self._stack.append(_EMPTY[name]())
            elif name in ("PUT", "BINPUT", "LONG_BINPUT") and int(argument or 0) <= count:
                self._memo[int(argument or 0)] = self._stack[-1]
            elif name in ("GET", "BINGET", "LONG_BINGET"):
                self._stack.append(self._memo[int(argument or 0)])
            elif name == "GLOBAL":
                self._stack.append(_named(*str(argument).split(" ", 1)))
            elif name in self._ACTIONS:
                self._ACTIONS[name](self)
            elif name not in _NOTHING_TO_DO:
                raise _Refused(f"[optimizer states] refused: the pickle uses {name}")
        return self._stack.pop()

    def _memoize(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def _mark(self) -> None:
        self._stack.append(_MARK)

    def _from_mark(self) -> list[Any]:
        items: list[Any] = []
        while self._stack[-1] is not _MARK:
            items.append(self._stack.pop())
        self._stack.pop()
        return items[::-1]

    def _pop(self) -> None:
        self._stack.pop()

    def _pop_mark(self) -> None:
        self._from_mark()

    def _list(self) -> None:
        self._stack.append(self._from_mark())

    def _tuple(self) -> None:
        self._stack.append(tuple(self._from_mark()))

    def _last_as_tuple(self, count: int) -> None:
        items = tuple(self._stack[-count:])
        if len(items) < count or any(item is _MARK for item in items):
            raise ValueError(f"{len(items)} values for a tuple of {count}")
        del self._stack[-count:]
        self._stack.append(items)

    def _extend(self, items: list[Any]) -> None:
        if not isinstance(self._stack[-1], list):
            raise _Refused(f"[optimizer states] refused to extend a {type(self._stack[-1]).__name__}")
        self._stack[-1].extend(items)

    def _append(self) -> None:
        self._extend([self._stack.pop()])

    def _appends(self) -> None:
        self._extend(self._from_mark())

    def _fill(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if not isinstance(target, dict):
            raise _Refused(f"[optimizer states] refused to fill a {type(target).__name__}")
        if len(items) % 2:
            raise ValueError(f"{len(items)} keys and values")
        for key, value in zip(items[::2], items[1::2]):
            # Nothing whose hash looks into what the pickle refers to often.
            if not (_is_plain(key) or (isinstance(key, tuple) and all(map(_is_plain, key)))):
                raise _Refused(f"[optimizer states] unexpected content for a key: {type(key).__name__}")
            target[key] = value

    def _dict(self) -> None:
        items = self._from_mark()
        self._stack.append({})
        self._fill(items)

    def _set_item(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._fill([key, value])

    def _set_items(self) -> None:
        self._fill(self._from_mark())

    def _stack_global(self) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        self._stack.append(_named(str(module), str(name)))

    def _reduce(self) -> None:
        arguments, function = self._stack.pop(), self._stack.pop()
        if isinstance(function, _Class):
            self._stack.append(_StandIn(function))
        elif isinstance(function, _Function):
            self._stack.append(function.call(*arguments))
        else:
            raise _Refused(f"[optimizer states] refused to call a {type(function).__name__}")

    def _new_object(self) -> None:
        self._stack.pop()
        self._stack.append(_new(self._stack.pop()))

    def _new_object_ex(self) -> None:
        self._stack.pop()
        self._new_object()

    def _build(self) -> None:
        state, target = self._stack.pop(), self._stack[-1]
        if not isinstance(target, _StandIn) or not isinstance(state, dict):
            raise _Refused(
                f"[optimizer states] unexpected content for a {type(target).__name__}: {type(state).__name__}"
            )
        target.fields = state

    _ACTIONS: ClassVar[dict[str, Callable[[_Machine], None]]] = {
        "MEMOIZE": _memoize,
        "MARK": _mark,
        "POP": _pop,
        "POP_MARK": _pop_mark,
        "LIST": _list,
        "TUPLE": _tuple,
        "TUPLE1": lambda self: self._last_as_tuple(1),
        "TUPLE2": lambda self: self._last_as_tuple(2),
        "TUPLE3": lambda self: self._last_as_tuple(3),
        "APPEND": _append,
        "APPENDS": _appends,
        "DICT": _dict,
        "SETITEM": _set_item,
        "SETITEMS": _set_items,
        "STACK_GLOBAL": _stack_global,
        "REDUCE": _reduce,
        "NEWOBJ": _new_object,
        "NEWOBJ_EX": _new_object_ex,
        "BUILD": _build,
    }


class _Builder:
    """Turns stand-ins into arrays, optimisers and schedules, each once."""

    def __init__(self, pickle_bytes: int) -> None:
        self._most = _MOST_GROWTH * pickle_bytes + _SMALL
        self._array_room = _MOST_ARRAY_GROWTH * pickle_bytes + _SMALL_ARRAYS
        self._known: dict[
            int, tuple[Any, int]
        ] = {}  # by id of what the machine made: value, size written out
        self._open: set[int] = set()

    def built(self, item: Any) -> Any:
        return self._sized(item)[0]

    def _sized(self, item: Any) -> tuple[Any, int]:
        if _is_plain(item):
            return item, 1 + (len(item) if isinstance(item, (str, bytes)) else 0)
        at = id(item)
        if at not in self._known:
            if at in self._open:
                raise _Refused("[optimizer states] refused: the pickle refers to what it is inside of")
            self._open.add(at)
            value, size = self._made(item)
            if size > self._most:
                raise _Refused(
                    f"[optimizer states] refused: values {size} long when written out; expected at most "
                    f"{self._most} of a pickle of this length"
                )
            self._open.remove(at)
            self._known[at] = value, size
        return self._known[at]

    def _made(self, item: Any) -> tuple[Any, int]:
        from . import state_file

        if isinstance(item, _StandIn):
            if item.klass.name in ("NDArray", "RowSparseNDArray"):
                handle = item.fields.get("handle")
                return self._array(handle), 1 + (len(handle) if isinstance(handle, bytes) else 0)
            fields, size = self._sized(item.fields)
            if item.klass.module.endswith("lr_scheduler"):
                return state_file.make_schedule(item.klass.name, fields), size
            return state_file.make_optimizer(item.klass.name, dict(fields)), size
        if isinstance(item, dict):
            pairs = [(key, self._sized(value)) for key, value in item.items()]
            keys = sum(
                sum(self._sized(part)[1] for part in (key if type(key) is tuple else (key,))) for key in item
            )
            return {key: value for key, (value, _) in pairs}, 1 + keys + sum(size for _, (_, size) in pairs)
        if type(item) in (list, tuple):
            parts = [self._sized(part) for part in item]
            return type(item)(value for value, _ in parts), 1 + sum(size for _, size in parts)
        raise _Refused(f"[optimizer states] refused: unexpected content of type {type(item).__name__}")

    def _array(self, handle: Any) -> Any:
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
        array = arrays[0]
        self._array_room -= 8 * _stored_size(array)
        if self._array_room < 0:
            raise _Refused(
                "[optimizer states] refused: arrays that are too large for a pickle of this length"
            )
        return array
