"""Functions of every element, or of every two."""

from __future__ import annotations

from typing import Any

import numpy as onp

from .. import numpy as mx_np
from ..numpy.shifts import left_shift, right_shift
from .data_types import bool as bool_dtype
from .operands import array_of, computed_by_numpy, pair

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def _of_kind(x: Any, kinds: str, who: str) -> Any:
    words = {"b": "bool", "i": "integers", "u": "integers", "f": "floating-point numbers"}
    if array_of(x, who).dtype.kind not in kinds:
        expected = " or ".join(dict.fromkeys(words[kind] for kind in kinds))
        raise TypeError(f"[{who}] the array is of {x.dtype}; expected {expected}")
    return x


def _alike(x1: Any, x2: Any, kinds: str, who: str) -> list[Any]:
    a, b = pair(x1, x2, who)
    return [_of_kind(a, kinds, who), b]


def acos(x: Any, /) -> Any:
    """The arc cosine of floats."""
    return mx_np.arccos(_of_kind(x, "f", "acos"))


def acosh(x: Any, /) -> Any:
    """The inverse hyperbolic cosine of floats."""
    return mx_np.arccosh(_of_kind(x, "f", "acosh"))


def asin(x: Any, /) -> Any:
    """The arc sine of floats."""
    return mx_np.arcsin(_of_kind(x, "f", "asin"))


def asinh(x: Any, /) -> Any:
    """The inverse hyperbolic sine of floats."""
    return mx_np.arcsinh(_of_kind(x, "f", "asinh"))


def atan(x: Any, /) -> Any:
    """The arc tangent of floats."""
    return mx_np.arctan(_of_kind(x, "f", "atan"))


def atanh(x: Any, /) -> Any:
    """The inverse hyperbolic tangent of floats."""
    return mx_np.arctanh(_of_kind(x, "f", "atanh"))


def cos(x: Any, /) -> Any:
    """The cosine of floats."""
    return mx_np.cos(_of_kind(x, "f", "cos"))


def cosh(x: Any, /) -> Any:
    """The hyperbolic cosine of floats."""
    return mx_np.cosh(_of_kind(x, "f", "cosh"))


def exp(x: Any, /) -> Any:
    """The exponential of floats."""
    return mx_np.exp(_of_kind(x, "f", "exp"))


def expm1(x: Any, /) -> Any:
    """The exponential of floats, less 1."""
    return mx_np.expm1(_of_kind(x, "f", "expm1"))


def log(x: Any, /) -> Any:
    """The natural logarithm of floats."""
    return mx_np.log(_of_kind(x, "f", "log"))


def log10(x: Any, /) -> Any:
    """The logarithm of floats to base 10."""
    return mx_np.log10(_of_kind(x, "f", "log10"))


def log1p(x: Any, /) -> Any:
    """The natural logarithm of 1 plus floats."""
    return mx_np.log1p(_of_kind(x, "f", "log1p"))


def log2(x: Any, /) -> Any:
    """The logarithm of floats to base 2."""
    return mx_np.log2(_of_kind(x, "f", "log2"))


def reciprocal(x: Any, /) -> Any:
    """1 over floats."""
    return mx_np.reciprocal(_of_kind(x, "f", "reciprocal"))


def sin(x: Any, /) -> Any:
    """The sine of floats."""
    return mx_np.sin(_of_kind(x, "f", "sin"))


def sinh(x: Any, /) -> Any:
    """The hyperbolic sine of floats."""
    return mx_np.sinh(_of_kind(x, "f", "sinh"))


def sqrt(x: Any, /) -> Any:
    """The square root of floats."""
    return mx_np.sqrt(_of_kind(x, "f", "sqrt"))


def tan(x: Any, /) -> Any:
    """The tangent of floats."""
    return mx_np.tan(_of_kind(x, "f", "tan"))


def tanh(x: Any, /) -> Any:
    """The hyperbolic tangent of floats."""
    return mx_np.tanh(_of_kind(x, "f", "tanh"))


def add(x1: Any, x2: Any, /) -> Any:
    """The sum of numbers."""
    return mx_np.add(*_alike(x1, x2, "iuf", "add"))


def atan2(x1: Any, x2: Any, /) -> Any:
    """The angle whose tangent is ``x1 / x2``, in the quadrant of the two."""
    return mx_np.arctan2(*_alike(x1, x2, "f", "atan2"))


def copysign(x1: Any, x2: Any, /) -> Any:
    """The magnitude of ``x1`` with the sign of ``x2``."""
    return mx_np.copysign(*_alike(x1, x2, "f", "copysign"))


