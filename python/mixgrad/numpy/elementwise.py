"""Functions of elements: of one operand, and of two that broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Protocol, overload

import numpy as onp

from .. import _core, _hints
from ..base import DTypeError
from ..util import np_ufunc_legal_option
from .mixed import integers, number_beside, takes_as_is
from .ndarray import ndarray
from .operands import (
    alike,
    delivered,
    dtype_of,
    is_number,
    is_symbol,
    tensor,
    together,
)
from .operators import operators as _ops

__all__ = [
    "abs",
    "absolute",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "around",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "clip",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "equal",
    "exp",
    "expm1",
    "fabs",
    "fix",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "invert",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "lcm",
    "ldexp",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "nan_to_num",
    "negative",
    "not_equal",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "rint",
    "round",
    "round_",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]

_DEFAULTS = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}


def _options(who: str, words: dict[str, Any]) -> dict[str, Any]:
    """Checks NumPy's options of functions of elements; those left over are ``where`` and ``dtype``."""
    left = {}
    for word, value in words.items():
        if word not in _DEFAULTS:
            _hints.refuse_arguments(who, {word: value}, ["out", *_DEFAULTS])
        if value is _DEFAULTS[word] or (isinstance(value, str) and value == _DEFAULTS[word]):
            continue
        if word == "where" and value is not False:
            left[word] = value
        elif not np_ufunc_legal_option(word, value):
            raise TypeError(f"[{who}] {word} is {value!r:.60}; expected one of NumPy's values")
        else:
            raise NotImplementedError(f"[{who}] {word} is {value!r:.60}; expected {_DEFAULTS[word]!r}")
    return left


def _chosen(result: Any, mask: Any, out: Any) -> Any:
    """The result where the mask says so, else what ``out`` holds, or 0 without it."""
    from .creation import zeros_like
    from .searching import where

    return delivered(where(mask, result, zeros_like(result) if out is None else out), out)


class _OfOne(Protocol):
    """An array gives an array; a number, one of NumPy's numbers."""

    @overload
    def __call__(self, x: _core.NDArrayBase, out: Any = None, **kwargs: Any) -> ndarray: ...
    @overload
    def __call__(self, x: Any, out: Any = None, **kwargs: Any) -> Any: ...


