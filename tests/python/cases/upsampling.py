"""Cases of UpSampling."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case


def repeated(x: Array, factor: int) -> Array:
    return x.repeat(factor, axis=2).repeat(factor, axis=3)


def nearest(*images: Array, scale: int, multi_input_mode: str = "concat", **_: Any) -> Array:
    height = images[0].shape[2] * scale
    large = [repeated(x, height // x.shape[2]) for x in images]
    return np.concatenate(large, axis=1) if multi_input_mode == "concat" else sum(large[1:], large[0])


def bilinear(x: Array, weight: Array, scale: int, **_: Any) -> Array:
    """Every pixel adds its multiple of the window."""
    kernel, pad = weight.shape[-1], scale // 2
    n, c, h, w = x.shape
    full = np.zeros((n, c, scale * (h - 1) + kernel, scale * (w - 1) + kernel))
    for i in range(h):
        for j in range(w):
            place = (slice(None), slice(None), slice(i * scale, i * scale + kernel))
            pixel = x[:, :, i : i + 1, j : j + 1]
            full[(*place, slice(j * scale, j * scale + kernel))] += pixel * weight[:, 0]
    return full[:, :, pad : pad + scale * h, pad : pad + scale * w]


NEAREST = {"sample_type": "nearest"}
SUM = {**NEAREST, "multi_input_mode": "sum", "num_args": 2, "scale": 2}
CASES = [
    Case("UpSampling", [(2, 3, 2, 3)], {"scale": 2, **NEAREST}, nearest),
    Case("UpSampling", [(1, 2, 3, 1)], {"scale": 3, **NEAREST}, nearest),
    Case("UpSampling", [(1, 1, 2, 2)], {"scale": 1, **NEAREST}, nearest),
    Case("UpSampling", [(2, 1, 2, 3), (2, 2, 4, 6), (2, 1, 1, 1)], {"scale": 4, "num_args": 3, **NEAREST},
         fails="input 2 has shape (2, 1, 1, 1)"),
    Case("UpSampling", [(2, 1, 2, 2), (2, 2, 4, 4), (2, 1, 1, 1)], {"scale": 4, "num_args": 3, **NEAREST},
         nearest),
    Case("UpSampling", [(2, 2, 2, 3), (2, 2, 4, 6)], SUM, nearest),
    Case("UpSampling", [(2, 2, 2, 3), (2, 1, 4, 6)], SUM, fails="input 1 has 1 channels; a sum needs 2"),
    Case("UpSampling", [(0, 2, 2, 3)], {"scale": 2, **NEAREST}, nearest, id="empty"),
    Case("UpSampling", [(1, 2, 0, 3)], {"scale": 2, **NEAREST}, lambda x, **_: x.repeat(2, axis=3),
         id="no height"),
    Case("UpSampling", [(2, 3)], {"scale": 2, **NEAREST},
         fails="expected images (batch, channels, height, width)"),
    Case("UpSampling", [(1, 1, 64, 64)], {"scale": 4, **NEAREST}, nearest, id="large"),
    *(
        Case(
            "UpSampling",
            [(2, 2, 3, 2), (2, 1, 2 * s - s % 2, 2 * s - s % 2)],
            {"scale": s, "sample_type": "bilinear", "num_filter": 2, "num_args": 1},
            bilinear,
            rtol=1e-4,
            atol=1e-5,
        )
        for s in (1, 2, 3, 4)
    ),
    Case("UpSampling", [(1, 2, 3, 2), (2, 1, 4, 4)], {"scale": 2, "sample_type": "bilinear"},
         fails="num_filter is 0; expected the number of channels, 2"),
    Case("UpSampling", [(1, 2, 3, 2), (2, 1, 3, 3)], {"scale": 2, "sample_type": "bilinear", "num_filter": 2},
         fails="weight has shape (2, 1, 3, 3); expected (2, 1, 4, 4)"),
]  # fmt: skip
