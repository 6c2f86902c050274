"""Random boxes and arrays of indices against NumPy, in several dtypes, also written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from opcase import Array
from test_operators import decode, encode, operators

DTYPES = st.sampled_from(["float32", "float64", "float16", "int8", "int64"])


@st.composite
def arrays(draw: st.DrawFn) -> tuple[Array, str]:
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    return np.arange(np.prod(shape), dtype=np.float64).reshape(shape) % 100, draw(DTYPES)


@st.composite
def boxes(draw: st.DrawFn, shape: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Begin, step and size per axis, inside the array."""
    box = []
    for extent in shape:
        begin = draw(st.integers(0, extent - 1))
        step = draw(st.sampled_from([-3, -2, -1, 1, 2, 3]))
        most = (extent - 1 - begin) // step if step > 0 else begin // -step
        box.append((begin, step, draw(st.integers(0, most + 1))))
    return box


@st.composite
def indices(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[list[int], list[Array]]:
    """Indexed axes and arrays of indices that broadcast together."""
    count = draw(st.integers(1, len(shape)))
    axes = sorted(draw(st.permutations(range(len(shape))))[:count])
    common = draw(st.lists(st.integers(0, 4), max_size=3))
    found = []
    for axis in axes:
        own = [n if draw(st.booleans()) else 1 for n in common[draw(st.integers(0, len(common))) :]]
        places = st.integers(-shape[axis], shape[axis] - 1)
        size = int(np.prod(own, dtype=int))
        found.append(np.array(draw(st.lists(places, min_size=size, max_size=size)), np.int64).reshape(own))
    return axes, found


def values_for(draw: Any, shape: tuple[int, ...]) -> Array:
    """Values that broadcast to a shape, and differ."""
    own = [n if draw(st.booleans()) else 1 for n in shape[draw(st.integers(0, len(shape))) :]]
    return 7.0 + np.arange(np.prod(own, dtype=int)).reshape(own) % 90


def call(op: str, inputs: list[Any], params: dict[str, Any], out: Any = None) -> Array:
    return decode(operators()[op](inputs, params, out)[0])


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_boxes(data: st.DataObject) -> None:
    x, dtype = data.draw(arrays())
    box = data.draw(boxes(x.shape))
    begin, step, size = (tuple(column) for column in zip(*box))
    params = {"begin": begin, "step": step, "size": size}
    key = np.ix_(*(b + s * np.arange(n) for b, s, n in box))
    np.testing.assert_array_equal(call("_strided_slice", [encode(x, dtype)], params), x[key])
    expected, value = x.copy(), values_for(data.draw, size)
    expected[key] = value
    array = encode(x, dtype)
    written = call("_strided_slice_assign", [array, encode(value, dtype)], params)
    np.testing.assert_array_equal(written, expected)
    np.testing.assert_array_equal(decode(array), x)
    call("_strided_slice_assign", [array, encode(value, dtype)], params, array)
    np.testing.assert_array_equal(decode(array), expected)


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_arrays_of_indices(data: st.DataObject) -> None:
    x, dtype = data.draw(arrays())
    axes, found = data.draw(indices(x.shape))
    key: list[Any] = [slice(None)] * x.ndim
    for axis, index in zip(axes, found):
        key[axis] = index
    given_indices = [encode(index, "int64") for index in found]
    params = {"axes": tuple(axes)}
    selected = x[tuple(key)]
    np.testing.assert_array_equal(call("_index_gather", [encode(x, dtype), *given_indices], params), selected)
    value = values_for(data.draw, selected.shape)
    expected = x.copy()
    expected[tuple(key)] = value
    array = encode(x, dtype)
    call("_index_put", [array, encode(value, dtype), *given_indices], params, array)
    np.testing.assert_array_equal(decode(array), expected)
    summed = x.copy()
    np.add.at(summed, tuple(key), np.broadcast_to(value, selected.shape))
    if np.abs(summed).max() < 120:  # otherwise int8 wraps
        array = encode(x, dtype)
        call("_index_add", [array, encode(value, dtype), *given_indices], params, array)
        np.testing.assert_array_equal(decode(array), summed)


def test_overlap() -> None:
    """Values that share memory with the array they are written to are read before it changes."""
    array = encode(np.arange(12.0).reshape(6, 2), "float32")
    params = {"begin": (1, 0), "step": (1, 1), "size": (5, 2)}
    call("_strided_slice_assign", [array, array._rows(0, 5)], params, array)
    np.testing.assert_array_equal(decode(array)[:, 0], [0, 0, 2, 4, 6, 8])
    rows = encode(np.array([5, 4, 3, 2, 1]), "int64")
    call("_index_put", [array, array._rows(0, 5), rows], {"axes": (0,)}, array)
    np.testing.assert_array_equal(decode(array)[:, 0], [0, 6, 4, 2, 0, 0])
