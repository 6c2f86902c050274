"""Exceptions and small conversions that every module of mixgrad uses."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _base_names, _c_values, _core, _hints
from ._base_names import *  # noqa: F403
from ._base_names import _as_list, _Null, _NullType  # noqa: F401
from ._c_values import *  # noqa: F403
from ._class_property import ClassProperty as _MXClassPropertyDescriptor  # noqa: F401
from ._class_property import ClassPropertyMeta as _MXClassPropertyMetaClass  # noqa: F401
from ._class_property import classproperty, with_metaclass

__all__ = [  # noqa: PLE0604
    "AutogradError",
    "DTypeError",
    "FileError",
    "FileFormatError",
    "InternalError",
    "InvalidArgumentError",
    "MXIndexError",
    "MXNetError",
    "MissingFileError",
    "NotFoundError",
    "NotImplementedForSymbol",
    "NotSupportedForSparseNDArray",
    "OutOfMemoryError",
    "RefusedKindError",
    "RefusedTypeError",
    "RefusedValueError",
    "ShapeError",
    "SignatureError",
    "StoppedError",
    "UnknownExtentsError",
    "UnknownWordError",
    "UnsupportedError",
    "c2pyerror",
    "check_call",
    "classproperty",
    "error_types",
    "get_last_ffi_error",
    "register_error",
    "with_metaclass",
    *_base_names.__all__,
    *_c_values.__all__,
]


class MXNetError(RuntimeError):
    """Base of all errors raised by mixgrad; the name is MXNet's, so that old code catches it."""


class InvalidArgumentError(MXNetError, ValueError, AssertionError):
    """A value outside what the operator or function accepts."""


class ShapeError(MXNetError, ValueError):
    """Shapes that do not fit together."""


class SignatureError(MXNetError, TypeError):
    """An argument that a function does not have, or one that it needs and did not get."""


class RefusedValueError(ValueError, AssertionError):
    """A value outside what a Python function accepts; an ``AssertionError``, too, as MXNet raises there."""


class RefusedTypeError(TypeError, AssertionError):
    """An argument of a wrong type; an ``AssertionError``, too, as MXNet raises there."""


class RefusedKindError(TypeError, ValueError):
    """An argument of a wrong type; a ``ValueError``, too, as MXNet raises there."""


class UnknownWordError(ValueError, KeyError):
    """A word that an option does not have; a ``KeyError``, too, as MXNet raises there."""

    def __str__(self) -> str:  # KeyError would quote the message
        return str(self.args[0]) if self.args else ""


class DTypeError(MXNetError, TypeError):
    """Element types that do not fit together."""


class MXIndexError(MXNetError, IndexError, ValueError):
    """An index outside an axis."""


class OutOfMemoryError(MXNetError, MemoryError):
    """A device has no memory left."""


class NotFoundError(MXNetError, KeyError, ValueError):
    """No operator, key or file of that name."""

    def __str__(self) -> str:  # KeyError would quote the message
        return str(self.args[0]) if self.args else ""


class FileError(MXNetError, OSError):
    """Reading or writing outside the process failed."""


class MissingFileError(NotFoundError, FileNotFoundError):
    """No file of that name."""


class FileFormatError(MXNetError, ValueError):
    """A damaged or foreign file."""


class UnknownExtentsError(NotImplementedError, AttributeError):
    """A graph cannot be written down: it depends on extents or elements, which a symbol does not have."""


class UnsupportedError(MXNetError, NotImplementedError):
    """A device, dtype or feature that this build or machine lacks."""


class AutogradError(MXNetError):
    """A gradient that was not recorded, or a value it needs was changed in place."""


class InternalError(MXNetError):
    """A mistake of the library itself: please report it."""


class StoppedError(MXNetError):
    """Work or a wait that was given up, because the program ends or the user interrupted it."""


class NotImplementedForSymbol(UnsupportedError):
    """Arrays have this function, symbols do not."""

    _WHOSE = "symbols have not; a symbol gets values when it is bound"

    def __init__(self, function: Any, alias: Optional[str] = None, *args: Any) -> None:
        super().__init__(getattr(function, "__name__", str(function)), alias, *args)

    def __str__(self) -> str:
        function, alias, *given = self.args
        also = f" (the operator {alias!r})" if alias else ""
        kinds = f", which got {', '.join(type(one).__name__ for one in given)}" if given else ""
        return f"[{function}] arrays have this function{also}{kinds}; {self._WHOSE}"


