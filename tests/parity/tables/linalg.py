"""Linear algebra."""

from __future__ import annotations

from typing import Any

from ..case import Case, grid, normal, uniform, values

POSITIVE = values([[[4, 2, 0.6], [2, 5, 1], [0.6, 1, 3]], [[2, 0.5, 0.3], [0.5, 1, 0.1], [0.3, 0.1, 6]]])
# Well away from singular, in both triangles.
SQUARE = values([[[3, 0.4, -1], [0.7, 2, 0.5], [-0.2, 1, 4]], [[-2, 1, 0.3], [0.5, 3, -0.7], [1, 0.2, 5]]])
OTHER = normal(2, 3, 3)
SIDES: list[dict[str, Any]] = [
    {"transpose": t, "rightside": r, "lower": w, "alpha": 1.5}
    for t in (False, True)
    for r in (False, True)
    for w in (False, True)
]


def _products() -> list[Case]:
    return [
        *grid(
            "linalg_gemm2",
            (OTHER, normal(2, 3, 3)),
            {},
            {"transpose_a": True, "alpha": 0.5},
            {"transpose_b": True},
            {"transpose_a": True, "transpose_b": True},
            grad=(0, 1),
        ),
        Case("linalg_gemm2", (normal(3, 2, 4), normal(4, 2, 5)), {"axis": 0}, grad=(0, 1)),
        Case(
            "linalg_gemm2",
            (normal(2, 3, 2, 4), normal(2, 5, 2, 4)),
            {"axis": 1, "transpose_b": True},
            grad=(0, 1),
        ),
        Case("linalg_gemm2", (normal(1, 3, 4), normal(2, 4, 5)), error=True),
        Case("linalg_gemm2", (normal(3, 4), normal(3, 4)), error=True),
        Case("linalg_gemm", (normal(3, 4), normal(4, 5), normal(3, 5)), grad=(0, 1, 2)),
        Case(
            "linalg_gemm",
            (
                normal(2, 4, 3, dtype="float64"),
                normal(2, 4, 5, dtype="float64"),
                normal(2, 3, 5, dtype="float64"),
            ),
            {"transpose_a": True, "alpha": 2.0, "beta": -0.5},
            grad=(0, 1, 2),
        ),
        Case(
            "linalg_gemm",
            (normal(3, 2, 4), normal(5, 2, 4), normal(3, 2, 5)),
            {"axis": 0, "transpose_b": True},
        ),
        Case("linalg_gemm", (normal(3, 4), normal(4, 5), normal(1, 5)), error=True),
        *grid("linalg_syrk", (normal(2, 3, 4),), {}, {"transpose": True, "alpha": 0.5}, grad=(0,)),
    ]


def _triangles() -> list[Case]:
    return [
        *(Case("linalg_trmm", (SQUARE, OTHER), side, grad=(0, 1)) for side in SIDES),
        *(Case("linalg_trsm", (SQUARE, OTHER), side, grad=(0, 1)) for side in SIDES),
        Case("linalg_trmm", (normal(3, 3), normal(2, 3)), error=True),
        Case("linalg_trsm", (normal(3, 3), normal(2, 3)), {"rightside": True}),
        *grid("linalg_potrf", (POSITIVE,), {}, {"lower": False}, grad=(0,)),
        Case("linalg_potrf", (values([[-1, 0], [0, 1]]),), error=True),
        *grid("linalg_potri", (SQUARE,), {}, {"lower": False}, grad=(0,)),
        Case("linalg_sumlogdiag", (POSITIVE,), grad=(0,)),
        Case("linalg_sumlogdiag", (uniform(3, 3, low=0.5, high=2, dtype="float64"),), grad=(0,)),
    ]


