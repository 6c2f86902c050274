"""What functions of ``mx.np`` do with their arguments: arrays, symbols, numbers, nested lists, dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from numbers import Number
from threading import local
from typing import TYPE_CHECKING, Any, Optional

import numpy as onp

from .. import _core
from ..base import DTYPE_NAMES, DTypeError, DTypeLike, dtype_number
from .operators import operators as _ops

if TYPE_CHECKING:
    from collections.abc import Iterator

# The class of arrays, which ndarray.py sets: it stands on this module.
array_class: type = _core.NDArrayBase

_PLAIN = frozenset((int, float, bool))
_NAMES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")
_INTEGERS = ("int8", "uint8", "int32", "int64")


class _Mode(local):
    symbols = False


_mode = _Mode()


@contextmanager
def making_symbols() -> Iterator[None]:
    """A scope in which functions without inputs, such as ``zeros``, give symbols."""
    before, _mode.symbols = _mode.symbols, True
    try:
        yield
    finally:
        _mode.symbols = before


def is_symbol(x: Any) -> bool:
    """Whether it is a symbol; the module of symbols need not be loaded for that."""
    return hasattr(type(x), "list_outputs")


def is_tensor(x: Any) -> bool:
    """Whether it is an array of the package or a symbol."""
    return isinstance(x, _core.NDArrayBase) or is_symbol(x)


def is_number(x: Any) -> bool:
    """Whether it is a number of Python's or NumPy's."""
    return type(x) in _PLAIN or isinstance(x, (onp.generic, Number))


def tensor(x: Any, like: Any = None) -> Any:
    """``x`` as an array of ``mx.np``, or a symbol of its kind.

    Parameters
    ----------
    x : array, symbol, number, or what NumPy reads as an array
        Arrays of ``mx.nd`` are taken as they are.
    like : array, optional
        Gives the device, and the dtype of a number.
    """
    if type(x) is array_class:
        return x
    if isinstance(x, _core.NDArrayBase):
        return x._as(array_class)
    if is_symbol(x):
        return x.as_np_ndarray()
    from .creation import array

    if like is None or is_symbol(like):
        return array(x)
    values = onp.asarray(x)
    listed = isinstance(x, (list, tuple))
    fractions = values.dtype.kind == "f"
    if is_number(x) or (("float" in dtype_of(like)) if fractions else listed):
        return array(values, dtype=dtype_of(like), ctx=like.context)
    return array(values, dtype="float32" if listed else None, ctx=like.context)


def tensors(xs: Any, who: str) -> list[Any]:
    """A sequence of arrays, or an array whose first axis is one, as a list."""
    if isinstance(xs, _core.NDArrayBase):
        return [tensor(x) for x in tensor(xs)]
    if is_symbol(xs):
        return [xs.as_np_ndarray()]
    if not isinstance(xs, (list, tuple)):
        raise TypeError(f"[{who}] got {type(xs).__name__}; expected a list or tuple of arrays")
    found = next((x for x in xs if is_tensor(x)), None)
    return [tensor(x, found) for x in xs]


def made(name: str, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """What an operator without inputs makes: an array, or a symbol inside :func:`making_symbols`."""
    if not _mode.symbols:
        result = getattr(_ops, name)(*args, out=out, **kwargs)
        return result if out is not None else given(result)
    from ..symbol.functions import internal

    ctx = kwargs.pop("ctx", None)
    words = {key: value for key, value in kwargs.items() if value is not None}
    if ctx is not None:
        words["ctx"] = str(ctx)
    return internal(name)(*args, **words).as_np_ndarray()


def given(result: Any) -> Any:
    """Arrays that an operator gave, of whatever class, as arrays of ``mx.np``."""
    if isinstance(result, (list, tuple)):
        return [given(one) for one in result]
    return result if type(result) is array_class else tensor(result)


def listed(result: Any) -> list[Any]:
    """The outputs of an operator as a list."""
    if isinstance(result, (list, tuple)):
        return list(result)
    if is_symbol(result) and len(result._handle) > 1:
        return [result[i] for i in range(len(result._handle))]
    return [result]


def dtype_name(dtype: DTypeLike, default: Optional[str] = "float32") -> Optional[str]:
    """The name of a dtype, given as NumPy's, by name, or as ``int``, ``float`` or ``bool``."""
    return default if dtype is None else DTYPE_NAMES[dtype_number(dtype)]


def dtype_of(x: Any) -> str:
    """The name of an array's dtype."""
    return DTYPE_NAMES[x._dtype_number]


def promoted(names: Sequence[str]) -> str:
    """The dtype of a result of several arrays: the widest float among them, else the integer that holds all.

    >>> promoted(["int64", "float32"]), promoted(["int8", "uint8"]), promoted(["bool", "int8"])
    ('float32', 'int32', 'int8')
    """
    floats = [name for name in names if "float" in name]
    if floats:
        if "bfloat16" in floats:
            return (
                "bfloat16"
                if set(floats) == {"bfloat16"}
                else "float32"
                if "float64" not in floats
                else "float64"
            )
        return max(floats, key=lambda name: onp.dtype(name).itemsize)
    kind: str = onp.result_type(*names).name
    return {"int16": "int32", "uint16": "int32", "uint32": "int64", "uint64": "int64"}.get(kind, kind)


def alike(xs: Sequence[Any]) -> list[Any]:
    """Arrays in one dtype; symbols, whose dtype is not known, as they are."""
    if any(is_symbol(x) for x in xs):
        return list(xs)
    names = [dtype_of(x) for x in xs]
    if len(set(names)) < 2:
        return list(xs)
    common = promoted(names)
    return [x if name == common else _ops.Cast(x, dtype=common) for x, name in zip(xs, names)]


def together(op: Callable[..., Any], xs: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
    """An operator on arrays, which come into one dtype where it asks for that."""
    try:
        return op(*xs, *args, **kwargs)
    except DTypeError:
        common = alike(xs)
        if all(a is b for a, b in zip(xs, common)):
            raise
        return op(*common, *args, **kwargs)


def delivered(result: Any, out: Any) -> Any:
    """The result, or ``out`` with its values."""
    if out is None:
        return result
    if result.shape != out.shape:
        from ..base import ShapeError

        raise ShapeError(f"[out] has shape {out.shape}; expected {result.shape}, that of the result")
    result.copyto(out)
    return out


def plain(value: Any) -> Any:
    """The same with NumPy arrays in place of arrays."""
    if isinstance(value, _core.NDArrayBase):
        return value.asnumpy()
    if type(value) in (list, tuple):
        return type(value)(plain(item) for item in value)
    return value


def is_recorded(value: Any) -> bool:
    """Whether a gradient would flow to one of the arrays in the arguments."""
    if isinstance(value, _core.NDArrayBase):
        return bool(value._recorded)
    return isinstance(value, (list, tuple)) and any(map(is_recorded, value))


def from_numpy(result: Any, ctx: Any = None) -> Any:
    """What a function of NumPy gave, with arrays of ``mx.np``; what they cannot hold stays."""
    if isinstance(result, onp.ndarray):
        from .creation import array

        kind = result.dtype
        if kind.name in _NAMES:
            return array(result, dtype=kind, ctx=ctx)
        if kind.kind in "iu":
            return array(result, dtype="int64" if kind.itemsize > 2 else "int32", ctx=ctx)
        return result
    if type(result) is list:
        return [from_numpy(one, ctx) for one in result]
    if isinstance(result, tuple):
        return tuple(from_numpy(one, ctx) for one in result)
    return result
