"""Operators on places in images."""

from __future__ import annotations

from ..case import Case, distinct, normal, uniform, values

IMAGE = normal(2, 3, 5, 6)
ROIS = values([[0, 0, 0, 4, 3], [1, 2, 1, 3, 3], [-1, 0, 0, 2, 2], [0, 3, 3, 1, 1], [1, -5, -5, 1, 1],
               [0, 9, 9, 12, 12]])  # fmt: skip
ST = {"transform_type": "affine", "sampler_type": "bilinear"}
AFFINE = {"transform_type": "affine"}
WARP = {"transform_type": "warp"}


def _crop() -> list[Case]:
    one = {"num_args": 1}
    return [
        Case("Crop", (IMAGE,), {**one, "h_w": (2, 3), "offset": (1, 2)}, grad=(0,)),
        Case("Crop", (IMAGE,), {**one, "h_w": (2, 3), "center_crop": True}, grad=(0,)),
        Case("Crop", (IMAGE,), {**one, "h_w": (4, 4), "center_crop": True}, grad=(0,)),
        Case("Crop", (IMAGE, normal(1, 1, 2, 3)), {"num_args": 2, "offset": (1, 1)}, grad=(0, 1)),
        Case("Crop", (IMAGE,), one, error=True),
        Case("Crop", (IMAGE,), {**one, "h_w": (6, 1)}, error=True),
        Case("Crop", (IMAGE,), {**one, "h_w": (3, 3), "offset": (3, 3)}, error=True),
    ]


def _places() -> list[Case]:
    cases = [
        Case(
            "ROIPooling",
            (distinct(2, 3, 5, 6), ROIS),
            {"pooled_size": size, "spatial_scale": scale},
            grad=(0, 1),
        )
        for size in ((2, 2), (3, 1), (7, 7))
        for scale in (1.0, 0.5)
    ]
    cases += [
        Case("GridGenerator", (normal(2, 6),), {**AFFINE, "target_shape": (3, 4)}, grad=(0,)),
        Case("GridGenerator", (normal(2, 6),), {**AFFINE, "target_shape": (1, 3)}),
        Case("GridGenerator", (normal(2, 6),), AFFINE, error=True),
        Case("GridGenerator", (normal(2, 2, 3, 4),), WARP, grad=(0,)),
        Case("GridGenerator", (normal(2, 2, 3, 1),), WARP),
        Case("BilinearSampler", (IMAGE, uniform(2, 2, 3, 4, low=-1.3, high=1.3)), grad=(0, 1)),
        Case(
            "BilinearSampler",
            (normal(1, 2, 4, 4, dtype="float64"), uniform(1, 2, 3, 4, low=-2, high=2, dtype="float64")),
            grad=(0, 1),
        ),
        Case("BilinearSampler", (IMAGE, normal(1, 2, 3, 4)), error=True),
        Case("SpatialTransformer", (IMAGE, normal(2, 6)), {**ST, "target_shape": (3, 4)}, grad=(0, 1)),
        Case("SpatialTransformer", (IMAGE, uniform(2, 6)), {**ST, "target_shape": (6, 7)}, grad=(0, 1)),
        Case("SpatialTransformer", (IMAGE, normal(2, 6)), ST, error=True),
    ]
    return cases


def _correlation() -> list[Case]:
    pair = (normal(2, 3, 7, 8), normal(2, 3, 7, 8))
    wide = {"kernel_size": 3, "max_displacement": 2, "stride1": 2, "stride2": 2, "pad_size": 2}
    return [
        Case("Correlation", pair, {"pad_size": 1}, grad=(0, 1), rtol=1e-4, atol=1e-5),
        Case("Correlation", pair, wide, grad=(0, 1), rtol=1e-4, atol=1e-5),
        Case("Correlation", pair, {**wide, "is_multiply": False}, grad=(0, 1), rtol=1e-4, atol=1e-5),
        Case("Correlation", pair, {"kernel_size": 2}, error=True),
        Case("khatri_rao", (normal(2, 3), normal(4, 3))),
        Case("khatri_rao", (normal(2, 3), normal(4, 3), normal(2, 3))),
        Case("_histogram", (normal(40),), {"bin_cnt": 5, "range": (-1.0, 1.5)}),
        Case("_histogram", (normal(40), values([-1, 0, 0.5, 2]))),
    ]


def _edges() -> list[Case]:
    """The same operators at borders, in float64, with one row, and refusals."""
    ends = values([[[[-1, 0, 1], [1, -1, 0]], [[-1, 1, 1], [-1, 0.2, -0.2]]]])
    double = {"dtype": "float64"}
    cases = [
        Case("BilinearSampler", (normal(1, 2, 3, 3), ends), grad=(0, 1), tag="corners"),
        Case("BilinearSampler", (normal(2, 1, 1, 4), uniform(2, 2, 2, 2, low=-0.9, high=0.9)), grad=(0, 1)),
        Case(
            "BilinearSampler", (normal(1, 1, 3, 3), values([[[[5.0]], [[0.0]]]])), grad=(0, 1), tag="outside"
        ),
        Case("BilinearSampler", (IMAGE, normal(2, 3, 3, 4)), error=True),
        Case("GridGenerator", (normal(1, 6),), {**AFFINE, "target_shape": (2, 5)}, grad=(0,)),
        Case("GridGenerator", (normal(1, 2, 2, 2),), WARP, grad=(0,)),
        Case(
            "GridGenerator", (values([[1, 0, 0, 0, 1, 0]]),), {**AFFINE, "target_shape": (3, 3)}, tag="same"
        ),
        Case("GridGenerator", (normal(2, 5),), {**AFFINE, "target_shape": (3, 3)}, error=True),
        Case("SpatialTransformer", (IMAGE, normal(2, 6)), {**ST, "target_shape": (2, 2)}, grad=(0, 1)),
        Case(
            "SpatialTransformer",
            (normal(1, 2, 4, 4, **double), uniform(1, 6, low=-0.5, high=0.5, **double)),
            {**ST, "target_shape": (3, 5)},
            grad=(0, 1),
        ),
        Case("SpatialTransformer", (IMAGE, normal(2, 5)), {**ST, "target_shape": (2, 2)}, error=True),
    ]
    pair, close = (normal(1, 2, 5, 6), normal(1, 2, 5, 6)), {"rtol": 1e-4, "atol": 1e-5}
    for params in (
        {"max_displacement": 2, "pad_size": 2},
        {"kernel_size": 3, "max_displacement": 0, "pad_size": 1},
        {"max_displacement": 1, "stride1": 2, "pad_size": 1, "is_multiply": False},
    ):
        cases.append(Case("Correlation", pair, params, grad=(0, 1), **close))
    cases += [
        Case("khatri_rao", (normal(2, 3), normal(1, 3))),
        Case("khatri_rao", (normal(3, 2, **double), normal(2, 2, **double))),
        Case("khatri_rao", (normal(4, 1),)),
        Case("khatri_rao", (normal(2, 3), normal(2, 4)), error=True),
        Case("_histogram", (normal(30, **double),), {"bin_cnt": 3, "range": (-2.0, 2.0)}),
        Case("_histogram", (values([0, 1, 1, 2, 5, -1]),), {"bin_cnt": 2, "range": (0.0, 2.0)}, tag="ends"),
        Case("_histogram", (normal(3, 4), values([-9, 9]))),
        Case("_histogram", (values([0, 1, 2, 3, 3]), values([0, 1, 3])), tag="ends"),
    ]
    return cases


CASES = _crop() + _places() + _correlation() + _edges()
