"""More results of operators that the other tables hold against refusals: extents, dtypes and options."""

from __future__ import annotations

from typing import Any

from ..case import Case, grid, integer, normal, uniform, values

LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}
DOUBLE: dict[str, Any] = {"dtype": "float64"}
WHOLE: dict[str, Any] = {"dtype": "int32"}


def _layers() -> list[Case]:
    affine = {"transform_type": "affine", "sampler_type": "bilinear", "target_shape": (3, 3)}
    heads, name = {"heads": 2}, "contrib.interleaved_matmul_"
    return [
        Case("CTCLoss", (normal(6, 1, 3), values([[1, 2, 1]])), grad=(0,), **LOOSE),
        Case("Crop", (normal(1, 1, 3, 3),), {"num_args": 1, "h_w": (3, 3)}, grad=(0,)),
        Case("InstanceNorm", (normal(3, 1, 4), uniform(1), normal(1)), grad=(0, 1, 2), rtol=1e-3, atol=1e-4),
        Case("SliceChannel", (normal(2, 4, 3),), {"num_outputs": 4}, grad=(0,), heads=(1, 3)),
        Case("SpatialTransformer", (normal(1, 1, 2, 5), values([[1, 0, 0, 0, 1, 0]])), affine, grad=(0, 1)),
        Case(f"{name}encdec_qk", (normal(2, 1, 4), normal(3, 1, 8)), heads, grad=(0, 1)),
        Case(f"{name}encdec_valatt", (normal(3, 1, 8), normal(2, 2, 3)), heads, grad=(0, 1)),
        Case(f"{name}selfatt_valatt", (normal(2, 1, 12), normal(2, 2, 2)), heads, grad=(0, 1)),
        Case("batch_dot", (normal(1, 1, 3, **DOUBLE), normal(1, 3, 1, **DOUBLE)), grad=(0, 1)),
    ]


def _elements() -> list[Case]:
    cases = [
        Case(f"_{name}", (integer(2, 1, 2, high=3, dtype="int64"), integer(2, 1, 2, high=3, dtype="int64")))
        for name in ("greater_equal", "lesser_equal", "logical_and", "logical_or", "logical_xor")
    ]
    for kind in ("and", "or", "xor"):
        given = integer(2, 3, low=-9, high=9, **WHOLE)
        cases.append(Case(f"_npi_bitwise_{kind}_scalar", (given,), {"scalar": -3.0, "is_int": True}))
    same, double = "_identity_with_attr_like_rhs", normal(1, 4, **DOUBLE)
    return [
        *cases,
        Case(same, (double, normal(1, 4, **DOUBLE)), grad=(0, 1)),
        Case("_npx_constraint_check", (integer(2, 3, low=1, high=2, dtype="bool"),)),
        Case("_npx_constraint_check", (values([[[1]]], "bool"),)),
        Case("_copyto", (double, normal(1, 4, dtype="float64", name="out"))),
    ]


def _places() -> list[Case]:
    cases = [
        Case("contrib.index_copy", (normal(2, 3), values([0, 1], "int64"), normal(2, 3)), grad=(0, 2)),
        Case("_slice_assign_scalar", (normal(2, 3),), {"scalar": 4.0, "begin": (0, -2), "end": (1, None)}),
        Case("fill_element_0index", (normal(2, 2), normal(2), values([1.0, 1.0]))),
        Case("broadcast_like", (integer(1, 2, **WHOLE), integer(3, 2, **WHOLE))),
        Case("squeeze", (normal(2, 1, 1, **DOUBLE),), {"axis": -1}, grad=(0,)),
        Case("squeeze", (normal(1, 2, 1, 1),), {"axis": (0, 3)}, grad=(0,)),
        Case("depth_to_space", (normal(1, 4, 1, 1, dtype="float16"),), {"block_size": 2}),
        Case("space_to_depth", (normal(1, 1, 2, 2, dtype="float16"),), {"block_size": 2}),
        Case("_npi_insert_scalar", (normal(3, **DOUBLE),), {"val": -1.0, "int_ind": 3}),
        Case("_npi_diag_indices_from", (integer(4, 4, **WHOLE),)),
        Case("_sample_unique_zipfian", (), {"range_max": 10**6, "shape": (20000, 1)}, moments=True),
    ]
    for axes, one, two in (((1, 0), (2, 3), (3, 2)), ((-2, -2), (4, 2), (4, 3))):
        params = {"a_axes_summed": (axes[0],), "b_axes_summed": (axes[1],)}
        cases.append(Case("_npi_tensordot", (normal(*one), normal(*two)), params, grad=(0, 1), **LOOSE))
    return [
        *cases,
        Case("_npi_tensordot_int_axes", (normal(1, 2), normal(2, 1)), {"axes": 1}, grad=(0, 1), **LOOSE),
    ]


