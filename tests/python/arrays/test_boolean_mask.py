"""Slices that a mask leaves: mx.nd.contrib.boolean_mask."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx

boolean_mask = mx.nd.contrib.boolean_mask


@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8"])
@pytest.mark.parametrize("mask", [[0, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0.5, -1]])
def test_values(dtype: str, mask: list[float]) -> None:
    data = np.arange(6).reshape(3, 2).astype(dtype)
    got = boolean_mask(mx.nd.array(data, dtype=dtype), mx.nd.array(mask))
    assert got.dtype == data.dtype
    np.testing.assert_array_equal(got.asnumpy(), data[np.array(mask) != 0])


def test_nan_is_not_zero() -> None:
    got = boolean_mask(mx.nd.array([1, 2, 3]), mx.nd.array([0, np.nan, 1]))
    assert got.asnumpy().tolist() == [2, 3]


def test_axis() -> None:
    data = np.arange(12).reshape(2, 3, 2)
    for axis in (1, -2):
        got = boolean_mask(mx.nd.array(data), mx.nd.array([1, 0, 1], dtype="int32"), axis=axis)
        np.testing.assert_array_equal(got.asnumpy(), data[:, [0, 2]])


def test_gradient() -> None:
    data = mx.nd.array([[1, 2], [3, 4], [5, 6]])
    data.attach_grad()
    with mx.autograd.record():
        picked = boolean_mask(data, mx.nd.array([0, 1, 1]))
        loss = (picked * picked).sum()
    loss.backward()
    assert data.grad.asnumpy().tolist() == [[0, 0], [6, 8], [10, 12]]


def test_gradient_of_nothing() -> None:
    data = mx.nd.ones((3, 2))
    data.attach_grad()
    with mx.autograd.record():
        picked = boolean_mask(data, mx.nd.zeros((3,)))
    assert picked.shape == (0, 2)
    picked.backward()
    assert data.grad.asnumpy().tolist() == [[0, 0]] * 3


def test_bad_input() -> None:
    data = mx.nd.ones((3, 2))
    with pytest.raises(ValueError, match=r"index has shape \(2,\); expected \(3,\)"):
        boolean_mask(data, mx.nd.ones((2,)))
    with pytest.raises(ValueError, match=r"index has shape \(3, 1\)"):
        boolean_mask(data, mx.nd.ones((3, 1)))
    with pytest.raises(IndexError, match="axis is 2"):
        boolean_mask(data, mx.nd.ones((2,)), axis=2)
    with pytest.raises(TypeError, match="index is"):
        boolean_mask(data, [1, 0, 1])


def test_symbols_say_why() -> None:
    with pytest.raises(NotImplementedError, match="depends on the mask"):
        mx.sym.contrib.boolean_mask(mx.sym.var("a"), mx.sym.var("b"))
