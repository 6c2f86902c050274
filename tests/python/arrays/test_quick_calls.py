"""Functions with a path in C give what the functions of Python behind them give."""

import copy
import inspect
import pickle
import re

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core

SHAPES = [3, (), (2, 3), [2, 3], (0, 2), np.int64(2), (np.int32(2), 3), np.array([2, 3])]
DTYPES = [None, "float32", "float64", "bfloat16", "bool", "int", np.float16, np.dtype("int32"), float]


def same(quick, plain):
    """One outcome: equal arrays of one dtype, device and class, or errors of one class and text.

    What Python itself says of arguments that do not fit, `dot() missing 1 ...`, is ours; of keywords more.
    """

    def outcome(fn):
        try:
            made = fn()
        except Exception as error:
            kind, text = type(error), str(error)
            if kind is mx.base.SignatureError and re.match(r"\[\w+\] (missing|takes|got)", text):
                return TypeError, text.partition("] ")[2]
            if kind is mx.base.SignatureError and "no argument is called" in text:
                word = re.search("'(\\w+)'", text)[1]
                return TypeError, f"got an unexpected keyword argument '{word}'"
            return kind, re.sub(r"^\w+\(\) ", "", text)
        return type(made), made.dtype, made.context, made.shape, made.asnumpy().tolist()

    expected = outcome(plain)
    assert outcome(quick) == expected


@pytest.mark.parametrize("name", ["zeros", "ones"])
@pytest.mark.parametrize("shape", [*SHAPES, (2, -1), "2", 2.5, None, (2**70,), (1,) * 20])
def test_shapes(name, shape):
    fn = getattr(mx.nd, name)
    assert isinstance(fn, _core.QuickFunction)
    same(lambda: fn(shape), lambda: fn.__wrapped__(shape))
    same(lambda: fn(shape=shape), lambda: fn.__wrapped__(shape=shape))


@pytest.mark.parametrize("dtype", [*DTYPES, "nothing", 3])
def test_dtypes(dtype):
    a = mx.nd.array([[1.5, 0], [2, -3]])
    calls = [
        (mx.nd.zeros, ((2,), None, dtype), {}),
        (mx.nd.ones, ((2,),), {"dtype": dtype}),
        (mx.nd.full, ((2,), 3), {"dtype": dtype}),
        (mx.nd.arange, (4,), {"dtype": dtype}),
        (mx.nd.array, ([1, 2.5],), {"dtype": dtype}),
        (mx.nd.NDArray.astype, (a, dtype), {}),
        (mx.nd.NDArray.astype, (a, dtype, False), {}),
        (mx.nd.NDArray.astype, (a,), {"dtype": dtype, "copy": True}),
    ]
    for fn, args, words in calls:
        same(lambda f=fn, a=args, w=words: f(*a, **w), lambda f=fn, a=args, w=words: f.__wrapped__(*a, **w))