class NotSupportedForSparseNDArray(NotImplementedForSymbol):
    """Dense arrays have this function, sparse ones do not."""

    _WHOSE = "sparse arrays have not; tostype('default') makes a dense one"


_core.set_exceptions(
    {
        1: InvalidArgumentError,
        2: ShapeError,
        3: DTypeError,
        4: MXIndexError,
        5: OutOfMemoryError,
        6: NotFoundError,
        7: FileError,
        8: FileFormatError,
        9: UnsupportedError,
        10: AutogradError,
        11: InternalError,
        12: StoppedError,
    }
)

# Numbers of MXNet's files; bfloat16 has no NumPy dtype of its own.
DTYPE_NAMES: dict[int, str] = {
    0: "float32",
    1: "float64",
    2: "float16",
    3: "uint8",
    4: "int32",
    5: "int8",
    6: "int64",
    7: "bool",
    12: "bfloat16",
}
DTYPE_NUMBERS: dict[str, int] = {name: number for number, name in DTYPE_NAMES.items()}
_NUMPY_TYPES: dict[int, type] = {
    0: np.float32,
    1: np.float64,
    2: np.float16,
    3: np.uint8,
    4: np.int32,
    5: np.int8,
    6: np.int64,
    7: np.bool_,
}

DTypeLike = Union[str, type, np.dtype, Any]


class bfloat16:
    """Stands for the dtype ``bfloat16``, which NumPy lacks: ``mx.nd.zeros((2,), dtype=mx.bfloat16)``."""


_core.set_dtypes({**_NUMPY_TYPES, 12: bfloat16})


def dtype_number(dtype: DTypeLike) -> int:
    """Number of a dtype given by name, NumPy type or NumPy dtype.

    >>> dtype_number("float32"), dtype_number(np.int64)
    (0, 6)
    """
    if dtype is None:
        return 0
    if isinstance(dtype, str):
        name = dtype
    elif isinstance(dtype, type) and issubclass(dtype, bfloat16):
        name = "bfloat16"
    else:
        try:
            name = np.dtype(dtype).name
        except (TypeError, ValueError):
            raise DTypeError(
                f"[dtype] {dtype!r:.60} is no dtype; known are {', '.join(DTYPE_NUMBERS)}"
            ) from None
    number = DTYPE_NUMBERS.get(name)
    return _number_of_other_name(name) if number is None else number


def _number_of_other_name(name: str) -> int:
    """Number of a dtype by a name that only NumPy knows, such as 'int', 'double' or '<f4'."""
    try:
        # NumPy takes single characters as its types' numbers, and commas and brackets for structures.
        if not all(one.isalnum() or one in "<>=|?_" for one in name):
            raise KeyError(name)
        return DTYPE_NUMBERS["bool" if name == "boolean" else np.dtype(name).name]
    except (KeyError, TypeError, ValueError):
        known = ", ".join(DTYPE_NUMBERS)
        raise DTypeError(
            f"[dtype] no dtype is called {name!r:.60}; known are {known}{_hints.near(name, DTYPE_NUMBERS)}"
        ) from None


# The C header's mg_grad_req.
_GRAD_REQS = {"null": 0, "write": 1, "add": 3}


def grad_req_number(word: Any, who: str) -> int:
    """Number of what a backward pass does with a gradient: 'write', 'add' or 'null'."""
    if not isinstance(word, str) or word not in _GRAD_REQS:
        raise UnknownWordError(f"[{who}] grad_req {word!r}; expected 'write', 'add' or 'null'")
    return _GRAD_REQS[word]


def grad_reqs_of(grad_req: Any, names: Sequence[str], who: str, default: str = "null") -> list[str]:
    """What a backward pass does with the gradient of each of ``names``.

    Parameters
    ----------
    grad_req : str, list or dict of str
        One word for all, one for each, or by name.
    names : list of str
        The arguments of a graph.
    who : str
        What messages begin with.
    default : str
        The word of names that a dict lacks.
    """
    if isinstance(grad_req, str):
        return [grad_req] * len(names)
    if isinstance(grad_req, Mapping):
        return [grad_req.get(name, default) for name in names]
    if not isinstance(grad_req, (list, tuple)):
        raise TypeError(f"[{who}] grad_req is {type(grad_req).__name__}; expected str, list or dict")
    if len(grad_req) != len(names):
        raise ValueError(f"[{who}] grad_req has {len(grad_req)} entries for {len(names)} arguments")
    return list(grad_req)


