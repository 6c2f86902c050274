"""Operators that old programs call under mx.nd and mx.nd._internal."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_set_value(dtype: str) -> None:
    a = mx.nd.zeros((2, 3), dtype=dtype)
    mx.nd._internal._set_value(2.5, out=a)
    assert a.asnumpy().tolist() == np.full((2, 3), 2.5).astype(dtype).tolist()


def test_aliases_of_sparse_arithmetic() -> None:
    a, b = mx.nd.array([[2, 4]]), mx.nd.array([[4, 2]])
    assert mx.nd._internal._scatter_elemwise_div(a, b).asnumpy().tolist() == [[0.5, 2]]
    assert mx.nd._internal._scatter_plus_scalar(a, scalar=2).asnumpy().tolist() == [[4, 6]]
    assert mx.nd._internal._scatter_minus_scalar(a, scalar=2).asnumpy().tolist() == [[0, 2]]


def test_zeros_take_the_dtype_of_the_output() -> None:
    out = mx.nd.ones((2,), dtype="int8")
    mx.nd._internal._zeros_without_dtype(shape=(2,), out=out)
    assert out.dtype == np.int8
    assert out.asnumpy().tolist() == [0, 0]
