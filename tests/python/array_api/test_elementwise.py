"""Functions and operators of every element: results, dtypes and special values as in array_api_strict."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard_peer import (
    DTYPES,
    FLOATS,
    INTEGERS,
    NUMBERS,
    SPECIAL,
    arrays,
    check,
    elements,
    few,
    shapes,
)

from mixgrad import array_api as xp

_F = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log", "log10"),
    *("log1p", "log2", "reciprocal", "signbit", "sin", "sinh", "sqrt", "tan", "tanh"),
)
_N = (
    *("abs", "ceil", "floor", "isfinite", "isinf", "isnan", "negative", "positive", "round", "sign"),
    *("square", "trunc"),
)
UNARY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_F, FLOATS),
    **dict.fromkeys(_N, NUMBERS),
    **dict.fromkeys(("conj", "real"), FLOATS),
    "bitwise_invert": ("bool", *INTEGERS),
    "logical_not": ("bool",),
}
_COMPARED = (
    *("add", "floor_divide", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum"),
    *("multiply", "pow", "remainder", "subtract"),
)
BINARY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["atan2", "copysign", "divide", "hypot", "logaddexp", "nextafter"], FLOATS),
    **dict.fromkeys(_COMPARED, NUMBERS),
    **dict.fromkeys(["bitwise_left_shift", "bitwise_right_shift"], INTEGERS),
    **dict.fromkeys(["bitwise_and", "bitwise_or", "bitwise_xor"], ("bool", *INTEGERS)),
    **dict.fromkeys(["equal", "not_equal"], DTYPES),
    **dict.fromkeys(["logical_and", "logical_or", "logical_xor"], ("bool",)),
}


def _cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, dtype) for name in sorted(table) for dtype in table[name]]


def _apply(name: str) -> Any:
    return lambda ns, *xs: getattr(ns, name)(*xs)


@pytest.mark.parametrize(("name", "dtype"), _cases(UNARY))
def test_one_array(name: str, dtype: str) -> None:
    @few
    @given(arrays(dtype))
    def run(x: Any) -> None:
        if name in ("sin", "cos", "tan"):
            x = np.asarray(np.clip(x, -20, 20))
        check(_apply(name), x)

    run()


@pytest.mark.parametrize(("name", "dtype"), _cases({k: v for k, v in UNARY.items() if "float32" in v}))
def test_special_values(name: str, dtype: str) -> None:
    if dtype in FLOATS:
        values = [v for v in SPECIAL if name not in ("sin", "cos", "tan") or not 10 < abs(v) < np.inf]
        check(_apply(name), np.array(values, dtype), zeros=True)
    else:
        limits = np.iinfo(dtype)
        check(_apply(name), np.array([limits.min, limits.max, 0, 1], dtype))


def _two(dtype: str, name: str) -> Any:
    both = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)

    @st.composite
    def draw(pick: Any) -> tuple[Any, Any]:
        first, second = pick(both).input_shapes
        a = pick(hnp.arrays(dtype, first, elements=elements(dtype, 100)))
        small = elements(dtype, 100)
        if name == "pow":
            small = st.integers(0, 5) if dtype in INTEGERS else st.floats(-5, 5, width=32)
        if "shift" in name:
            small = st.integers(0, np.dtype(dtype).itemsize * 8)
        return a, pick(hnp.arrays(dtype, second, elements=small))

    return draw()


@pytest.mark.parametrize(("name", "dtype"), _cases(BINARY))
def test_two_arrays(name: str, dtype: str) -> None:
    @few
    @given(_two(dtype, name))
    def run(both: Any) -> None:
        a, b = both
        if name in ("floor_divide", "remainder") and dtype in INTEGERS:
            b = np.asarray(np.where(b == 0, np.ones_like(b), b))
        if dtype in FLOATS and name in ("floor_divide", "remainder"):
            a, b = np.asarray(np.round(a)), np.asarray(np.round(b))
            b = np.asarray(np.where(b == 0, np.ones_like(b), b))
        if name == "pow" and dtype in FLOATS:
            a = np.asarray(np.abs(a))
        check(_apply(name), a, b, rtol=1e-5 if name == "pow" and dtype == "float32" else None)

    run()


@pytest.mark.parametrize(
    ("name", "dtype"), _cases({k: v for k, v in BINARY.items() if "float32" in v and "bool" not in v})
)
def test_special_pairs(name: str, dtype: str) -> None:
    if dtype in FLOATS:
        values = np.array(SPECIAL, dtype)
        a, b = values[:, None], values[None]
        if name in ("floor_divide", "remainder"):  # NumPy itself differs from the standard elsewhere
            a, b = a[np.abs(a) < 1e20][:, None], b[(np.abs(b) < 1e20) & (b != 0)][None]
        check(_apply(name), a, b, zeros=name not in ("maximum", "minimum", "floor_divide", "remainder"))
        return
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.max, 0, 1, 2, 7], dtype)
    second = values[values > 0] if name in ("floor_divide", "remainder") else values
    second = values[(values >= 0) & (values < 100)] if name == "pow" else second
    check(_apply(name), values[:, None], second[None])


@pytest.mark.parametrize(("name", "dtype"), _cases({k: v for k, v in BINARY.items() if "bool" not in v}))
def test_a_number_beside_an_array(name: str, dtype: str) -> None:
    x = np.arange(1, 4).astype(dtype)
    number = 2.0 if dtype in FLOATS else 2
    check(lambda ns, a: getattr(ns, name)(a, number), x)
    check(lambda ns, a: getattr(ns, name)(number, a), x)


PAIRS = [(a, b) for kinds in (INTEGERS, FLOATS) for a in kinds for b in kinds if {a, b} != {"int8", "uint8"}]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_promotion(first: str, second: str) -> None:
    a, b = np.arange(1, 4).astype(first), np.arange(2, 5).astype(second)
    for name in ("add", "multiply", "maximum", "pow", "floor_divide", "remainder", "less", "equal"):
        check(_apply(name), a, b)
    for function in (operator.add, operator.mul, operator.floordiv, operator.mod, operator.pow, operator.lt):
        check(lambda ns, x, y, function=function: function(x, y), a, b)
    check(lambda ns, x, y: str(ns.result_type(x, y)).rpartition(".")[2], a, b)


def test_promotion_to_a_dtype_that_is_not_there() -> None:
    assert xp.result_type(xp.int8, xp.uint8) == xp.int32  # int16 in the standard
    assert (xp.ones(2, dtype=xp.int8) + xp.ones(2, dtype=xp.uint8)).dtype == xp.int32


_SYMBOLS = (
    *("add", "sub", "mul", "pow", "mod", "floordiv", "lt", "le", "gt", "ge", "eq", "ne", "and_", "or_"),
    *("xor", "lshift", "rshift", "truediv"),
)


def _supports(name: str, dtype: str) -> bool:
    if name in ("eq", "ne"):
        return True
    if name in ("and_", "or_", "xor"):
        return dtype not in FLOATS
    if "shift" in name:
        return dtype in INTEGERS
    return dtype in FLOATS if name == "truediv" else dtype != "bool"


OPERATORS = [(name, dtype) for name in _SYMBOLS for dtype in DTYPES if _supports(name, dtype)]


@pytest.mark.parametrize(("name", "dtype"), OPERATORS)
def test_operator(name: str, dtype: str) -> None:
    function = getattr(operator, name)
    x = np.array([0, 1, 3, 5]).astype(dtype)
    y = np.array([1, 2, 1, 3]).astype(dtype)
    number: Any = True if dtype == "bool" else 2.0 if dtype in FLOATS else 2
    check(lambda ns, a, b: function(a, b), x, y)
    check(lambda ns, a: function(a, number), x)
    check(lambda ns, a: function(number, a), y)
    inplace = getattr(operator, "i" + name.rstrip("_"), None) or getattr(operator, "i" + name, None)
    if inplace is not None:
        check(lambda ns, a, b: inplace(a, b), x, y)
        check(lambda ns, a: inplace(a, number), x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operator_of_one_array(dtype: str) -> None:
    x = np.array([0, 1, 3]).astype(dtype)
    for name in ("neg", "pos", "abs") if dtype != "bool" else ("invert",):
        check(lambda ns, a, name=name: getattr(operator, name)(a), x)
    if dtype in INTEGERS:
        check(lambda ns, a: ~a, x)


@pytest.mark.parametrize("dtype", NUMBERS)
@few
@given(st.data())
def test_clip(dtype: str, data: Any) -> None:
    x = data.draw(arrays(dtype, shapes, 100))
    low, high = sorted(data.draw(st.tuples(st.integers(0, 50), st.integers(0, 50))))
    bounds = [data.draw(st.sampled_from([None, low])), data.draw(st.sampled_from([None, high]))]
    check(lambda ns, a: ns.clip(a, *bounds), x)
    check(lambda ns, a, b: ns.clip(a, b, high), x, np.array(low, dtype))


@pytest.mark.parametrize("name", sorted({**UNARY, **BINARY}))
def test_what_is_no_array_is_refused(name: str) -> None:
    arguments = [[1.0, 2.0]] * (2 if name in BINARY else 1)
    with pytest.raises(TypeError, match=name):
        getattr(xp, name)(*arguments)


@pytest.mark.parametrize("name", _F)
def test_integers_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match="expected floating-point numbers"):
        getattr(xp, name)(xp.ones(2, dtype=xp.int32))
