"""Operators of contrib: images of another size, and the products of attention."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case


def adaptive(x: Array, output_size: tuple[int, ...] = (), **_: Any) -> Array:
    high, wide = (output_size or (1,))[0], (output_size or (1,))[-1]
    out = np.zeros((*x.shape[:2], high, wide))
    for i in range(high):
        for j in range(wide):
            rows = slice(i * x.shape[2] // high, -(-(i + 1) * x.shape[2] // high))
            columns = slice(j * x.shape[3] // wide, -(-(j + 1) * x.shape[3] // wide))
            out[:, :, i, j] = x[:, :, rows, columns].mean(axis=(2, 3))
    return out


def along(x: Array, size: int, corners: bool) -> Array:
    """Straight lines along the last axis, between places of float32."""
    n = x.shape[-1]
    step = np.float32((n - 1 if corners else n) / max(size - 1 if corners else size, 1))
    places = step * np.arange(size, dtype=np.float32)
    if not corners and size > 1:
        places = np.maximum(np.float64(step) * (np.arange(size) + 0.5) - 0.5, 0).astype(np.float32)
    low = np.minimum(places.astype(int), n - 1)
    share = np.where(low + 1 < n, places - low, 0)
    return np.asarray(x[..., low] * (1 - share) + x[..., np.minimum(low + 1, n - 1)] * share)


def resize(
    x: Array, *_: Array, height: int = 1, width: int = 1, align_corners: bool = True, **__: Any
) -> Array:
    return along(along(x, width, align_corners).swapaxes(2, 3), height, align_corners).swapaxes(2, 3)


def heads_of(x: Array, heads: int, parts: int) -> list[Array]:
    """Of each part (batch * heads, length, dim)."""
    length, batch, size = x.shape
    split = x.reshape(length, batch, heads, parts, size // (heads * parts)).transpose(3, 1, 2, 0, 4)
    return list(split.reshape(parts, batch * heads, length, -1))


def scores(q: Array, k: Array) -> Array:
    return np.asarray(q @ k.swapaxes(1, 2) / np.sqrt(max(q.shape[-1], 1)))


def joined(x: Array, heads: int) -> Array:
    both, length, dim = x.shape
    return x.reshape(both // heads, heads, length, dim).transpose(2, 0, 1, 3).reshape(length, -1, heads * dim)


MATMUL = "_contrib_interleaved_matmul_"
CASES = [
    Case("_contrib_AdaptiveAvgPooling2D", [(2, 3, 5, 4)], {"output_size": (2, 3)}, ref=adaptive),
    Case("_contrib_AdaptiveAvgPooling2D", [(1, 2, 3, 4)], {"output_size": (7,)}, ref=adaptive, id="larger"),
    Case("_contrib_AdaptiveAvgPooling2D", [(1, 2, 3, 4)], {}, ref=adaptive, id="mean"),
    Case("_contrib_AdaptiveAvgPooling2D", [(0, 2, 3, 4)], {"output_size": (2,)}, ref=adaptive, id="empty"),
    Case("_contrib_AdaptiveAvgPooling2D", [(1, 2, 0, 4)], {}, fails="at least one pixel", id="no pixels"),
    Case("_contrib_BilinearResize2D", [(2, 2, 3, 4)], {"height": 5, "width": 7}, ref=resize),
    Case("_contrib_BilinearResize2D", [(1, 2, 4, 3)], {"height": 2, "width": 1}, ref=resize, id="smaller"),
    Case(
        "_contrib_BilinearResize2D",
        [(1, 2, 4, 3)],
        {"height": 6, "width": 2, "align_corners": False},
        ref=resize,
        id="areas",
    ),
    Case(
        "_contrib_BilinearResize2D",
        [(1, 1, 37, 5)],
        {"height": 111, "width": 9, "align_corners": False},
        ref=resize,
        id="more areas",
    ),
    Case("_contrib_BilinearResize2D", [(2, 3)], {}, fails="expected images", id="no images"),
    Case(
        "_contrib_BilinearResize2D",
        [(1, 2, 4, 3)],
        {"scale_height": float("inf"), "scale_width": 1},
        fails="a scale of inf makes inf pixels of 4",
        id="infinite scale",
    ),
    Case(
        f"{MATMUL}selfatt_qk",
        [(3, 2, 24)],
        {"heads": 2},
        ref=lambda x, heads: scores(*heads_of(x, heads, 3)[:2]),
    ),
    Case(f"{MATMUL}selfatt_qk", [(3, 2, 20)], {"heads": 2}, fails="heads * 3", id="odd"),
    Case(
        f"{MATMUL}selfatt_valatt",
        [(3, 2, 24), (4, 3, 3)],
        {"heads": 2},
        ref=lambda x, a, heads: joined(a @ heads_of(x, heads, 3)[2], heads),
    ),
    Case(
        f"{MATMUL}encdec_qk",
        [(3, 2, 8), (5, 2, 16)],
        {"heads": 2},
        ref=lambda q, kv, heads: scores(heads_of(q, heads, 1)[0], heads_of(kv, heads, 2)[0]),
    ),
    Case(
        f"{MATMUL}encdec_valatt",
        [(5, 2, 16), (4, 3, 5)],
        {"heads": 2},
        ref=lambda kv, a, heads: joined(a @ heads_of(kv, heads, 2)[1], heads),
    ),
    Case(
        f"{MATMUL}encdec_valatt", [(5, 2, 16), (4, 3, 4)], {"heads": 2}, fails="expected attention", id="keys"
    ),
]
ONEDNN = "_sg_mkldnn_selfatt_"
CASES += [
    Case(
        f"{ONEDNN}qk",
        [(3, 2, 24)],
        {"heads": 2, "enable_float_output": True, "min_calib_range": -1.0},
        ref=lambda x, heads, **_: scores(*heads_of(x, heads, 3)[:2]),
    ),
    Case(
        f"{ONEDNN}valatt",
        [(3, 2, 24), (4, 3, 3)],
        {"heads": 2},
        ref=lambda x, a, heads: joined(a @ heads_of(x, heads, 3)[2], heads),
    ),
    Case(f"{ONEDNN}qk", [(3, 2, 24)], {"heads": 2, "quantized": True}, fails="quantized", id="int8"),
    Case(f"{ONEDNN}valatt", [(3, 2, 24), (4, 3, 2)], {"heads": 2}, fails="expected attention", id="keys"),
]
