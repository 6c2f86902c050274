"""Whether shapes are read as NumPy reads them, and arrays are those of ``mx.np``, on each thread alone."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any, Optional, TypeVar

from .base import ShapeError

__all__ = [
    "check_copies",
    "is_np_array",
    "is_np_shape",
    "np_array",
    "np_shape",
    "reset_np",
    "set_np",
    "set_np_shape",
    "use_np",
    "use_np_array",
    "use_np_shape",
]

T = TypeVar("T")


class _Flags(threading.local):
    shape = False
    array = False


_flags = _Flags()


class _Scope:
    """Puts a flag in force inside ``with``."""

    _name = ""

    def __init__(self, active: bool) -> None:
        self._active = bool(active)
        self._before: list[bool] = []

    def __enter__(self) -> _Scope:
        self._before.append(getattr(_flags, self._name))
        setattr(_flags, self._name, self._active)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        setattr(_flags, self._name, self._before.pop())


class _NumpyShapeScope(_Scope):
    _name = "shape"


class _NumpyArrayScope(_Scope):
    _name = "array"

    @property
    def _is_np_array(self) -> bool:
        return self._active


def is_np_shape() -> bool:
    """Whether 0 is an extent and ``()`` the shape of a number, rather than ones that are not known."""
    return _flags.shape


def is_np_array() -> bool:
    """Whether arrays are to be those of ``mx.np``."""
    return _flags.array


def np_shape(active: bool = True) -> _NumpyShapeScope:
    """A scope in which shapes are read as NumPy reads them, or as MXNet does.

    In it, shape inference takes 0 as an extent and -1 as one that is not known, and says None of a shape
    that does not follow. Arrays without elements can be made everywhere.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.sym.var("x")
    >>> with mx.np_shape():
    ...     print(mx.sym.relu(x).infer_shape(x=(0, 3))[1])
    [(0, 3)]
    """
    return _NumpyShapeScope(active)


def check_copies(reps: Any) -> None:
    """Refuses a 0 among the numbers of copies that ``tile`` makes, but inside :func:`np_shape`.

    A number that was computed as 0 would make the data disappear without notice.
    """
    numbers = (reps,) if hasattr(reps, "__index__") else reps
    if not _flags.shape and isinstance(numbers, (tuple, list)) and 0 in numbers:
        raise ShapeError(
            f"[tile] reps {tuple(numbers)} hold 0; expected positive numbers (0 copies inside mx.np_shape() "
            "or of arrays of mx.np)"
        )


def np_array(active: bool = True) -> _NumpyArrayScope:
    """A scope in which :func:`is_np_array` is True, or False."""
    return _NumpyArrayScope(active)


def set_np_shape(active: bool) -> bool:
    """Read shapes as NumPy does from now on, or as MXNet does; returns what was in force."""
    if not active and _flags.array:
        raise ValueError("[set_np_shape] arrays are those of mx.np, which need it; expected reset_np() first")
    before, _flags.shape = _flags.shape, bool(active)
    return before


def set_np(shape: bool = True, array: bool = True) -> None:
    """Choose how shapes are read and of which kind arrays are to be, from now on.

    Parameters
    ----------
    shape : bool
        As :func:`set_np_shape`.
    array : bool
        What :func:`is_np_array` says; it needs ``shape``.
    """
    if array and not shape:
        raise ValueError("[set_np] array is True and shape False; arrays of mx.np need shapes of NumPy")
    _flags.shape, _flags.array = bool(shape), bool(array)


def reset_np() -> None:
    """Undo :func:`set_np`."""
    set_np(shape=False, array=False)


def _decorate(target: Any, scope: Callable[[], _Scope], who: str) -> Any:
    """A function that runs in a scope; a class all of whose own functions and properties do."""
    if isinstance(target, type):
        # Functions that it inherits, too: they run on its objects.
        members = {
            name: member
            for parent in target.__mro__[-2:0:-1]
            for name, member in vars(parent).items()
            if isinstance(member, (FunctionType, property))
        }
        for name, member in {**members, **vars(target)}.items():
            if isinstance(member, property):
                get, put, drop = (
                    f and _decorate(f, scope, who) for f in (member.fget, member.fset, member.fdel)
                )
                setattr(target, name, property(get, put, drop, member.__doc__))
            elif isinstance(member, (classmethod, staticmethod)):
                setattr(target, name, type(member)(_decorate(member.__func__, scope, who)))
            elif callable(member) and not isinstance(member, type):
                setattr(target, name, _decorate(member, scope, who))
        return target
    if not callable(target):
        raise TypeError(f"[{who}] got {type(target).__name__}; expected a function or a class")

    @functools.wraps(target)
    def inside(*args: Any, **kwargs: Any) -> Any:
        with scope():
            return target(*args, **kwargs)

    return inside


def use_np_shape(func: T) -> T:
    """Has a function, or all functions of a class, run inside :func:`np_shape`."""
    return _decorate(func, np_shape, "use_np_shape")  # type: ignore[no-any-return]


def use_np_array(func: T) -> T:
    """Has a function, or all functions of a class, run inside :func:`np_array`."""
    return _decorate(func, np_array, "use_np_array")  # type: ignore[no-any-return]


def use_np(func: T) -> T:
    """Has a function, or all functions of a class, run inside :func:`np_shape` and :func:`np_array`."""
    return use_np_shape(use_np_array(func))
