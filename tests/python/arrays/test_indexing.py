"""Indexing against NumPy: any key, reading, assigning, with gradients; views; MXNet's shape rule; errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mixgrad as mx

SHAPES = hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4)
MANY = settings(max_examples=400, deadline=None, derandomize=True)


def pattern(shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    return np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape)


def ruled(result: Any) -> np.ndarray:
    """MXNet has no 0-d results: one element has shape (1,)."""
    result = np.asarray(result)
    return result.reshape(1) if result.ndim == 0 else result


@st.composite
def mixed_keys(draw: Any, shape: tuple[int, ...]) -> Any:
    """Integers, slices, None, one ellipsis, index arrays that broadcast together, and masks."""
    broadcast = draw(hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=3))
    parts: list[Any] = []
    axis, dots = 0, draw(st.booleans())
    stop = draw(st.integers(0, len(shape)))
    while axis < stop:
        extent = shape[axis]
        kinds = ["slice", "none", "array", "mask"] + (["int"] if extent else [])
        kind = draw(st.sampled_from(kinds))
        if kind == "none":
            parts.append(None)
            if len(parts) > 6:
                break
            continue
        if kind == "int":
            parts.append(draw(st.integers(-extent, extent - 1)))
        elif kind == "slice":
            parts.append(draw(st.slices(extent)))
        elif kind == "mask":
            mask = draw(hnp.arrays(bool, (extent,)))
            if np.count_nonzero(mask) not in (1, broadcast[-1]):
                mask = np.zeros(extent, bool)
                mask[:1] = True
            if not extent:
                parts.append(slice(None))
            else:
                parts.append(mask)
        else:
            some = broadcast[draw(st.integers(0, len(broadcast) - 1)) :]
            if extent == 0 and 0 not in some:
                some = (0,) if broadcast[-1] == 0 else None
            if some is None:
                parts.append(slice(None))
            else:
                limit = max(extent, 1)
                parts.append(draw(hnp.arrays(np.int64, some, elements=st.integers(-limit, limit - 1))))
        axis += 1
    if dots:
        parts.insert(draw(st.integers(0, len(parts))), Ellipsis)
    return tuple(parts)


def any_key(shape: tuple[int, ...]) -> Any:
    basic = hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True)
    options = [basic, mixed_keys(shape), hnp.arrays(bool, shape)]
    if 0 not in shape:
        options.append(hnp.integer_array_indices(shape))
    return st.one_of(options)


def as_given(key: Any, form: str) -> Any:
    """The key with its arrays as NumPy arrays, lists or NDArrays."""
    if isinstance(key, tuple):
        return tuple(as_given(part, form) for part in key)
    if not isinstance(key, np.ndarray) or form == "numpy":
        return key
    if form == "list":
        return key.tolist() if key.size else key
    return mx.nd.array(key, dtype=key.dtype if key.dtype == bool else "int32" if form == "int32" else "int64")


FORMS = st.sampled_from(["numpy", "list", "int64", "int32"])


@MANY
@given(st.data())
def test_reading(data: Any) -> None:
    shape = data.draw(SHAPES)
    a = pattern(shape)
    key = data.draw(any_key(shape))
    try:
        want = ruled(a[key])
    except IndexError:
        with pytest.raises(IndexError):
            mx.nd.array(a)[key].asnumpy()
        return
    have = mx.nd.array(a)[as_given(key, data.draw(FORMS))]
    assert have.shape == want.shape
    np.testing.assert_array_equal(have.asnumpy(), want)


@MANY
@given(st.data())
def test_assigning(data: Any) -> None:
    shape = data.draw(SHAPES)
    dtype = data.draw(st.sampled_from(["float32", "int32", "float16", "int64"]))
    a = pattern(shape, dtype)
    key = data.draw(any_key(shape))
    try:
        region = np.shape(a[key])
    except IndexError:
        with pytest.raises(IndexError):
            mx.nd.array(a)[key] = 7
        return
    kind = data.draw(st.sampled_from(["number", "numpy", "ndarray", "broadcast", "row"]))
    value: Any = 7
    if kind != "number":
        drop = data.draw(st.integers(0, len(region))) if kind == "broadcast" else 0
        extents = tuple(1 if kind == "row" and i == 0 else n for i, n in enumerate(region[drop:]))
        value = -1 - np.arange(int(np.prod(extents))).reshape(extents).astype(dtype)
    want = a.copy()
    flat = np.arange(a.size).reshape(shape)[key]
    if np.unique(flat).size != np.size(flat):
        value = 7  # which of several values wins is no one's promise
    want[key] = value
    x = mx.nd.array(a, dtype=dtype)
    if kind != "numpy" and isinstance(value, np.ndarray):
        value = mx.nd.array(value, dtype=dtype)
    x[as_given(key, data.draw(FORMS))] = value
    np.testing.assert_array_equal(x.asnumpy(), want)


@MANY
@given(st.data())
def test_gradients(data: Any) -> None:
    shape = data.draw(SHAPES)
    a = pattern(shape, "float64")
    key = data.draw(any_key(shape))
    try:
        want = ruled(a[key])
    except IndexError:
        with pytest.raises(IndexError):
            mx.nd.array(a)[key].wait_to_read()
        return
    x = mx.nd.array(a, dtype="float64")
    x.attach_grad()
    weight = 1 + np.arange(want.size).reshape(want.shape)
    with mx.autograd.record():
        y = x[as_given(key, data.draw(FORMS))]
        loss = y * mx.nd.array(weight, dtype="float64")
    np.testing.assert_array_equal(y.asnumpy(), want)
    loss.backward()
    gradient = np.zeros(shape)
    np.add.at(gradient, key, weight.reshape(np.shape(a[key])))
    np.testing.assert_array_equal(x.grad.asnumpy(), gradient)


@MANY
@given(st.data())
def test_in_place_arithmetic_on_a_region(data: Any) -> None:
    shape = data.draw(SHAPES)
    a = pattern(shape)
    key = data.draw(any_key(shape))
    x, want = mx.nd.array(a), a.copy()
    try:
        want[key] += 3
    except IndexError:
        with pytest.raises(IndexError):
            x[key] += 3
        return
    x[key] += 3
    np.testing.assert_array_equal(x.asnumpy(), want)


# Views.


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(1, 2),
        slice(None),
        Ellipsis,
        (1, slice(0, 2)),
        (1, 2, slice(1, 3)),
        (0, 1, 1),
        None,
        (slice(None), None),
        (1, None, 0),
        slice(0, 2, 1),
        (slice(1, 2), slice(None), slice(None)),
    ],
    ids=repr,
)
def test_contiguous_regions_are_views(key: Any) -> None:
    a = pattern((2, 3, 4))
    x = mx.nd.array(a)
    y = x[key]
    assert y._shares_memory(x)
    y[:] = -5
    a[key] = -5
    np.testing.assert_array_equal(x.asnumpy(), a)
    x[:] = 1
    assert set(y.asnumpy().ravel()) == {1.0}


@pytest.mark.parametrize(
    "key", [(slice(None), 0), slice(None, None, -1), (Ellipsis, 1), [0], np.array([True, False])], ids=repr
)
def test_other_regions_are_copies(key: Any) -> None:
    x = mx.nd.zeros((2, 3, 4))
    y = x[key]
    assert not y._shares_memory(x)
    y[:] = 1
    assert x.asnumpy().max() == 0


def test_views_of_views_are_ordered_with_their_base() -> None:
    x = mx.nd.zeros((4, 5))
    row = x[2]
    part = row[1:4]
    for i in range(100):
        part += 1
        row *= 1
        x[2, 1] = i
    assert x.asnumpy()[2].tolist() == [0, 99, 100, 100, 0]


def test_assigning_a_view_of_itself() -> None:
    a = pattern((4, 3))
    for key, source in (
        (slice(1, 4), slice(0, 3)),
        (slice(0, 3), slice(1, 4)),
        (slice(None), slice(None, None, -1)),
    ):
        x, want = mx.nd.array(a), a.copy()
        want[key] = a[source]
        x[key] = x[source]
        np.testing.assert_array_equal(x.asnumpy(), want)


def test_shape_rule() -> None:
    x = mx.nd.array(pattern((2, 3)))
    assert x[1].shape == (3,) and x[1, 1].shape == (1,) and x[1][1].shape == (1,)
    assert mx.nd.array([5])[0].shape == (1,)
    assert mx.nd.array(5)[()].shape == () and mx.nd.array(5)[None].shape == (1,)
    assert x[np.int64(1), np.array(2)].shape == (1,)
    assert x[mx.nd.array(1, dtype="int32")].shape == (3,)
    assert x[True].shape == (1, 2, 3) and x[False].shape == (0, 2, 3)


def test_an_ellipsis_for_no_axis_separates_index_arrays() -> None:
    a = pattern((2, 3, 4))
    for key in (
        (slice(None), [0, 1], Ellipsis, [2, 3]),
        (slice(None), [0, 1], [2, 3], Ellipsis),
        (Ellipsis, slice(None), [0, 1], [2, 3]),
        (slice(None), np.array([True, False, True]), Ellipsis, [1, 2]),
    ):
        x = mx.nd.array(a)
        np.testing.assert_array_equal(x[key].asnumpy(), a[key])
        value = -1 - np.arange(4).reshape(a[key].shape)
        want = a.copy()
        want[key] = value
        x[key] = value
        np.testing.assert_array_equal(x.asnumpy(), want)


def test_indices_of_other_types() -> None:
    x = mx.nd.array(pattern((3, 2)))
    for key in (
        [2, 0],
        (np.array([2, 0], dtype=np.uint8),),
        mx.nd.array([2, 0]),
        [2.0, 0.0],
        range(2, -1, -2),
    ):
        np.testing.assert_array_equal(x[key].asnumpy(), pattern((3, 2))[[2, 0]])
    np.testing.assert_array_equal(x[(x > 2).astype("bool")].asnumpy(), [3, 4, 5])
    # Comparisons give 0 and 1 in the dtype of their operands, which are indices, as in MXNet.
    assert x[x[:, 0] > 1].shape == (3, 2)


@pytest.mark.parametrize(
    "key",
    [
        3,
        -4,
        (0, 2),
        (0, 0, 0),
        (Ellipsis, Ellipsis),
        "a",
        1.5,
        [0.5],
        pytest.param(object(), id="object"),
        1j,
        np.array([True, False]),
    ],
    ids=repr,
)
def test_wrong_keys(key: Any) -> None:
    x = mx.nd.zeros((3, 2))
    with pytest.raises(IndexError, match=r"^\["):
        _ = x[key]
    with pytest.raises(IndexError, match=r"^\["):
        x[key] = 1
    with pytest.raises(IndexError):
        _ = mx.nd.zeros(())[0]


def test_slices_with_wrong_parts() -> None:
    x = mx.nd.zeros((3,))
    for key in (slice("a"), slice(None, None, 0), slice(1.5)):
        with pytest.raises((TypeError, ValueError)):
            _ = x[key]


@pytest.mark.parametrize(
    "key", [[0, 3], ([0], [2]), [-4], (slice(None), [5]), ([0, 1], slice(0, 1), [7])], ids=repr
)
def test_index_arrays_outside_the_axis(key: Any) -> None:
    shape = (3, 2, 2) if isinstance(key, tuple) and len(key) == 3 else (3, 2)
    x = mx.nd.zeros(shape)
    with pytest.raises(IndexError):
        x[key].asnumpy()
    y = mx.nd.zeros(shape)
    with pytest.raises(IndexError):
        y[key] = 1
        y.wait_to_read()
    assert mx.nd.zeros(shape).asnumpy().sum() == 0


@pytest.mark.parametrize(
    "value", [np.zeros(4), np.zeros((2, 2, 3)), [[1, 2], [3, 4]], np.zeros((3, 2))], ids=np.shape
)
@pytest.mark.parametrize("key", [slice(None), 0, (slice(None), slice(None, None, 2)), [0, 1]], ids=repr)
def test_values_that_do_not_fit(key: Any, value: Any) -> None:
    x, a = mx.nd.ones((2, 3)), np.ones((2, 3))
    try:
        a[key] = value
    except ValueError:
        with pytest.raises(ValueError, match=r"^\["):
            x[key] = value
            x.wait_to_read()
    else:
        x[key] = value
        np.testing.assert_array_equal(x.asnumpy(), a)


def test_values_of_other_types() -> None:
    x = mx.nd.zeros((2,), dtype="int64")
    x[:] = 2**60 + 1
    assert x.asnumpy().tolist() == [2**60 + 1] * 2
    x[1] = np.int64(2**60 + 3)
    x[[0]] = -(2**60) - 1
    assert x.asnumpy().tolist() == [-(2**60) - 1, 2**60 + 3]
    assert mx.nd.full((2,), -(2**62) - 1, dtype="int64").asnumpy().tolist() == [-(2**62) - 1] * 2
    x[:] = 1.9
    assert x.asnumpy().tolist() == [1, 1]
    x[0] = np.float64(3)
    x[1] = True
    assert x.asnumpy().tolist() == [3, 1]
    x[0] = mx.nd.array([9.0], ctx=mx.cpu(1))
    assert x.asnumpy().tolist() == [9, 1]
    for bad in ("text", None, object(), 1j):
        with pytest.raises((TypeError, ValueError)):
            x[0] = bad
    f = mx.nd.zeros((2,))
    f[0] = float("nan")
    f[1] = np.inf
    assert np.isnan(f.asnumpy()[0]) and np.isinf(f.asnumpy()[1])


def test_empty_regions() -> None:
    x = mx.nd.array(pattern((3, 2)))
    for key in (
        slice(1, 1),
        [],
        np.zeros((3, 2), bool),
        (slice(None), slice(5, 9)),
        np.zeros((0, 2), np.int64),
    ):
        want = (
            pattern((3, 2))[np.asarray(key, np.int64) if key == [] else key]
            if not isinstance(key, np.ndarray)
            else pattern((3, 2))[key]
        )
        assert x[key].shape == want.shape
        x[key] = 5
    np.testing.assert_array_equal(x.asnumpy(), pattern((3, 2)))


def test_assigning_while_recording() -> None:
    x, y = mx.nd.ones((3,)), mx.nd.array([1, 2, 3])
    x.attach_grad()
    with mx.autograd.record():
        z = y * 1
        z[1:] = x[1:] * 2
        loss = (z * z).sum()
    loss.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [0, 8, 8])
    with mx.autograd.record(), pytest.raises(mx.base.AutogradError):
        x[0] = 1


def test_what_selects_everything_is_the_array_itself() -> None:
    x = mx.nd.zeros((2, 3))
    assert x[:] is x and x[...] is x and x[:, :3] is x and x[()] is x
    x.attach_grad()
    with mx.autograd.record():
        assert x[:] is not x
    one = mx.nd.zeros((1,))
    assert one[:] is one and one[0] is not one and one[0]._shares_memory(one)


def test_as_a_sequence() -> None:
    x = mx.nd.array(pattern((3, 2)))
    assert [row.asnumpy().tolist() for row in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    assert next(reversed(x))._shares_memory(x)
    with pytest.raises(TypeError, match="deleted"):
        del x[0]


@pytest.mark.parametrize("key", [2**70, -(2**70), (0, 2**63), (None,) * 49, (None,) * 17], ids=str)
def test_keys_beyond_what_an_array_can_have(key: Any) -> None:
    x = mx.nd.zeros((3, 2))
    with pytest.raises((IndexError, ValueError), match=r"^\["):
        _ = x[key]
    with pytest.raises((IndexError, ValueError), match=r"^\["):
        x[key] = 1


def test_slices_with_far_bounds() -> None:
    a = pattern((5,))
    x = mx.nd.array(a)
    bounds = [None, -(2**70), -(2**63), -6, -5, -1, 0, 4, 5, 2**63 - 1, 2**70]
    for begin in bounds:
        for end in bounds:
            for step in (None, 1, 2, -1, -2, 2**70, -(2**70)):
                key = slice(begin, end, step)
                np.testing.assert_array_equal(x[key].asnumpy(), a[key])


def test_values_of_other_dtypes_and_devices_into_runs() -> None:
    for value in (
        mx.nd.array([1.5, -2.5], ctx=mx.cpu(1)),
        mx.nd.array([1, 0], dtype="bool"),
        np.array([3, 4]),
    ):
        for dtype in ("int32", "float16", "float64", "bool"):
            x = mx.nd.zeros((3, 2), dtype=dtype)
            want = np.zeros((3, 2), dtype)
            host = value.asnumpy() if isinstance(value, mx.nd.NDArray) else value
            x[1] = value
            x[2:] = value
            x[:1, :] = value
            want[:] = host.astype(dtype)
            np.testing.assert_array_equal(x.asnumpy(), want)


def test_writing_a_run_to_itself_and_beside_itself() -> None:
    x = mx.nd.array(pattern((4, 3)))
    x[1] += 1
    x[2:4] = x[0:2]
    x[0] = x[0]
    np.testing.assert_array_equal(x.asnumpy(), [[0, 1, 2], [4, 5, 6], [0, 1, 2], [4, 5, 6]])


def test_writing_a_failed_value_fails_what_is_read() -> None:
    x = mx.nd.zeros((3, 2))
    x[1] = mx.nd.zeros((3, 2))[[7]].reshape(-1)
    with pytest.raises(IndexError):
        x.asnumpy()
    x[:] = 1
    assert x.asnumpy().sum() == 6


def test_a_traced_index() -> None:
    x = mx.nd.array(pattern((2, 3, 4)))
    traced = mx.jit(lambda a: a[1] + a[0, 1:2] + a[1, 2] + a[:, None][0, 0])
    want = x[1] + x[0, 1:2] + x[1, 2] + x[:, None][0, 0]
    np.testing.assert_array_equal(traced(x).asnumpy(), want.asnumpy())
