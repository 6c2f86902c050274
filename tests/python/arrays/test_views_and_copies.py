"""What shares memory with what: views by ``inplace``, arrays over NumPy's memory; NumPy's functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, nd


@pytest.mark.parametrize(
    ("shape", "call", "result"),
    [
        ((1, 2, 3), lambda x, **w: x.flatten(**w), (1, 6)),
        ((4,), lambda x, **w: x.flatten(**w), (4, 1)),
        ((0, 3, 2), lambda x, **w: x.flatten(**w), (0, 6)),
        ((1, 2, 1), lambda x, **w: x.squeeze(**w), (2,)),
        ((1, 1), lambda x, **w: x.squeeze(**w), (1,)),
        ((1, 2, 1), lambda x, **w: x.squeeze(-1, **w), (1, 2)),
        ((1, 2, 1), lambda x, **w: x.squeeze(axis=(0, 2), **w), (2,)),
        ((2, 3), lambda x, **w: x.expand_dims(1, **w), (2, 1, 3)),
        ((2, 3), lambda x, **w: x.expand_dims(axis=-1, **w), (2, 3, 1)),
    ],
)
def test_inplace_gives_a_view(shape: tuple[int, ...], call: Any, result: tuple[int, ...]) -> None:
    x = nd.zeros(shape)
    copy, view = call(x), call(x, inplace=True)
    assert copy.shape == view.shape == result
    x[:] = 1
    assert (copy.asnumpy() == 0).all()
    assert (view.asnumpy() == 1).all()


def test_views_are_on_the_tape() -> None:
    x = nd.ones((2, 1, 3))
    x.attach_grad()
    with autograd.record():
        y = x.squeeze(inplace=True).expand_dims(0, inplace=True).flatten(inplace=True) * 3
    y.backward()
    assert (x.grad.asnumpy() == 3).all()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: x.squeeze(axis=1, inplace=True), ValueError, "axis 1 has extent 2"),
        (lambda x: x.squeeze(axis=5, inplace=True), ValueError, r"\[squeeze\] axis is 5; expected -3 to 2"),
        (
            lambda x: x.expand_dims(5, inplace=True),
            ValueError,
            r"\[expand_dims\] axis is 5; expected -4 to 3",
        ),
        (lambda x: x.expand_dims("a", inplace=True), TypeError, "whole number"),
        (lambda x: x.flatten(inplace=True, out=x), TypeError, "out"),
        (lambda x: nd.array(1.0).reshape(()).flatten(inplace=True), ValueError, "no axes"),
    ],
)
def test_inplace_refuses(call: Any, error: type, match: str) -> None:
    with pytest.raises(error, match=match):
        call(nd.zeros((1, 2, 3)))


def test_from_numpy_takes_the_memory_over() -> None:
    a = np.arange(6, dtype="float32").reshape(2, 3)
    x = nd.from_numpy(a)
    assert not a.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        a[0, 0] = 1
    x[1, 2] = 100
    x.wait_to_read()
    assert a[1, 2] == 100
    again = nd.from_numpy(a)
    again[:] = 7
    again.wait_to_read()
    assert (x.asnumpy() == 7).all()
    assert not a.flags.writeable


def test_from_numpy_copies_memory_that_cannot_be_written(tmp_path: Path) -> None:
    np.arange(4, dtype="float32").tofile(tmp_path / "a")
    mapped = np.memmap(tmp_path / "a", np.float32, "r")
    for source in (mapped, np.frombuffer(b"\x00\x00\x80\x3f" * 4, np.float32)):
        x = nd.from_numpy(source)
        before = source.copy()
        x[:] = 5
        x.wait_to_read()
        np.testing.assert_array_equal(source, before)
    copied = np.ones((2,), np.float32)
    nd.from_numpy(copied, zero_copy=False)
    assert copied.flags.writeable


def test_numpy_functions_that_are_methods_give_arrays() -> None:
    x = nd.array([[3, 1, 2], [4, 6, 5]])
    for made, want in (
        (np.argmax(x, axis=1), [0, 1]),
        (np.argmin(x, 0), [0, 0, 0]),
        (np.sum(x), [21]),
        (np.sum(x, axis=1, keepdims=True), [[6], [15]]),
        (np.max(x, axis=0), [4, 6, 5]),
        (np.amin(x), [1]),
        (np.prod(x, 1), [6, 120]),
        (np.clip(x, 2, 4), [[3, 2, 2], [4, 4, 4]]),
        (np.swapaxes(x, 0, 1), [[3, 4], [1, 6], [2, 5]]),
        (np.squeeze(x), x.asnumpy()),
        (np.repeat(x, 2, axis=0), np.repeat(x.asnumpy(), 2, axis=0)),
    ):
        assert isinstance(made, nd.NDArray)
        np.testing.assert_array_equal(made.asnumpy(), want)
    assert isinstance(np.sum(x, dtype="float64"), np.float64)
    assert isinstance(np.mean(x), np.floating)
    x.attach_grad()
    with autograd.record():
        y = np.sum(x * x)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 2 * x.asnumpy())


def test_all_of_an_array_without_axes() -> None:
    x = nd.array(1.0).reshape(())
    x[:] = 3
    assert x.shape == ()
    assert x.asnumpy() == 3
    with pytest.raises(IndexError):
        x[0] = 1


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("half", "float16"),
        ("single", "float32"),
        ("double", "float64"),
        ("float", "float64"),
        ("int", "int64"),
    ],
)
def test_dtypes_by_other_names(name: str, number: str) -> None:
    want = np.dtype(number)
    x = nd.array([1])
    assert x.astype(name).dtype == want
    assert nd.cast(x, dtype=name).dtype == want
    assert nd.zeros((1,), dtype=name).dtype == want
    net = mx.sym.cast(mx.sym.var("x"), dtype=name)
    assert net.infer_type(x="float32")[1] == [want]
    assert mx.sym.load_json(net.tojson()).infer_type(x="float32")[1] == [want]
    assert nd.cast(x, dtype=float).dtype == np.float64
