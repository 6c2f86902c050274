"""Cases of linear algebra; test_linalg.py has the gradients of what takes symmetric matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

WIDE = ("float32", "float64")


def turned(x: Array, yes: bool) -> Array:
    return np.swapaxes(x, -1, -2) if yes else x


def gemm2(
    a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1, axis: int = -2
) -> Array:
    a, b = np.moveaxis(a, axis, -2), np.moveaxis(b, axis, -2)
    return np.moveaxis(alpha * (turned(a, transpose_a) @ turned(b, transpose_b)), -2, axis)


def gemm(a: Array, b: Array, c: Array, beta: float = 1, **params: Any) -> Array:
    return gemm2(a, b, **params) + beta * c


def syrk(a: Array, transpose: bool = False, alpha: float = 1) -> Array:
    a = turned(a, transpose)
    return alpha * (a @ turned(a, True))


def triangular(a: Array, transpose: bool, lower: bool) -> Array:
    return turned(np.tril(a) if lower else np.triu(a), transpose)


def trmm(
    a: Array, b: Array, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1
) -> Array:
    t = triangular(a, transpose, lower)
    return alpha * (b @ t if rightside else t @ b)


def trsm(
    a: Array, b: Array, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1
) -> Array:
    t = triangular(a, transpose, lower)
    if rightside:
        return alpha * turned(np.linalg.solve(turned(t, True), turned(b, True)), True)
    return alpha * np.linalg.solve(t, b)


def potrf(a: Array, lower: bool = True) -> Array:
    l = np.linalg.cholesky(np.tril(a) + turned(np.tril(a, -1), True))  # noqa: E741
    return turned(l, not lower)


def potri(a: Array, lower: bool = True) -> Array:
    t = triangular(a, not lower, lower)
    return np.linalg.inv(t @ turned(t, True))


def numbers(values: Array) -> Array:
    return np.atleast_1d(values)


def slogdet(a: Array) -> tuple[Array, Array]:
    sign, log = np.linalg.slogdet(a)
    return numbers(sign), numbers(log)


def sumlogdiag(a: Array) -> Array:
    return numbers(np.log(np.diagonal(a, axis1=-2, axis2=-1)).sum(-1))


def adjugate(a: Array) -> Array:
    n = a.shape[-1]
    out = np.empty_like(a)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(a, i, -2), j, -1)
            out[..., j, i] = (-1) ** (i + j) * np.linalg.det(minor)
    return out


def gelqf(a: Array) -> tuple[Array, Array]:
    q, r = np.linalg.qr(np.swapaxes(a, -1, -2))
    return turned(q, True), turned(r, True)


def syevd(a: Array) -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(a)
    u = turned(vectors, True)
    largest = np.take_along_axis(u, np.abs(u).argmax(-1)[..., None], -1)
    return u * np.sign(largest), values


def diagonal_place(n: int, offset: int) -> tuple[Array, Array]:
    return np.nonzero(np.eye(n, k=offset))


def extractdiag(a: Array, offset: int = 0) -> Array:
    return np.diagonal(a, offset, -2, -1)


def makediag(a: Array, offset: int = 0) -> Array:
    n = a.shape[-1] + abs(offset)
    out = np.zeros((*a.shape[:-1], n, n))
    rows, columns = diagonal_place(n, offset)
    out[..., rows, columns] = a
    return out


def triangle_place(n: int, offset: int, lower: bool) -> tuple[Array, Array]:
    if offset < 0 or (offset == 0 and lower):
        return np.tril_indices(n, offset)
    columns, rows = np.tril_indices(n, -offset)
    return rows, columns


def extracttrian(a: Array, offset: int = 0, lower: bool = True) -> Array:
    rows, columns = triangle_place(a.shape[-1], offset, lower)
    return a[..., rows, columns]


def maketrian(a: Array, offset: int = 0, lower: bool = True) -> Array:
    side = int((np.sqrt(8 * a.shape[-1] + 1) - 1) / 2)
    n = side + abs(offset)
    out = np.zeros((*a.shape[:-1], n, n))
    rows, columns = triangle_place(n, offset, lower)
    out[..., rows, columns] = a
    return out


RNG = np.random.default_rng(5)
GENERAL = RNG.uniform(-1, 1, (2, 3, 3)) + 2 * np.eye(3)
FLIPPED = GENERAL[:, ::-1] * 1.0
POSITIVE = GENERAL @ np.swapaxes(GENERAL, -1, -2)
SYMMETRIC = GENERAL + np.swapaxes(GENERAL, -1, -2)
LARGE = RNG.uniform(-1, 1, (150, 150)) + 15 * np.eye(150)
WIDEST = RNG.uniform(-1, 1, (70, 130))
SIDES = [
    {"transpose": t, "rightside": r, "lower": w}
    for t in (False, True)
    for r in (False, True)
    for w in (False, True)
]

CASES = [
    *(
        Case("_linalg_gemm2", [shapes[0], shapes[1]], params, gemm2)
        for shapes, params in [
            (((3, 4), (4, 2)), {}),
            (((2, 4, 3), (2, 2, 4)), {"transpose_a": True, "transpose_b": True, "alpha": 0.5}),
            (((3, 2, 4), (4, 2, 5)), {"axis": 0}),
            (((2, 3, 2, 4), (2, 3, 2, 5)), {"axis": 1, "transpose_a": True, "alpha": -2.0}),
            (((2, 5, 3, 4), (2, 6, 3, 4)), {"axis": -3, "transpose_b": True}),
            (((0, 3), (3, 2)), {}),
            (((2, 0), (0, 3)), {}),
        ]
    ),
    Case("_linalg_gemm2", [(2, 3), (3, 2)], {"axis": 1}, fails="is that of the columns"),
    *(
        Case("_linalg_gemm", list(shapes), params, gemm)
        for shapes, params in [
            (((3, 4), (4, 2), (3, 2)), {}),
            (((2, 4, 3), (2, 4, 5), (2, 3, 5)), {"transpose_a": True, "alpha": 2.0, "beta": -0.5}),
            (((3, 2, 4), (5, 2, 4), (3, 2, 5)), {"axis": 0, "transpose_b": True, "beta": 3.0}),
            (((2, 0), (0, 3), (2, 3)), {"beta": 2.0}),
            (((0, 3), (3, 2), (0, 2)), {}),
        ]
    ),
    Case("_linalg_gemm", [(3, 4), (4, 2), (1, 2)], fails="C has shape (1, 2); expected (3, 2)"),
    Case("_linalg_syrk", [(2, 3)], {}, syrk),
    Case("_linalg_syrk", [(2, 4, 3)], {"transpose": True, "alpha": 0.5}, syrk),
    Case("_linalg_syrk", [(0, 3)], {}, syrk, id="empty"),
    *(Case("_linalg_trmm", [(2, 3, 3), (2, 3, 3)], {**side, "alpha": 0.5}, trmm) for side in SIDES),
    Case("_linalg_trmm", [(3, 3), (3, 2)], {}, trmm, id="narrow"),
    Case("_linalg_trmm", [(3, 3), (2, 3)], {"rightside": True}, trmm, id="low"),
    Case("_linalg_trmm", [(2, 3), (3, 2)], fails="square matrices"),
    *(Case("_linalg_trsm", [GENERAL, (2, 3, 3)], {**side, "alpha": 0.5}, trsm) for side in SIDES),
    Case("_linalg_trsm", [GENERAL[0], (3, 2)], {}, trsm, id="narrow"),
    Case("_linalg_trsm", [GENERAL[0], (2, 3)], {"rightside": True, "lower": False}, trsm, id="low"),
    Case("_linalg_trsm", [LARGE, (150, 3)], {}, trsm, dtypes=WIDE, grad=False, id="large"),
    Case(
        "_linalg_trsm",
        [LARGE, (3, 150)],
        {"rightside": True, "transpose": True},
        trsm,
        dtypes=WIDE,
        grad=False,
    ),
    Case("_linalg_trsm", [np.zeros((0, 0)), (0, 2)], {}, trmm, id="empty"),
    Case("_linalg_trsm", [(3, 3), (2, 3)], fails="A has 3 rows and meets 2 of B"),
    Case("_linalg_potrf", [POSITIVE], {}, potrf, grad=False),
    Case("_linalg_potrf", [POSITIVE[0]], {"lower": False}, potrf, grad=False, id="upper"),
    Case("_linalg_potrf", [LARGE @ LARGE.T], {}, potrf, grad=False, dtypes=WIDE, atol=2e-4, id="large"),
    Case("_linalg_potrf", [np.zeros((2, 0, 0))], {}, potrf, grad=False, id="empty"),
    Case("_linalg_potrf", [-POSITIVE], fails="matrix 0 of shape (3, 3) fails at row 0"),
    Case("_linalg_potri", [GENERAL], {}, potri),
    Case("_linalg_potri", [GENERAL], {"lower": False}, potri, id="upper"),
    Case("_linalg_potri", [np.tril(LARGE)], {}, potri, grad=False, dtypes=WIDE, id="large"),
    Case("_linalg_sumlogdiag", [Spec((3, 3), 0.5, 2)], {}, sumlogdiag),
    Case("_linalg_sumlogdiag", [Spec((2, 2, 3, 3), 0.5, 2)], {}, sumlogdiag, id="stack"),
    Case("_linalg_sumlogdiag", [np.zeros((2, 0, 0))], {}, sumlogdiag, id="empty"),
    *(Case("_linalg_extractdiag", [(2, 3, 3)], {"offset": k}, extractdiag) for k in (0, 1, -2)),
    Case("_linalg_extractdiag", [(3, 3)], {"offset": 3}, fails="offset 3 lies outside"),
    Case("_linalg_extractdiag", [(3, 3)], {"offset": -(2**63)}, fails="lies outside"),
    Case("_linalg_extractdiag", [(2, 3)], fails="square matrices"),
    *(Case("_linalg_makediag", [(2, 3)], {"offset": k}, makediag) for k in (0, 1, -2)),
    Case("_linalg_makediag", [(0,)], {}, makediag, id="empty"),
    Case("_linalg_makediag", [(2,)], {"offset": 2**40}, fails="is too large"),
    *(
        Case("_linalg_extracttrian", [(2, 4, 4)], {"offset": k, "lower": w}, extracttrian)
        for k in (0, 1, -1, 3)
        for w in (True, False)
    ),
    Case("_linalg_extracttrian", [(0, 2, 2)], {}, extracttrian, id="empty"),
    *(
        Case("_linalg_maketrian", [(2, 6)], {"offset": k, "lower": w}, maketrian)
        for k in (0, 2, -1)
        for w in (True, False)
    ),
    Case("_linalg_maketrian", [(5,)], fails="a triangle has k (k + 1) / 2"),
    Case("_linalg_inverse", [GENERAL], {}, np.linalg.inv),
    Case("_linalg_inverse", [FLIPPED], {}, np.linalg.inv, id="with swaps"),
    Case("_linalg_inverse", [LARGE[::-1] * 1.0], {}, np.linalg.inv, grad=False, dtypes=WIDE, id="large"),
    Case("_linalg_inverse", [np.zeros((2, 0, 0))], {}, np.linalg.inv, id="empty"),
    Case("_linalg_inverse", [np.ones((3, 2, 2))], fails="matrix 0 of shape (2, 2) is singular"),
    Case("_linalg_det", [GENERAL[0]], {}, lambda a: numbers(np.linalg.det(a))),
    Case("_linalg_det", [FLIPPED], {}, np.linalg.det, id="stack"),
    Case(
        "_linalg_det",
        [np.diag([2.0, 0, 3])],
        {},
        lambda a: numbers(np.linalg.det(a)),
        second=False,
        id="rank 2",
    ),
    Case(
        "_linalg_det",
        [np.diag([2.0, 0, 0])],
        {},
        lambda a: numbers(np.linalg.det(a)),
        second=False,
        id="rank 1",
    ),
    Case("_linalg_det", [np.ones((2, 2))], {}, lambda a: numbers(np.linalg.det(a)), second=False, id="ones"),
    Case("_linalg_det", [np.zeros((2, 0, 0))], {}, np.linalg.det, id="empty"),
    Case("_linalg_slogdet", [GENERAL[0]], {}, slogdet),
    Case("_linalg_slogdet", [FLIPPED], {}, slogdet, id="stack"),
    Case("_linalg_slogdet", [np.ones((3, 3))], {}, slogdet, grad=False, dtypes=("float64",), id="singular"),
    Case("_linalg_adjugate", [GENERAL], {}, adjugate, dtypes=WIDE),
    Case("_linalg_adjugate", [FLIPPED[1]], {}, adjugate, dtypes=WIDE),
    Case("_linalg_adjugate", [np.diag([2.0, 0, 3])], {}, adjugate, grad=False),
    Case("_linalg_adjugate", [np.zeros((3, 3))], {}, adjugate, grad=False),
    Case("_linalg_adjugate", [np.array([[5.0]])], {}, np.ones_like, grad=False),
    Case("_linalg_gelqf", [GENERAL], {}, gelqf),
    Case("_linalg_gelqf", [RNG.uniform(-1, 1, (2, 4))], {}, gelqf, id="wide"),
    Case("_linalg_gelqf", [WIDEST], {}, gelqf, grad=False, dtypes=WIDE, atol=2e-5, id="large"),
    Case("_linalg_gelqf", [(3, 2)], fails="at most as many rows as columns"),
    Case("_linalg_syevd", [SYMMETRIC], {}, syevd, grad=False),
    Case(
        "_linalg_syevd",
        [LARGE + LARGE.T],
        {},
        syevd,
        grad=False,
        dtypes=WIDE,
        rtol=1e-4,
        atol=2e-3,
        id="large",
    ),
    Case("_linalg_syevd", [np.diag([3.0, 1, 2])], {}, syevd, grad=False, id="diagonal"),
    Case("_linalg_syevd", [np.zeros((2, 0, 0))], {}, lambda a: (a, np.zeros((2, 0))), grad=False, id="empty"),
    Case("_linalg_syevd", [(2, 3)], fails="square matrices"),
]
