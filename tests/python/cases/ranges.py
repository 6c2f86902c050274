"""Evenly spaced numbers and unit matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, Array, Case

ONE = ("float32",)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    dtype: str = "float32",
    infer_range: bool = False,
) -> Array:
    first, last = (0, start) if stop is None else (start, stop)
    return np.repeat(np.arange(first, last, step), repeat)


def linspace(start: float, stop: float, num: int, endpoint: bool = True, dtype: str = "float32") -> Array:
    return np.linspace(start, stop, num, endpoint=endpoint)


def eye(N: int, M: int = 0, k: int = 0, dtype: str = "float32") -> Array:
    return np.eye(N, M or N, k)


def like(data: Array, start: float = 0, step: float = 1, repeat: int = 1, axis: int | None = None) -> Array:
    shape = data.shape if axis is None else (data.shape[axis],)
    places = np.arange(int(np.prod(shape))) // repeat
    return (start + step * places).reshape(shape)


ARANGES: list[dict[str, Any]] = [
    {"start": 5},
    {"start": 1, "stop": 8, "step": 2.5},
    {"start": 3, "stop": -4, "step": -2, "repeat": 3},
    {"start": 3, "stop": 1},
    {"start": 0, "stop": 1, "step": 0.1, "dtype": "float64"},
    {"start": 0, "stop": 70000},
    {"start": 2**50, "stop": 2**50 + 4, "dtype": "int64"},
    *[{"start": -3 if "u" not in d else 3, "stop": 20, "step": 3, "dtype": d} for d in ALL],
]
CASES = [
    *[Case("_arange", [], p, arange, dtypes=ONE, rtol=1e-6) for p in ARANGES],
    Case(
        "_arange",
        [],
        {"start": 0, "stop": 3, "step": 0},
        dtypes=ONE,
        fails="[_arange] range from 0 to 3 by 0",
    ),
    *[
        Case(
            "_linspace",
            [],
            {"start": -1, "stop": 2, "num": n, "endpoint": e, "dtype": d},
            linspace,
            dtypes=ONE,
        )
        for n in (0, 1, 2, 7)
        for e in (True, False)
        for d in ("float32", "float64", "float16")
    ],
    *[
        Case("_eye", [], {"N": 3, "M": m, "k": k, "dtype": d}, eye, dtypes=ONE)
        for m in (0, 2, 5)
        for k in (-7, -1, 0, 2, 9)
        for d in ("float32", "int64", "bool")
    ],
    Case("_eye", [], {"N": 0}, eye, dtypes=ONE, id="empty"),
    *[
        Case(
            "_contrib_arange_like",
            [(3, 4)],
            {"start": 1, "step": 0.5, "repeat": r, "axis": a},
            like,
            grad=False,
        )
        for r in (1, 2)
        for a in (None, 0, -1)
    ],
    Case("_contrib_arange_like", [(0, 4)], {}, like, grad=False, id="empty"),
]