class _OfTwo(Protocol):
    """An array beside anything gives an array; two numbers, one of NumPy's numbers."""

    @overload
    def __call__(self, x1: _core.NDArrayBase, x2: Any, out: Any = None, **kwargs: Any) -> ndarray: ...
    @overload
    def __call__(self, x1: Any, x2: _core.NDArrayBase, out: Any = None, **kwargs: Any) -> ndarray: ...
    @overload
    def __call__(self, x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any: ...


def _unary(name: str, what: str, on_number: Optional[Callable[..., Any]] = None) -> _OfOne:
    op = getattr(_ops, "_npi_" + name)
    of_number = on_number or getattr(onp, name)

    def function(x: Any, out: Any = None, **kwargs: Any) -> Any:
        if type(x) is not ndarray:
            if is_number(x):
                return of_number(x) if out is None else delivered(tensor(of_number(x), out), out)
            x = tensor(x)
        if not kwargs:
            return op(x, out=out)
        left = _options(name, kwargs)
        return _chosen(op(x), left["where"], out) if left else op(x, out=out)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "mixgrad.numpy"
    function.__doc__ = (
        f"{what}, element by element.\n\n    Parameters\n    ----------\n    x : array or number\n"
        "        A number gives a number of NumPy's.\n    out : ndarray, optional\n"
        "        Receives the result, which has "
        "its shape and dtype.\n    **kwargs\n"
        "        NumPy's options; only ``where`` may differ from its default.\n\n"
        f"    Notes\n    -----\n    Source: MXNet np.{name}."
    )
    return function


def _binary(
    name: str,
    what: str,
    op: str,
    scalar: str,
    reverse: str,
    on_numbers: Optional[Callable[..., Any]] = None,
) -> _OfTwo:
    array_op, scalar_op, reverse_op = (getattr(_ops, n) for n in (op, scalar, reverse))
    of_numbers = on_numbers or getattr(onp, name)

    def beside(array: Any, number: Any, on_number: Any, first: bool, out: Any) -> Any:
        if type(array) is not ndarray and is_symbol(array):
            return on_number(array, number, out=out)
        other = number_beside(op, array, number)
        if not isinstance(other, _core.NDArrayBase):
            return on_number(array, other, out=out)
        return together(array_op, [other, array] if first else [array, other], out=out)

    def apply(x1: Any, x2: Any, out: Any) -> Any:
        if type(x1) is ndarray and type(x2) is ndarray:
            try:
                return array_op(x1, x2, out=out)
            except DTypeError:
                return together(array_op, [x1, x2], out=out)
        if type(x1) is ndarray and takes_as_is(x1, x2):
            return scalar_op(x1, x2, out=out)
        if is_number(x2):
            if is_number(x1):
                result = of_numbers(x1, x2)
                return result if out is None else delivered(tensor(result, out), out)
            return beside(tensor(x1), x2, scalar_op, False, out)
        if is_number(x1):
            return beside(tensor(x2), x1, reverse_op, True, out)
        like = x1 if isinstance(x1, _core.NDArrayBase) else x2 if isinstance(x2, _core.NDArrayBase) else None
        return together(array_op, [tensor(x1, like), tensor(x2, like)], out=out)

    def function(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        left = _options(name, kwargs) if kwargs else kwargs
        return _chosen(apply(x1, x2, None), left["where"], out) if left else apply(x1, x2, out)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "mixgrad.numpy"
    function.__doc__ = (
        f"{what}, element by element; shapes broadcast.\n\n    Parameters\n    ----------\n"
        "    x1, x2 : array or number\n"
        "        A number takes the array's dtype; of two dtypes the result has the wider float. "
        "Two numbers give a "
        "number.\n    out : ndarray, optional\n"
        "        Receives the result, which has its shape and dtype.\n    **kwargs\n"
        "        NumPy's options; only ``where`` may differ from its default.\n\n    Notes\n    -----\n"
        f"    Source: MXNet np.{name}."
    )
    return function


abs = _unary("abs", "The absolute value")
absolute = _unary("absolute", "The absolute value")
arccos = _unary("arccos", "The angle whose cosine it is")
arccosh = _unary("arccosh", "The inverse of cosh")
arcsin = _unary("arcsin", "The angle whose sine it is")
arcsinh = _unary("arcsinh", "The inverse of sinh")
arctan = _unary("arctan", "The angle whose tangent it is")
arctanh = _unary("arctanh", "The inverse of tanh")
bitwise_not = _unary("bitwise_not", "Every bit inverted; of bool, not")
cbrt = _unary("cbrt", "The cube root")
ceil = _unary("ceil", "The nearest whole number not below")
cos = _unary("cos", "The cosine of radians")
cosh = _unary("cosh", "The hyperbolic cosine")
degrees = _unary("degrees", "Radians as degrees")
exp = _unary("exp", "e to the power")
expm1 = _unary("expm1", "e to the power, minus 1")
fix = _unary("fix", "The nearest whole number towards 0", lambda x: onp.float64(onp.trunc(x)))
floor = _unary("floor", "The nearest whole number not above")
isfinite = _unary("isfinite", "Whether it is neither infinite nor NaN, as bool")
isinf = _unary("isinf", "Whether it is infinite, as bool")
isnan = _unary("isnan", "Whether it is NaN, as bool")
isneginf = _unary("isneginf", "Whether it is -infinity, as bool")
isposinf = _unary("isposinf", "Whether it is infinity, as bool")
log = _unary("log", "The natural logarithm")
log10 = _unary("log10", "The logarithm to base 10")
log1p = _unary("log1p", "The natural logarithm of 1 plus it")
log2 = _unary("log2", "The logarithm to base 2")
logical_not = _unary("logical_not", "Whether it is 0, as bool")
negative = _unary("negative", "It with the other sign")
radians = _unary("radians", "Degrees as radians")
reciprocal = _unary("reciprocal", "1 over it")
rint = _unary("rint", "The nearest whole number")
sign = _unary("sign", "-1, 0 or 1")
sin = _unary("sin", "The sine of radians")
sinh = _unary("sinh", "The hyperbolic sine")
sqrt = _unary("sqrt", "The square root")
square = _unary("square", "It times itself")
tan = _unary("tan", "The tangent of radians")
tanh = _unary("tanh", "The hyperbolic tangent")
trunc = _unary("trunc", "The nearest whole number towards 0")

deg2rad = radians
rad2deg = degrees
fabs = absolute
invert = bitwise_not

add = _binary("add", "The sum", "_npi_add", "_npi_add_scalar", "_npi_add_scalar")
subtract = _binary(
    "subtract", "The difference", "_npi_subtract", "_npi_subtract_scalar", "_npi_rsubtract_scalar"
)
multiply = _binary("multiply", "The product", "_npi_multiply", "_npi_multiply_scalar", "_npi_multiply_scalar")
true_divide = _binary(
    "true_divide",
    "The quotient, float32 of integers",
    "_npi_true_divide",
    "_npi_true_divide_scalar",
    "_npi_rtrue_divide_scalar",
)
divide = true_divide
mod = _binary(
    "mod", "The remainder, of the divisor's sign", "_npi_mod", "_npi_mod_scalar", "_npi_rmod_scalar"
)
remainder = mod
power = _binary(
    "power", "The first to the power of the second", "_npi_power", "_npi_power_scalar", "_npi_rpower_scalar"
)
maximum = _binary("maximum", "The larger", "_npi_maximum", "_npi_maximum_scalar", "_npi_maximum_scalar")
minimum = _binary("minimum", "The smaller", "_npi_minimum", "_npi_minimum_scalar", "_npi_minimum_scalar")
arctan2 = _binary(
    "arctan2",
    "The angle of the point (x2, x1)",
    "_npi_arctan2",
    "_npi_arctan2_scalar",
    "_npi_rarctan2_scalar",
)
hypot = _binary(
    "hypot", "The root of the sum of squares", "_npi_hypot", "_npi_hypot_scalar", "_npi_hypot_scalar"
)
copysign = _binary(
    "copysign",
    "The first with the sign of the second",
    "_npi_copysign",
    "_npi_copysign_scalar",
    "_npi_rcopysign_scalar",
)
ldexp = _binary(
    "ldexp",
    "The first times 2 to the power of the second",
    "_npi_ldexp",
    "_npi_ldexp_scalar",
    "_npi_rldexp_scalar",
)
lcm = _binary("lcm", "The least common multiple", "_npi_lcm", "_npi_lcm_scalar", "_npi_lcm_scalar")
bitwise_and = _binary(
    "bitwise_and",
    "Bits that both have",
    "_npi_bitwise_and",
    "_npi_bitwise_and_scalar",
    "_npi_bitwise_and_scalar",
)
bitwise_or = _binary(
    "bitwise_or",
    "Bits that one of both has",
    "_npi_bitwise_or",
    "_npi_bitwise_or_scalar",
    "_npi_bitwise_or_scalar",
)
bitwise_xor = _binary(
    "bitwise_xor",
    "Bits that one alone has",
    "_npi_bitwise_xor",
    "_npi_bitwise_xor_scalar",
    "_npi_bitwise_xor_scalar",
)
equal = _binary(
    "equal", "Whether they are equal, as bool", "_npi_equal", "_npi_equal_scalar", "_npi_equal_scalar"
)
not_equal = _binary(
    "not_equal",
    "Whether they differ, as bool",
    "_npi_not_equal",
    "_npi_not_equal_scalar",
    "_npi_not_equal_scalar",
)
less = _binary(
    "less", "Whether the first is less, as bool", "_npi_less", "_npi_less_scalar", "_npi_greater_scalar"
)
less_equal = _binary(
    "less_equal",
    "Whether the first is not greater, as bool",
    "_npi_less_equal",
    "_npi_less_equal_scalar",
    "_npi_greater_equal_scalar",
)
greater = _binary(
    "greater",
    "Whether the first is greater, as bool",
    "_npi_greater",
    "_npi_greater_scalar",
    "_npi_less_scalar",
)
greater_equal = _binary(
    "greater_equal",
    "Whether the first is not less, as bool",
    "_npi_greater_equal",
    "_npi_greater_equal_scalar",
    "_npi_less_equal_scalar",
)


def floor_divide(x1: Any, x2: Any, out: Any = None) -> Any:
    """The quotient rounded down, element by element; shapes broadcast.

    Parameters
    ----------
    x1, x2 : array or number
        Of integers exact.
    out : ndarray, optional
        Receives the result.

    Notes
    -----
    MXNet 1.9.1 has no such function.
    """
    if is_number(x1) and is_number(x2):
        return onp.floor_divide(x1, x2)
    quotient: Any = None
    whole = not any(
        isinstance(x, (float, onp.floating)) or (isinstance(x, _core.NDArrayBase) and "float" in dtype_of(x))
        for x in (x1, x2)
    )
    if whole and not any(is_symbol(x) for x in (x1, x2)):
        if is_number(x1):
            divisor = integers(tensor(x2), "int64")
            left: Any = tensor(number_beside("floor_divide", divisor, x1), divisor)
        elif is_number(x2):
            left = integers(tensor(x1), "int64")
            divisor = number_beside("floor_divide", left, x2)
        else:
            left, divisor = integers(tensor(x1), "int8"), integers(tensor(x2), "int8")
        quotient = (
            _ops._floor_divide_scalar(left, divisor)
            if is_number(divisor)
            else _ops.broadcast_floor_divide(*alike([left, divisor]))
        )
    else:
        quotient = floor(true_divide(x1, x2))
    return delivered(quotient, out)


def logical_and(x1: Any, x2: Any, out: Any = None) -> Any:
    """Whether both are not 0, as bool, element by element; shapes broadcast.

    Parameters
    ----------
    x1, x2 : array or number
    out : ndarray, optional
        Receives the result.
    """
    return bitwise_and(_truth(x1), _truth(x2), out=out)


def logical_or(x1: Any, x2: Any, out: Any = None) -> Any:
    """Whether one is not 0, as bool, element by element; shapes broadcast.

    Parameters
    ----------
    x1, x2 : array or number
    out : ndarray, optional
        Receives the result.
    """
    return bitwise_or(_truth(x1), _truth(x2), out=out)


def logical_xor(x1: Any, x2: Any, out: Any = None) -> Any:
    """Whether one alone is not 0, as bool, element by element; shapes broadcast.

    Parameters
    ----------
    x1, x2 : array or number
    out : ndarray, optional
        Receives the result.
    """
    return bitwise_xor(_truth(x1), _truth(x2), out=out)


def _truth(x: Any) -> Any:
    return tensor(bool(x)).astype("bool") if is_number(x) else not_equal(tensor(x), 0)


def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The elements rounded to a number of decimals, below 0 of digits before the point.

    Parameters
    ----------
    x : array or number
    decimals : int
        How many.
    out : ndarray, optional
        Receives the result.
    """
    left = _options("around", kwargs)
    if is_number(x):
        return onp.around(x, decimals)
    result = _ops._npi_around(tensor(x), decimals=decimals, out=None if left else out)
    return _chosen(result, left["where"], out) if left else result


round = around
round_ = around


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> Any:
    """The elements, those outside of the bounds replaced by the nearer one.

    Parameters
    ----------
    a : array or number
    a_min, a_max : number or array, optional
        The bounds, of which one may be None.
    out : ndarray, optional
        Receives the result.
    """
    if a_min is None and a_max is None:
        raise ValueError("[clip] a_min and a_max are None; expected one bound at least")
    if is_number(a):
        return onp.clip(a, a_min, a_max)
    a = tensor(a)
    if all(bound is None or is_number(bound) for bound in (a_min, a_max)):
        low = -float("inf") if a_min is None else float(a_min)
        high = float("inf") if a_max is None else float(a_max)
        return _ops._npi_clip(a, low, high, out=out)
    result = a if a_min is None else maximum(a, a_min)
    result = result if a_max is None else minimum(result, a_max)
    return delivered(result, out)


def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: Optional[float] = None,
    neginf: Optional[float] = None,
) -> Any:
    """The elements with numbers in place of NaN and infinities.

    Parameters
    ----------
    x : array or number
    copy : bool
        False writes into ``x``.
    nan, posinf, neginf : float
        In place of NaN, infinity and -infinity; by default 0 and the outermost numbers of the dtype.
    """
    if is_number(x):
        return onp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    x = tensor(x)
    if not is_symbol(x) and "float" not in dtype_of(x):
        return x.copy() if copy else x
    return _ops._npi_nan_to_num(x, copy, nan, posinf, neginf, out=None if copy else x)


def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether the elements are equal within tolerances, as bool; computed by NumPy."""
    from .fallback import through_numpy

    return through_numpy(onp.isclose, (a, b), {"rtol": rtol, "atol": atol, "equal_nan": equal_nan})
