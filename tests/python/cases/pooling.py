"""Cases of pooling, window by window."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil
from typing import Any

import numpy as np
from opcase import Array, Case, Spec

LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}
Tuple = Sequence[int]


def extent(size: int, kernel: int, stride: int, pad: int, convention: str) -> int:
    if convention == "same":
        return ceil(size / stride)
    span = (size + 2 * pad - kernel) / stride
    return (ceil(span) if convention == "full" else int(span)) + 1


def window_value(part: Array, count: int, pool_type: str, power: int) -> Array:
    axes = tuple(range(2, part.ndim))
    if pool_type == "max":
        return part.max(axes)
    if pool_type == "lp":
        return np.asarray((part**power).sum(axes) ** (1 / power))
    return np.asarray(part.sum(axes) / (count if pool_type == "avg" else 1))


def pooling(
    x: Array,
    kernel: Tuple = (),
    pool_type: str = "max",
    global_pool: bool = False,
    pooling_convention: str = "valid",
    stride: Tuple = (),
    pad: Tuple = (),
    p_value: int = 1,
    count_include_pad: bool = True,
    layout: str | None = None,
    **_: Any,
) -> Array:
    last = bool(layout) and str(layout)[1] != "C"
    x = np.moveaxis(x, -1, 1) if last else x
    sizes = x.shape[2:]
    axes = len(sizes)
    if global_pool:
        kernel, stride, pad = sizes, (1,) * axes, (0,) * axes
    stride, pad = stride or (1,) * axes, pad or (0,) * axes
    out = [extent(n, k, s, p, pooling_convention) for n, k, s, p in zip(sizes, kernel, stride, pad)]
    if pooling_convention == "same":
        pad = [max(0, (o - 1) * s + k - n) // 2 for o, s, k, n in zip(out, stride, kernel, sizes)]
    result = np.zeros((*x.shape[:2], *out))
    for place in product(*(range(o) for o in out)):
        starts = [o * s - p for o, s, p in zip(place, stride, pad)]
        inside = [slice(max(b, 0), min(b + k, n)) for b, k, n in zip(starts, kernel, sizes)]
        part = x[(slice(None), slice(None), *inside)]
        clipped = [min(b + k, n + p) - b for b, k, n, p in zip(starts, kernel, sizes, pad)]
        count = int(np.prod(clipped)) if count_include_pad else int(np.prod(part.shape[2:]))
        result[(slice(None), slice(None), *place)] = window_value(part, count, pool_type, p_value)
    return np.moveaxis(result, 1, -1) if last else result


def case(name: str, shape: Tuple = (2, 2, 5, 6), **params: Any) -> Case:
    spec = Spec(tuple(shape), 0.2, 3.0, kind="distinct")
    return Case("Pooling", [spec], params, ref=pooling, id=name, **LOOSE)


def _cases() -> list[Case]:
    cases = []
    for kind in ("max", "avg", "sum", "lp"):
        extra: dict[str, Any] = {"pool_type": kind}
        if kind == "lp":
            extra["p_value"] = 2
        cases += [
            case(f"{kind}", kernel=(2, 2), stride=(2, 2), **extra),
            case(f"{kind}_pad", kernel=(3, 3), stride=(2, 2), pad=(1, 1), **extra),
            case(f"{kind}_full", kernel=(3, 2), stride=(2, 2), pooling_convention="full", **extra),
            case(f"{kind}_same", (2, 2, 7), kernel=(3,), stride=(2,), pooling_convention="same", **extra),
            case(f"{kind}_global", global_pool=True, **extra),
            case(f"{kind}_uneven", kernel=(2, 3), **extra),
            case(
                f"{kind}_nhwc", (1, 5, 4, 3), kernel=(2, 2), stride=(1, 2), pad=(1, 0), layout="NHWC", **extra
            ),
            case(f"{kind}_1d", (2, 3, 7), kernel=(3,), stride=(2,), **extra),
            case(f"{kind}_3d", (1, 1, 4, 3, 4), kernel=(2, 2, 2), stride=(2, 1, 2), **extra),
        ]
    image = (2, 2, 5, 6)
    cases += [
        case("count_inside", kernel=(3, 3), pad=(1, 1), pool_type="avg", count_include_pad=False),
        case("lp1", kernel=(2, 2), pool_type="lp", p_value=1),
        case("lp3", kernel=(2, 2), pool_type="lp", p_value=3),
        case("larger", (2, 8, 23, 31), kernel=(3, 3), stride=(2, 2), pad=(1, 1)),
        case("empty", (0, 2, 5, 6), kernel=(2, 2)),
        case("surplus", kernel=(2, 2), stride=(2, 1, 3), pad=(1, 0, 5)),
        case("surplus_1d", (1, 1, 10), kernel=(2,), stride=(2,), pad=(0, 0, 0), pooling_convention="same"),
        Case(
            "Pooling",
            [np.ones((1, 1, 2, 2))],
            {"kernel": (2, 2)},
            ref=pooling,
            second=False,
            id="tie",
            grad_ref=lambda head, x, **_: head * np.array([[[[1.0, 0], [0, 0]]]]),
        ),
        Case("Pooling", [image], {"kernel": (2, 2), "pool_type": "lp"}, fails="p_value"),
        Case("Pooling", [image], {"kernel": (7, 2)}, fails="larger than spatial axis 0"),
        Case("Pooling", [image], {"kernel": (2,)}, fails="expected 2 numbers"),
        Case("Pooling", [image], {"kernel": (2, 2), "stride": (2,)}, fails="expected 2 numbers"),
        Case(
            "Pooling",
            [(1, 1, 10)],
            {"kernel": (2,), "pad": (2,), "pooling_convention": "same"},
            fails="chooses it",
        ),
    ]
    return cases


def _spread(x: Array, shape: Tuple, **params: Any) -> Array:
    """Transpose of pooling: the gradient of its sum with the values of x as factors."""
    result = np.zeros(shape)
    for place in np.ndindex(*shape):
        one = np.zeros(shape)
        one[place] = 1
        result[place] = (pooling(one, **params) * x).sum()
    return result


def _places(x: Array, **params: Any) -> Array:
    flat = np.arange(x[0, 0].size, dtype=float).reshape(x.shape[2:])
    order = x * 0 + flat
    best = pooling(x, **params)
    found = np.zeros(best.shape)
    for n, c in np.ndindex(*x.shape[:2]):
        for place in np.ndindex(*best.shape[2:]):
            found[(n, c, *place)] = order[n, c][x[n, c] == best[(n, c, *place)]][0]
    return found


WINDOW: dict[str, Any] = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 0)}
CASES = [
    *_cases(),
    *(
        Case("_pooling_spread", [(2, 1, 2, 3)], {**WINDOW, "pool_type": kind, "shape": (2, 1, 3, 4)}, _spread,
             **LOOSE)
        for kind in ("avg", "sum")
    ),
    Case("_pooling_spread", [(2, 1, 2, 2)], {**WINDOW, "pool_type": "sum", "shape": (2, 1, 3, 4)},
         fails="(2, 1, 2, 3)"),
    Case("_pooling_spread", [(2, 1, 2, 2)], {**WINDOW, "shape": (2, 1, 3, 4)}, fails="must be avg or sum"),
    Case("_pooling_places", [Spec((2, 1, 4, 4), -1, 1, kind="distinct")], WINDOW, _places,
         dtypes=("float32", "float64", "float16")),
]  # fmt: skip
