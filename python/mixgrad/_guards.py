"""What graphs of ``mx.jit`` depend on in modules of ``mx.nn``: attributes that were read for them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Optional

from .ndarray import NDArray

__all__ = [
    "ABSENT",
    "Guards",
    "NoGraphError",
    "Reads",
    "assign",
    "changed",
    "constant",
    "made",
    "move",
    "now",
    "reading",
    "refuse",
    "state",
    "watch",
    "wrote",
]

# Containers with more items than that are told apart by their identities alone.
_LONG = 1000
_DEEP = 5

_CONSTANTS = frozenset((bool, bytes, complex, float, int, str, type(None), type(Ellipsis)))
_REGISTRIES = frozenset(("_buffers", "_modules", "_parameters"))  # which modules change by methods alone
_OURS = frozenset(("__class__", "__dict__", "_check_name", "_forget", "_hooked", "_registry"))


class _Threads(threading.local):
    """What a thread reads while it writes a graph down."""

    reads: Optional[Reads] = None


_threads = _Threads()
_lock = threading.RLock()
ABSENT = object()


class _State:
    """What all modules have in common: ``now`` is another object after each change of one of them."""

    used = False  # whether there has ever been a graph that could depend on a module
    now = object()
    ready: ClassVar[list[weakref.ref[Any]]] = []  # whose ``ready`` holds until then
    watched: Any = None  # the class of modules
    readers = 0


# What modules say.


def changed() -> None:
    """Something that forward may read is another thing from now on."""
    if _State.used:
        with _lock:
            _State.now = object()
            for one in _State.ready:
                owner = one()
                if owner is not None:
                    owner.ready.clear()
            _State.ready.clear()


def wrote(module: Any, name: str, before: Any = ABSENT) -> None:
    """An attribute has another value."""
    if _State.used:
        if _threads.reads is not None:
            _threads.reads.written.setdefault((id(module), name), (module, before))
        changed()


def made(module: Any) -> None:
    """A module begins: what is read of one that the function itself makes says nothing about later calls."""
    if _State.used and _threads.reads is not None:
        _threads.reads.made[id(module)] = module


def watch(cls: type) -> None:
    """The class whose attributes are watched."""
    _State.watched = cls


# What a thread reads.


class Reads:
    """What a function reads of modules before it writes it, and what it writes, by module and name."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, str], tuple[Any, Any, bool]] = {}
        self.written: dict[tuple[int, str], tuple[Any, Any]] = {}  # with the value before
        self.made: dict[int, Any] = {}
        self.states: dict[int, tuple[NDArray, NDArray]] = {}  # arrays and their next values
        self.guards = Guards()

    def note(self, module: Any, name: str) -> None:
        key = id(module), name
        if key in self.found or key in self.written or key[0] in self.made or name in _OURS:
            return
        seen, varies = _seen_in(module, name)
        self.found[key] = module, seen, varies

    def settle(self) -> list[tuple[weakref.ref[Any], str, NDArray]]:
        """The arrays that each run assigns to attributes; a buffer that was read is a state and stays."""
        assigned = []
        for (number, name), (module, before) in self.written.items():
            own = module.__dict__
            value = own.get(name, ABSENT)
            if number in self.made or not isinstance(value, NDArray) or value is before:
                continue
            if (number, name) not in self.found:
                assigned.append((weakref.ref(module), name, value))
                continue
            alike = isinstance(before, NDArray) and (before.shape, before.dtype) == (value.shape, value.dtype)
            if name not in own["_buffers"] or not alike:
                raise NoGraphError(
                    f"forward of {type(module).__name__} reads {name!r} and assigns it an array; in a buffer "
                    "of the same shape and dtype it would be a state of the graph"
                )
            self.states[id(before)] = before, value
            assign(module, name, before)
        return assigned

    def undo(self) -> None:
        """Give attributes back what they were before, since the function is called once more."""
        for (_, name), (module, before) in self.written.items():
            own = module.__dict__
            if name in own["_parameters"] or name in own["_modules"]:
                continue
            if before is ABSENT:
                own.pop(name, None)
            else:
                assign(module, name, before)

    def arrays(self) -> list[NDArray]:
        """Those that were read, each once; they may stand for other memory later."""
        found = (module.__dict__.get(name) for (_, name), (module, *_) in self.found.items())
        return list({id(one): one for one in found if isinstance(one, NDArray)}.values())


def _getattribute(self: Any, name: str) -> Any:
    reads = _threads.reads
    if reads is not None:
        reads.note(self, name)
    return object.__getattribute__(self, name)


def state(array: Any) -> Any:
    """What an array holds at this point of a function: the value that :func:`move` has given it."""
    reads = _threads.reads
    return array if reads is None or id(array) not in reads.states else reads.states[id(array)][1]


def move(array: Any, value: Any) -> None:
    """Give a buffer of a module its next value; of a graph, each run will."""
    if _threads.reads is not None:
        _threads.reads.states[id(array)] = array, value
    else:
        array[:] = value


