"""Methods of arrays that are named as in PyTorch: results, dtypes, and what they leave alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np
from mixgrad.base import DTypeError

a = np.array([[1.0], [2.0]], dtype="float64")
whole = np.array([1, 2], dtype="int32")

# What is called, and the values, the shape and the dtype that PyTorch's method of that name gives.
MADE: list[tuple[str, Callable[[], Any], Any, str]] = [
    ("new_zeros", lambda: a.new_zeros(1, 2), [[0, 0]], "float64"),
    ("new_zeros of a tuple", lambda: a.new_zeros((1, 2), dtype="int64"), [[0, 0]], "int64"),
    ("new_zeros of a shape", lambda: whole.new_zeros(whole.shape), [0, 0], "int32"),
    ("new_zeros of nothing", lambda: a.new_zeros(0, 2), [], "float64"),
    ("new_ones", lambda: whole.new_ones(2), [1, 1], "int32"),
    ("new_ones of no axes", lambda: whole.new_ones(()), 1, "int32"),
    ("new_full", lambda: a.new_full((2,), 3.5), [3.5, 3.5], "float64"),
    ("new_full elsewhere", lambda: a.new_full((1,), 2, device=mx.cpu(1)), [2], "float64"),
    ("new_tensor", lambda: whole.new_tensor([3, 4]), [3, 4], "int32"),
    ("new_tensor of an array", lambda: a.new_tensor(whole), [1, 2], "float64"),
    ("new_tensor of NumPy's", lambda: a.new_tensor(onp.ones(1), dtype="float16"), [1], "float16"),
    ("expand_as", lambda: a.expand_as(np.zeros((2, 2))), [[1, 1], [2, 2]], "float64"),
    ("type_as", lambda: a.type_as(whole), [[1], [2]], "int32"),
    ("fill_", lambda: a.copy().fill_(7), [[7], [7]], "float64"),
    ("fill_ of no axes", lambda: np.array(1.0).fill_(7), 7, "float32"),
    ("zero_", lambda: whole.copy().zero_(), [0, 0], "int32"),
    ("copy_", lambda: whole.copy().copy_(np.array([5.0, 6.0])), [5, 6], "int32"),
    ("copy_ of one", lambda: whole.copy().copy_(np.array([5])), [5, 5], "int32"),
    ("copy_ of an array of nd", lambda: a.copy().copy_(mx.nd.array([[3], [4]])), [[3], [4]], "float64"),
    ("copy_ of NumPy's", lambda: a.copy().copy_(onp.ones((2, 1))), [[1], [1]], "float64"),
]


@pytest.mark.parametrize("row", MADE, ids=[row[0] for row in MADE])
def test_what_is_made(row: tuple[str, Callable[[], Any], Any, str]) -> None:
    _, call, values, dtype = row
    made = call()
    assert type(made) is np.ndarray and str(made.dtype) == dtype
    assert made.asnumpy().tolist() == values


def test_new_arrays_are_new() -> None:
    data = np.ones((2,)).requires_grad_()
    made = a.new_tensor(data, dtype="float32", requires_grad=True)
    with nn.no_grad():
        data[:] = 5
    assert made.tolist() == [1, 1] and made.requires_grad and made.is_leaf
    assert a.new_empty(2, 3).shape == (2, 3) and a.new_empty(2).context == a.context
    assert a.new_ones(1, device="cpu(1)").context == mx.cpu(1)
    weight = nn.Parameter([1.0])
    assert type(weight.new_zeros(2)) is np.ndarray and not weight.new_zeros(2).requires_grad
    assert weight.type_as(weight) is weight


# Mean and standard deviation of what is drawn.
DRAWN: dict[str, tuple[tuple[float, ...], float, float]] = {
    "normal_": ((3.0, 0.5), 3, 0.5),
    "uniform_": ((2.0, 4.0), 3, 3**-0.5),
    "exponential_": ((0.5,), 2, 2),
    "log_normal_": ((0.0, 0.25), 1.0317, 0.2621),
    "bernoulli_": ((0.25,), 0.25, 0.433),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn(name: str, dtype: str) -> None:
    mx.random.seed(7)
    parameters, mean, deviation = DRAWN[name]
    array = np.zeros((100, 200), dtype=dtype)
    assert getattr(array, name)(*parameters) is array and str(array.dtype) == dtype
    values = array.asnumpy().astype("float64")
    assert abs(values.mean() - mean) < 0.05 and abs(values.std() - deviation) < 0.05
    assert getattr(np.zeros((0, 2), dtype=dtype), name)().shape == (0, 2)


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(DTypeError, match=r"\[normal_\] the array is of int32; expected floats"):
        whole.copy().normal_()
    assert set(np.zeros((50,), dtype="int32").bernoulli_().tolist()) <= {0, 1}


def test_parameters_are_changed_without_gradients() -> None:
    layer = nn.Linear(2, 1)
    with nn.no_grad():
        assert layer.weight.fill_(2.0) is layer.weight and layer.bias.zero_() is layer.bias
        layer.bias.copy_(np.array([1.0]))
    y = layer(np.ones((1, 2)))
    y.sum().backward()
    assert y.item() == 5 and layer.weight.grad.tolist() == [[1, 1]]
