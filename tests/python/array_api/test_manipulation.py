"""Functions of shapes, reductions, sorting and sets: as in array_api_strict, on drawn arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard_peer import DTYPES, FLOATS, NUMBERS, arrays, check, few, shapes, some

from mixgrad import array_api as xp

# For each function: the array's shapes, its dtypes, and what draws the call.
Draw = Any
CASES: dict[str, tuple[Any, tuple[str, ...], Any]] = {}


def case(shape: Any = shapes, dtypes: tuple[str, ...] = DTYPES) -> Any:
    def add(function: Any) -> Any:
        CASES[function.__name__.rstrip("_")] = (shape, dtypes, function)
        return function

    return add


def an_axis(pick: Draw, x: Any) -> int:
    return pick(st.integers(-x.ndim, x.ndim - 1))


def axes(pick: Draw, x: Any) -> Any:
    several = st.lists(st.integers(0, x.ndim - 1), unique=True).map(tuple) if x.ndim else st.just(())
    return pick(st.none() | several | (st.integers(-x.ndim, x.ndim - 1) if x.ndim else st.none()))


def words(pick: Draw, x: Any) -> dict[str, Any]:
    return {"axis": axes(pick, x), "keepdims": pick(st.booleans())}


@case()
def broadcast_to(pick: Draw, x: Any) -> Any:
    shape = (2, *(3 if n == 1 else n for n in x.shape))
    return lambda ns, a: ns.broadcast_to(a, shape)


@case()
def broadcast_arrays(pick: Draw, x: Any) -> Any:
    return lambda ns, a: ns.broadcast_arrays(a, ns.ones((2, *a.shape), dtype=ns.float32))


@case(some)
def concat(pick: Draw, x: Any) -> Any:
    axis = pick(st.none() | st.integers(-x.ndim, x.ndim - 1))
    return lambda ns, a: ns.concat([a, a, a], axis=axis)


@case()
def stack(pick: Draw, x: Any) -> Any:
    axis = pick(st.integers(-x.ndim - 1, x.ndim))
    return lambda ns, a: ns.stack((a, a), axis=axis)


@case(some)
def unstack(pick: Draw, x: Any) -> Any:
    axis = an_axis(pick, x)
    return lambda ns, a: ns.unstack(a, axis=axis)


@case()
def expand_dims(pick: Draw, x: Any) -> Any:
    axis = pick(st.integers(-x.ndim - 1, x.ndim))
    return lambda ns, a: ns.expand_dims(a, axis)


@case()
def squeeze(pick: Draw, x: Any) -> Any:
    ones = tuple(i for i, n in enumerate(x.shape) if n == 1)
    return lambda ns, a: ns.squeeze(a, ones)


@case()
def flip(pick: Draw, x: Any) -> Any:
    axis = axes(pick, x)
    return lambda ns, a: ns.flip(a, axis=axis)


@case(hnp.array_shapes(min_dims=2, max_dims=4, min_side=0))
def matrix_transpose(pick: Draw, x: Any) -> Any:
    return lambda ns, a: (ns.matrix_transpose(a), a.mT, ns.linalg.matrix_transpose(a))


@case(some)
def moveaxis(pick: Draw, x: Any) -> Any:
    first, second = an_axis(pick, x), an_axis(pick, x)
    order = pick(st.permutations(range(x.ndim)))
    return lambda ns, a: (ns.moveaxis(a, first, second), ns.moveaxis(a, tuple(range(a.ndim)), tuple(order)))


@case()
def permute_dims(pick: Draw, x: Any) -> Any:
    order = tuple(pick(st.permutations(range(x.ndim))))
    return lambda ns, a: ns.permute_dims(a, order)


@case(some)
def repeat(pick: Draw, x: Any) -> Any:
    axis = an_axis(pick, x)
    times = pick(st.integers(0, 3))
    each = np.array(
        pick(st.lists(st.integers(0, 3), min_size=x.shape[axis], max_size=x.shape[axis])), "int64"
    )
    return lambda ns, a: (
        ns.repeat(a, times),
        ns.repeat(a, times, axis=axis),
        ns.repeat(a, ns.asarray(each), axis=axis),
    )


@case()
def reshape(pick: Draw, x: Any) -> Any:
    copy = pick(st.sampled_from([None, True]))
    return lambda ns, a: (ns.reshape(a, (a.size,), copy=copy), ns.reshape(a, (1, *a.shape, 1), copy=copy))


@case()
def roll(pick: Draw, x: Any) -> Any:
    shift = pick(st.integers(-5, 5))
    if not x.ndim:
        return lambda ns, a: ns.roll(a, shift)
    axis = an_axis(pick, x)
    every = tuple(range(x.ndim))
    return lambda ns, a: (
        ns.roll(a, shift),
        ns.roll(a, shift, axis=axis),
        ns.roll(a, (shift, *every[1:]), axis=every),
    )


@case()
def tile(pick: Draw, x: Any) -> Any:
    times = tuple(pick(st.lists(st.integers(0, 2), max_size=3)))
    return lambda ns, a: ns.tile(a, times)


@case(hnp.array_shapes(min_dims=2, max_dims=3, min_side=1))
def tril(pick: Draw, x: Any) -> Any:
    k = pick(st.integers(-5, 5))
    return lambda ns, a: ns.tril(a, k=k)


@case(hnp.array_shapes(min_dims=2, max_dims=3, min_side=1))
def triu(pick: Draw, x: Any) -> Any:
    k = pick(st.integers(-5, 5))
    return lambda ns, a: ns.triu(a, k=k)


def _reduction(name: str, shape: Any, dtypes: tuple[str, ...]) -> None:
    def draw(pick: Draw, x: Any) -> Any:
        given_words = words(pick, x)
        return lambda ns, a: getattr(ns, name)(a, **given_words)

    CASES[name] = (shape, dtypes, draw)


for _name in ("all", "any", "count_nonzero"):
    _reduction(_name, shapes, DTYPES)
for _name in ("max", "min"):
    _reduction(_name, some, NUMBERS)
for _name in ("sum", "prod"):  # sums of uint8 are uint64 in the standard: test_sums_of_uint8
    _reduction(_name, shapes, tuple(d for d in NUMBERS if d != "uint8"))
_reduction("mean", some, FLOATS)


@case(some, FLOATS)
def var(pick: Draw, x: Any) -> Any:
    more = words(pick, x)
    correction = pick(st.sampled_from([0.0, 0.5, -1.0]))
    return lambda ns, a: (
        ns.var(a, correction=correction, **more),
        ns.std(a, correction=correction, **more),
    )


@case(some, ("int8", "int32", "int64", "float32", "float64"))
def cumulative_sum(pick: Draw, x: Any) -> Any:
    axis, first = an_axis(pick, x), pick(st.booleans())
    return lambda ns, a: ns.cumulative_sum(a, axis=axis, include_initial=first)


@case(some, ("int8", "int32", "int64", "float32", "float64"))
def cumulative_prod(pick: Draw, x: Any) -> Any:
    axis, first = an_axis(pick, x), pick(st.booleans())
    return lambda ns, a: ns.cumulative_prod(a, axis=axis, include_initial=first)


@case(some, NUMBERS)
def diff(pick: Draw, x: Any) -> Any:
    axis, n = an_axis(pick, x), pick(st.integers(0, 3))
    return lambda ns, a: (ns.diff(a, axis=axis, n=n), ns.diff(a, axis=axis, n=n, prepend=a, append=a))


def _index(name: str) -> None:
    def draw(pick: Draw, x: Any) -> Any:
        axis = pick(st.none() | st.integers(-x.ndim, x.ndim - 1))
        keep = pick(st.booleans())
        return lambda ns, a: getattr(ns, name)(a, axis=axis, keepdims=keep)

    CASES[name] = (some, NUMBERS, draw)


_index("argmax")
_index("argmin")


@case(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0), NUMBERS)
def sort(pick: Draw, x: Any) -> Any:
    more = {"axis": an_axis(pick, x), "descending": pick(st.booleans()), "stable": pick(st.booleans())}
    return lambda ns, a: ns.sort(a, **more)


@case(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0), NUMBERS)
def argsort(pick: Draw, x: Any) -> Any:
    more = {"axis": an_axis(pick, x), "descending": pick(st.booleans())}
    return lambda ns, a: ns.argsort(a, **more)


@case(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0))
def nonzero(pick: Draw, x: Any) -> Any:
    return lambda ns, a: ns.nonzero(a)


@case(hnp.array_shapes(min_dims=1, max_dims=1), NUMBERS)
def searchsorted(pick: Draw, x: Any) -> Any:
    side = pick(st.sampled_from(["left", "right"]))
    return lambda ns, a: (
        ns.searchsorted(ns.sort(a), a, side=side),
        ns.searchsorted(a, a, side=side, sorter=ns.argsort(a)),
    )


@case()
def where(pick: Draw, x: Any) -> Any:
    chosen = pick(hnp.arrays("bool", x.shape))
    return lambda ns, a: (
        ns.where(ns.asarray(chosen), a, ns.zeros_like(a)),
        ns.where(ns.asarray(chosen), a, a),
    )


@case(some)
def take(pick: Draw, x: Any) -> Any:
    axis = an_axis(pick, x)
    places = pick(
        hnp.arrays("int64", hnp.array_shapes(max_dims=1), elements=st.integers(0, x.shape[axis] - 1))
    )
    return lambda ns, a: ns.take(a, ns.asarray(places), axis=axis)


@case(some)
def take_along_axis(pick: Draw, x: Any) -> Any:
    axis = an_axis(pick, x)
    places = pick(hnp.arrays("int64", x.shape, elements=st.integers(0, x.shape[axis] - 1)))
    return lambda ns, a: ns.take_along_axis(a, ns.asarray(places), axis=axis)


for _name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    CASES[_name] = (shapes, DTYPES, lambda pick, x, name=_name: lambda ns, a: tuple_of(getattr(ns, name)(a)))


def tuple_of(result: Any) -> Any:
    return tuple(result) if isinstance(result, tuple) else result


@case()
def astype(pick: Draw, x: Any) -> Any:
    target = pick(st.sampled_from(DTYPES if x.dtype.kind != "f" else ("bool", *FLOATS)))
    copy = pick(st.booleans())
    return lambda ns, a: ns.astype(a, getattr(ns, target), copy=copy)


CALLS = [(name, dtype) for name in CASES for dtype in CASES[name][1]]


@pytest.mark.parametrize(("name", "dtype"), CALLS)
def test_function(name: str, dtype: str) -> None:
    shape, _, draw = CASES[name]
    close = {
        "prod": 1e-4,
        "cumulative_prod": 1e-4,
        "var": 1e-3,
        "mean": 1e-4,
        "sum": 1e-4,
        "cumulative_sum": 1e-4,
    }

    @few
    @given(st.data())
    def run(data: Any) -> None:
        largest = 5 if name in ("prod", "cumulative_prod", "diff", "unique_all") else 100
        x = data.draw(arrays(dtype, shape, largest))
        check(draw(data.draw, x), x, rtol=close.get(name) if dtype == "float32" else 1e-9)

    run()


def test_sums_of_uint8() -> None:
    x = xp.asarray(np.array([200, 100], "uint8"))
    for function in (xp.sum, xp.prod, xp.cumulative_sum, xp.cumulative_prod):
        assert function(x).dtype == xp.int64  # uint64 in the standard
    assert int(xp.sum(x)) == 300
    assert xp.sum(x, dtype=xp.uint8).dtype == xp.uint8


def test_isin() -> None:
    values = np.array([[1, 2, 3], [3, 4, 200]])
    for dtype in NUMBERS:
        x = values.astype(dtype)
        for invert in (False, True):
            found = xp.isin(xp.asarray(x), xp.asarray(x[0]), invert=invert)
            assert (found.asnumpy() == np.isin(x, x[0], invert=invert)).all()
        assert (xp.isin(xp.asarray(x), 3).asnumpy() == (x == 3)).all()
        assert xp.isin(3, xp.asarray(x)).shape == ()
        assert bool(xp.isin(3, xp.asarray(x)))


def test_take_by_places_in_rows() -> None:
    x = xp.asarray(np.arange(24.0).reshape(2, 3, 4))
    places = np.array([[0, 2], [1, 1]])
    found = xp.take(x, xp.asarray(places), axis=1)
    assert (found.asnumpy() == np.take(x.asnumpy(), places, axis=1)).all()


def test_every_nan_is_distinct() -> None:
    x = np.array([np.nan, 1, np.nan, 1], "float32")
    for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
        check(lambda ns, a, name=name: tuple_of(getattr(ns, name)(a)), x)


def test_nan_in_reductions() -> None:
    x = np.array([1, np.nan, 3], "float64")
    for name in ("max", "min", "sum", "prod", "mean", "any", "all", "std"):
        check(lambda ns, a, name=name: getattr(ns, name)(a), x)


def test_no_elements() -> None:
    nothing = xp.zeros((2, 0), dtype=xp.int64)
    assert xp.take_along_axis(xp.zeros((2, 0)), nothing).shape == (2, 0)
    assert xp.take_along_axis(xp.zeros((2, 3)), nothing).shape == (2, 0)
    x = np.zeros((0, 2), "float32")
    for name in ("sum", "prod", "any", "all"):
        check(lambda ns, a, name=name: (getattr(ns, name)(a), getattr(ns, name)(a, axis=0)), x)


def _along(x: Any, places: Any) -> Any:
    return xp.take_along_axis(x, xp.asarray(places), axis=1).asnumpy()


REFUSED: dict[str, Any] = {
    "concat of nothing": lambda x: xp.concat([]),
    "concat beside the axes": lambda x: xp.concat([x, x], axis=2),
    "expand_dims beside the axes": lambda x: xp.expand_dims(x, 4),
    "squeeze of an axis that is longer": lambda x: xp.squeeze(x, 0),
    "permute_dims twice the same": lambda x: xp.permute_dims(x, (0, 0)),
    "sum over an axis twice": lambda x: xp.sum(x, axis=(0, 0)),
    "sum beside the axes": lambda x: xp.sum(x, axis=2),
    "mean of integers": lambda x: xp.mean(xp.astype(x, xp.int32)),
    "max of bool": lambda x: xp.max(x > 0),
    "argmax of bool": lambda x: xp.argmax(x > 0),
    "sort of bool": lambda x: xp.sort(x > 0),
    "cumulative_sum without an axis": xp.cumulative_sum,
    "take without an axis": lambda x: xp.take(x, xp.asarray([0])),
    "where by numbers": lambda x: xp.where(x, x, x),
    "nonzero without axes": lambda x: xp.nonzero(xp.asarray(1)),
    "roll of two by one": lambda x: xp.roll(x, (1, 2), axis=0),
    "isdtype of an unknown kind": lambda x: xp.isdtype(x.dtype, "fractions"),
    "complex numbers": lambda x: xp.asarray(1j),
    "a number too large": lambda x: xp.asarray(300, dtype=xp.uint8),
    "a copy that may not be": lambda x: xp.asarray([1], copy=False),
    "another version": lambda x: x.__array_namespace__(api_version="2019.01"),
    "take by fractions": lambda x: xp.take(x[0], xp.asarray([1.5])),
    "take_along_axis by fractions": lambda x: xp.take_along_axis(x, x, axis=1),
    "take_along_axis beyond a row": lambda x: _along(x, [[3], [0]]),
    "take_along_axis before a row": lambda x: _along(x, [[0], [-4]]),
    "tensordot of negative axes": lambda x: xp.tensordot(x, x, axes=-1),
    "arange of no steps": lambda x: xp.arange(0, 10, 0),
    "arange of no number": lambda x: xp.arange(float("nan")),
    "arange without end": lambda x: xp.arange(float("inf")),
    "full of a number too large": lambda x: xp.full((2,), 1 << 40, dtype=xp.int32),
    "mT of a vector": lambda x: x[0].mT,
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises((TypeError, ValueError, IndexError, OverflowError), match=r"\["):
        REFUSED[name](xp.ones((2, 3)))


def test_corrections_beyond_the_count() -> None:
    x = xp.asarray([1.0, 2.0])
    for correction in (2, 5, 2.5):
        assert float(xp.var(x, correction=correction)) == float(xp.std(x, correction=correction)) == np.inf
