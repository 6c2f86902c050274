"""Dtypes of the namespace, and functions that ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

import numpy as onp

from ..context import Context
from ..numpy.ndarray import ndarray
from ..numpy.operands import promoted
from .operands import array_of, device_context

__all__ = [
    "astype",
    "bool",
    "can_cast",
    "finfo",
    "float32",
    "float64",
    "iinfo",
    "int8",
    "int32",
    "int64",
    "isdtype",
    "result_type",
    "uint8",
]

bool = onp.dtype("bool")
int8 = onp.dtype("int8")
int32 = onp.dtype("int32")
int64 = onp.dtype("int64")
uint8 = onp.dtype("uint8")
float32 = onp.dtype("float32")
float64 = onp.dtype("float64")

KINDS: dict[str, tuple[Any, ...]] = {
    "bool": (bool,),
    "signed integer": (int8, int32, int64),
    "unsigned integer": (uint8,),
    "integral": (int8, int32, int64, uint8),
    "real floating": (float32, float64),
    "complex floating": (),
    "numeric": (int8, int32, int64, uint8, float32, float64),
}


@dataclass(frozen=True)
class FloatLimits:
    """What :func:`finfo` says of a dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: Any


@dataclass(frozen=True)
class IntegerLimits:
    """What :func:`iinfo` says of a dtype."""

    bits: int
    max: int
    min: int
    dtype: Any


def _dtype(x: Any) -> Any:
    return x.dtype if isinstance(x, ndarray) else onp.dtype(x)


def astype(x: ndarray, dtype: Any, /, *, copy: Any = True, device: Union[Context, str, None] = None) -> Any:
    """The elements in another dtype.

    Parameters
    ----------
    x : ndarray
    dtype : dtype
    copy : bool
        False gives the array itself where it has that dtype and device.
    device : Context or str, optional
        By default the array's.
    """
    result = array_of(x, "astype").astype(dtype, copy=copy)
    where = device_context(device, "astype")
    return result if where is None else result.as_in_context(where)


def can_cast(from_: Any, to: Any, /) -> Any:
    """Whether a dtype, or that of an array, becomes another one by the standard's rules of promotion.

    They lead from integers to integers and from floats to floats alone.
    """
    source, target = _dtype(from_), onp.dtype(to)
    kinds = {"integers" if kind.kind in "iu" else kind.kind for kind in (source, target)}
    return len(kinds) == 1 and result_type(source, target) == target


def finfo(type: Any, /) -> FloatLimits:
    """Limits of a floating-point dtype, or of that of an array."""
    kind = _dtype(type)
    info = onp.finfo(kind)
    return FloatLimits(
        info.bits, float(info.eps), float(info.max), float(info.min), float(info.smallest_normal), kind
    )


def iinfo(type: Any, /) -> IntegerLimits:
    """Limits of a dtype of integers, or of that of an array."""
    kind = _dtype(type)
    info = onp.iinfo(kind)
    return IntegerLimits(info.bits, int(info.max), int(info.min), kind)


def isdtype(dtype: Any, kind: Any) -> Any:
    """Whether a dtype is another one, or of a kind.

    Parameters
    ----------
    dtype : dtype
    kind : dtype, str, or tuple of them
        Strings are 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating',
        'complex floating' and 'numeric'.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if not isinstance(kind, str):
        return onp.dtype(dtype) == onp.dtype(kind)
    if kind not in KINDS:
        raise ValueError(f"[isdtype] kind is {kind!r:.40}; expected a dtype or one of {', '.join(KINDS)}")
    return onp.dtype(dtype) in KINDS[kind]


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype of a result of arrays, dtypes and numbers of Python's, which take the kind beside them.

    Integers whose common dtype is not there (int16) have the next wider one.

    Examples
    --------
    >>> from mixgrad import array_api as xp
    >>> xp.result_type(xp.int8, xp.int32), xp.result_type(xp.ones(2), 1)
    (dtype('int32'), dtype('float32'))
    """
    # Python's own bool has no name in this module.
    numbers = [x for x in arrays_and_dtypes if not isinstance(x, type) and isinstance(x, (int, float))]
    kinds = [_dtype(x) for x in arrays_and_dtypes if isinstance(x, type) or not isinstance(x, (int, float))]
    if not kinds:
        raise ValueError("[result_type] no array and no dtype; expected one at least")
    common = onp.dtype(promoted([kind.name for kind in kinds]))
    if common.kind != "f" and any(isinstance(x, float) for x in numbers):
        return float32
    if common.kind == "b" and any(x is not True and x is not False for x in numbers):
        return int64
    return common