def divide(x1: Any, x2: Any, /) -> Any:
    """The quotient of floats."""
    return mx_np.divide(*_alike(x1, x2, "f", "divide"))


def hypot(x1: Any, x2: Any, /) -> Any:
    """The root of the sum of squares of two floats."""
    return mx_np.hypot(*_alike(x1, x2, "f", "hypot"))


def maximum(x1: Any, x2: Any, /) -> Any:
    """The larger of two numbers; NaN if one is."""
    return mx_np.maximum(*_alike(x1, x2, "iuf", "maximum"))


def minimum(x1: Any, x2: Any, /) -> Any:
    """The smaller of two numbers; NaN if one is."""
    return mx_np.minimum(*_alike(x1, x2, "iuf", "minimum"))


def multiply(x1: Any, x2: Any, /) -> Any:
    """The product of numbers."""
    return mx_np.multiply(*_alike(x1, x2, "iuf", "multiply"))


def pow(x1: Any, x2: Any, /) -> Any:
    """``x1`` to the power of ``x2``."""
    return mx_np.power(*_alike(x1, x2, "iuf", "pow"))


def subtract(x1: Any, x2: Any, /) -> Any:
    """The difference of numbers."""
    return mx_np.subtract(*_alike(x1, x2, "iuf", "subtract"))


def bitwise_and(x1: Any, x2: Any, /) -> Any:
    """The bits that both have."""
    return mx_np.bitwise_and(*_alike(x1, x2, "biu", "bitwise_and"))


def bitwise_or(x1: Any, x2: Any, /) -> Any:
    """The bits that either has."""
    return mx_np.bitwise_or(*_alike(x1, x2, "biu", "bitwise_or"))


def bitwise_xor(x1: Any, x2: Any, /) -> Any:
    """The bits that one alone has."""
    return mx_np.bitwise_xor(*_alike(x1, x2, "biu", "bitwise_xor"))


def equal(x1: Any, x2: Any, /) -> Any:
    """Whether two elements are equal."""
    return mx_np.equal(*_alike(x1, x2, "biuf", "equal"))


def not_equal(x1: Any, x2: Any, /) -> Any:
    """Whether two elements are not equal."""
    return mx_np.not_equal(*_alike(x1, x2, "biuf", "not_equal"))


def greater(x1: Any, x2: Any, /) -> Any:
    """Whether ``x1`` is larger."""
    return mx_np.greater(*_alike(x1, x2, "iuf", "greater"))


def greater_equal(x1: Any, x2: Any, /) -> Any:
    """Whether ``x1`` is larger or equal."""
    return mx_np.greater_equal(*_alike(x1, x2, "iuf", "greater_equal"))


def less(x1: Any, x2: Any, /) -> Any:
    """Whether ``x1`` is smaller."""
    return mx_np.less(*_alike(x1, x2, "iuf", "less"))


def less_equal(x1: Any, x2: Any, /) -> Any:
    """Whether ``x1`` is smaller or equal."""
    return mx_np.less_equal(*_alike(x1, x2, "iuf", "less_equal"))


def logical_and(x1: Any, x2: Any, /) -> Any:
    """Whether both are true."""
    return mx_np.logical_and(*_alike(x1, x2, "b", "logical_and"))


def logical_or(x1: Any, x2: Any, /) -> Any:
    """Whether either is true."""
    return mx_np.logical_or(*_alike(x1, x2, "b", "logical_or"))


def logical_xor(x1: Any, x2: Any, /) -> Any:
    """Whether one alone is true."""
    return mx_np.logical_xor(*_alike(x1, x2, "b", "logical_xor"))


def floor_divide(x1: Any, x2: Any, /) -> Any:
    """The quotient of numbers, rounded down."""
    return mx_np.floor_divide(*_alike(x1, x2, "iuf", "floor_divide"))


def remainder(x1: Any, x2: Any, /) -> Any:
    """What is left of ``x1`` divided by ``x2``, with the sign of ``x2``."""
    return mx_np.remainder(*_alike(x1, x2, "iuf", "remainder"))


def bitwise_left_shift(x1: Any, x2: Any, /) -> Any:
    """The bits moved up by ``x2`` places, with zeros below."""
    return left_shift(*_alike(x1, x2, "iu", "bitwise_left_shift"))


def bitwise_right_shift(x1: Any, x2: Any, /) -> Any:
    """The bits moved down by ``x2`` places, with the sign's above."""
    return right_shift(*_alike(x1, x2, "iu", "bitwise_right_shift"))


