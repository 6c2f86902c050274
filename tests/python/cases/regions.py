"""Cases of operators on regions of images."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def pixel(plane: Array, y: float, x: float) -> float:
    """Between four pixels; 0 more than a pixel outside."""
    h, w = plane.shape
    if not (-1 <= y <= h and -1 <= x <= w):
        return 0.0
    y, x = min(max(y, 0), h - 1), min(max(x, 0), w - 1)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, h - 1), min(left + 1, w - 1)
    a, b = y - top, x - left
    upper = (1 - b) * plane[top, left] + b * plane[top, right]
    return float((1 - a) * upper + a * ((1 - b) * plane[bottom, left] + b * plane[bottom, right]))


def samples(ratio: int, size: float, cells: int) -> int:
    return ratio if ratio > 0 else int(np.ceil(size / cells))


def roi_align(x: Array, rois: Array, pooled_size: tuple[int, int], spatial_scale: float, **p: Any) -> Array:
    own, aligned, ratio = p.get("position_sensitive"), p.get("aligned"), p.get("sample_ratio", -1)
    ph, pw = pooled_size
    out = np.zeros((len(rois), x.shape[1] // (ph * pw if own else 1), ph, pw))
    for r, c, i, j in np.ndindex(*out.shape):
        if rois[r, 0] < 0:
            continue
        left, top, right, bottom = rois[r, 1:] * spatial_scale - (0.5 if aligned else 0)
        h, w = (bottom - top, right - left) if aligned else (max(bottom - top, 1), max(right - left, 1))
        rows, columns = samples(ratio, h, ph), samples(ratio, w, pw)
        plane = x[int(rois[r, 0]), c * ph * pw + i * pw + j if own else c]
        ys = top + h / ph * (i + (np.arange(rows) + 0.5) / rows)
        xs = left + w / pw * (j + (np.arange(columns) + 0.5) / columns)
        out[r, c, i, j] = np.mean([pixel(plane, y, z) for y in ys for z in xs])
    return out


def rroi_align(x: Array, rois: Array, pooled_size: tuple[int, int], spatial_scale: float, **p: Any) -> Array:
    ph, pw = pooled_size
    out = np.zeros((len(rois), x.shape[1], ph, pw))
    for r, c, i, j in np.ndindex(*out.shape):
        image, cx, cy, w, h = rois[r, :5] * [1, *[spatial_scale] * 4]
        if image < 0:
            continue
        w, h, angle = max(w, 1), max(h, 1), np.deg2rad(rois[r, 5])
        rows = samples(p.get("sampling_ratio", -1), h, ph)
        columns = samples(p.get("sampling_ratio", -1), w, pw)
        values = []
        for v in -h / 2 + h / ph * (i + (np.arange(rows) + 0.5) / rows):
            for u in -w / 2 + w / pw * (j + (np.arange(columns) + 0.5) / columns):
                y, z = v * np.cos(angle) - u * np.sin(angle), u * np.cos(angle) + v * np.sin(angle)
                values.append(pixel(x[int(image), c], cy + y, cx + z))
        out[r, c, i, j] = np.mean(values)
    return out


def half_up(x: Array) -> Array:
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def psroi_pooling(x: Array, rois: Array, **p: Any) -> Array:
    size, groups = p["pooled_size"], p.get("group_size", 0) or p["pooled_size"]
    out = np.zeros((len(rois), p["output_dim"], size, size))
    for r, c, i, j in np.ndindex(*out.shape):
        if rois[r, 0] < 0:
            continue
        low = half_up(rois[r, 2:0:-1]) * p["spatial_scale"]
        high = (half_up(rois[r, 4:2:-1]) + 1) * p["spatial_scale"]
        bins = np.maximum(high - low, 0.1) / size
        at = np.array([i, j])
        top, left = np.clip(np.floor(at * bins + low), 0, x.shape[2:]).astype(int)
        bottom, right = np.clip(np.ceil((at + 1) * bins + low), 0, x.shape[2:]).astype(int)
        channel = (c * groups + i * groups // size) * groups + j * groups // size
        cell = x[int(rois[r, 0]), channel, top:bottom, left:right]
        out[r, c, i, j] = cell.mean() if cell.size else 0
    return out


def deformable(x: Array, rois: Array, trans: Array | None = None, **p: Any) -> Array:
    size, groups, per = p["pooled_size"], p["group_size"], p.get("sample_per_part", 1)
    parts, limits = p.get("part_size", 0) or size, np.array(x.shape[2:])
    out = np.zeros((len(rois), p["output_dim"], size, size))
    count = np.zeros_like(out)
    for r, c, i, j in np.ndindex(*out.shape):
        if rois[r, 0] < 0:
            continue
        low = half_up(rois[r, 2:0:-1]) * p["spatial_scale"] - 0.5
        high = (half_up(rois[r, 4:2:-1]) + 1) * p["spatial_scale"] - 0.5
        whole = np.maximum(high - low, 0.1)
        start = np.array([i, j]) * whole / size + low
        if trans is not None:
            kind = c // (p["output_dim"] // (trans.shape[1] // 2))
            offset = trans[r, 2 * kind : 2 * kind + 2, i * parts // size, j * parts // size]
            start = start + offset[::-1] * p.get("trans_std", 0) * whole
        plane = x[int(rois[r, 0]), (c * groups + i * groups // size) * groups + j * groups // size]
        for k in np.ndindex(per, per):
            at = start + np.array(k) * whole / size / per
            if (at < -0.5).any() or (at > limits - 0.5).any():
                continue
            out[r, c, i, j] += pixel(plane, *np.clip(at, 0, limits - 1))
            count[r, c, i, j] += 1
    return out / np.maximum(count, 1)


ALIGN, TURNED = "_contrib_ROIAlign", "_contrib_RROIAlign"
SENSITIVE, MOVED = "_contrib_PSROIPooling", "_contrib_DeformablePSROIPooling"
IMAGES = (2, 3, 5, 6)
# Coordinates that every dtype holds. One region on no image, one of no size, one beyond the image.
ROIS = np.array(
    [[0.0, 0.25, 0.5, 4.25, 3.5], [1, 2, 1.25, 3.5, 3], [-1, 0, 0, 2, 2], [0, 3, 3, 1, 1], [1, -5, -5, 9, 9]]
)
PLAIN = ROIS[:3]
ANGLES = np.array(
    [[0.0, 2.5, 2, 4, 3, 30], [1, 3, 2, 2, 0.5, -75], [-1, 0, 0, 2, 2, 0], [0, 5, 4, 8, 3, 200]]
)
GRID = {"pooled_size": (2, 3), "spatial_scale": 1.0}
PS = {"spatial_scale": 1.0, "output_dim": 2, "pooled_size": 2}
DEFORM = {**PS, "group_size": 2}
FAR = np.array([[0, -1e30, -1e30, 1e30, 1e30], [0, np.nan, 0, 3, 3], [0, 0, 0, np.inf, 3]])


def no_crash(outputs: list[Array], inputs: list[Array]) -> None:
    assert outputs[0].shape[0] == len(inputs[1])


CASES = [
    Case(ALIGN, [IMAGES, ROIS], GRID, roi_align, grad=(0,)),
    Case(
        ALIGN,
        [IMAGES, ROIS],
        {"pooled_size": (3, 1), "spatial_scale": 0.5, "sample_ratio": 2},
        roi_align,
        grad=(0,),
        id="ratio",
    ),
    Case(
        ALIGN,
        [(2, 12, 4, 5), ROIS],
        {**GRID, "position_sensitive": True},
        roi_align,
        grad=(0,),
        id="sensitive",
    ),
    Case(ALIGN, [IMAGES, PLAIN], {**GRID, "aligned": True}, roi_align, grad=(0,), id="aligned"),
    Case(ALIGN, [IMAGES, FAR], GRID, check=no_crash, grad=False, id="far"),
    Case(ALIGN, [IMAGES, (0, 5)], GRID, roi_align, grad=(0,), id="no-regions"),
    Case(ALIGN, [(1, 0, 2, 2), PLAIN * [0.0, 1, 1, 1, 1]], GRID, roi_align, grad=(0,), id="no-channels"),
    Case(ALIGN, [IMAGES, ROIS], {**GRID, "aligned": True}, fails="sizes above 0", id="aligned-size"),
    Case(
        ALIGN, [IMAGES, np.array([[2.0, 0, 0, 1, 1]])], GRID, fails="region 0 lies on image 2", id="far-image"
    ),
    Case(ALIGN, [IMAGES, np.array([[np.nan, 0, 0, 1, 1]])], GRID, fails="lies on image", id="nan-image"),
    Case(
        ALIGN,
        [(2, 7, 4, 5), ROIS],
        {**GRID, "position_sensitive": True},
        fails="multiple of 6",
        id="channels",
    ),
    Case(ALIGN, [IMAGES, (2, 4)], GRID, fails=ALIGN, id="four"),
    Case(ALIGN, [IMAGES, ROIS], {**GRID, "pooled_size": (2,)}, fails="two numbers", id="one-size"),
    Case(ALIGN, [IMAGES, ROIS], {**GRID, "spatial_scale": 1.5}, fails="spatial_scale", id="scale"),
    Case(
        TURNED,
        [IMAGES, ANGLES],
        GRID,
        rroi_align,
        grad=(0,),
        dtypes=("float32", "float64"),
        rtol=1e-4,
        atol=1e-5,
    ),
    Case(
        TURNED,
        [IMAGES, ANGLES],
        {**GRID, "sampling_ratio": 2, "spatial_scale": 0.5},
        rroi_align,
        grad=(0,),
        dtypes=("float32", "float64"),
        rtol=1e-4,
        atol=1e-5,
        id="ratio",
    ),
    Case(
        TURNED, [IMAGES, np.array([[0, np.nan, 1, 3, 3, np.inf]])], GRID, check=no_crash, grad=False, id="far"
    ),
    Case(TURNED, [IMAGES, (0, 6)], GRID, rroi_align, grad=(0,), id="no-regions"),
    Case(TURNED, [IMAGES, np.array([[0, 1.0, 1, 1e9, 3, 0]])], GRID, fails="samples along a cell", id="huge"),
    Case(TURNED, [IMAGES, np.array([[5.0, 1, 1, 1, 3, 0]])], GRID, fails="lies on image 5", id="far-image"),
    Case(SENSITIVE, [(2, 8, 5, 6), ROIS], PS, psroi_pooling, grad=(0,)),
    Case(
        SENSITIVE,
        [(2, 8, 5, 6), ROIS],
        {**PS, "pooled_size": 4, "group_size": 2, "spatial_scale": 0.5},
        psroi_pooling,
        grad=(0,),
        id="groups",
    ),
    Case(SENSITIVE, [(2, 8, 5, 6), FAR], PS, check=no_crash, grad=False, id="far"),
    Case(SENSITIVE, [(2, 8, 5, 6), (0, 5)], PS, psroi_pooling, grad=(0,), id="no-regions"),
    Case(SENSITIVE, [(2, 7, 5, 6), ROIS], PS, fails=SENSITIVE, id="channels"),
    Case(SENSITIVE, [(1, 8, 5, 6), ROIS], PS, fails="lies on image 1", id="far-image"),
    Case(
        MOVED,
        [(2, 8, 5, 6), PLAIN, Spec((3, 4, 2, 2), 0.3, 0.9)],
        {**DEFORM, "trans_std": 0.125, "sample_per_part": 2},
        deformable,
        grad=(0, 2),
        dtypes=("float32", "float64"),
        rtol=1e-4,
        atol=1e-5,
    ),
    Case(
        MOVED,
        [(2, 8, 5, 6), PLAIN, Spec((3, 2, 3, 3), 0.3, 0.9)],
        {**DEFORM, "trans_std": 0.25, "part_size": 3, "pooled_size": 3},
        deformable,
        grad=(0, 2),
        dtypes=("float32", "float64"),
        rtol=1e-4,
        atol=1e-5,
        id="parts",
    ),
    Case(
        MOVED,
        [(2, 8, 5, 6), ROIS],
        {**DEFORM, "no_trans": True, "sample_per_part": 3},
        deformable,
        grad=(0,),
        dtypes=("float32", "float64"),
        rtol=1e-4,
        atol=1e-5,
        id="no-trans",
    ),
    Case(MOVED, [(2, 8, 5, 6), FAR], {**DEFORM, "no_trans": True}, check=no_crash, grad=False, id="far"),
    Case(MOVED, [(2, 8, 5, 6), (0, 5), (0, 2, 2, 2)], DEFORM, check=no_crash, grad=False, id="no-regions"),
    Case(MOVED, [(2, 8, 5, 6), ROIS, (5, 6, 2, 2)], DEFORM, fails="trans has 6", id="classes"),
    Case(MOVED, [(2, 8, 5, 6), ROIS, (5, 2, 3, 3)], DEFORM, fails=MOVED, id="part-size"),
    Case(
        MOVED,
        [(1, 8, 5, 0), FAR],
        {**DEFORM, "no_trans": True, "spatial_scale": 0.0},
        check=no_crash,
        grad=False,
        id="no-width",
    ),
    Case(TURNED, [(1, 3, 0, 5), ANGLES[:1]], GRID, check=no_crash, grad=False, id="no-height"),
    Case(ALIGN, [(1, 3, 0, 5), ROIS[:1]], GRID, check=no_crash, grad=(0,), id="no-height"),
    Case(SENSITIVE, [(1, 8, 0, 5), ROIS[:1]], PS, check=no_crash, grad=(0,), id="no-height"),
]
