"""The helpers for tests: tolerances, messages, gradients that are wrong on purpose."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mixgrad as mx

tu = mx.test_utils


def test_tolerance_is_the_wider_one_of_both_dtypes() -> None:
    single, double = mx.nd.ones((2,)), np.ones(2)
    assert tu.get_tols(single, double, None, None) == (1e-4, 1e-3)
    assert tu.get_tols(double, double, None, None) == (1e-5, 1e-20)
    assert tu.get_tols(np.float16(1), double, None, 0.5) == (1e-2, 0.5)
    assert tu.get_tols(single, double, {np.dtype("float64"): 0.25}, None)[0] == 0.25
    assert tu.get_tols(np.int32(1), np.int32(1), None, None) == (0, 0)
    assert (tu.get_rtol(), tu.get_atol(), tu.get_rtol(3), tu.get_etol(), tu.get_etol(0.5)) == (
        1e-5,
        1e-20,
        3,
        0,
        0.5,
    )
    assert tu.default_numeric_eps()[np.dtype("float32")] == 2**-9
    assert tu.effective_dtype(single) == np.float32


@settings(max_examples=100)
@given(a=st.floats(-1e6, 1e6), b=st.floats(-1e6, 1e6), rtol=st.floats(1e-9, 1), atol=st.floats(1e-12, 1))
def test_almost_equal_is_numpys_rule(a: float, b: float, rtol: float, atol: float) -> None:
    close = abs(a - b) / (atol + rtol * abs(b))
    if abs(close - 1) > 1e-6:
        assert tu.almost_equal(a, b, rtol, atol) == np.isclose(a, b, rtol=rtol, atol=atol)


def test_nan_and_infinity() -> None:
    nan, inf = float("nan"), float("inf")
    assert not tu.almost_equal([nan], [nan])
    assert tu.almost_equal([nan, 1], [nan, 1], equal_nan=True)
    assert not tu.almost_equal([nan], [1.0], equal_nan=True)
    assert tu.almost_equal([inf, -inf], [inf, -inf])
    assert not tu.almost_equal([inf], [-inf])
    assert not tu.almost_equal([1e300], [inf])
    assert not tu.almost_equal([inf], [1.0])
    tu.assert_almost_equal_ignore_nan(np.array([1, nan, 2]), np.array([1, 2, nan]))


def test_integers_are_compared_exactly() -> None:
    big = np.array([2**60 + 1])
    assert tu.almost_equal(big, big)
    assert not tu.almost_equal(big, big - 1)


def test_shapes() -> None:
    assert tu.almost_equal(np.ones((2, 3)), np.ones(3))
    assert not tu.almost_equal(np.ones((2, 3)), np.ones(3), use_broadcast=False)
    assert not tu.almost_equal(np.ones(2), np.ones(3))
    with pytest.raises(AssertionError, match=r"shapes differ: a has \(2,\) and b has \(3,\)"):
        tu.assert_almost_equal(np.ones(2), np.ones(3))
    tu.assert_almost_equal(np.empty(0), np.empty(0))


def test_message_shows_the_worst_places() -> None:
    left, right = mx.nd.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.5], [3.0, 5.0]])
    with pytest.raises(AssertionError) as caught:
        tu.assert_almost_equal(left, right, names=("left", "right"))
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("left and right differ in 2 of 4 elements (50%), rtol=0.0001, atol=0.001")
    assert "(1, 1)" in lines[2] and "4.0" in lines[2] and "5.0" in lines[2]
    assert "(0, 1)" in lines[3]


def test_share_of_errors() -> None:
    a, b = np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 3, 5])
    tu.assert_almost_equal_with_err(a, b, etol=0.3)
    with pytest.raises(AssertionError, match="1 of 4 elements"):
        tu.assert_almost_equal_with_err(a, b, etol=0.2)
    with pytest.raises(AssertionError):
        tu.assert_allclose(a, b)


def test_same() -> None:
    assert tu.same(mx.nd.ones((2,)), np.ones(2))
    assert not tu.same(np.ones(2), np.ones(3))
    a = mx.nd.ones((2, 3))
    assert tu.same_array(a, a)
    assert not tu.same_array(a, a.copy())
    assert a.asnumpy().tolist() == [[1] * 3] * 2


def test_random_things_follow_numpys_seed() -> None:
    results = []
    for _ in range(2):
        np.random.seed(3)  # noqa: NPY002
        results.append(
            [
                tu.rand_shape_2d(),
                tu.rand_shape_3d(4, 5, 6),
                tu.rand_shape_nd(4, allow_zero_size=True),
                tu.rand_coord_2d(1, 5, 2, 7),
                tu.random_arrays((2, 3)).tolist(),
                tu.random_uniform_arrays((2,), low=1, high=2)[0].tolist(),
                tu.random_sample(range(10), 4),
                tu.rand_ndarray((2, 3)).asnumpy().tolist(),
            ]
        )
    assert results[0] == results[1]
    assert sorted(set(results[0][6])) == results[0][6]
    assert tu.rand_ndarray((2,), dtype="float64").dtype == np.float64
    assert len(tu.random_arrays((2,), ())) == 2
    with pytest.raises(ValueError, match=r"csr matrix of shape \(2,\); expected two axes"):
        tu.rand_ndarray((2,), "csr")


def test_numpy_helpers() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_allclose(tu.np_reduce(x, (0, -1), True, np.sum), x.sum((0, 2), keepdims=True))
    np.testing.assert_allclose(tu.np_reduce(x, None, False, np.max), 23)
    np.testing.assert_allclose(tu.collapse_sum_like(x, (3, 1)), x.sum((0, 2))[:, None])
    with pytest.raises(ValueError, match="does not broadcast"):
        tu.collapse_sum_like(x, (5, 1))


def test_numeric_gradient_accepts_right_and_refuses_wrong_gradients() -> None:
    x, y = mx.nd.array([[1.0, -2.0], [0.5, 3.0]]), mx.nd.array([[2.0, 1.0], [-1.0, 0.5]])
    tu.check_numeric_gradient(lambda x, y: x * y + x, [x, y], rtol=1e-2)
    tu.check_numeric_gradient(lambda x, y: [x * y, x + y], {"y": y, "x": x}, rtol=1e-2)
    tu.check_numeric_gradient(lambda x: x * x, [x.asnumpy()], dtype=np.float64)
    tu.check_numeric_gradient(lambda x, y: x * y, [x, y], grad_nodes={0: "add", 1: "null"}, rtol=1e-2)
    with pytest.raises(AssertionError, match="recorded gradient of '0' and finite differences differ"):
        tu.check_numeric_gradient(lambda x: x * x.detach(), [x], rtol=1e-2)
    tu.check_numeric_gradient(lambda x, y: x.detach() * y, [x, y], grad_nodes=[1], rtol=1e-2)
    with pytest.raises(ValueError, match="no input named"):
        tu.check_numeric_gradient(lambda x: x, [x], grad_nodes=["z"])
    tu.check_numeric_gradient(lambda x: x * x, [x], numeric_eps=1e-2, rtol=0.1, atol=0.1, dtype=np.float16)
    with pytest.raises(TypeError, match="float16, float32 or float64, got int32"):
        tu.check_numeric_gradient(lambda x: x, [x], dtype=np.int32)
    with pytest.raises(TypeError, match="function of arrays, got str"):
        tu.check_numeric_gradient("x", [x])


def test_consistency_over_dtypes() -> None:
    kinds = [{"dtype": d, "ctx": mx.cpu()} for d in ("float32", "float64", "float16")]
    x = np.array([1.0, -2.0, 3.0])
    out, grad = tu.check_consistency(lambda x: x * x * x, kinds, location=[x])
    assert out.dtype == grad.dtype == np.float64
    np.testing.assert_allclose(out, x**3)
    assert len(tu.check_consistency(lambda x: x + 1, kinds, location={"x": x}, grad_req="null")) == 1

    def wrong(x: Any) -> Any:
        return x * (2.0 if x.dtype == np.float32 else 3.0)

    with pytest.raises(AssertionError, match=r"output 0 in float32 on cpu\(0\) and in float64"):
        tu.check_consistency(wrong, kinds, location=[x])
    with pytest.raises(ValueError, match="at least one entry"):
        tu.check_consistency(wrong, [], location=[x])


def test_compare_optimizer() -> None:
    sgd = mx.optimizer.SGD
    tu.compare_optimizer(sgd(momentum=0.9), sgd(momentum=0.9), [(2, 3), (4,)], "float32")
    with pytest.raises(AssertionError):
        tu.compare_optimizer(sgd(momentum=0.9), sgd(momentum=0.8), (2, 3), "float32", steps=2)
    with pytest.raises(AssertionError):
        tu.compare_optimizer(sgd(learning_rate=1), sgd(learning_rate=2), (2, 3), "float32")


def test_compare_optimizer_gives_dense_arrays_to_the_first() -> None:
    class Seen(mx.optimizer.SGD):
        def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
            seen.append((weight.stype, grad.stype, weight.asnumpy(), grad.asnumpy()))
            super().update(index, weight, grad, state)

    seen: list[Any] = []
    tu.compare_optimizer(
        Seen(lazy_update=False), Seen(lazy_update=False), (4, 3), "float32", "row_sparse", "row_sparse"
    )
    assert [stypes for *stypes, _, _ in seen] == [["default"] * 2, ["row_sparse"] * 2]
    np.testing.assert_array_equal(seen[0][2], seen[1][2])
    np.testing.assert_array_equal(seen[0][3], seen[1][3])


def test_surroundings() -> None:
    assert tu.default_context() == mx.current_context()
    tu.set_default_context(mx.cpu(1))
    assert tu.default_context() == mx.cpu(1)
    tu.set_default_context(None)
    assert list(tu.list_gpus()) == list(range(mx.context.num_gpus()))
    with tu.environment({"MIXGRAD_TEST_A": "1", "PATH": None}):
        assert os.environ["MIXGRAD_TEST_A"] == "1" and "PATH" not in os.environ
    assert "MIXGRAD_TEST_A" not in os.environ and "PATH" in os.environ
    with pytest.raises(TypeError, match="a name and a value"), tu.environment(1):
        pass


def test_expected_exceptions_and_repetition() -> None:
    tu.assert_exception(lambda: 1 / 0, ZeroDivisionError)
    with pytest.raises(AssertionError, match="expected ZeroDivisionError"):
        tu.assert_exception(lambda: 1, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        tu.assert_exception(lambda: 1 / 0, ValueError)
    calls = []

    @tu.retry(3)
    def third_time() -> int:
        calls.append(1)
        assert len(calls) == 3
        return 5

    assert third_time() == 5

    @tu.retry(2)
    def never() -> None:
        raise AssertionError("no")

    with pytest.raises(AssertionError, match="no"):
        never()
    with pytest.raises(ValueError, match="at least 1 attempt, got 0"):
        tu.retry(0)
