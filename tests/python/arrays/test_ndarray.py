"""NDArray as a Python object: making, converting, comparing, printing, copying, pickling, devices, errors."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

FLOATS = ["float32", "float64", "float16"]
INTEGERS = ["int8", "uint8", "int32", "int64"]


def values(x: mx.nd.NDArray) -> Any:
    return x.asnumpy().tolist()


# Making arrays: dtypes as MXNet 1.9.1 chooses them.


@pytest.mark.parametrize(
    ("source", "dtype"),
    [
        ([1, 2, 3], "float32"),
        ([[1.5], [2]], "float32"),
        ((1, 2), "float32"),
        ([True, False], "float32"),
        (3, "float32"),
        (2.5, "float32"),
        (True, "float32"),
        ([], "float32"),
        ([[], []], "float32"),
        (range(3), "float32"),
        (np.float64(2), "float32"),
        (np.arange(3), "float32"),
        (np.arange(3, dtype=np.int32), "float32"),
        (np.arange(3.0), "float32"),
        (np.arange(3, dtype=np.float16), "float32"),
        (np.array([True, False]), "float32"),
        (np.arange(3, dtype=np.uint8), "float32"),
        (np.float32(2), "float32"),
        (np.array(7, dtype=np.int8), "float32"),
        (memoryview(np.arange(4, dtype=np.int32)), "float32"),
        (bytearray(b"abc"), "float32"),
        ([np.ones(2), np.zeros(2)], "float32"),
    ],
)
def test_array_dtype(source: Any, dtype: str) -> None:
    x = mx.nd.array(source)
    assert np.dtype(x.dtype) == dtype
    expected = np.frombuffer(source, np.uint8) if isinstance(source, bytearray) else np.asarray(source)
    assert x.shape == expected.shape
    np.testing.assert_array_equal(x.asnumpy(), expected.astype(dtype))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "bool"])
def test_array_of_a_given_dtype(dtype: str) -> None:
    for source in ([[0, 1], [2, 3]], np.array([[0.0, 1], [2, 3]]), np.array([[0, 1], [2, 3]])):
        for name in (dtype, np.dtype(dtype), np.dtype(dtype).type):
            x = mx.nd.array(source, dtype=name)
            assert np.dtype(x.dtype) == dtype
            np.testing.assert_array_equal(x.asnumpy(), np.asarray(source).astype(dtype))


def test_array_of_arrays() -> None:
    x = mx.nd.array([1, 2], dtype="int32")
    y = mx.nd.array(x)
    assert y.dtype is np.int32 and not y._shares_memory(x)
    assert mx.nd.array(x, dtype="float64").dtype is np.float64
    np.testing.assert_array_equal(mx.nd.array([x, x]).asnumpy(), [[1, 2], [1, 2]])
    assert mx.nd.array(x, ctx=mx.cpu(1)).context == mx.cpu(1)


def test_array_copies_strides_and_byte_orders() -> None:
    base = np.arange(24.0).reshape(2, 3, 4)
    for view in (base.T, base[:, ::-1], base[::-1, 1:, ::2], np.asfortranarray(base), base.astype(">f8")):
        np.testing.assert_array_equal(mx.nd.array(view).asnumpy(), view)
    read_only = base.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(mx.nd.array(read_only).asnumpy(), base)
    x = mx.nd.array(base)
    base[:] = -1
    assert x.asnumpy().min() == 0


def test_bfloat16_in_and_out() -> None:
    import ml_dtypes

    source = np.array([1.0, 0.1, -3e38, np.inf, np.nan]).astype(ml_dtypes.bfloat16)
    assert mx.nd.array(source).dtype is np.float32
    x = mx.nd.array(source, dtype=source.dtype)
    assert x.dtype is mx.bfloat16
    np.testing.assert_array_equal(x.asnumpy(), source.astype(np.float32))
    assert mx.nd.array([1.0], dtype=ml_dtypes.bfloat16).dtype is mx.bfloat16
    assert mx.nd.zeros((2,), dtype="bfloat16").itemsize == 2
    assert (x[:1] + x[:1]).dtype is mx.bfloat16


@pytest.mark.parametrize(
    "source", ["text", ["a", "b"], [1, None], [[1, 2], [3]], {"a": 1}, object(), 1j, [1j], b"bytes", None]
)
def test_array_refuses(source: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"\[array\]"):
        mx.nd.array(source)


@pytest.mark.parametrize("dtype", ["float33", "complex64", "uint16", "U3", object, np.datetime64, "", 3])
def test_unknown_dtypes_are_refused(dtype: Any) -> None:
    for make in (lambda: mx.nd.array([1], dtype=dtype), lambda: mx.nd.zeros((1,), dtype=dtype)):
        with pytest.raises((mx.base.DTypeError, TypeError), match=r"\[dtype\]"):
            make()


def test_floor_division_is_numpys() -> None:
    a = np.array([-7, -1, 0, 5, 7], dtype=np.int32)
    b = np.array([2, -3, 4, 3, -2], dtype=np.int32)
    x, y = mx.nd.array(a, dtype="int32"), mx.nd.array(b, dtype="int32")
    np.testing.assert_array_equal((x // y).asnumpy(), a // b)
    np.testing.assert_array_equal((x // 2).asnumpy(), a // 2)
    np.testing.assert_array_equal((7 // y).asnumpy(), 7 // b)
    assert values(x // 0) == [0] * 5


def test_numpy_arrays_of_other_dtypes_become_float32() -> None:
    x = mx.nd.array(np.arange(3, dtype=np.uint16))
    assert x.dtype is np.float32
    np.testing.assert_array_equal(x.asnumpy(), [0, 1, 2])


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1,), (2, 3), (1,) * 16])
@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "full"])
def test_creation_shapes(name: str, shape: tuple[int, ...]) -> None:
    arguments = (shape, 3) if name == "full" else (shape,)
    x = getattr(mx.nd, name)(*arguments, dtype="int32")
    assert x.shape == shape and x.dtype is np.int32 and x.ndim == len(shape) and x.size == math.prod(shape)
    expected = {"zeros": 0, "ones": 1, "full": 3}.get(name)
    if expected is not None:
        np.testing.assert_array_equal(x.asnumpy(), np.full(shape, expected))


@pytest.mark.parametrize(
    "shape", [(-1,), (2, -3), (2**62, 4), (2**31, 2**31, 2**31), (1,) * 17, (0, 2**62, 2**62)]
)
@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "full"])
def test_impossible_shapes(name: str, shape: tuple[int, ...]) -> None:
    arguments = (shape, 3) if name == "full" else (shape,)
    with pytest.raises(ValueError, match=r"^\["):
        getattr(mx.nd, name)(*arguments)


@pytest.mark.parametrize("shape", ["ab", [1.5], (2, None), None, 2.0, [[1]], (2**70,), {3: 4}])
@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "full"])
def test_shapes_of_wrong_types(name: str, shape: Any) -> None:
    arguments = (shape, 3) if name == "full" else (shape,)
    with pytest.raises((TypeError, ValueError, OverflowError)):
        getattr(mx.nd, name)(*arguments)


def test_more_memory_than_there_is() -> None:
    with pytest.raises(mx.base.OutOfMemoryError, match=r"no room for .* bytes"):
        mx.nd.empty((2**58,))
    with pytest.raises(MemoryError):
        mx.nd.zeros((2**58,)).wait_to_read()


# Attributes.


def test_attributes() -> None:
    x = mx.nd.zeros((2, 3), dtype="float64", ctx=mx.cpu(1))
    assert (x.shape, x.ndim, x.size, x.itemsize, x.nbytes) == ((2, 3), 2, 6, 8, 48)
    assert x.context == x.ctx == x.device == mx.cpu(1)
    assert x.stype == "default" and x.T.shape == (3, 2) and len(x) == 2
    for name in ("shape", "dtype", "size", "context", "T"):
        with pytest.raises(AttributeError):
            setattr(x, name, 1)
    with pytest.raises(AttributeError):
        x.new_attribute = 1


def test_len_iteration_contains() -> None:
    x = mx.nd.array([[1, 2], [3, 4]])
    assert [values(row) for row in x] == [[1, 2], [3, 4]]
    a, b = x
    assert a.shape == b.shape == (2,)
    assert 3 in x and 5 not in x and np.float32(4) in x
    assert len(mx.nd.zeros((0, 3))) == 0 and list(mx.nd.zeros((0, 3))) == []
    scalar = mx.nd.array(3)
    for broken in (len, iter, list):
        with pytest.raises(TypeError, match="0-d"):
            broken(scalar)
    assert [values(v) for v in reversed(mx.nd.array([1, 2]))] == [[2.0], [1.0]]


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element_as_a_number(shape: tuple[int, ...]) -> None:
    x = mx.nd.full(shape, 3)
    assert float(x) == 3.0 and int(x) == 3 and bool(x) and x.item() == 3.0 and isinstance(x.item(), float)
    assert isinstance(x.asscalar(), np.float32)
    assert not bool(mx.nd.zeros(shape))
    i = mx.nd.full(shape, 2, dtype="int32")
    assert (
        operator.index(i) == 2 and [10, 20, 30][i] == 30 and "ab" * i == "abab" and isinstance(i.item(), int)
    )
    with pytest.raises(TypeError, match=r"\[index\]"):
        operator.index(x)


def test_several_elements_are_no_number() -> None:
    x = mx.nd.zeros((2,))
    for convert in (float, int, lambda a: a.item(), lambda a: a.asscalar()):
        with pytest.raises(ValueError, match=r"\(2,\)"):
            convert(x)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(x)
    with pytest.raises(ValueError):
        operator.index(mx.nd.zeros((2,), dtype="int32"))
    assert not bool(mx.nd.zeros((0,)))


# Operators.

BINARY: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("+", operator.add),
    ("-", operator.sub),
    ("*", operator.mul),
    ("/", operator.truediv),
    ("%", operator.mod),
    ("**", operator.pow),
    ("//", operator.floordiv),
]
COMPARE: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("==", operator.eq),
    ("!=", operator.ne),
    ("<", operator.lt),
    ("<=", operator.le),
    (">", operator.gt),
    (">=", operator.ge),
]
NUMBERS: list[Any] = [
    2,
    2.5,
    True,
    np.float32(1.5),
    np.float64(1.5),
    np.int64(3),
    np.int8(2),
    np.bool_(True),
    np.float16(2),
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda n: f"{type(n).__name__}-{n}")
@pytest.mark.parametrize(("sign", "apply"), BINARY + COMPARE, ids=[s for s, _ in BINARY + COMPARE])
def test_numbers_on_either_side(sign: str, apply: Callable[[Any, Any], Any], number: Any) -> None:
    a = np.array([1.5, 2, 3], dtype=np.float32)
    x = mx.nd.array(a)
    for have, want in (
        (apply(x, number), apply(a, float(number))),
        (apply(number, x), apply(float(number), a)),
    ):
        assert isinstance(have, mx.nd.NDArray) and have.dtype is np.float32 and have.shape == a.shape
        np.testing.assert_allclose(have.asnumpy(), np.asarray(want, np.float32), rtol=1e-5)


@pytest.mark.parametrize(("sign", "apply"), BINARY + COMPARE, ids=[s for s, _ in BINARY + COMPARE])
def test_numpy_arrays_on_either_side(sign: str, apply: Callable[[Any, Any], Any]) -> None:
    a = np.array([[1.5, 2, 3]], dtype=np.float32)
    b = np.array([[2.0], [0.5]], dtype=np.float32)
    x = mx.nd.array(a)
    for other in (b, b.astype(np.float64), np.float32(2), np.array(2.0, dtype=np.float32)):
        for have, want in ((apply(x, other), apply(a, other)), (apply(other, x), apply(other, a))):
            assert isinstance(have, mx.nd.NDArray), type(have)
            np.testing.assert_allclose(have.asnumpy(), np.asarray(want, np.float32), rtol=1e-5)


@pytest.mark.parametrize(("sign", "apply"), BINARY, ids=[s for s, _ in BINARY])
def test_in_place(sign: str, apply: Callable[[Any, Any], Any]) -> None:
    in_place = getattr(operator, f"i{apply.__name__}")
    a = np.array([1.5, 2, 3], dtype=np.float32)
    for other in (
        2,
        0.5,
        np.float64(2),
        np.array([1, 2, 0.5], np.float32),
        mx.nd.array([1, 2, 0.5]),
        mx.nd.array([2.0]),
    ):
        x = mx.nd.array(a)
        view, before = x[1:], x
        x = in_place(x, other)
        number = other.asnumpy() if isinstance(other, mx.nd.NDArray) else other
        np.testing.assert_allclose(x.asnumpy(), apply(a, number).astype(np.float32), rtol=1e-5)
        assert x is before
        np.testing.assert_array_equal(view.asnumpy(), x.asnumpy()[1:])


def test_in_place_keeps_shape_and_dtype() -> None:
    x = mx.nd.ones((3,))
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        x += mx.nd.ones((2, 3))
    y = mx.nd.ones((3,), dtype="int32")
    y += 1
    assert y.dtype is np.int32 and values(y) == [2, 2, 2]
    with pytest.raises(TypeError):
        y += mx.nd.ones((3,))
    assert values(y) == [2, 2, 2]


@pytest.mark.parametrize("other", ["text", [1, 2, 3], (1,), {}, object(), 1j, b"x"])
@pytest.mark.parametrize(("sign", "apply"), BINARY, ids=[s for s, _ in BINARY])
def test_operands_that_are_no_numbers(sign: str, apply: Callable[[Any, Any], Any], other: Any) -> None:
    x = mx.nd.ones((3,))
    if sign == "%" and isinstance(other, (str, bytes)):
        other = None  # "text" % x formats
    for a, b in ((x, other), (other, x)):
        with pytest.raises(TypeError):
            apply(a, b)


def test_equality_with_what_is_no_array() -> None:
    x = mx.nd.ones((2,))
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert (x == "text") is False and (x != object()) is True
    with pytest.raises(TypeError):
        _ = x < "text"
    assert x in [x] and {x: 1}[x] == 1


def test_unary() -> None:
    x = mx.nd.array([-1.5, 0, 2])
    assert values(-x) == [1.5, 0, -2] and values(abs(x)) == [1.5, 0, 2] and (+x).shape == (3,)
    assert values(~mx.nd.array([True, False], dtype="bool")) == [False, True]


def test_logic() -> None:
    a, b = mx.nd.array([0, 0, 1, 1]), mx.nd.array([0, 1, 0, 1])
    assert values(mx.nd.logical_and(a, b)) == [0, 0, 0, 1]
    assert values(mx.nd.logical_or(a, b)) == [0, 1, 1, 1]
    assert values(mx.nd.logical_xor(a, b)) == [0, 1, 1, 0]


def test_matrix_product() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal((mx.nd.array(a) @ mx.nd.array(b)).asnumpy(), a @ b)
    shapes = [
        ((3,), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3,)),
        ((2, 3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((4,), (2, 4, 5)),
    ]
    shapes += [((2, 3, 4), (2, 4, 5)), ((3, 4), (2, 4, 5)), ((6, 1, 3, 4), (2, 4, 5)), ((1, 3, 4), (7, 4, 1))]
    for left, right in shapes:
        a, b = (np.arange(math.prod(s), dtype=np.float32).reshape(s) for s in (left, right))
        x, y = mx.nd.array(a), mx.nd.array(b)
        want = a @ b
        for have in (x @ y, x @ b, a @ y):
            assert isinstance(have, mx.nd.NDArray) and have.shape == (want.shape or (1,))
            np.testing.assert_array_equal(have.asnumpy().reshape(want.shape), want)
    with pytest.raises(TypeError):
        _ = mx.nd.array(a) @ 3


def test_errors_name_operator_shapes_and_dtypes() -> None:
    with pytest.raises(mx.base.ShapeError, match=r"\[broadcast_add\].*\(2,\).*\(3,\)"):
        mx.nd.ones((2,)) + mx.nd.ones((3,))
    with pytest.raises(mx.base.DTypeError, match=r"\[broadcast_mul\].*float32.*int32"):
        mx.nd.ones((2,)) * mx.nd.ones((2,), dtype="int32")


# NumPy.


def test_numpy_functions_take_arrays() -> None:
    a = np.array([[1.0, 2], [3, 4]], dtype=np.float32)
    x = mx.nd.array(a)
    np.testing.assert_array_equal(np.asarray(x), a)
    assert np.asarray(x, dtype=np.int64).dtype == np.int64
    assert np.array(x, copy=True).flags.owndata
    assert np.mean(x) == 2.5 and np.sum(x) == 10 and np.linalg.det(x) == pytest.approx(-2)
    np.testing.assert_array_equal(np.concatenate([x, x]), np.concatenate([a, a]))
    np.testing.assert_array_equal(np.stack([x, a]), np.stack([a, a]))
    target = np.zeros((2, 2))
    target[:] = x
    np.testing.assert_array_equal(target, a)
    with pytest.raises(ValueError, match="copy=False"):
        x.__array__(copy=False)


def test_ufuncs() -> None:
    a = np.array([1.0, 4.0], dtype=np.float32)
    x = mx.nd.array(a)
    for have, want in (
        (np.cos(x, dtype=np.float64), np.cos(a, dtype=np.float64)),
        (np.spacing(x), np.spacing(a)),
        (np.add.reduce(x), 5),
        (np.multiply.outer(x, a), np.outer(a, a)),
    ):
        assert not isinstance(have, mx.nd.NDArray)
        np.testing.assert_array_equal(have, want)
    assert isinstance(np.add(a, x), mx.nd.NDArray) and isinstance(np.sqrt(x), mx.nd.NDArray)
    out = np.zeros(2, dtype=np.float32)
    assert np.exp(x, out=out) is out and out[0] == np.exp(np.float32(1))
    out += x
    assert isinstance(out, np.ndarray)
    for broken in (lambda: np.exp(a, out=x), lambda: np.concatenate([a, a], out=x)):
        with pytest.raises(TypeError, match="out"):
            broken()


def test_asnumpy_is_a_copy() -> None:
    x = mx.nd.ones((2,))
    x.asnumpy()[:] = 7
    assert values(x) == [1, 1] and x.tolist() == [1.0, 1.0]


# Printing.


def test_repr() -> None:
    assert repr(mx.nd.array([[1, 2], [3, 4]])) == "\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 @cpu(0)>"
    assert repr(mx.nd.array([1], dtype="int32", ctx=mx.cpu(1))) == "\n[1]\n<NDArray 1 int32 @cpu(1)>"
    assert "scalar" in repr(mx.nd.array(3)) and "<NDArray 0x3 @cpu(0)>" in repr(mx.nd.zeros((0, 3)))
    assert "bfloat16" in repr(mx.nd.ones((2,), dtype=mx.bfloat16))
    long = repr(mx.nd.zeros((1000, 1000)))
    assert len(long) < 1000 and "..." in long and "1000x1000" in long
    assert str(mx.nd.ones((1,))) == repr(mx.nd.ones((1,)))
    assert f"{mx.nd.array(2.5)}" and f"{mx.nd.array(2.5).item():.2f}" == "2.50"


# Copies.


def test_copies_are_independent() -> None:
    x = mx.nd.array([1, 2])
    copies = [
        x.copy(),
        copy.copy(x),
        copy.deepcopy(x),
        x.astype("float32"),
        mx.nd.array(x),
        x.copyto(mx.cpu(0)),
    ]
    x[:] = 0
    for y in copies:
        assert values(y) == [1, 2] and y.context == x.context
    assert x.astype("float32", copy=False) is x and x.as_in_context(mx.cpu(0)) is x


def test_copyto() -> None:
    x = mx.nd.array([1.5, 2.5])
    y = mx.nd.zeros((2,), dtype="int32", ctx=mx.cpu(1))
    assert x.copyto(y) is y and values(y) == [1, 2] and y.context == mx.cpu(1)
    with pytest.raises(mx.base.ShapeError, match=r"\(2,\).*\(3,\)"):
        x.copyto(mx.nd.zeros((3,)))
    with pytest.raises(TypeError, match=r"\[copyto\]"):
        x.copyto("cpu")
    y[:] = x
    assert values(y) == [1, 2]


@pytest.mark.parametrize("source", [*FLOATS, *INTEGERS, "bool", "bfloat16"])
@pytest.mark.parametrize("target", [*FLOATS, *INTEGERS, "bool", "bfloat16"])
def test_astype(source: str, target: str) -> None:
    x = mx.nd.array([0, 1, 3, 100], dtype=source)
    y = x.astype(target)
    assert y._dtype_name() == target
    exact = np.array([0, 1, 1, 1] if "bool" in (source, target) else [0, 1, 3, 100])
    np.testing.assert_array_equal(y.asnumpy().astype(np.float64), exact)


BEYOND = [("int8", 0), ("uint8", 0), ("int32", -(2**31)), ("int64", -(2**63))]


@pytest.mark.parametrize("target, beyond", BEYOND)
def test_numbers_beyond_integers(target: str, beyond: int) -> None:
    x = mx.nd.array([1e20, -1e20, np.nan, np.inf, 7.5, 2.5] * 40)
    expected = np.array([beyond] * 4 + [7, 2], np.int64).astype(target)
    np.testing.assert_array_equal(x.astype(target).asnumpy(), np.tile(expected, 40))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    arrays = [
        mx.nd.array([[1, 2], [3, 4]], ctx=mx.cpu(2)),
        mx.nd.array(3, dtype="int64"),
        mx.nd.zeros((0, 2), dtype="bool"),
        mx.nd.ones((2,), dtype=mx.bfloat16),
    ]
    for x in arrays:
        y = pickle.loads(pickle.dumps({"x": x}, protocol))["x"]
        assert (y.shape, y.dtype, y.context) == (x.shape, x.dtype, x.context)
        np.testing.assert_array_equal(y.asnumpy(), x.asnumpy())
        assert not y._shares_memory(x)
    with mx.cpu(1):
        assert pickle.loads(pickle.dumps(arrays[0], protocol)).context == mx.cpu(2)
    assert pickle.loads(pickle.dumps(mx.cpu(4), protocol)) == mx.cpu(4)


def test_weak_references_and_subclasses() -> None:
    import weakref

    x = mx.nd.ones((2,))
    reference = weakref.ref(x)
    assert reference() is x
    del x
    assert reference() is None
    with pytest.raises(TypeError, match=r"\[NDArray\]"):
        mx.nd.NDArray([1, 2])


# Shapes.

RESHAPES: list[tuple[tuple[int, ...], Any, bool, tuple[int, ...]]] = [
    # answers of MXNet 1.9.1
    ((2, 3, 4), (4, 0, 2), False, (4, 3, 2)),
    ((2, 3, 4), (2, 0, 0), False, (2, 3, 4)),
    ((2, 3, 4), (6, 1, -1), False, (6, 1, 4)),
    ((2, 3, 4), (3, -1, 8), False, (3, 1, 8)),
    ((2, 3, 4), (-1,), False, (24,)),
    ((2, 3, 4), (-2,), False, (2, 3, 4)),
    ((2, 3, 4), (2, -2), False, (2, 3, 4)),
    ((2, 3, 4), (-2, 1, 1), False, (2, 3, 4, 1, 1)),
    ((2, 3, 4), (-3, 4), False, (6, 4)),
    ((2, 3, 4, 5), (-3, -3), False, (6, 20)),
    ((2, 3, 4), (0, -3), False, (2, 12)),
    ((2, 3, 4), (-3, -2), False, (6, 4)),
    ((2, 3, 4), (-4, 1, 2, -2), False, (1, 2, 3, 4)),
    ((2, 3, 4), (2, -4, -1, 3, -2), False, (2, 1, 3, 4)),
    ((10, 5, 4), (-1, 0), False, (40, 5)),
    ((10, 5, 4), (-1, 0), True, (50, 4)),
]


@pytest.mark.parametrize(("shape", "codes", "reverse", "expected"), RESHAPES)
def test_reshape_codes(shape: tuple[int, ...], codes: Any, reverse: bool, expected: tuple[int, ...]) -> None:
    x = mx.nd.array(np.arange(math.prod(shape)).reshape(shape))
    forms = [x.reshape(codes, reverse=reverse), x.reshape(shape=codes, reverse=reverse)]
    forms += [x.reshape(list(codes), reverse=reverse), mx.nd.reshape(x, shape=codes, reverse=reverse)]
    if len(codes) > 1:
        forms.append(x.reshape(*codes, reverse=reverse))
    for y in forms:
        assert y.shape == expected
        np.testing.assert_array_equal(y.asnumpy(), x.asnumpy().reshape(expected))
    assert forms[0]._shares_memory(x)
    forms[0][:] = 7
    assert x.asnumpy().min() == 7


@pytest.mark.parametrize(
    "codes", [(5, 5), (-1, -1), (-5,), (7, -1), (0, 0, 0, 0), (-3,) * 3, (-4, 2), (-4, 5, 5), (2**40, 2**40)]
)
def test_reshape_refuses(codes: Any) -> None:
    with pytest.raises(ValueError, match=r"\[reshape\]"):
        mx.nd.zeros((2, 3, 4)).reshape(codes)
    with pytest.raises(TypeError):
        mx.nd.zeros((2,)).reshape("ab")
    with pytest.raises(TypeError, match="unexpected"):
        mx.nd.zeros((2,)).reshape((2,), order="C")


# Devices.


def test_devices_are_distinct() -> None:
    x, y = mx.nd.ones((2,), ctx=mx.cpu(0)), mx.nd.ones((2,), ctx=mx.cpu(1))
    assert mx.cpu(0) != mx.cpu(1) and len({mx.cpu(0), mx.cpu(1), mx.cpu()}) == 2
    total = x + y  # host devices share memory: the result is on that of the first operand
    assert total.context == mx.cpu(0) and values(total) == [2, 2] and (y + x).context == mx.cpu(1)
    mx.nd.exp(mx.nd.zeros((2,), ctx=mx.cpu(3)), out=y)
    assert values(y) == [1, 1] and y.context == mx.cpu(1)
    assert values(x + y.as_in_context(x.context)) == [2, 2]
    with mx.cpu(3):
        assert mx.current_context() == mx.cpu(3) and mx.nd.zeros((1,)).context == mx.cpu(3)
        with mx.cpu(4):
            assert mx.nd.array([1]).context == mx.cpu(4)
        assert mx.nd.arange(3).context == mx.cpu(3)
    assert mx.current_context() == mx.cpu(0)


def test_default_device_is_set() -> None:
    before = mx.Context.default_ctx
    try:
        mx.Context.default_ctx = mx.cpu(2)
        assert mx.nd.zeros((1,)).context == mx.current_context() == mx.Context.default_ctx == mx.cpu(2)
        with pytest.raises((TypeError, ValueError)):
            mx.Context.default_ctx = 3
    finally:
        mx.Context.default_ctx = before
    assert mx.nd.zeros((1,)).context == mx.cpu()


def test_devices_that_are_missing() -> None:
    if mx.num_gpus():
        pytest.skip("this machine has a GPU")
    card = mx.gpu(0)  # can be named, as in MXNet, but nothing can be placed there
    for place in (
        lambda: mx.nd.zeros((1,), ctx=card),
        lambda: mx.nd.ones((1,)).as_in_context(card),
        lambda: mx.sym.var("x").simple_bind(card, x=(2,)),
        card.__enter__,
        lambda: setattr(mx.Context, "default_ctx", card),
    ):
        with pytest.raises(mx.base.UnsupportedError, match=r"CUDA|GPU"):
            place()
    assert mx.current_context() == mx.cpu()
    with pytest.raises(ValueError, match=r"\[Context\].*tpu.*cpu"):
        mx.Context("tpu")
    for bad in (-1, 2**40, "x"):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            mx.nd.zeros((1,), ctx=mx.Context("cpu", bad))


def test_exceptions() -> None:
    kinds = [
        (mx.base.InvalidArgumentError, ValueError),
        (mx.base.ShapeError, ValueError),
        (mx.base.DTypeError, TypeError),
        (mx.base.MXIndexError, IndexError),
        (mx.base.OutOfMemoryError, MemoryError),
        (mx.base.NotFoundError, KeyError),
        (mx.base.MissingFileError, FileNotFoundError),
        (mx.base.FileError, OSError),
        (mx.base.FileFormatError, ValueError),
        (mx.base.UnsupportedError, NotImplementedError),
        (mx.base.AutogradError, RuntimeError),
        (mx.base.InternalError, RuntimeError),
    ]
    for kind, python in kinds:
        assert issubclass(kind, mx.MXNetError) and issubclass(kind, python)
        assert kind.__name__ in mx.base.__all__
        assert str(kind("[x] message")) == "[x] message"
        assert str(pickle.loads(pickle.dumps(kind("[x] message")))) == "[x] message"


def test_eye_and_linspace_are_made_on_the_device() -> None:
    with mx.engine.serial():
        x = mx.nd.eye(2, 3, 1, ctx=mx.cpu(5), dtype="int64")
        y = mx.nd.linspace(0, 7, 4, ctx=mx.cpu(5), dtype="int32")
        assert x.context == y.context == mx.cpu(5)
    np.testing.assert_array_equal(x.asnumpy(), np.eye(2, 3, 1))
    assert x.dtype == np.int64
    np.testing.assert_array_equal(y.asnumpy(), [0, 2, 4, 7])
    with mx.cpu(6):
        assert mx.nd.eye(2).context == mx.nd.linspace(0, 1, 2).context == mx.cpu(6)
    assert mx.nd.eye(2, dtype=mx.bfloat16).dtype is mx.bfloat16
    assert mx.nd.linspace(1, 2, 0).shape == (0,)
    with pytest.raises(ValueError, match="'num' got -1; expected int >= 0"):
        mx.nd.linspace(0, 1, -1)
