"""Head gradients of other dtypes and shapes, and variables of whole numbers, as in scripts for MXNet."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, nd


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "int64", "uint8"])
def test_head_gradients_are_converted(dtype: str) -> None:
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with autograd.record():
        y = x * x
    y.backward(nd.array([1, 2, 3], dtype=dtype))
    assert x.grad.dtype == np.float32
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 8, 18])


def test_head_gradients_of_as_many_elements_take_the_shape() -> None:
    x = nd.array([1, 2, 3, 4])
    x.attach_grad()
    with autograd.record():
        y = x * 2
    y.backward(nd.array([[1, 2], [3, 4]]))
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 4, 6, 8])
    with autograd.record():
        y = x * 2
    for shape in ((1,), (0,), (3, 1)):
        with pytest.raises(mx.MXNetError, match=r"\(4,\).*expected as many elements"):
            y.backward(nd.ones(shape))


def test_the_first_elements_of_larger_head_gradients_count() -> None:
    script = """
import warnings
import mixgrad as mx
x = mx.nd.ones((2, 2))
x.attach_grad()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for shape in ((3, 2), (7,), (2, 2)):
        with mx.autograd.record():
            y = x * 2
        y.backward(mx.nd.arange(8)[: shape[0] * (shape + (1,))[1]].reshape(shape))
        assert x.grad.asnumpy().tolist() == [[0, 2], [4, 6]], shape
assert len(told) == 1 and "head gradient (3, 2)" in str(told[0].message), [str(t.message) for t in told]
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_converted_head_gradients_have_gradients() -> None:
    x, head = nd.array([1, 2]), nd.array([3, 4], dtype="float64")
    x.attach_grad()
    head.attach_grad()
    with autograd.record():
        (slope,) = autograd.grad([x * x], [x], [head], create_graph=True, retain_graph=True)
        slope.sum().backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [6, 8])
    np.testing.assert_array_equal(head.grad.asnumpy(), [2, 4])


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
def test_whole_numbers_have_gradients(dtype: str) -> None:
    x = nd.array([1, 2, 3], dtype=dtype)
    x.attach_grad()
    with autograd.record():
        y = x * x
    y.backward()
    assert x.grad.dtype == x.dtype
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 4, 6])
    with autograd.record():
        y = x.astype("float32") * 2.5
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 2, 2])


def test_whole_numbers_add_gradients() -> None:
    x = nd.array([1, 2], dtype="int32")
    x.attach_grad("add")
    for _ in range(2):
        with autograd.record():
            y = x * 3
        y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [6, 6])


def test_remainders_of_whole_numbers_have_none() -> None:
    x, y = nd.array([5, 0], dtype="int32"), nd.array([3, 0], dtype="int32")
    x.attach_grad()
    y.attach_grad()
    with autograd.record():
        z = x % y
    z.backward()
    assert (x.grad.asnumpy() == 0).all()
    assert (y.grad.asnumpy() == 0).all()


@pytest.mark.parametrize("call", [nd.relu, lambda x: nd.Activation(x, act_type="relu")])
def test_nan_passes_relu_in_both_directions(call: Any) -> None:
    x = nd.array([np.nan, 1, -2, 0, np.inf])
    x.attach_grad()
    with autograd.record():
        y = call(x)
    y.backward()
    np.testing.assert_array_equal(y.asnumpy(), [np.nan, 1, 0, 0, np.inf])
    np.testing.assert_array_equal(x.grad.asnumpy(), [np.nan, 1, 0, 0, 1])


def double() -> mx.executor.Executor:
    return (mx.sym.var("x") * 2).simple_bind(mx.cpu(), x=(3,))


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32"])
def test_executors_convert_head_gradients(dtype: str) -> None:
    exe = double()
    exe.forward(is_train=True, x=nd.array([1, 2, 3]))
    exe.backward(nd.array([1, 2, 3], dtype=dtype))
    np.testing.assert_array_equal(exe.grad_dict["x"].asnumpy(), [2, 4, 6])


def test_executors_leave_surplus_head_gradients_out() -> None:
    exe = double()
    exe.forward(is_train=True)
    exe.backward([nd.array([1, 2, 3]), nd.ones((7,))])
    np.testing.assert_array_equal(exe.grad_dict["x"].asnumpy(), [2, 4, 6])


def test_executors_run_forward_where_it_lacks() -> None:
    exe = mx.sym.square(mx.sym.exp(mx.sym.var("x"))).simple_bind(mx.cpu(), x=(2,))
    exe.arg_dict["x"][:] = 1
    for _ in range(3):
        exe.backward(nd.ones((2,)))
        np.testing.assert_allclose(exe.grad_dict["x"].asnumpy(), 2 * np.exp([2, 2]), rtol=1e-5)
        exe.grad_dict["x"][:] = 0
    exe.forward(is_train=True)
    exe.backward(nd.ones((2,)), is_train=False)
    np.testing.assert_allclose(exe.grad_dict["x"].asnumpy(), 2 * np.exp([2, 2]), rtol=1e-5)


def test_a_second_backward_has_the_same_random_numbers() -> None:
    net = mx.sym.Dropout(mx.sym.exp(mx.sym.var("x")), p=0.5)
    exe = net.simple_bind(mx.cpu(), x=(1000,))
    out = exe.forward(is_train=True)[0].asnumpy()
    for _ in range(2):
        exe.backward(nd.ones((1000,)))
        np.testing.assert_allclose(exe.grad_dict["x"].asnumpy(), out)
    assert 300 < (out == 0).sum() < 700


def test_grad_gives_a_list() -> None:
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = x * x
    found = autograd.grad(y, x, retain_graph=True)
    assert isinstance(found, list)
    assert len(found) == len(autograd.grad(y, [x])) == 1
    np.testing.assert_array_equal(found[0].asnumpy(), [2, 4])
