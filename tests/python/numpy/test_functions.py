"""Functions of mx.np against NumPy's: shapes, values, dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx

np = mx.np

rng = onp.random.default_rng(1)
A = rng.uniform(0.1, 0.9, (3, 4)).astype("float32")
B = rng.uniform(0.1, 0.9, (3, 4)).astype("float32")
V = rng.uniform(-2, 2, 4).astype("float32")
W = rng.uniform(-2, 2, 4).astype("float32")
I = rng.integers(0, 5, (3, 4)).astype("int32")  # noqa: E741
M = A > 0.5
S = rng.uniform(-1, 1, (4, 4)).astype("float64")
P = S @ S.T + 4 * onp.eye(4)
T = rng.uniform(-1, 1, (2, 3, 4)).astype("float32")
E = onp.zeros((0, 3), "float32")

UNARY = [
    "abs",
    "absolute",
    "arccos",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "exp",
    "expm1",
    "fabs",
    "fix",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_not",
    "negative",
    "radians",
    "reciprocal",
    "rint",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "deg2rad",
    "rad2deg",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "mod",
    "remainder",
    "power",
    "maximum",
    "minimum",
    "arctan2",
    "hypot",
    "copysign",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "floor_divide",
]


def same(got: Any, expected: Any, rtol: float = 1e-5) -> None:
    if isinstance(expected, (tuple, list)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected):
            same(one, other, rtol)
        return
    values = got.asnumpy() if isinstance(got, np.ndarray) else onp.asarray(got)
    assert values.shape == onp.shape(expected), (values.shape, onp.shape(expected))
    onp.testing.assert_allclose(values, expected, rtol=rtol, atol=1e-6)


def given(value: Any) -> Any:
    """The same arguments with arrays of mx.np."""
    if isinstance(value, onp.ndarray):
        return np.array(value, dtype=value.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(given(one) for one in value)
    return value


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("x", [A, A[0, 0], E, A.astype("float64")], ids=["2d", "0d", "empty", "float64"])
def test_functions_of_one_operand(name: str, x: Any) -> None:
    x = onp.asarray(x)
    got, expected = getattr(np, name)(given(x)), getattr(onp, name)(x)
    same(got, expected, 1e-4)
    assert got.dtype == (x.dtype if expected.dtype != bool else bool)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(
    "pair", [(A, B), (A, B[0]), (A[:, :1], B[0]), (A[0, 0], B), (E, E[:0]), (A, 0.5), (0.5, A)], ids=str
)
def test_functions_of_two_operands(name: str, pair: Any) -> None:
    pair = [onp.asarray(one) if isinstance(one, onp.generic) else one for one in pair]
    got = getattr(np, name)(*map(given, pair))
    same(got, getattr(onp, name)(*pair), 1e-4)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"])
def test_functions_of_whole_numbers(name: str) -> None:
    same(getattr(np, name)(given(I), given(I[0])), getattr(onp, name)(I, I[0]))
    same(getattr(np, name)(given(I), 6), getattr(onp, name)(I, 6))


# name -> arguments of the function of NumPy and mx.np, or of a pair of functions
CASES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "sum": ("sum", (A,), {}),
    "sum axis": ("sum", (T,), {"axis": (0, -1)}),
    "sum keepdims": ("sum", (T,), {"axis": 1, "keepdims": True}),
    "sum initial": ("sum", (A,), {"axis": 0, "initial": 2.0}),
    "sum where": ("sum", (A,), {"axis": 0, "where": M}),
    "sum empty": ("sum", (E,), {"axis": 0}),
    "sum 0d": ("sum", (onp.float32(3),), {}),
    "prod": ("prod", (A,), {"axis": 1}),
    "prod empty": ("prod", (E,), {}),
    "max": ("max", (T,), {"axis": (1, 2)}),
    "amin": ("amin", (T,), {"keepdims": True}),
    "mean": ("mean", (T,), {"axis": 1}),
    "mean where": ("mean", (A,), {"where": A > 0.2}),
    "std": ("std", (T,), {"axis": (0, 2)}),
    "var ddof": ("var", (A,), {"axis": 0, "ddof": 1}),
    "all": ("all", (M,), {"axis": 0}),
    "any": ("any", (M,), {"axis": 1, "keepdims": True}),
    "average": ("average", (A,), {"axis": 0, "weights": B}),
    "average plain": ("average", (A,), {}),
    "cumsum": ("cumsum", (T,), {"axis": 1}),
    "cumsum flat": ("cumsum", (A,), {}),
    "trace": ("trace", (S,), {"offset": 1}),
    "diff": ("diff", (A,), {"n": 2, "axis": 1}),
    "ediff1d": ("ediff1d", (V,), {"to_begin": W, "to_end": W[:1]}),
    "percentile": ("percentile", (A, 30), {"axis": 0}),
    "percentile several": ("percentile", (A, onp.array([10.0, 90.0])), {"axis": 1, "keepdims": True}),
    "quantile": ("quantile", (A, 0.25), {}),
    "median": ("median", (A,), {"axis": 1}),
    "argmax": ("argmax", (A,), {"axis": 0}),
    "argmin": ("argmin", (A,), {}),
    "sort": ("sort", (A,), {"axis": 0}),
    "sort flat": ("sort", (A,), {"axis": None}),
    "argsort": ("argsort", (A,), {}),
    "nonzero": ("nonzero", (I,), {}),
    "where places": ("where", (M,), {}),
    "where": ("where", (M, A, B[0]), {}),
    "where number": ("where", (M, A, 2.0), {}),
    "take": ("take", (A, onp.array([2, 0])), {"axis": 0}),
    "take wrap": ("take", (V, onp.array([[9, -1]])), {"mode": "wrap"}),
    "take clip": ("take", (V, onp.array([9, 1])), {"mode": "clip"}),
    "unique": ("unique", (I,), {}),
    "unique counts": ("unique", (I.ravel(),), {"return_index": True, "return_counts": True}),
    "bincount": ("bincount", (I.ravel(),), {"minlength": 8}),
    "bincount weights": ("bincount", (I[0],), {"weights": V}),
    "histogram": ("histogram", (A,), {"bins": 4, "range": (0, 1)}),
    "histogram edges": ("histogram", (A, onp.array([0, 0.3, 1], "float32")), {}),
    "unravel_index": ("unravel_index", (onp.array([5, 11]), (3, 4)), {}),
    "diag_indices_from": ("diag_indices_from", (S,), {}),
    "reshape": ("reshape", (T, (4, -1)), {}),
    "ravel": ("ravel", (T,), {}),
    "transpose": ("transpose", (T, (2, 0, 1)), {}),
    "transpose plain": ("transpose", (T,), {}),
    "swapaxes": ("swapaxes", (T, 0, 2), {}),
    "moveaxis": ("moveaxis", (T, (0, 1), (-1, 0)), {}),
    "rollaxis": ("rollaxis", (T, 2), {}),
    "rollaxis start": ("rollaxis", (T, 0, 3), {}),
    "expand_dims": ("expand_dims", (A, -1), {}),
    "expand_dims several": ("expand_dims", (A, (0, 3)), {}),
    "squeeze": ("squeeze", (A[None, :, None],), {}),
    "squeeze axis": ("squeeze", (A[None, :, None],), {"axis": 0}),
    "squeeze to 0d": ("squeeze", (A[:1, :1],), {}),
    "broadcast_to": ("broadcast_to", (V, (2, 3, 4)), {}),
    "broadcast_arrays": ("broadcast_arrays", (A[:, :1], V), {}),
    "atleast_1d": ("atleast_1d", (onp.float32(3),), {}),
    "atleast_2d": ("atleast_2d", (V,), {}),
    "atleast_3d": ("atleast_3d", (A,), {}),
    "concatenate": ("concatenate", ([A, B],), {"axis": 1}),
    "concatenate flat": ("concatenate", ([A, V],), {"axis": None}),
    "stack": ("stack", ([A, B],), {"axis": -1}),
    "vstack": ("vstack", ([V, W],), {}),
    "hstack": ("hstack", ([A, B],), {}),
    "hstack 1d": ("hstack", ([V, W],), {}),
    "dstack": ("dstack", ([A, B],), {}),
    "column_stack": ("column_stack", ([V, W],), {}),
    "append": ("append", (A, B), {"axis": 0}),
    "split": ("split", (A, 2), {"axis": 1}),
    "split places": ("split", (V, [1, 3]), {}),
    "array_split": ("array_split", (V, 3), {}),
    "hsplit": ("hsplit", (A, 2), {}),
    "vsplit": ("vsplit", (A, 3), {}),
    "dsplit": ("dsplit", (T, [1]), {}),
    "repeat": ("repeat", (A, 2), {"axis": 1}),
    "repeat each": ("repeat", (V, [1, 0, 2, 1]), {}),
    "tile": ("tile", (A, (2, 1)), {}),
    "resize": ("resize", (A, (5, 5)), {}),
    "flip": ("flip", (T,), {"axis": (0, 2)}),
    "flip all": ("flip", (A,), {}),
    "flipud": ("flipud", (A,), {}),
    "fliplr": ("fliplr", (A,), {}),
    "roll": ("roll", (A, 2), {}),
    "roll axes": ("roll", (T, (1, -1)), {"axis": (0, 2)}),
    "rot90": ("rot90", (A,), {"k": 3}),
    "tril": ("tril", (S,), {"k": -1}),
    "triu": ("triu", (S,), {"k": 1}),
    "diag": ("diag", (S,), {"k": 1}),
    "diag of vector": ("diag", (V,), {}),
    "diagflat": ("diagflat", (A,), {}),
    "diagonal": ("diagonal", (T,), {"offset": 1, "axis1": 1, "axis2": 2}),
    "pad": ("pad", (A, ((1, 0), (2, 1))), {}),
    "pad value": ("pad", (A, 1), {"constant_values": 3}),
    "pad edge": ("pad", (A, ((1, 1), (0, 2))), {"mode": "edge"}),
    "pad reflect": ("pad", (A, ((1, 1), (0, 2))), {"mode": "reflect"}),
    "pad symmetric": ("pad", (A, ((1, 1), (0, 2))), {"mode": "symmetric"}),
    "delete": ("delete", (A, 1), {"axis": 0}),
    "delete several": ("delete", (V, [0, -1]), {}),
    "delete slice": ("delete", (A, slice(0, 4, 2)), {"axis": 1}),
    "insert": ("insert", (A, 1, 7.0), {"axis": 1}),
    "insert several": ("insert", (V, [1, 3], [7.0, 8.0]), {}),
    "insert rows": ("insert", (A, 2, V), {"axis": 0}),
    "dot": ("dot", (A, B.T), {}),
    "dot vectors": ("dot", (V, W), {}),
    "dot many axes": ("dot", (T, S.astype("float32")), {}),
    "matmul": ("matmul", (T, A.T), {}),
    "matmul stacks": ("matmul", (T, onp.swapaxes(T, 1, 2)), {}),
    "inner": ("inner", (A, B), {}),
    "outer": ("outer", (V, W), {}),
    "vdot": ("vdot", (A, B), {}),
    "kron": ("kron", (A, B[:2, :2]), {}),
    "tensordot": ("tensordot", (T, A), {"axes": ([1, 2], [0, 1])}),
    "tensordot count": ("tensordot", (T, S.astype("float32")), {"axes": 1}),
    "einsum": ("einsum", ("bij,jk->bik", T, S.astype("float32")), {}),
    "einsum trace": ("einsum", ("ii", S), {}),
    "polyval": ("polyval", (V, W), {}),
    "clip": ("clip", (A, 0.3, 0.6), {}),
    "clip one bound": ("clip", (A, None, 0.6), {}),
    "clip arrays": ("clip", (A, 0.2, B), {}),
    "around": ("around", (A, 1), {}),
    "nan_to_num": ("nan_to_num", (onp.array([onp.nan, onp.inf, -onp.inf, 1], "float32"),), {}),
    "meshgrid": ("meshgrid", (V, W[:3]), {}),
    "meshgrid ij": ("meshgrid", (V, W[:3]), {"indexing": "ij", "sparse": True}),
    "ldexp": ("ldexp", (A, I), {}),
    "linspace": ("linspace", (0, 3, 7), {}),
    "logspace": ("logspace", (0, 2, 5), {}),
    "arange": ("arange", (1, 7, 2), {}),
    "arange empty": ("arange", (3, 1), {}),
    "eye": ("eye", (3, 4), {"k": 1}),
    "tri": ("tri", (3, 4), {"k": -1}),
    "identity": ("identity", (3,), {}),
    "indices": ("indices", ((2, 3),), {}),
    "hanning": ("hanning", (7,), {}),
    "hamming": ("hamming", (7,), {}),
    "blackman": ("blackman", (7,), {}),
    "full": ("full", ((2, 0), 3.0), {}),
    "full of rows": ("full", ((2, 4), V), {}),
    "full_like": ("full_like", (A, 2.5), {}),
    "isclose": ("isclose", (A, A + 1e-9), {}),
    "cov": ("cov", (A,), {}),
    "searchsorted": ("searchsorted", (onp.sort(V), W), {}),
    "interp": ("interp", (A, onp.array([0.0, 1.0]), onp.array([1.0, 3.0])), {}),
    "nanmax": ("nanmax", (A,), {"axis": 0}),
    "intersect1d": ("intersect1d", (I.ravel(), I[0]), {}),
    "count_nonzero": ("count_nonzero", (I,), {}),
    "take_along_axis": ("take_along_axis", (A, onp.argsort(A, 1), 1), {}),
    "ptp": ("ptp", (A,), {"axis": 1}),
}


@pytest.mark.parametrize("case", CASES)
def test_functions_give_what_numpy_gives(case: str) -> None:
    name, args, kwargs = CASES[case]
    args = tuple(onp.asarray(x) if isinstance(x, onp.generic) else x for x in args)
    expected = getattr(onp, name)(*args, **kwargs)
    same(getattr(np, name)(*map(given, args), **{key: given(x) for key, x in kwargs.items()}), expected, 1e-4)


LINALG: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "norm": ("norm", (A,), {}),
    "norm 1": ("norm", (V,), {"ord": 1}),
    "norm inf": ("norm", (A,), {"ord": onp.inf, "axis": 1, "keepdims": True}),
    "norm 3": ("norm", (A,), {"ord": 3, "axis": 0}),
    "norm matrix 1": ("norm", (A,), {"ord": 1}),
    "norm matrix -inf": ("norm", (T,), {"ord": -onp.inf, "axis": (1, 2)}),
    "norm fro": ("norm", (T,), {"ord": "fro", "axis": (0, 2), "keepdims": True}),
    "norm 2": ("norm", (S,), {"ord": 2}),
    "norm nuc": ("norm", (S,), {"ord": "nuc"}),
    "cholesky": ("cholesky", (P,), {}),
    "inv": ("inv", (P,), {}),
    "det": ("det", (onp.stack([P, S]),), {}),
    "slogdet": ("slogdet", (P,), {}),
    "solve": ("solve", (P, S), {}),
    "pinv": ("pinv", (S[:3],), {}),
    "eigvalsh": ("eigvalsh", (P,), {}),
    "tensorinv": ("tensorinv", (P.reshape(2, 2, 4),), {"ind": 2}),
    "tensorsolve": ("tensorsolve", (P.reshape(2, 2, 4), S[:2, :2]), {}),
    "matrix_rank": ("matrix_rank", (P,), {}),
    "matrix_power": ("matrix_power", (P, 2), {}),
    "multi_dot": ("multi_dot", ([P, S, P],), {}),
    "cond": ("cond", (P,), {}),
}


@pytest.mark.parametrize("case", LINALG)
def test_linear_algebra_gives_what_numpy_gives(case: str) -> None:
    name, args, kwargs = LINALG[case]
    expected = getattr(onp.linalg, name)(*args, **kwargs)
    same(
        getattr(np.linalg, name)(*map(given, args), **kwargs),
        tuple(expected) if isinstance(expected, tuple) else expected,
        1e-4,
    )


def test_factors_multiply_to_the_matrix() -> None:
    for a in (S, S[:, :2], S[:2], onp.stack([S[:, :1]] * 2), S[:, :0]):
        u, s, v = np.linalg.svd(given(a))
        same((u * s[..., None, :]) @ v, a, 1e-6)
        same(s, onp.linalg.svd(a, compute_uv=False), 1e-6)
    w, vectors = np.linalg.eigh(given(P))
    same((vectors * w) @ vectors.T, P, 1e-6)
    q, r = np.linalg.qr(given(S))
    same(q @ r, S, 1e-6)


@pytest.mark.parametrize(
    ("call", "dtype"),
    [
        (lambda: np.ones(2), "float32"),
        (lambda: np.array([1, 2]), "float32"),
        (lambda: np.array([True]), "bool"),
        (lambda: np.array([[True, False], [False, True]]), "bool"),
        (lambda: np.array([True, 2]), "float32"),
        (lambda: np.array([]), "float32"),
        (lambda: np.array(onp.array([1.5])), "float64"),
        (lambda: np.array(onp.array([1])), "int64"),
        (lambda: np.full(2, True), "bool"),
        (lambda: np.full(2, 3), "float32"),
        (lambda: np.ones(2, dtype=int), "int64"),
        (lambda: np.ones(2, dtype=float), "float64"),
        (lambda: np.zeros_like(np.ones(2, dtype="int8")), "int8"),
        (lambda: np.ones(2, dtype="int8").sum(), "int8"),
        (lambda: np.ones(2, dtype="int8").mean(), "float32"),
        (lambda: np.ones(2, dtype=bool).sum(), "int64"),
        (lambda: np.ones(2).sum(dtype="float64"), "float64"),
        (lambda: np.concatenate([np.ones(2, dtype="int32"), np.ones(2)]), "float32"),
        (lambda: np.argsort(np.ones(2)), "int64"),
        (lambda: np.indices((2, 2)), "int32"),
        (lambda: np.random.randint(3, size=2), "int64"),
        (lambda: np.random.normal(size=2), "float32"),
        (lambda: np.random.uniform(size=2, dtype="float64"), "float64"),
    ],
)
def test_dtypes_of_results(call: Callable[[], Any], dtype: str) -> None:
    assert call().dtype == onp.dtype(dtype)


def test_out_receives_the_result() -> None:
    for call in (
        lambda out: np.add(given(A), given(B), out=out),
        lambda out: np.exp(given(A), out=out),
        lambda out: np.clip(given(A), 0.2, given(B), out=out),
        lambda out: np.concatenate([given(A)], out=out),
        lambda out: np.matmul(given(A), np.eye(4), out=out),
        lambda out: np.random.uniform(size=(3, 4), out=out),
    ):
        out = np.zeros((3, 4))
        assert call(out) is out
        assert (out != 0).all()
    total = np.zeros(4)
    assert np.sum(given(A), axis=0, out=total) is total
    same(total, A.sum(0))


def test_where_of_elementwise_functions() -> None:
    out = np.full((3, 4), -1.0)
    np.add(given(A), given(B), out=out, where=given(M))
    same(out, onp.where(M, A + B, -1))
    same(np.exp(given(A), where=given(M)), onp.where(M, onp.exp(A), 0))


def test_numbers_give_numbers() -> None:
    assert np.add(1, 2) == 3
    assert isinstance(np.sin(0.5), onp.floating)
    assert np.where(True, 1, 2) == 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: np.ones(2, order="F"), NotImplementedError, "order"),
        (lambda: np.add(np.ones(2), 1, foo=1), TypeError, "foo"),
        (lambda: np.add(np.ones(2), 1, casting="unsafe"), NotImplementedError, "casting"),
        (lambda: np.split(np.ones(5), 2), ValueError, "divisor"),
        (lambda: np.take(np.ones(2), np.array([5])).asnumpy(), IndexError, "outside"),
        (lambda: np.histogram(np.ones(2)), NotImplementedError, "range"),
        (lambda: np.pad(np.ones(2), 1, "wrap"), NotImplementedError, "mode"),
        (lambda: np.tensordot(np.ones(2), np.ones(2), [[0], [0, 1]]), ValueError, "as many"),
        (lambda: np.insert(np.ones(2), 5, 1), IndexError, "places"),
        (lambda: np.einsum(np.ones(2), [0]), ValueError, "subscripts"),
        (lambda: np.no_such_function, AttributeError, "no_such_function"),
        (lambda: np.random.choice(3, 5, replace=False), ValueError, "each once"),
        (lambda: np.matmul(np.ones(2), 3), ValueError, "number"),
        (lambda: np.concatenate(3), TypeError, "list"),
        (lambda: np.add(np.ones(2), np.ones(2), out=np.zeros(3)), ValueError, "shape"),
    ],
)
def test_refused_calls(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_reductions_in_the_order_of_mxnet() -> None:
    values = onp.arange(6, dtype="float32").reshape(2, 3)
    x = np.array(values)
    for name in ("max", "min", "amax", "amin", "all", "any"):
        want = getattr(onp, name)(values, 1, keepdims=True)
        onp.testing.assert_array_equal(getattr(np, name)(x, 1, True).asnumpy(), want)
        onp.testing.assert_array_equal(getattr(np, name)(x, 1, None, True).asnumpy(), want)
        into = np.zeros((2, 1), dtype=want.dtype)
        assert getattr(np, name)(x, 1, True, into) is into
        onp.testing.assert_array_equal(into.asnumpy(), want)
    onp.testing.assert_array_equal(np.sum(x, 1, None, True).asnumpy(), [[3], [12]])
    onp.testing.assert_array_equal(np.sum(x, 1, None, True, 1.0).asnumpy(), [[4], [13]])
    onp.testing.assert_array_equal(np.sum(x, 1, None, None, True, 1.0).asnumpy(), [[4], [13]])


def test_triu_of_infinite_numbers() -> None:
    values = onp.array([[1, onp.inf, -2], [onp.inf, onp.nan, 3]], onp.float32)
    for k in (-2, -1, 0, 1, 2, 5):
        assert onp.array_equal(np.triu(np.array(values), k).asnumpy(), onp.triu(values, k), equal_nan=True)
    assert onp.array_equal(np.triu(np.array([onp.inf, 1])).asnumpy(), onp.triu([onp.inf, 1]))


def test_new_axes_that_are_none() -> None:
    x = np.ones((3,))
    assert np.expand_dims(x, (0, -1)).shape == (1, 3, 1)
    with pytest.raises(ValueError, match=r"\[expand_dims\] axis is 3; expected -3 to 2"):
        np.expand_dims(x, (2, 3))
    with pytest.raises(ValueError, match=r"\[expand_dims\] axis is \(1, -2\), which names one twice"):
        np.expand_dims(x, (1, -2))


def test_errors_of_numpys_own_functions_say_whose_they_are() -> None:
    with pytest.raises(ValueError, match=r"^\[vander\] "):
        np.vander(np.ones((2, 2)))