def _parts() -> list[Case]:
    offsets: list[dict[str, Any]] = [{"offset": k} for k in (0, 1, -2)]
    triangles: list[dict[str, Any]] = [{"offset": k, "lower": w} for k in (0, 1, -1) for w in (True, False)]
    return [
        *grid("linalg_extractdiag", (normal(2, 4, 4),), *offsets, grad=(0,)),
        *grid("linalg_makediag", (normal(2, 3),), *offsets, grad=(0,)),
        *grid("linalg_extracttrian", (normal(2, 4, 4),), *triangles, grad=(0,)),
        *grid("linalg_maketrian", (normal(2, 6),), *triangles, grad=(0,)),
        Case("linalg_extractdiag", (normal(3, 3),), {"offset": 3}, error=True),
        Case("linalg_extractdiag", (normal(3, 4),), error=True),
        Case("linalg_maketrian", (normal(5),), error=True),
    ]


def _factors() -> list[Case]:
    return [
        Case("linalg_inverse", (SQUARE,), grad=(0,)),
        Case("linalg_inverse", (values([[1, 2], [2, 4]]),), error=True),
        Case("linalg_det", (SQUARE,), grad=(0,)),
        Case("linalg_det", (normal(4, 4, dtype="float64"),), grad=(0,)),
        Case("linalg_det", (values([[1, 2], [2, 4]]),), grad=(0,), tag="singular"),
        Case("linalg_slogdet", (SQUARE,), grad=(0,), heads=(1,)),
        Case("linalg_slogdet", (values([[1, 2], [2, 4]]),)),
        Case("linalg_gelqf", (SQUARE,), grad=(0,), heads=(0, 1)),
        Case("linalg_gelqf", (normal(2, 5, dtype="float64"),), grad=(0,), heads=(0, 1)),
        Case("linalg_gelqf", (normal(3, 2),), error=True),
        Case("linalg.syevd", (POSITIVE,), grad=(0,), heads=(0, 1), rtol=1e-4),
        Case("linalg.syevd", (SQUARE,), tag="lower triangle"),
    ]


def _few() -> list[Case]:
    """More of the operators with one option or none."""
    one = values([[2.5]])
    double = {"dtype": "float64"}
    cases = [
        Case("linalg_gelqf", (normal(1, 4),), grad=(0,), heads=(0, 1), rtol=1e-4),
        Case("linalg_gelqf", (normal(2, 2, 3, **double),), grad=(0,), heads=(0, 1)),
        Case("linalg_gemm", (normal(2, 3), normal(2, 4), normal(3, 4)), {"transpose_a": True, "beta": 0.0}),
        Case("linalg_makediag", (one,), {"offset": 2}, grad=(0,)),
        Case("linalg_makediag", (normal(3, **double),), grad=(0,)),
        Case("linalg_potrf", (one,), grad=(0,)),
        Case("linalg_potrf", (values([[4, 1], [1, 3]], "float64"),), grad=(0,)),
        Case("linalg_potrf", (normal(2, 3),), error=True),
        Case("linalg_potri", (one,), grad=(0,)),
        Case("linalg_potri", (values([[2, 0], [1, 3]], "float64"),), grad=(0,)),
        Case("linalg_potri", (normal(2, 3),), error=True),
        Case("linalg_sumlogdiag", (one,), grad=(0,)),
        Case("linalg_sumlogdiag", (values([[1, 5], [7, 0.5]], "float64"),), grad=(0,)),
        Case("linalg_sumlogdiag", (normal(2, 3),), error=True),
        Case("linalg.syevd", (one,), grad=(0,), heads=(0, 1)),
        Case("linalg.syevd", (values([[2, 1], [1, 3]], "float64"),), grad=(0,), heads=(0, 1)),
        Case("linalg.syevd", (values([[5, 0, 0], [0, 1, 0], [0, 0, 3]]),), tag="diagonal"),
        Case("linalg.syevd", (normal(2, 3),), error=True),
    ]
    cases += [
        Case("linalg_syrk", (normal(*shape, dtype=d),), params, grad=(0,), rtol=1e-4)
        for shape, d, params in (
            ((1, 3), "float64", {}),
            ((3, 2), "float64", {"transpose": True}),
            ((2, 2, 1, 4), "float32", {"alpha": -2.0}),
            ((3, 1), "float32", {"alpha": 0.0}),
        )
    ]
    return cases


CASES: list[Case] = [*_products(), *_triangles(), *_parts(), *_factors(), *_few()]
