"""mx.np.ndarray: operators, methods, text, files, NumPy's protocols."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx

np, npx = mx.np, mx.npx


def test_classes() -> None:
    x = mx.nd.array([1, 2])
    y = x.as_np_ndarray()
    assert type(y) is np.ndarray
    assert isinstance(y, mx.nd.NDArray)
    assert type(y.as_nd_ndarray()) is mx.nd.NDArray
    y[0] = 5
    assert x.asnumpy().tolist() == [5, 2]
    assert type(x + y) is type(y + x) is np.ndarray
    assert type(y.copyto(mx.cpu(0))) is type(y.copy()) is type(y.detach()) is np.ndarray


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("float32", "float64", "float64"),
        ("float16", "float32", "float32"),
        ("int32", "float32", "float32"),
        ("int64", "float16", "float16"),
        ("int8", "int64", "int64"),
        ("uint8", "int8", "int32"),
        ("bool", "int32", "int32"),
        ("bool", "float32", "float32"),
    ],
)
def test_two_dtypes_come_into_one(first: str, second: str, expected: str) -> None:
    x, y = np.array([1, 0], dtype=first), np.array([1, 1], dtype=second)
    for a, b in ((x, y), (y, x)):
        assert (a + b).dtype == expected
        assert (a + b).asnumpy().tolist() == [2, 1]
        assert (a == b).asnumpy().tolist() == [True, False]
        assert np.maximum(a, b).dtype == expected
        assert np.concatenate([a, b]).dtype == expected


@pytest.mark.parametrize(
    ("call", "dtype", "values"),
    [
        (lambda x: x + 1.5, "int32", [2, 3, 4]),
        (lambda x: x / 2, "float32", [0.5, 1, 1.5]),
        (lambda x: x // 2, "int32", [0, 1, 1]),
        (lambda x: 7 // x, "int32", [7, 3, 2]),
        (lambda x: x % 2, "int32", [1, 0, 1]),
        (lambda x: 2**x, "int32", [2, 4, 8]),
        (lambda x: -x, "int32", [-1, -2, -3]),
        (lambda x: ~x, "int32", [-2, -3, -4]),
        (lambda x: x & 1, "int32", [1, 0, 1]),
        (lambda x: x | 4, "int32", [5, 6, 7]),
        (lambda x: x ^ x, "int32", [0, 0, 0]),
        (lambda x: x > 1, "bool", [False, True, True]),
        (lambda x: (x > 1) & (x < 3), "bool", [False, True, False]),
        (lambda x: ~(x > 1), "bool", [True, False, False]),
        (lambda x: -(x > 1), "int64", [0, -1, -1]),
        (lambda x: (x > 1) + 1, "int64", [1, 2, 2]),
        (lambda x: x - [0, 1, 2], "int32", [1, 1, 1]),
        (lambda x: x + onp.ones(3), "float64", [2, 3, 4]),
        (lambda x: onp.ones(3, "float32") * x, "float32", [1, 2, 3]),
        (lambda x: onp.int64(2) * x, "int32", [2, 4, 6]),
        (lambda x: x + onp.array([1, 2, 3]), "int64", [2, 4, 6]),
        (lambda x: x * [0.5, 1, 1], "float32", [0.5, 2, 3]),
        (lambda x: abs(-x), "int32", [1, 2, 3]),
    ],
)
def test_operators(call: Callable[[Any], Any], dtype: str, values: list[Any]) -> None:
    got = call(np.array([1, 2, 3], dtype="int32"))
    assert type(got) is np.ndarray
    assert (got.dtype, got.asnumpy().tolist()) == (onp.dtype(dtype), values)


def test_operators_in_place() -> None:
    x = np.array([1, 2, 3])
    same = x
    x += 1
    x *= np.array([2, 2, 2], dtype="int32")
    x -= [1, 1, 1]
    x /= 3
    x **= 2
    x //= 1
    assert x is same
    assert x.asnumpy().tolist() == [1, 2, 5]
    whole = np.array([1, 2], dtype="int32")
    with pytest.raises(TypeError, match="does not go into"):
        whole += np.ones(2)
    assert (x == None) is False  # noqa: E711


def test_numbers_and_truth() -> None:
    x = np.array([[2.5]])
    assert (float(x), int(x), x.item(), bool(x), len(x), f"{x[0, 0]:.2f}") == (2.5, 2, 2.5, True, 1, "2.50")
    assert list(range(3))[np.array(1, dtype="int32")] == 1
    assert np.array([1, 2, 3]).item(1) == 2
    with pytest.raises(ValueError, match="ambiguous"):
        bool(np.ones(2))
    with pytest.raises(ValueError, match="one element"):
        np.ones(2).item()
    with pytest.raises(TypeError, match="format"):
        format(np.ones(2), ".2f")


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (np.array([1, 2]), "array([1., 2.])"),
        (np.array(3), "array(3.)"),
        (np.array([1, 2], dtype="int32"), "array([1, 2], dtype=int32)"),
        (np.array([[True]], dtype=bool), "array([[ True]])"),
        (np.array([0.5], dtype="float64"), "array([0.5], dtype=float64)"),
        (np.zeros((2, 0)), "array([], shape=(2, 0))"),
    ],
)
def test_text(x: Any, text: str) -> None:
    assert repr(x) == text
    assert str(x) == str(x.asnumpy())


A = onp.arange(12, dtype="float32").reshape(3, 4)[::-1].copy()
METHODS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "sum": ((), {"axis": 0}),
    "mean": ((1,), {}),
    "prod": ((), {}),
    "max": ((0,), {}),
    "min": ((), {"keepdims": True}),
    "std": ((0,), {}),
    "var": ((), {"ddof": 1}),
    "argmax": ((1,), {}),
    "argmin": ((), {}),
    "cumsum": ((0,), {}),
    "all": ((0,), {}),
    "any": ((), {}),
    "reshape": ((2, -1), {}),
    "transpose": ((1, 0), {}),
    "swapaxes": ((0, 1), {}),
    "flatten": ((), {}),
    "ravel": ((), {}),
    "repeat": ((2, 1), {}),
    "take": (([2, 0], 0), {}),
    "clip": ((2, 7), {}),
    "round": ((), {}),
    "dot": ((A.T,), {}),
    "argsort": ((), {}),
    "nonzero": ((), {}),
    "copy": ((), {}),
    "astype": (("int32",), {}),
    "tolist": ((), {}),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    args, kwargs = METHODS[name]
    got = getattr(np.array(A), name)(*args, **kwargs)
    expected = getattr(A, name)(*args, **kwargs)
    for one, other in zip(got, expected) if isinstance(expected, tuple) else [(got, expected)]:
        onp.testing.assert_allclose(onp.asarray(one), other, rtol=1e-5)
        assert onp.shape(one) == onp.shape(other)


def test_sort_in_place_and_names_that_are_elsewhere() -> None:
    x = np.array([3, 1, 2])
    assert x.sort() is None
    assert x.asnumpy().tolist() == [1, 2, 3]
    with pytest.raises(AttributeError, match=r"mx\.np\.linalg\.norm"):
        x.norm()


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_files_pickles_and_copies(shape: tuple[int, ...], tmp_path: Path) -> None:
    x = np.random.uniform(size=shape, dtype="float64")
    name = str(tmp_path / "x.params")
    npx.save(name, {"x": x})
    for one in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), npx.load(name)["x"]):
        assert type(one) is np.ndarray
        assert (one.shape, one.dtype) == (x.shape, x.dtype)
        assert (one.asnumpy() == x.asnumpy()).all()


def test_numpys_functions_give_arrays() -> None:
    x = np.array([[1, 2], [3, 4]])
    for got, expected in (
        (onp.sum(x, axis=0), [4, 6]),
        (onp.concatenate([x, x])[3], [3, 4]),
        (onp.add(x, 1)[0], [2, 3]),
        (onp.multiply(onp.ones(2), x)[1], [3, 4]),
        (onp.where(x > 2, x, 0)[1], [3, 4]),
        (onp.linalg.inv(x) @ x @ np.array([1, 2]), [1, 2]),
        (onp.cov(x)[0], [0.5, 0.5]),
    ):
        assert type(got) is np.ndarray
        onp.testing.assert_allclose(got.asnumpy(), expected, rtol=1e-5)
    assert isinstance(onp.median(x), onp.floating)
    assert onp.asarray(x).dtype == "float32"
    x.attach_grad()
    with mx.autograd.record():
        y = onp.sum(onp.exp(x))
    y.backward()
    onp.testing.assert_allclose(x.grad.asnumpy(), onp.exp(x.asnumpy()), rtol=1e-6)


def test_scopes_of_np() -> None:
    @mx.util.use_np
    class Asks:
        def kind(self) -> bool:
            return npx.is_np_array()

    assert Asks().kind()
    assert not npx.is_np_array()
    npx.set_np()
    try:
        assert npx.is_np_array()
        assert npx.is_np_shape()
    finally:
        npx.reset_np()
    assert not npx.is_np_shape()