def whole(value: Any, who: str, name: str, low: int, high: int) -> int:
    """A whole number between two others, as an int.

    >>> whole(np.int64(3), "cpu", "device_id", 0, 10)
    3
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"[{who}] {name} is {value!r:.60}; expected a whole number") from None
    if not low <= number <= high:
        raise InvalidArgumentError(f"[{who}] {name} is {number}; expected {low} to {high}")
    return number


def path_text(path: Any, who: str) -> str:
    """A path as text.

    >>> path_text(b"weights.params", "load")
    'weights.params'
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"[{who}] got {type(path).__name__}; expected a path as text, bytes or os.PathLike")
    return os.fsdecode(path)


STORAGE_TYPES = ("default", "row_sparse", "csr")


def storage_number(stype: Any, who: str) -> int:
    """The number of a storage type.

    >>> storage_number("csr", "zeros")
    2
    """
    if not isinstance(stype, str) or stype not in STORAGE_TYPES:
        raise InvalidArgumentError(
            f"[{who}] storage type {stype!r:.60}; expected 'default', 'row_sparse' or 'csr'"
        )
    return STORAGE_TYPES.index(stype)


def extents(shape: Any, who: str) -> tuple[int, ...]:
    """A shape given as a whole number, or a sequence or NumPy array of them, as a tuple.

    >>> extents(3, "zeros"), extents([2, np.int64(3)], "zeros")
    ((3,), (2, 3))
    """
    try:
        if isinstance(shape, (str, bytes, dict, set)):
            raise TypeError
        if isinstance(shape, np.ndarray):
            shape = shape.tolist()
        items = (index(shape),) if hasattr(shape, "__index__") else tuple(index(s) for s in shape)
    except TypeError:
        raise TypeError(f"[{who}] got the shape {shape!r}; expected whole numbers") from None
    if any(not -(2**63) <= item < 2**63 for item in items):
        raise ShapeError(f"[{who}] shape {items} has an extent that 64 bits cannot hold")
    return items


def numpy_type(number: int) -> type:
    """The NumPy scalar type of a dtype number; ``bfloat16`` stands for itself."""
    return _NUMPY_TYPES.get(number, bfloat16)


class _NoLibraryError(UnsupportedError, AttributeError):
    """A function of MXNet's C library was asked for."""


_LIB = _c_values.NoLibrary(_NoLibraryError)


def check_call(ret: int) -> None:
    """Raises unless what a function of C returned is 0."""
    if ret != 0:
        raise MXNetError(f"[check_call] a function of C returned {ret}; expected 0")


def get_last_ffi_error() -> MXNetError:
    """The error of a function of C that failed; there are none to fail."""
    return MXNetError("[get_last_ffi_error] no function of MXNet's C library was called: there is none")


# Exceptions by the names with which messages of functions written elsewhere may begin.
error_types: dict[str, type[BaseException]] = {
    one.__name__: one
    for one in (
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        NotImplementedError,
        NotImplementedForSymbol,
        InternalError,
    )
}


def register_error(func_name: Any = None, cls: Any = None) -> Any:
    """File an exception under its name, or another one, for :func:`c2pyerror`.

    Parameters
    ----------
    func_name : str or class
        The name, or the class itself when this is used as a decorator.
    cls : class, optional
        The exception; left out, a decorator is returned.

    Examples
    --------
    >>> @register_error
    ... class LabelError(MXNetError):
    ...     pass
    >>> c2pyerror("LabelError: class 7")
    LabelError('class 7')
    """
    if callable(func_name):
        func_name, cls = func_name.__name__, func_name

    def register(one: Any) -> Any:
        error_types[func_name or one.__name__] = one
        return one

    return register if cls is None else register(cls)


def c2pyerror(err_msg: str) -> BaseException:
    """The exception that a message names at its beginning, else a :class:`MXNetError`."""
    name, colon, rest = err_msg.partition(":")
    kind = error_types.get(name.strip()) if colon else None
    return MXNetError(err_msg) if kind is None else kind(rest.strip())


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
