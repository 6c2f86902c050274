"""Integers at the ends of their types, and beside numbers that are none of theirs."""

from __future__ import annotations

import operator
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

DTYPES = ("int8", "uint8", "int32", "int64")
NUMBERS = [
    *(float("nan"), float("inf"), -float("inf"), 1.5, -0.5, 1e20, -1e20, 254.5, 300, -300),
    *(2.0**31, 2147483647.5, -(2.0**31), -2147483648.5, 2.0**63, -(2.0**63), 2**53 + 1, 2**62 + 1, -(2**70)),
]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


def ends(dtype: str) -> np.ndarray:
    """The outermost integers of a type, those beside them, and a few between."""
    limits = np.iinfo(dtype)
    few = [v for v in (-3, -2, -1, 0, 1, 2, 3, 7) if v >= limits.min]
    return np.array([limits.min, limits.min + 1, *few, limits.max - 1, limits.max], dtype)


def exact(numbers: np.ndarray) -> list[int]:
    return [int(v) for v in numbers]


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_comparisons_with_any_number(dtype: str, compare: Callable[..., Any]) -> None:
    values = ends(dtype)
    x, y = mx.np.array(values, dtype=dtype), mx.nd.array(values, dtype=dtype)
    function = getattr(
        mx.np,
        {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater"}.get(
            compare.__name__, "greater_equal"
        ),
    )
    for number in NUMBERS:
        expected = [compare(v, number) for v in exact(values)]
        assert compare(x, number).asnumpy().tolist() == expected, number
        assert compare(number, x).asnumpy().tolist() == [compare(number, v) for v in exact(values)], number
        assert function(x, number).asnumpy().tolist() == expected, number
        if float(number) == number:  # parameters of mx.nd's operators are doubles
            assert compare(y, number).asnumpy().tolist() == expected, number


@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_quotients(dtype: str) -> None:
    values = ends(dtype)
    pairs = np.array([(a, b) for a in values for b in values if b != 0], dtype)
    a, b = pairs[:, 0], pairs[:, 1]
    with np.errstate(over="ignore"):
        expected = a // b
    for array in (mx.nd.array, mx.np.array):
        first, second = array(a, dtype=dtype), array(b, dtype=dtype)
        np.testing.assert_array_equal((first // second).asnumpy(), expected)
        first //= second
        np.testing.assert_array_equal(first.asnumpy(), expected)
        for number in exact(values):
            if abs(number) > 2**53 and array is mx.nd.array:
                continue
            with np.errstate(all="ignore"):
                if number:
                    quotient = (array(values, dtype=dtype) // number).asnumpy()
                    np.testing.assert_array_equal(quotient, values // values.dtype.type(number))
                divisors = values[values != 0]
                quotient = (number // array(divisors, dtype=dtype)).asnumpy()
                np.testing.assert_array_equal(quotient, values.dtype.type(number) // divisors)
    assert (mx.np.array(values, dtype=dtype) // 0).asnumpy().tolist() == [0] * len(values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_at_the_ends(dtype: str) -> None:
    values = ends(dtype)
    x = mx.np.array(values, dtype=dtype)
    for number in (int(values.min()), int(values.max()), int(values.max()) - 1):
        scalar = values.dtype.type(number)
        with np.errstate(over="ignore"):
            for function in (np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.bitwise_xor):
                ours = getattr(mx.np, function.__name__)
                np.testing.assert_array_equal(ours(x, number).asnumpy(), function(values, scalar))
                np.testing.assert_array_equal(ours(number, x).asnumpy(), function(scalar, values))
            np.testing.assert_array_equal((x - number).asnumpy(), values - scalar)
            np.testing.assert_array_equal((number - x).asnumpy(), scalar - values)


REFUSING = ("add", "subtract", "multiply", "mod", "power", "maximum", "minimum", "floor_divide", "lcm")


@pytest.mark.parametrize("name", [*REFUSING, "bitwise_and", "bitwise_or", "bitwise_xor"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_that_the_type_lacks(dtype: str, name: str) -> None:
    x, limits = mx.np.ones(2, dtype=dtype), np.iinfo(dtype)
    function = getattr(mx.np, name)
    for number in (int(limits.max) + 1, int(limits.min) - 1, 2**70):
        with pytest.raises(OverflowError, match=f"{number} is none of {dtype}"):
            function(x, number)
        with pytest.raises(OverflowError, match=f"{number} is none of {dtype}"):
            function(number, x)


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.mod, operator.pow])
def test_operators_refuse_numbers_that_the_type_lacks(op: Callable[..., Any]) -> None:
    x = mx.np.ones(2, dtype="uint8")
    for number in (300, -1, float("nan"), float("inf"), 1e6, 2**70):
        for a, b in ((x, number), (number, x)):
            with pytest.raises(OverflowError, match="none of uint8, 0 to 255"):
                op(a, b)
    with pytest.raises(OverflowError, match="none of uint8"):
        x += 256
    np.testing.assert_array_equal(op(x, 255).asnumpy(), op(np.ones(2, "uint8"), np.uint8(255)))
    np.testing.assert_allclose((x / 300).asnumpy(), [1 / 300] * 2, rtol=1e-6)  # quotients are floats


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor])
def test_bits_of_truth_values_and_numbers(op: Callable[..., Any]) -> None:
    truth = np.array([True, False])
    x = mx.np.array(truth, dtype="bool")
    for number in (2, 1, 0, -1, True, False):
        for result, expected in ((op(x, number), op(truth, number)), (op(number, x), op(number, truth))):
            np.testing.assert_array_equal(result.asnumpy(), expected)
            assert result.dtype == expected.dtype, number
    for array in (x, mx.np.array([1, 2], dtype="int32")):
        with pytest.raises(TypeError, match=r"2\.5"):
            op(array, 2.5)


@pytest.mark.parametrize("dtype", [*DTYPES, "bool"])
@pytest.mark.parametrize("op", [operator.lshift, operator.rshift])
def test_shifts(op: Callable[..., Any], dtype: str) -> None:
    values = np.array([True, False]) if dtype == "bool" else ends(dtype)
    x = mx.np.array(values, dtype=dtype)
    bits = 8 * values.dtype.itemsize
    for places in (0, 1, 3, bits // 2, bits - 1):
        expected = op(values.astype("int64") if dtype == "bool" else values, places)
        np.testing.assert_array_equal(op(x, places).asnumpy(), expected)
        if dtype != "bool":
            many = mx.np.full(len(values), places, dtype=dtype)
            np.testing.assert_array_equal(op(x, many).asnumpy(), expected)
    np.testing.assert_array_equal(op(5, mx.np.array([0, 1], dtype=dtype)).asnumpy(), op(5, np.array([0, 1])))
    with pytest.raises(TypeError, match="expected integers"):
        op(x, 1.5)


def test_truth_values_in_quotients() -> None:
    truth = np.array([True, True])
    x = mx.np.array(truth, dtype="bool")
    for result, expected in ((x // 2, truth // 2), (7 // x, 7 // truth), (x // x, truth // truth)):
        np.testing.assert_array_equal(result.asnumpy(), expected)
        assert result.dtype == expected.dtype
