"""Operators of two operands that differ in kind: numbers beside integers, two dtypes, lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as onp

from ..base import DTypeError, dtype_number
from ..ndarray import NDArray
from .operands import alike, delivered, dtype_of, is_number, tensor
from .operators import operators as _ops

__all__ = ["integers", "mixed", "number_beside", "takes_as_is"]

# The numbers that the integers of a dtype are. Truth values beside a number are int64.
_LARGEST = {"int8": 2**7 - 1, "uint8": 2**8 - 1, "int32": 2**31 - 1, "int64": 2**63 - 1, "bool": 2**63 - 1}
_INTEGERS = frozenset(map(dtype_number, _LARGEST))
_BITS = frozenset(("_npi_bitwise_and", "_npi_bitwise_or", "_npi_bitwise_xor"))
_COMPARISONS = frozenset(
    "_npi_" + name for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
)
# Whose numbers may be any: comparisons, and what computes in floats.
_OF_ANY = _COMPARISONS | {"_npi_" + name for name in ("true_divide", "arctan2", "hypot", "copysign", "ldexp")}
# Operators take numbers as doubles, which hold whole numbers up to this one.
_EXACT = 2**53


def takes_as_is(array: Any, number: Any) -> bool:
    """Whether an array of floats is beside a number of Python's that needs no look: most calls are of such.

    >>> import mixgrad as mx
    >>> takes_as_is(mx.np.ones(2), 2.5), takes_as_is(mx.np.ones(2, dtype="int32"), 2.5)
    (True, False)
    """
    return type(number) in (float, int) and -_EXACT < number < _EXACT and array._dtype_number not in _INTEGERS


def number_beside(name: str, array: Any, number: Any) -> Any:
    """A number as an operator on the array takes it.

    Parameters
    ----------
    name : str
        The operator on two arrays, such as ``'_npi_add'``.
    array : ndarray
    number : number

    Returns
    -------
    number or ndarray
        An array where the array is of integers and the number is not the one that the operator would see.

    Raises
    ------
    OverflowError
        The array's integers do not hold the number.
    DTypeError
        A number with a fraction beside bits.

    Examples
    --------
    >>> import mixgrad as mx
    >>> number_beside("_npi_add", mx.np.zeros(2, dtype="uint8"), 255)
    255
    """
    if array._dtype_number not in _INTEGERS:
        return _within_64_bits(number)
    kind = dtype_of(array)
    whole = not isinstance(number, (float, onp.floating))
    if name in _BITS:
        if not whole:
            raise DTypeError(f"[{name}] the number is {number!r}; bits are of whole numbers")
        if kind == "bool" and not isinstance(number, (bool, onp.bool_)):
            return tensor(onp.asarray(int(number), "int64"))
    high = _LARGEST[kind]
    low = 0 if kind == "uint8" else -high - 1
    far = whole and abs(int(number)) > _EXACT
    if name in _OF_ANY:
        exact = far and kind == "int64" and name in _COMPARISONS and low <= number <= high
        return tensor(onp.asarray(int(number), "int64")) if exact else _within_64_bits(number)
    if not low <= (number if whole or not math.isfinite(number) else math.trunc(number)) <= high:
        raise OverflowError(
            f"[{name}] the number {number!r} is none of {kind}, {low} to {high}; expected one of these, "
            "or an array of a wider dtype"
        )
    return tensor(onp.asarray(int(number), "int64")) if far else number


def _within_64_bits(number: Any) -> Any:
    """The number, as a float if it is a whole one that no integer of 64 bits is."""
    if not isinstance(number, int) or -(2**63) <= number < 2**63:
        return number
    return float(number) if abs(number) < 2**1023 else math.copysign(math.inf, number)


def integers(array: Any, dtype: str) -> Any:
    """The array, truth values as integers of that dtype."""
    return _ops.Cast(array, dtype=dtype) if dtype_of(array) == "bool" else array


def mixed(name: str, a: Any, b: Any, into: Any) -> Any:
    """What the operators of two operands refuse: those of two dtypes come into one, lists become arrays.

    Called by the array type with the name of the operator on two arrays.
    """
    if not all(isinstance(x, (NDArray, onp.ndarray, list, tuple)) or is_number(x) for x in (a, b)):
        return NotImplemented
    operator = getattr(_ops, name)
    refused = True
    if is_number(a) or is_number(b):
        number, array = (a, b) if is_number(a) else (b, a)
        other = number_beside(name, array, number)
        if isinstance(other, NDArray):
            refused = False
        else:
            kind = onp.result_type(array.dtype, onp.min_scalar_type(number)).kind
            other = tensor(onp.asarray(number), array) if kind == "f" else tensor(onp.asarray(number))
        a, b = (other, array) if is_number(a) else (array, other)
    like = a if isinstance(a, NDArray) else b
    pair = [tensor(x, like) for x in (a, b)]
    common = alike(pair)
    if refused and into is None and all(x is y for x, y in zip(common, (a, b))):
        raise DTypeError(
            f"[{name}] operands are of {pair[0].dtype} and {pair[1].dtype}, on which it is not defined"
        )
    result = operator(*common)
    if into is None:
        return result
    if into._dtype_number in _INTEGERS and result._dtype_number not in _INTEGERS:
        raise DTypeError(
            f"[{name}] the result is of {result.dtype}; it does not go into an array of {into.dtype}"
        )
    return delivered(result, into)
