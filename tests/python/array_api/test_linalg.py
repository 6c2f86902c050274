"""The extension of linear algebra: as in array_api_strict, up to signs that are free."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from standard_peer import FLOATS, NUMBERS, check, same

from mixgrad import array_api as xp

SHAPES = [(2, 2), (3, 3), (2, 3, 3), (2, 1, 2, 2)]
WIDE = [(2, 3), (3, 2), (2, 4, 3), (3, 3)]
RTOL = {"float32": 1e-4, "float64": 1e-10}


def drawn(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=shape).astype(dtype) if dtype in FLOATS else rng.integers(0, 5, shape).astype(dtype)
    )


def positive(shape: tuple[int, ...], dtype: str) -> Any:
    a = drawn(shape, "float64")
    return (a @ a.swapaxes(-1, -2) + 2 * np.eye(shape[-1])).astype(dtype)


SQUARE: dict[str, Any] = {
    "det": lambda ns, a: ns.linalg.det(a),
    "slogdet": lambda ns, a: tuple(ns.linalg.slogdet(a)),
    "inv": lambda ns, a: ns.linalg.inv(a),
    "cholesky": lambda ns, a: (ns.linalg.cholesky(a), ns.linalg.cholesky(a, upper=True)),
    "eigvalsh": lambda ns, a: ns.linalg.eigvalsh(a),
    "matrix_power": lambda ns, a: tuple(ns.linalg.matrix_power(a, n) for n in (-2, -1, 0, 1, 2, 3)),
    "solve": lambda ns, a: (ns.linalg.solve(a, a), ns.linalg.solve(a, a[..., 0, :, None])),
}
ANY: dict[str, Any] = {
    "svdvals": lambda ns, a: ns.linalg.svdvals(a),
    "matrix_rank": lambda ns, a: (ns.linalg.matrix_rank(a), ns.linalg.matrix_rank(a, rtol=0.6)),
    "pinv": lambda ns, a: (ns.linalg.pinv(a), ns.linalg.pinv(a, rtol=0.3)),
    "matrix_norm": lambda ns, a: tuple(
        ns.linalg.matrix_norm(a, ord=ord, keepdims=keep)
        for ord in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf"))
        for keep in (False, True)
    ),
    "vector_norm": lambda ns, a: tuple(
        ns.linalg.vector_norm(a, ord=ord, axis=axis, keepdims=keep)
        for ord in (0, 1, 2, 3, 0.5, -1, float("inf"), -float("inf"))
        for axis in (None, 0, -1, (0, 1))
        for keep in (False, True)
    ),
    "diagonal": lambda ns, a: tuple(ns.linalg.diagonal(a, offset=k) for k in (-5, -1, 0, 1, 2)),
    "trace": lambda ns, a: tuple(ns.linalg.trace(a, offset=k) for k in (-1, 0, 1)),
    "matrix_transpose": lambda ns, a: ns.linalg.matrix_transpose(a),
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", SQUARE)
def test_square_matrices(name: str, dtype: str) -> None:
    for shape in SHAPES:
        check(SQUARE[name], positive(shape, dtype), rtol=10 * RTOL[dtype])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ANY)
def test_matrices(name: str, dtype: str) -> None:
    for shape in WIDE:
        check(ANY[name], drawn(shape, dtype), rtol=RTOL[dtype])


@pytest.mark.parametrize("dtype", FLOATS)
def test_factors(dtype: str) -> None:
    for shape in WIDE:
        values = drawn(shape, dtype)
        a = xp.asarray(values)
        for mode in ("reduced", "complete"):
            factors = xp.linalg.qr(a, mode=mode)
            assert factors.Q.dtype == factors.R.dtype == a.dtype
            same(factors.Q @ factors.R, values, rtol=RTOL[dtype])
            same(xp.triu(factors.R), factors.R.asnumpy())
        for full in (False, True):
            u, s, v = xp.linalg.svd(a, full_matrices=full)
            k = s.shape[-1]
            same((u[..., :k] * s[..., None, :]) @ v[..., :k, :], values, rtol=RTOL[dtype])
            assert u.shape[-1] == (shape[-2] if full else k)
            assert v.shape[-2] == (shape[-1] if full else k)
    for shape in SHAPES:
        values = positive(shape, dtype)
        found = xp.linalg.eigh(xp.asarray(values))
        q = found.eigenvectors
        same((q * found.eigenvalues[..., None, :]) @ q.mT, values, rtol=10 * RTOL[dtype])


PRODUCTS: dict[str, Any] = {
    "matmul": lambda ns, a, b: (
        ns.matmul(a, b),
        a @ b,
        ns.matmul(a[0, ...], b[0, ...]),
        ns.matmul(a[0, 0, :], b[0, :, 0]),
    ),
    "tensordot": lambda ns, a, b: (
        ns.tensordot(a, b, axes=([2], [1])),
        ns.tensordot(a[0, ...], b[0, ...], axes=1),
        ns.tensordot(a[0, 0, :], b[0, 0, :], axes=0),
        ns.tensordot(a, b, axes=([0, -1], [0, -2])),
    ),
    "vecdot": lambda ns, a, b: (
        ns.vecdot(a, a),
        ns.vecdot(a, a, axis=-2),
        ns.linalg.vecdot(a, a[:1, ...], axis=-1),
        ns.vecdot(a[0, 0, :], b[0, :, 0]),
    ),
    "outer": lambda ns, a, b: ns.linalg.outer(a[0, 0, :], b[1, 0, :]),
    "cross": lambda ns, a, b: (ns.linalg.cross(a, a[:, ::-1, :]), ns.linalg.cross(a[0, ...], b[0, :, 0])),
}


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name: str, dtype: str) -> None:
    a, b = drawn((2, 2, 3), dtype, 1), drawn((2, 3, 4), dtype, 2)
    check(PRODUCTS[name], a, b, rtol=RTOL.get(dtype))


REFUSED: dict[str, Any] = {
    "det of a rectangle": lambda: xp.linalg.det(xp.ones((2, 3))),
    "inv of integers": lambda: xp.linalg.inv(xp.ones((2, 2), dtype=xp.int32)),
    "matmul of a number": lambda: xp.matmul(xp.ones(()), xp.ones(2)),
    "matmul of bool": lambda: xp.matmul(xp.ones((2, 2)) > 0, xp.ones((2, 2)) > 0),
    "outer of matrices": lambda: xp.linalg.outer(xp.ones((2, 2)), xp.ones(2)),
    "cross of two": lambda: xp.linalg.cross(xp.ones(2), xp.ones(2)),
    "qr of a kind that is not there": lambda: xp.linalg.qr(xp.ones((2, 2)), mode="raw"),
    "norm of a kind that is not there": lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord=3),
    "vecdot of two lengths": lambda: xp.vecdot(xp.ones(2), xp.ones(3)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"\["):
        REFUSED[name]()