@pytest.mark.parametrize(
    "source",
    [
        [],
        [1, 2.5],
        [[1, 2], [3, 4]],
        ([1, 2], (3, 4)),
        [[], []],
        [[1], [2, 3]],
        [1, [2]],
        [[1], 2],
        [[], 1],
        [1, []],
        [True, 2],
        [2**60, 1],
        [1e300],
        ["3"],
        [None],
        3,
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.arange(6, dtype=np.float32).reshape(2, 3).T,
        np.arange(6.0)[::2],
        np.array(2, np.float32),
        np.zeros((0, 2), np.float32),
        np.arange(3, dtype=">f4"),
        np.ma.masked_array([1, 2], dtype="float32"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_values(source, dtype):
    same(lambda: mx.nd.array(source, dtype=dtype), lambda: mx.nd.array.__wrapped__(source, dtype=dtype))


@pytest.mark.parametrize(
    "codes", [(6, -1), ((4, 6),), ([0, -1],), (-1,), ((-3, 0),), ((5, 5),), (2.5,), ("a",)]
)
def test_reshape(codes):
    a = mx.nd.arange(24).reshape((2, 3, 4))
    reshape = mx.nd.NDArray.reshape
    same(lambda: a.reshape(*codes), lambda: reshape.__wrapped__(a, *codes))
    same(a.reshape, lambda: reshape.__wrapped__(a))
    a.reshape(-1)[:] = 7
    assert a.asnumpy().min() == 7


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((5,), {}),
        ((1, 5), {}),
        ((5, None), {}),
        ((0, 1, 0.25), {}),
        ((1,), {"stop": 4, "step": 2}),
        ((3,), {"repeat": 2}),
        ((3,), {"ctx": "cpu(1)"}),
        ((np.float32(3),), {}),
        ((), {}),
        ((1,), {"wrong": 2}),
        (("a",), {}),
    ],
)
def test_arange(args, words):
    same(lambda: mx.nd.arange(*args, **words), lambda: mx.nd.arange.__wrapped__(*args, **words))


def test_operators():
    a, b = mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([[5, 6], [7, 8]])
    out = mx.nd.zeros((2, 2))
    calls = [
        (mx.nd.concat, (a, b), {"dim": 0}),
        (mx.nd.concat, ([a, b],), {}),
        (mx.nd.concat, ((a, b),), {"dim": 1}),
        (mx.nd.concat, (a, 3), {}),
        (mx.nd.concat, (), {}),
        (mx.nd.sum, (a,), {"axis": 1}),
        (mx.nd.sum, (a, 1, True), {"exclude": True}),
        (mx.nd.sum, (a,), {"axis": "x"}),
        (mx.nd.sum, (a,), {"axsi": 1}),
        (mx.nd.sum, (), {}),
        (mx.nd.sum, (a, 0), {"axis": 0}),
        (mx.nd.dot, (a, None), {}),
        (mx.nd.dot, (a,), {}),
        (mx.nd.dot, (a, b), {"transpose_b": True}),
        (mx.nd.clip, (a, 2, 3), {}),
        (mx.nd.clip, (a,), {}),
        (mx.nd.exp, (a,), {"out": out}),
        (mx.nd.exp, (a,), {"out": 3}),
        (mx.nd.exp, (a,), {"name": "unused"}),
        (mx.nd.FullyConnected, (a, b, None), {"num_hidden": 2, "no_bias": True}),
        (mx.nd.NDArray.sum, (a, 0), {}),
        (mx.nd.NDArray.sum, (3,), {}),
    ]
    for fn, args, words in calls:
        same(lambda f=fn, a=args, w=words: f(*a, **w), lambda f=fn, a=args, w=words: f.__wrapped__(*a, **w))
    assert mx.nd.exp(a, out=out) is out


def test_last_parameters_are_not_mixed_up():
    a = mx.nd.arange(6).reshape((2, 3))
    for _ in range(2):
        for axis in (0, 1, -1, (0, 1), ()):
            for keepdims in (False, True, 1, 0):
                np.testing.assert_allclose(
                    mx.nd.sum(a, axis=axis, keepdims=keepdims).asnumpy(),
                    a.asnumpy().sum(axis=None if axis == () else axis, keepdims=bool(keepdims)),
                )
        for scalar in (0.0, -0.0, 1, 1.0, True, 1e30):
            assert ((a * scalar).asnumpy() == a.asnumpy() * np.float32(scalar)).all()
        with pytest.raises(IndexError, match=r"^\[sum\]"):
            mx.nd.sum(a, axis=5)


def test_they_look_like_functions():
    for fn in (mx.nd.sum, mx.nd.zeros, mx.nd.NDArray.reshape):
        assert inspect.signature(fn) == inspect.signature(fn.__wrapped__)
        assert fn.__doc__ == fn.__wrapped__.__doc__
        assert pickle.loads(pickle.dumps(fn)) is fn
        assert copy.deepcopy(fn) is fn
        assert inspect.isroutine(fn)
        assert repr(fn).startswith("<function ")


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "uint8", "int32", "int8", "int64", "bool"]
)
@pytest.mark.parametrize("value", [0, 1, -3, 2.5, 1e-7, 65504.0, float("inf"), float("nan")])
def test_one_element(dtype, value):
    a = mx.nd.array([value], dtype=dtype)
    scalar = a.asnumpy()[0]
    assert type(a.asscalar()) is type(scalar)
    for read in (lambda x: x.asscalar(), lambda x: x.item(), float, lambda x: x.tolist()[0]):
        np.testing.assert_equal(np.float64(read(a)), np.float64(scalar))
    assert type(a.item()) is type(scalar.item())
    if np.isfinite(value):
        assert int(a) == int(scalar)
    elif dtype in ("float32", "float64", "float16", "bfloat16"):
        with pytest.raises((OverflowError, ValueError)):
            int(a)


def test_scopes_nest_and_unwind():
    scope = mx.autograd.record()
    with scope:
        with scope, mx.autograd.pause():
            assert not mx.autograd.is_recording()
        assert mx.autograd.is_recording()
        assert mx.autograd.is_training()
    assert not mx.autograd.is_recording()
    with pytest.raises(RuntimeError, match=r"^\[autograd\] a scope left without having been entered"):
        scope.__exit__(None, None, None)
    with mx.autograd.record(train_mode=False):
        assert not mx.autograd.is_training()


def test_jit_follows_shapes_and_recording():
    fn = mx.jit(lambda a, b: (a * 2 + b, b))
    for shape in ((2,), (3,), (2,), (2, 1)):
        a, b = mx.nd.ones(shape), mx.nd.ones(shape) * 3
        for _ in range(3):
            first, second = fn(a, b)
            assert first.asnumpy().tolist() == (a * 2 + b).asnumpy().tolist()
            assert second.asnumpy().tolist() == b.asnumpy().tolist()
    kept = fn(mx.nd.ones((2,)), mx.nd.ones((2,)))[0]
    fn(mx.nd.zeros((2,)), mx.nd.zeros((2,)))
    assert kept.asnumpy().tolist() == [3, 3]
    x = mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = fn(x, x)[0]
    y.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]
