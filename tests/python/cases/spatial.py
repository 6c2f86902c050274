"""Cases of operators on places in images: windows, regions, grids and sampling."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def crop(x: Array, like: Array | None = None, **p: Any) -> Array:
    h, w = p["h_w"] if like is None else like.shape[2:]
    top, left = p.get("offset", (0, 0))
    if p.get("center_crop"):
        top, left = (x.shape[2] - h) // 2, (x.shape[3] - w) // 2
    return x[:, :, top : top + h, left : left + w]


def roi_pooling(x: Array, rois: Array, pooled_size: tuple[int, int], spatial_scale: float) -> Array:
    out = np.zeros((len(rois), x.shape[1], *pooled_size))
    for r, (image, *corners) in enumerate(rois):
        left, top, right, bottom = np.floor(np.asarray(corners) * spatial_scale + 0.5).astype(int)
        sizes = np.maximum([bottom - top + 1, right - left + 1], 1) / pooled_size
        for i in range(pooled_size[0]):
            for j in range(pooled_size[1]):
                y = np.clip([np.floor(i * sizes[0]) + top, np.ceil((i + 1) * sizes[0]) + top], 0, x.shape[2])
                z = np.clip(
                    [np.floor(j * sizes[1]) + left, np.ceil((j + 1) * sizes[1]) + left], 0, x.shape[3]
                )
                cell = x[int(image), :, int(y[0]) : int(y[1]), int(z[0]) : int(z[1])]
                if image >= 0 and cell.size:
                    out[r, :, i, j] = cell.max((1, 2))
    return out


def line(n: int) -> Array:
    return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)


def pixels(h: int, w: int) -> Array:
    y, x = np.meshgrid(line(h), line(w), indexing="ij")
    return np.stack([x, y])


def grid(data: Array, transform_type: str, target_shape: tuple[int, int] = (0, 0)) -> Array:
    if transform_type == "affine":
        base = pixels(*target_shape)
        full = np.concatenate([base, np.ones((1, *target_shape))]).reshape(3, -1)
        return (data.reshape(-1, 2, 3) @ full).reshape(-1, 2, *target_shape)
    h, w = data.shape[2:]
    scale = np.array([2 / (w - 1) if w > 1 else 0, 2 / (h - 1) if h > 1 else 0])
    return data * scale[:, None, None] + pixels(h, w)


def sample(data: Array, positions: Array) -> Array:
    n, c, h, w = data.shape
    out = np.zeros((n, c, *positions.shape[2:]))
    for b, i, j in np.ndindex(n, *positions.shape[2:]):
        x = (positions[b, 0, i, j] + 1) * (w - 1) / 2
        y = (positions[b, 1, i, j] + 1) * (h - 1) / 2
        if not (abs(x) < 1e6 and abs(y) < 1e6):
            continue
        for py in (int(np.floor(y)), int(np.floor(y)) + 1):
            for px in (int(np.floor(x)), int(np.floor(x)) + 1):
                if 0 <= px < w and 0 <= py < h:
                    out[b, :, i, j] += data[b, :, py, px] * (1 - abs(px - x)) * (1 - abs(py - y))
    return out


def transform(data: Array, loc: Array, target_shape: tuple[int, int], **_: Any) -> Array:
    return sample(data, grid(loc, "affine", target_shape))


ST = {"transform_type": "affine", "sampler_type": "bilinear"}
AFFINE = {"transform_type": "affine"}
WARP = {"transform_type": "warp"}
ROIS = np.array(
    [
        [0, 0, 0, 4, 3],
        [1, 2, 1, 3, 3],
        [-1, 0, 0, 2, 2],
        [0, 3, 3, 1, 1],
        [1, -5, -5, 1, 1],
        [0, 9, 9, 12, 12],
    ]
)
HOSTILE = np.array([[0, np.nan, np.inf, -np.inf, 1e30], [0, -1e30, -1e30, 1e30, 1e30]])
# Far from whole pixels, where sampling has no derivative.
MAPS = np.array([[0.83, 0.11, 0.07, -0.13, 0.71, 0.05], [1.31, 0.21, -0.17, 0.09, 1.23, 0.31]])
EDGES = np.array([[[[-1.0, 1.0, 0.0], [3.0, -3.0, 0.5]], [[-1.0, 1.0, 0.0], [0.0, 0.5, -9.0]]]])
WIDE = ("float32", "float64")
PLACES = np.random.default_rng(3).permutation(np.linspace(-1.23, 1.31, 24)).reshape(2, 2, 2, 3)
CASES = [
    Case("Crop", [(2, 3, 5, 6)], {"num_args": 1, "h_w": (2, 3), "offset": (1, 2)}, crop),
    Case("Crop", [(2, 3, 5, 6)], {"num_args": 1, "h_w": (2, 3), "center_crop": True}, crop),
    Case("Crop", [(1, 2, 5, 6), (3, 1, 4, 2)], {"num_args": 2, "offset": (1, 0)}, crop),
    Case("Crop", [(1, 2, 5, 6), (3, 1, 4, 2)], {"center_crop": True}, crop),
    Case("Crop", [(0, 2, 5, 6)], {"h_w": (5, 6)}, crop, id="empty"),
    Case("Crop", [(1, 2, 4, 4)], {"num_args": 1}, fails="h_w is (0, 0)"),
    Case(
        "Crop",
        [(1, 2, 4, 4)],
        {"num_args": 1, "h_w": (5, 1)},
        fails="takes 5 of axis 2 from 0 on; data has 4",
    ),
    Case("Crop", [(1, 2, 4, 4)], {"h_w": (3, 3), "offset": (2, 2)}, fails="takes 3 of axis 2 from 2 on"),
    Case("Crop", [(4, 4)], {"h_w": (3, 3)}, fails="expected images"),
    Case(
        "ROIPooling",
        [Spec((2, 3, 5, 6), kind="distinct"), ROIS.astype(float)],
        {"pooled_size": (2, 3), "spatial_scale": 1.0},
        roi_pooling,
        grad=(0,),
        dtypes=WIDE,
    ),
    Case(
        "ROIPooling",
        [Spec((2, 1, 5, 6), kind="distinct"), ROIS[:2] * [1.0, 2, 2, 2, 2]],
        {"pooled_size": (3, 3), "spatial_scale": 0.25},
        roi_pooling,
        grad=(0,),
        id="scaled",
        dtypes=WIDE,
    ),
    Case(
        "ROIPooling",
        [(1, 2, 4, 4), HOSTILE],
        {"pooled_size": (2, 2), "spatial_scale": 1.0},
        grad=False,
        check=lambda out, _: np.testing.assert_equal(np.isfinite(out[0]).all(), True),
        id="hostile",
        dtypes=WIDE,
    ),
    Case(
        "ROIPooling",
        [(1, 2, 4, 4), (0, 5)],
        {"pooled_size": (2, 2), "spatial_scale": 1.0},
        roi_pooling,
        grad=(0,),
        id="empty",
    ),
    Case(
        "ROIPooling",
        [(2, 2, 4, 4), np.array([[2.0, 0, 0, 1, 1]])],
        {"pooled_size": (2, 2), "spatial_scale": 1.0},
        fails="region 0 lies on image 2; expected one of 2",
    ),
    Case(
        "ROIPooling",
        [(2, 2, 4, 4), (3, 4)],
        {"pooled_size": (2, 2), "spatial_scale": 1.0},
        fails="expected (?, 5)",
    ),
    Case("GridGenerator", [(2, 6)], {**AFFINE, "target_shape": (3, 4)}, grid),
    Case("GridGenerator", [(2, 6)], {**AFFINE, "target_shape": (1, 3)}, grid),
    Case(
        "GridGenerator",
        [(0, 6)],
        {**AFFINE, "target_shape": (2, 2)},
        lambda *_, **__: np.zeros((0, 2, 2, 2)),
        id="empty",
    ),
    Case("GridGenerator", [(2, 6)], AFFINE, fails="target_shape is (0, 0)"),
    Case("GridGenerator", [(2, 5)], {**AFFINE, "target_shape": (2, 2)}, fails="expected (?, 6)"),
    Case("GridGenerator", [(2, 2, 3, 4)], WARP, grid),
    Case("GridGenerator", [(1, 2, 3, 1)], WARP, grid),
    Case("GridGenerator", [(2, 3, 3, 4)], WARP, fails="data has shape (2, 3, 3, 4); expected (?, 2, ?, ?)"),
    Case("BilinearSampler", [(2, 3, 4, 5), PLACES], {}, sample),
    Case(
        "BilinearSampler",
        [(1, 1, 1, 3), np.array([[[[0.3, -0.7]], [[0.2, -0.4]]]])],
        {},
        sample,
        id="one row",
        dtypes=WIDE,
    ),
    Case("BilinearSampler", [(1, 2, 3, 3), EDGES], {}, sample, grad=(0,), id="edges"),
    Case(
        "BilinearSampler",
        [(1, 2, 3, 3), np.array([[[[np.nan, np.inf]], [[0.0, 1e30]]]])],
        {},
        sample,
        grad=False,
        id="hostile",
        dtypes=WIDE,
    ),
    Case("BilinearSampler", [(0, 2, 3, 3), (0, 2, 2, 2)], {}, lambda *_: np.zeros((0, 2, 2, 2)), id="empty"),
    Case(
        "BilinearSampler",
        [(1, 2, 3, 3), (2, 2, 2, 2)],
        {},
        fails="grid has shape (2, 2, 2, 2); expected (1, 2, ?, ?)",
    ),
    Case("SpatialTransformer", [(2, 3, 4, 5), MAPS], {**ST, "target_shape": (3, 4)}, transform, dtypes=WIDE),
    Case("SpatialTransformer", [(2, 1, 3, 3), MAPS], {**ST, "target_shape": (1, 2)}, transform, dtypes=WIDE),
    Case(
        "SpatialTransformer",
        [(2, 3, 4, 5), MAPS],
        {**ST, "target_shape": (2, 2)},
        transform,
        grad=False,
        dtypes=("float16",),
        atol=2e-2,
    ),
    Case("SpatialTransformer", [(2, 3, 4, 5), (2, 6)], ST, fails="target_shape is (0, 0)"),
]