def _algebra() -> list[Case]:
    positive, triangle = values([[9, 1], [1, 4]], "float64"), values([[3, 0], [-1, 2]], "float64")
    upper = values([[3, 7, 1], [0, -2, 5], [0, 0, 1]], "float64")
    cases = grid("linalg_extractdiag", (normal(3, 3, **DOUBLE),), {}, {"offset": 2}, grad=(0,))
    return [
        *cases,
        Case("linalg_gelqf", (normal(2, 1, 3),), grad=(0,), heads=(0, 1), rtol=1e-4, atol=1e-5),
        Case("linalg_gemm", (normal(1, 1), normal(1, 3), normal(1, 3)), {"alpha": -1.0}, grad=(0, 1, 2)),
        Case("linalg_potrf", (positive,), {"lower": False}, grad=(0,)),
        Case("linalg_potri", (triangle,), {"lower": True}, grad=(0,), tag="named"),
        Case("linalg_sumlogdiag", (positive,), grad=(0,), tag="positive"),
        Case("_npi_cholesky", (positive,), grad=(0,)),
        Case("_npi_eig", (values([[2, 0, 0], [0, -1, 0], [0, 0, 5]], "float64"),), tag="diagonal"),
        Case("_npi_eigvals", (upper,), tag="upper"),
        Case("_npi_tensorinv", (normal(2, 2, 4, **DOUBLE),), {"ind": 2}, grad=(0,), rtol=1e-6, atol=1e-8),
    ]


def _pictures() -> list[Case]:
    wide, half = uniform(2, 6, 3, high=255), {"min_factor": 0.5, "max_factor": 0.5}
    bytes_ = integer(6, 4, 3, high=256, dtype="uint8")
    alpha = {"alpha": (-0.1, 0.2, 0.0)}
    cases = [
        Case("image.adjust_lighting", (data,), alpha, rtol=1e-5)
        for data in (wide, bytes_, uniform(1, 5, 3, high=2))
    ]
    box = {"x": 0, "y": 1, "width": 2, "height": 1}
    cases += [Case("image.crop", (data,), box) for data in (bytes_, normal(3, 2, 1, **DOUBLE))]
    cases += [
        Case(f"image.flip_{side}", (integer(2, 2, 1, **WHOLE),)) for side in ("left_right", "top_bottom")
    ]
    cases += [
        Case(f"image.random_flip_{side}", (uniform(8, 8, 1),), moments=True)
        for side in ("left_right", "top_bottom")
    ]
    for name in ("brightness", "contrast"):
        cases += [
            Case(f"image.random_{name}", (data,), half, rtol=1e-4, atol=1e-2) for data in (wide, bytes_)
        ]
    return [
        *cases,
        Case("image.random_hue", (wide,), half, rtol=1e-3, atol=0.05),
        Case("image.random_saturation", (normal(2, 5, 1),), half),
    ]


CASES = _layers() + _elements() + _places() + _algebra() + _pictures()
