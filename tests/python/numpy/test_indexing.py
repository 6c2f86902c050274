"""Indexing arrays of mx.np: what NumPy selects, assigns and refuses."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest

import mixgrad as mx

np = mx.np
X = onp.arange(4 * 3 * 5, dtype="float32").reshape(4, 3, 5)
MASK = X > 20

KEYS: dict[str, Any] = {
    "row": 1,
    "last row": -1,
    "element": (1, 2, 3),
    "element of all": (Ellipsis, 0),
    "element and ellipsis": (1, 2, 3, Ellipsis),
    "slice": slice(1, 3),
    "step": slice(None, None, -2),
    "columns": (slice(None), 1),
    "box": (slice(1, 3), slice(0, 2), slice(1, 5, 2)),
    "nothing": slice(2, 2),
    "all": (),
    "ellipsis": Ellipsis,
    "new axis": None,
    "new axes": (1, None, slice(None), None, 2),
    "rows": [2, 0],
    "rows of an array": onp.array([[2, 0], [3, 3]]),
    "points": ([0, 1], [2, 0], [4, 4]),
    "points of a row": (1, [2, 0]),
    "points apart": ([0, 1], slice(None), [4, 0]),
    "points between": (slice(None), [0, 1], slice(1, 3)),
    "points that broadcast": (onp.array([[0], [1]]), onp.array([2, 0])),
    "mask": MASK,
    "mask of rows": onp.array([True, False, True, False]),
    "mask of planes": MASK[:, :, 0],
    "mask behind a slice": (slice(None), onp.array([True, False, True])),
    "mask and number": (MASK[:, :, 0], 1),
    "no rows": [],
    "true": True,
    "range": range(3, 0, -1),
    "whole number of NumPy": onp.int32(2),
}


def given(key: Any) -> Any:
    """The same key with arrays of mx.np."""
    if isinstance(key, onp.ndarray):
        return np.array(key, dtype=key.dtype)
    return tuple(map(given, key)) if isinstance(key, tuple) else key


@pytest.mark.parametrize("name", KEYS)
def test_what_is_selected(name: str) -> None:
    key = KEYS[name]
    x = np.array(X)
    for one in (key, given(key)):
        got = x[one]
        assert isinstance(got, np.ndarray)
        expected = X[list(key) if isinstance(key, range) else key]
        assert got.shape == expected.shape
        onp.testing.assert_array_equal(got.asnumpy(), expected)


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("kind", ["number", "array", "numpy", "row"])
def test_what_is_assigned(name: str, kind: str) -> None:
    key = KEYS[name]
    plain = list(key) if isinstance(key, range) else key
    expected, x = X.copy(), np.array(X)
    shape = expected[plain].shape
    values = -1 - onp.arange(onp.prod(shape, dtype=int), dtype="float32").reshape(shape)
    if kind == "row":
        values = values[(0,) * (values.ndim - 1)] if values.ndim and values.size else values
    expected[plain] = 7 if kind == "number" else values
    x[given(key)] = {"number": 7, "numpy": values}.get(kind, np.array(values))
    onp.testing.assert_array_equal(x.asnumpy(), expected)


@pytest.mark.parametrize("name", KEYS)
def test_gradient_reaches_what_was_selected(name: str) -> None:
    key = KEYS[name]
    x = np.array(X)
    x.attach_grad()
    with mx.autograd.record():
        y = x[given(key)] * 2
    y.backward()
    expected = onp.zeros_like(X)
    onp.add.at(expected, list(key) if isinstance(key, range) else key, 2)
    onp.testing.assert_array_equal(x.grad.asnumpy(), expected)


def test_arrays_without_axes_and_elements() -> None:
    x = np.array(3)
    assert x.shape == x[()].shape == x[...].shape == ()
    assert x[None].shape == (1,)
    x[()] = 5
    assert x.item() == 5
    empty = np.zeros((0, 3))
    assert empty[:, 1].shape == (0,)
    assert empty[empty > 0].shape == (0,)
    assert [row.shape for row in np.zeros((2, 0))] == [(0,), (0,)]
    with pytest.raises(TypeError, match="0-d"):
        iter(x)


@pytest.mark.parametrize("key", [4, (0, 3), (0, 0, 0, 0), [9], (slice(None), 0, 7)])
def test_places_outside(key: Any) -> None:
    with pytest.raises(IndexError):
        np.array(X)[key].asnumpy()


def test_masks_that_do_not_fit() -> None:
    with pytest.raises(IndexError, match="mask"):
        np.array(X)[np.array([True, False], dtype=bool)]


def test_a_gradient_does_not_get_lost_in_whole_numbers() -> None:
    x, y = np.zeros(3, dtype="int32"), np.ones(3)
    y.attach_grad()
    with mx.autograd.record():
        z = y * 2
        with pytest.raises(mx.MXNetError, match="whole numbers"):
            x[:] = z
    x[:] = z
    assert x.asnumpy().tolist() == [2, 2, 2]


def test_comparisons_select_and_floats_are_positions() -> None:
    x = np.array([3, 1, 2])
    assert x[x > 1].asnumpy().tolist() == [3, 2]
    assert x[np.array([2.0, 0.0])].asnumpy().tolist() == [2, 3]
    x[x > 2] = 0
    assert x.asnumpy().tolist() == [0, 1, 2]
