"""Functions as graphs: results, gradients, captured arrays, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def layer(x: Any, w: Any, b: Any) -> Any:
    h = mx.nd.tanh(mx.nd.FullyConnected(x, w, b, num_hidden=4))
    h += 1
    h = h.reshape((-1, 2)).reshape((3, 4))
    return h * h[0:1] - 2 / (h + 3)


def arrays(seed: int = 0) -> list[Any]:
    rng = np.random.RandomState(seed)
    return [mx.nd.array(rng.uniform(-1, 1, shape)) for shape in ((3, 5), (4, 5), (4,))]


def gradients(fn: Any, inputs: list[Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    for x in inputs:
        x.attach_grad()
    with mx.autograd.record():
        y = fn(*inputs) * 2
    y.backward()
    return y.asnumpy(), [x.grad.asnumpy() for x in inputs]


def plain(x: Any, w: Any, b: Any) -> Any:
    h = mx.nd.tanh(mx.nd.FullyConnected(x, w, b, num_hidden=4)) + 1
    return h * h[0:1] - 2 / (h + 3)


def test_results_and_gradients_equal_calls() -> None:
    compiled = mx.jit(layer)
    for seed in range(3):
        y, g = gradients(compiled, arrays(seed))
        expected, expected_g = gradients(plain, arrays(seed))
        np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)
        for a, b in zip(g, expected_g):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(compiled(*arrays()).asnumpy(), layer(*arrays()).asnumpy(), rtol=1e-6)


def test_traced_once_per_shape_and_argument() -> None:
    traced = []

    @mx.jit
    def power(x: Any, n: int) -> Any:
        traced.append((x.shape, n))
        return [x**n, x + n]

    for n in (2, 3, 2):
        for size in (2, 4, 2):
            out = power(mx.nd.ones((size,)) * 2, n)
            assert isinstance(out, list)
            np.testing.assert_array_equal(out[0].asnumpy(), np.full(size, 2.0**n))
    assert len(traced) == 4


def test_captured_arrays_are_read_when_it_runs() -> None:
    w = mx.nd.ones((3,))
    w.attach_grad()

    @mx.jit
    def scale(x: Any) -> Any:
        return x * w

    x = mx.nd.array([1, 2, 3])
    np.testing.assert_array_equal(scale(x).asnumpy(), [1, 2, 3])
    w[:] = 2
    with mx.autograd.record():
        y = scale(x) + scale(x * 3)  # two runs are open at once
    y.backward()
    np.testing.assert_array_equal(y.asnumpy(), [8, 16, 24])
    np.testing.assert_array_equal(w.grad.asnumpy(), [4, 8, 12])


def test_random_numbers_follow_the_seed() -> None:
    drop = mx.jit(lambda x: mx.nd.Dropout(x, p=0.5))
    x = mx.nd.ones((64,))
    with mx.autograd.train_mode():
        mx.random.seed(4)
        first = drop(x).asnumpy()
        second = drop(x).asnumpy()
        mx.random.seed(4)
        np.testing.assert_array_equal(first, mx.nd.Dropout(x, p=0.5).asnumpy())
    assert (first != second).any()
    np.testing.assert_array_equal(drop(x).asnumpy(), x.asnumpy())


def test_refusals() -> None:
    outside = mx.nd.zeros((2,))

    def reads(x: Any) -> Any:
        return x * float((x + 1).asnumpy()[0])

    def writes(x: Any) -> Any:
        outside[:] = x
        return x

    def goes_back(x: Any) -> Any:
        y = x * 2
        y.backward()
        return y

    def writes_view(x: Any) -> Any:
        y = (x + 1).reshape((1, 2))
        y += 1
        return y

    with pytest.raises(mx.MXNetError, match="memory that a view shares"):
        mx.jit(writes_view)(mx.nd.ones((2,)))
    for fn, message in ((reads, "reading the values"), (writes, "made outside"), (goes_back, "backward")):
        with pytest.raises(mx.MXNetError, match=message):
            mx.jit(fn)(mx.nd.ones((2,)))
    with pytest.raises(TypeError, match="returned int"):
        mx.jit(lambda x: [3])(mx.nd.ones((2,)))
    assert mx.nd.ones((2,)).asnumpy().sum() == 2  # no trace is left open


def test_only_gradients_that_are_needed_are_computed() -> None:
    product = mx.jit(mx.nd.dot)
    x, w = mx.nd.ones((2, 3)), mx.nd.ones((3, 4))
    w.attach_grad()
    for wants_x in (False, True, False):
        if wants_x:
            x.attach_grad()
        with mx.autograd.record():
            y = product(x if wants_x else x.detach(), w)
        y.backward()
        np.testing.assert_array_equal(w.grad.asnumpy(), np.full((3, 4), 2))
    np.testing.assert_array_equal(x.grad.asnumpy(), np.full((2, 3), 4))


def test_writes_through_views_are_refused() -> None:
    def rows(x: Any) -> Any:
        y = mx.nd.zeros((3, 4))
        for i in range(3):
            y[i][:] = x + i
        return y

    def moved(x: Any) -> Any:
        y = x * 2
        v = y[0]
        v += 1
        return y

    for function, given in ((rows, mx.nd.ones(4)), (moved, mx.nd.ones((2, 2)))):
        with pytest.raises(mx.MXNetError, match="memory that a view shares"):
            mx.jit(function)(given)


def test_views_are_read() -> None:
    w = mx.nd.arange(6)
    got = mx.jit(lambda x: x * w.reshape((2, 3)) + x[0] + w[1:4])(mx.nd.ones((2, 3)))
    assert got.asnumpy().tolist() == [[2, 4, 6], [5, 7, 9]]


def test_constants_that_compare_equal_have_graphs_of_their_own() -> None:
    kinds = mx.jit(lambda x, k: x + {int: 1, float: 2, bool: 3}[type(k[0])])
    assert [kinds(mx.nd.zeros(1), (k,)).asscalar() for k in (1, 1.0, True)] == [1, 2, 3]
    over = mx.jit(lambda x, k: x / k)
    assert [over(mx.nd.ones(1), k).asscalar() for k in (0.0, -0.0)] == [np.inf, -np.inf]


def test_what_is_no_key_is_refused() -> None:
    with pytest.raises(TypeError, match=r"\[jit\] an argument of <lambda> is no array"):
        mx.jit(lambda x: x * 2)(np.ones(2))
    with pytest.raises(TypeError, match=r"\[jit\] got int; expected a function"):
        mx.jit(5)
    with pytest.raises(TypeError, match="returned no arrays"):
        mx.jit(lambda x: [])(mx.nd.ones(1))


def test_arrays_in_tuples_are_not_mixed_up() -> None:
    add = mx.jit(lambda pair: pair[0] + pair[1])
    a = mx.nd.ones(2)
    assert add((a, a)).asnumpy().tolist() == [2, 2]
    assert add((a * 5, a * 7)).asnumpy().tolist() == [12, 12]