def bitwise_invert(x: Any, /) -> Any:
    """The bits that it lacks."""
    return mx_np.bitwise_not(_of_kind(x, "biu", "bitwise_invert"))


def logical_not(x: Any, /) -> Any:
    """Whether it is false."""
    return mx_np.logical_not(_of_kind(x, "b", "logical_not"))


def abs(x: Any, /) -> Any:
    """The magnitude of numbers."""
    return mx_np.abs(_of_kind(x, "iuf", "abs"))


def negative(x: Any, /) -> Any:
    """Numbers with the other sign."""
    return mx_np.negative(_of_kind(x, "iuf", "negative"))


def positive(x: Any, /) -> Any:
    """A copy of numbers."""
    return mx_np.copy(_of_kind(x, "iuf", "positive"))


def square(x: Any, /) -> Any:
    """The square of numbers."""
    return mx_np.square(_of_kind(x, "iuf", "square"))


def sign(x: Any, /) -> Any:
    """-1, 0 or 1 as numbers are below, at or above 0; NaN of NaN."""
    x = _of_kind(x, "iuf", "sign")
    return mx_np.sign(x) if x.dtype.kind != "f" else mx_np.where(mx_np.isnan(x), x, mx_np.sign(x))


def _whole(name: str, x: Any) -> Any:
    x = _of_kind(x, "iuf", name)
    return getattr(mx_np, name)(x) if x.dtype.kind == "f" else x.copy()


def ceil(x: Any, /) -> Any:
    """The nearest whole number from above."""
    return _whole("ceil", x)


def floor(x: Any, /) -> Any:
    """The nearest whole number from below."""
    return _whole("floor", x)


def trunc(x: Any, /) -> Any:
    """The nearest whole number towards 0."""
    return _whole("trunc", x)


def round(x: Any, /) -> Any:
    """The nearest whole number, of two the even one."""
    result = _whole("round", x)
    return mx_np.copysign(result, x) if x.dtype.kind == "f" else result


def _asked(name: str, x: Any, of_integers: bool) -> Any:
    x = _of_kind(x, "iuf", name)
    if x.dtype.kind == "f":
        return getattr(mx_np, name)(x)
    return mx_np.full(x.shape, of_integers, bool_dtype, ctx=x.context)


def isfinite(x: Any, /) -> Any:
    """Whether numbers are neither infinite nor NaN."""
    return _asked("isfinite", x, True)


def isinf(x: Any, /) -> Any:
    """Whether numbers are infinite."""
    return _asked("isinf", x, False)


def isnan(x: Any, /) -> Any:
    """Whether numbers are NaN."""
    return _asked("isnan", x, False)


def signbit(x: Any, /) -> Any:
    """Whether the sign bit of floats is set, as of -0.0."""
    x = _of_kind(x, "f", "signbit")
    return mx_np.less(mx_np.copysign(mx_np.ones_like(x), x), 0)


def nextafter(x1: Any, x2: Any, /) -> Any:
    """The float beside ``x1`` in the direction of ``x2``; computed by NumPy."""
    return computed_by_numpy(onp.nextafter, *_alike(x1, x2, "f", "nextafter"))


def logaddexp(x1: Any, x2: Any, /) -> Any:
    """The logarithm of ``exp(x1) + exp(x2)``, without overflow."""
    a, b = _alike(x1, x2, "f", "logaddexp")
    apart = mx_np.abs(a - b)
    # Two equal infinities are not apart.
    apart = mx_np.where(a == b, mx_np.zeros_like(apart), apart)
    return mx_np.maximum(a, b) + mx_np.log1p(mx_np.exp(-apart))


def conj(x: Any, /) -> Any:
    """Real numbers themselves."""
    return _of_kind(x, "iuf", "conj")


def real(x: Any, /) -> Any:
    """Real numbers themselves."""
    return _of_kind(x, "iuf", "real")


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Numbers, but those below ``min`` or above ``max`` become that.

    Parameters
    ----------
    x : ndarray
    min, max : number or ndarray, optional
        They broadcast with ``x``, and take its dtype.
    """
    result = _of_kind(x, "iuf", "clip")
    bound: Any
    for bound, nearer in ((min, mx_np.maximum), (max, mx_np.minimum)):
        if bound is not None:
            bound = pair(result, bound, "clip")[1]
            result = nearer(result, bound.astype(x.dtype, copy=False))
    return result.copy() if result is x else result
