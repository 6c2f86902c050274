"""Operators whose results are as large as the elements say: nonzero, unique, bincount, boolean_mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

INTERNAL = mx.nd._internal
RNG = np.random.default_rng(4)
NAMES = ("_npi_bincount", "_npi_boolean_mask", "_npi_nonzero", "_npi_unique", "_npx_nonzero")


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8", "int64", "bool"])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (2, 0, 3), (2, 3, 2)])
def test_nonzero_and_unique(dtype: str, shape: tuple[int, ...]) -> None:
    values = RNG.integers(0, 3, shape)
    array = mx.nd.array(values, dtype=dtype)
    truth = np.atleast_1d(values != 0 if dtype == "bool" else values)
    found = INTERNAL._npi_nonzero(array)
    assert found.dtype == np.int64 and found.shape == (np.count_nonzero(truth), truth.ndim)
    np.testing.assert_array_equal(found.asnumpy(), np.argwhere(truth))
    distinct, first, which, counts = INTERNAL._npi_unique(array, True, True, True)
    flat = truth.reshape(-1)
    assert distinct.dtype == array.dtype and first.dtype == which.dtype == counts.dtype == np.int64
    np.testing.assert_array_equal(distinct.asnumpy(), np.unique(flat))
    np.testing.assert_array_equal(distinct.asnumpy()[which.asnumpy()], flat)
    np.testing.assert_array_equal(flat[first.asnumpy()], distinct.asnumpy())
    assert counts.asnumpy().sum() == flat.size


def test_unique_slices() -> None:
    array = mx.nd.array([[1, 0, 1], [2, 2, 2], [1, 0, 1]])
    assert INTERNAL._npi_unique(array, axis=0).asnumpy().tolist() == [[1, 0, 1], [2, 2, 2]]
    distinct, counts = INTERNAL._npi_unique(array, return_counts=True, axis=-1)
    assert distinct.asnumpy().tolist() == [[0, 1], [2, 2], [0, 1]] and counts.asnumpy().tolist() == [1, 2]


def test_bincount() -> None:
    numbers = RNG.integers(0, 9, 50)
    array = mx.nd.array(numbers, dtype="int32")
    for least in (0, 20):
        found = INTERNAL._npi_bincount(array, minlength=least)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found.asnumpy(), np.bincount(numbers, minlength=least))
    weights = mx.nd.array(RNG.uniform(0, 1, 50))
    expected = np.bincount(numbers, weights.asnumpy())
    np.testing.assert_allclose(INTERNAL._npi_bincount(array, weights).asnumpy(), expected, rtol=1e-6)
    large = mx.nd.array([2**60 + 1, 2], dtype="int64")
    found = INTERNAL._npi_bincount(mx.nd.array([1, 1], dtype="uint8"), large)
    assert found.asnumpy().tolist() == [0, 2**60 + 3]


def test_out() -> None:
    out = mx.nd.zeros((2, 1), dtype="int64")
    assert INTERNAL._npi_nonzero(mx.nd.array([0, 4, 5]), out=out) is out
    assert out.asnumpy().tolist() == [[1], [2]]
    with pytest.raises(mx.MXNetError, match="shape"):
        INTERNAL._npi_nonzero(mx.nd.array([4]), out=out)


def test_modules() -> None:
    for name in NAMES:
        assert getattr(INTERNAL, name) is getattr(mx.nd, name)
        assert name in dir(INTERNAL)
        with pytest.raises(NotImplementedError, match="does not know"):
            getattr(mx.sym._internal, name)
    assert INTERNAL._npi_boolean_mask is mx.nd.contrib.boolean_mask
    assert INTERNAL._npx_nonzero is INTERNAL._npi_nonzero
    with pytest.raises(AttributeError, match="has no '_npi_uniqe'"):
        INTERNAL._npi_uniqe()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: INTERNAL._npi_nonzero([1, 0]), "expected an NDArray"),
        (lambda: INTERNAL._npi_unique(3), "expected an NDArray"),
        (lambda: INTERNAL._npi_unique(mx.nd.ones((2, 3)), axis=2), "axis is 2"),
        (lambda: INTERNAL._npi_bincount(mx.nd.ones((2,))), "float32"),
        (lambda: INTERNAL._npi_bincount(mx.nd.ones((2, 2), dtype="int32")), r"\(2, 2\)"),
        (lambda: INTERNAL._npi_bincount(mx.nd.array([3, -2], dtype="int32")), "data holds -2"),
        (lambda: INTERNAL._npi_bincount(mx.nd.array([3], dtype="int32"), minlength=-1), "minlength is -1"),
        (lambda: INTERNAL._npi_bincount(mx.nd.array([3], dtype="int32"), mx.nd.ones((2,))), r"\(2,\)"),
        (
            lambda: INTERNAL._npi_bincount(mx.nd.array([2**62], dtype="int64")),
            "no room for 4611686018427387905 counts",
        ),
    ],
)
def test_bad_input(call: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError, IndexError, MemoryError, mx.MXNetError), match=words):
        call()
