"""Cases of Correlation, khatri_rao and _histogram."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, Array, Case, Spec


def correlation(a: Array, b: Array, kernel_size: int = 1, max_displacement: int = 1, stride1: int = 1,
                stride2: int = 1, pad_size: int = 0, is_multiply: bool = True) -> Array:  # fmt: skip
    pads = ((0, 0), (0, 0), (pad_size, pad_size), (pad_size, pad_size))
    a, b = np.pad(a, pads), np.pad(b, pads)
    radius, border = max_displacement // stride2, max_displacement + kernel_size // 2
    rows, columns = (-(-(n - 2 * border) // stride1) for n in a.shape[2:])
    shifts = [
        (y * stride2, x * stride2) for y in range(-radius, radius + 1) for x in range(-radius, radius + 1)
    ]
    out = np.zeros((len(a), len(shifts), rows, columns))
    for k, (dy, dx) in enumerate(shifts):
        for i, j in np.ndindex(rows, columns):
            y, x = i * stride1 + max_displacement, j * stride1 + max_displacement
            u = a[:, :, y : y + kernel_size, x : x + kernel_size]
            v = b[:, :, y + dy : y + dy + kernel_size, x + dx : x + dx + kernel_size]
            out[:, k, i, j] = (u * v if is_multiply else abs(u - v)).mean((1, 2, 3))
    return out


def khatri_rao(*matrices: Array) -> Array:
    return np.stack([kron([m[:, k] for m in matrices]) for k in range(matrices[0].shape[1])], axis=1)


def kron(columns: list[Array]) -> Array:
    out = np.ones(1)
    for column in columns:
        out = np.kron(out, column)
    return out


def histogram(data: Array, bins: Array | None = None, bin_cnt: int = 0, range: Any = None) -> Any:
    data = data[~np.isnan(data)]
    return np.histogram(data, bins if bins is not None else bin_cnt, range)


VALUES = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, -0.5, 0.3, np.nan])
WIDE = ("float32", "float64")
DISTINCT = [Spec((2, 2, 5, 6), kind="distinct"), Spec((2, 2, 5, 6), kind="distinct", high=0.93)]
CASES = [
    Case("Correlation", [(2, 3, 5, 6), (2, 3, 5, 6)], {"pad_size": 1}, correlation, second=False),
    Case(
        "Correlation",
        [(1, 2, 7, 8), (1, 2, 7, 8)],
        {"kernel_size": 3, "max_displacement": 2, "stride1": 2, "stride2": 2, "pad_size": 2},
        correlation,
        second=False,
    ),
    Case(
        "Correlation",
        DISTINCT,
        {"max_displacement": 1, "is_multiply": False},
        correlation,
        second=False,
        dtypes=WIDE,
    ),
    Case(
        "Correlation",
        [(0, 3, 5, 6), (0, 3, 5, 6)],
        {},
        lambda *_: np.zeros((0, 9, 3, 4)),
        id="empty",
        second=False,
    ),
    Case(
        "Correlation",
        [(1, 1, 4, 4), (1, 1, 4, 4)],
        {"kernel_size": 2},
        fails="kernel_size is 2; expected an odd number",
    ),
    Case("Correlation", [(1, 1, 2, 4), (1, 1, 2, 4)], {}, fails="axis 2 is too short"),
    Case("khatri_rao", [(2, 3), (4, 3)], {}, khatri_rao, dtypes=ALL),
    Case("khatri_rao", [(2, 2), (3, 2), (2, 2)], {}, khatri_rao),
    Case("khatri_rao", [(3, 2)], {}, khatri_rao),
    Case("khatri_rao", [(0, 3), (4, 3)], {}, lambda *_: np.zeros((0, 3)), id="empty"),
    Case("khatri_rao", [(2, 3), (4, 2)], {}, fails="expected (?, 3)"),
    Case("_histogram", [VALUES], {"bin_cnt": 4, "range": (0.0, 1.0)}, histogram, grad=False, dtypes=WIDE),
    Case("_histogram", [VALUES, np.array([0, 0.5, 1])], {}, histogram, grad=False, dtypes=WIDE),
    Case(
        "_histogram",
        [Spec((3, 4), 0, 9, "int")],
        {"bin_cnt": 3, "range": (0.0, 9.0)},
        histogram,
        grad=False,
        dtypes=("int32", "uint8"),
    ),
    Case("_histogram", [(3,)], {"bin_cnt": 3}, fails="expected a range of two finite numbers"),
    Case("_histogram", [(3,), (1,)], {}, fails="at least two edges"),
]