def assign(module: Any, name: str, value: Any) -> None:
    """Give an attribute an array that a run has made, which no graph reads; the module may be gone."""
    if module is not None:
        own = module.__dict__
        own[name] = value
        if name in own["_buffers"]:
            own["_buffers"][name] = value


class NoGraphError(Exception):
    """The function does something that a graph cannot: calls run without one."""


def refuse(reason: str) -> None:
    """Stop writing a graph down, if one is."""
    if _threads.reads is not None:
        raise NoGraphError(reason)


@contextmanager
def reading() -> Iterator[Reads]:
    """Note what this thread reads of modules, and writes; elsewhere they are as ever."""
    reads = Reads()
    with _lock:
        _State.used = True
        _State.readers += 1
        if _State.readers == 1 and _State.watched is not None:
            _State.watched.__getattribute__ = _getattribute
    _threads.reads, before = reads, _threads.reads
    try:
        yield reads
    except BaseException:
        reads.undo()
        raise
    finally:
        _threads.reads = before
        with _lock:
            _State.readers -= 1
            if _State.readers == 0 and _State.watched is not None and _getattribute_is_ours():
                del _State.watched.__getattribute__
        reads.guards.fill(reads)


def _getattribute_is_ours() -> bool:
    return _State.watched.__dict__.get("__getattribute__") is _getattribute


# Values.


class _Same:
    """An object that is told by its identity; an array also by what its operators were chosen for."""

    __slots__ = ("kind", "ref")

    def __init__(self, value: Any) -> None:
        try:
            self.ref: Any = weakref.ref(value)
        except TypeError:
            self.ref = lambda: value
        is_array = isinstance(value, NDArray)
        self.kind = (value.shape, value._dtype_number, str(value.context)) if is_array else None

    def __eq__(self, other: object) -> bool:
        mine = self.ref()
        return (
            isinstance(other, _Same) and mine is not None and mine is other.ref() and self.kind == other.kind
        )

    __hash__ = None  # type: ignore[assignment]


def constant(value: Any) -> Any:
    """What tells a value apart from those that compare equal; an array in a tuple equals itself alone."""
    if isinstance(value, tuple):
        return (type(value), *map(constant, value))
    return (type(value), value.hex() if isinstance(value, float) else value)


def _seen_in(module: Any, name: str) -> tuple[Any, bool]:
    """What an attribute is compared by later, and whether it can vary without a word from the module."""
    value = object.__getattribute__(module, "__dict__").get(name, ABSENT)
    if value is ABSENT:
        return ABSENT, False
    varies: list[Any] = []
    seen = _seen(value, varies, 0)
    return seen, bool(varies) and name not in _REGISTRIES


def _seen(value: Any, varies: list[Any], depth: int) -> Any:
    kind = type(value)
    if kind in _CONSTANTS:
        return constant(value)
    if kind in (list, tuple, dict, set, frozenset) and len(value) <= _LONG and depth < _DEEP:
        if kind not in (tuple, frozenset):
            varies.append(value)
        if kind is dict:
            return kind, [
                (_seen(k, varies, depth + 1), _seen(v, varies, depth + 1)) for k, v in value.items()
            ]
        if kind in (set, frozenset):
            return kind, frozenset(value)
        return kind, [_seen(one, varies, depth + 1) for one in value]
    numbers = getattr(kind, "_hook_numbers", None)
    return (kind, numbers(value)) if numbers is not None else _Same(value)


class Guards:
    """What a graph depends on; it holds no module."""

    def __init__(self) -> None:
        self._found: list[tuple[weakref.ref[Any], str, Any]] = []
        self._varying: list[tuple[weakref.ref[Any], str, Any]] = []

    def fill(self, reads: Reads) -> None:
        """Take over what was read."""
        for (_, name), (module, seen, varies) in reads.found.items():
            if id(module) not in reads.made:
                (self._varying if varies else self._found).append((weakref.ref(module), name, seen))

    def __bool__(self) -> bool:
        return bool(self._found or self._varying)

    def is_gone(self) -> bool:
        """Whether a module no longer lives, so that the graph serves no call any more."""
        return any(ref() is None for part in (self._found, self._varying) for ref, _, _ in part)

    def broken(self) -> Optional[tuple[Any, str]]:
        """The module and the name of an attribute that is another thing now; None: all are as they were."""
        for part in (self._varying, self._found):
            for ref, name, seen in part:
                module = ref()
                if module is None or _seen_in(module, name)[0] != seen:
                    return module, name
        return None

    def make_ready(self, owner: Any, signature: Any, graph: Any, now: object) -> None:
        """Let ``owner.ready`` have a graph until a module changes, if none has since ``now``."""
        if self._varying:
            return
        with _lock:
            if _State.now is now:
                owner.ready[signature] = graph
                if self._found and not any(one() is owner for one in _State.ready):
                    _State.ready.append(weakref.ref(owner))


def now() -> object:
    """An object that is another one after the next change."""
    return _State.now
