"""Sums, means, products, extremes, norms and places of extremes over axes."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import ALL, FLOATS, INTS, Array, Case, Spec


def picked(x: Array, axis: Any, exclude: bool = False) -> tuple[int, ...]:
    """The axes that MXNet's `axis` and `exclude` mean."""
    if axis is None or axis == ():
        return tuple(range(x.ndim))
    axes = {a % x.ndim for a in (axis if isinstance(axis, tuple) else (axis,))}
    return tuple(a for a in range(x.ndim) if (a in axes) != exclude)


def shaped(result: Array, x: Array) -> Array:
    """A full reduction of an array that has axes keeps one."""
    return result.reshape(1) if result.ndim == 0 and x.ndim > 0 else result


def over(fn: Callable[..., Array]) -> Callable[..., Array]:
    def ref(x: Array, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Array:
        return shaped(np.asarray(fn(x, axis=picked(x, axis, exclude), keepdims=keepdims)), x)

    return ref


def mean(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    if x.dtype.kind == "f":
        return np.asarray(np.mean(x, axis=axis, keepdims=keepdims))
    return np.trunc(np.mean(x, axis=axis, keepdims=keepdims))


def norm(x: Array, ord: int = 2, axis: Any = None, keepdims: bool = False, out_dtype: Any = None) -> Array:
    axes = picked(x, axis)
    total = np.sum(np.abs(x) if ord == 1 else x * x, axis=axes, keepdims=keepdims)
    return shaped(np.asarray(total if ord == 1 else np.sqrt(total)), x)


def places(fn: Callable[..., Array]) -> Callable[..., Array]:
    def ref(x: Array, axis: int | None = None, keepdims: bool = False) -> Array:
        found = np.asarray(fn(x, axis=axis))
        if keepdims:
            return found.reshape([1] * x.ndim) if axis is None else np.expand_dims(found, axis)
        return shaped(found, x)

    return ref


def moments(x: Array, axes: Any = None, keepdims: bool = False) -> tuple[Array, Array]:
    over_axes = picked(x, axes)
    mean_of = np.asarray(x.mean(axis=over_axes, keepdims=keepdims))
    return shaped(mean_of, x), shaped(np.asarray(x.var(axis=over_axes, keepdims=keepdims)), x)


def l2_normalization(x: Array, eps: float = 1e-10, mode: str = "instance") -> Array:
    axes = {"instance": tuple(range(1, x.ndim)), "channel": (1,), "spatial": tuple(range(2, x.ndim))}[mode]
    return np.asarray(x / np.sqrt((x * x).sum(axis=axes, keepdims=True) + eps))


def cumsum(x: Array, axis: int | None = None, dtype: Any = None) -> Array:
    return np.cumsum(x if dtype is None else x.astype(dtype), axis=axis)


def cumsum_in_steps(x: Array, axis: int | None = None) -> Array:
    return np.cumsum(x, axis=axis, dtype=np.float16)


PAST_STEPS = np.array([2048.0] + [1.0] * 600)  # float16 has no 2049
FRACTIONS = np.array([[0.75, -0.75], [1.5, 1.5], [-2.75, 3.25]], np.float32)
NEAR_ONE = Spec((2, 3, 4), 0.5, 1.5)
DISTINCT = Spec((2, 3, 4), -2, 2, "distinct")
NAN = np.array([[1.0, np.nan, 3.0], [-2.0, 4.0, np.nan]])
TABLE: list[tuple[str, Callable[..., Array], Any]] = [
    ("sum", np.sum, (2, 3, 4)),
    ("mean", mean, (2, 3, 4)),
    ("prod", np.prod, NEAR_ONE),
    ("nansum", np.nansum, (2, 3, 4)),
    ("nanprod", np.nanprod, NEAR_ONE),
    ("max", np.max, DISTINCT),
    ("min", np.min, DISTINCT),
]
AXES: list[dict[str, Any]] = [
    {},
    {"axis": 1},
    {"axis": -1, "keepdims": True},
    {"axis": (0, 2)},
    {"axis": (0, 1), "keepdims": True},
    {"axis": 1, "exclude": True},
    {"axis": ()},
]

CASES: list[Case] = []
for name, fn, data in TABLE:
    CASES += [Case(name, [data], params, over(fn)) for params in AXES]
    CASES += [
        Case(name, [Spec((), 0.5, 1.5)], {}, over(fn), id="0d"),
        Case(name, [Spec((3, 4), 1, 3, "int")], {"axis": 0}, over(fn), grad=False, dtypes=INTS, id="int"),
        Case(name, [Spec((3, 40), 0.9, 1.1)], {"axis": 1}, over(fn), grad=False, id="row"),
        Case(name, [Spec((40, 3), 0.9, 1.1)], {"axis": 0}, over(fn), grad=False, id="column"),
        Case(name, [Spec((2, 3), 0.5, 1.5)], {"axis": 2}, fails=f"[{name}]", id="axis"),
    ]
    if name not in ("nansum", "nanprod"):
        CASES.append(Case(name, [NAN], {"axis": 1}, over(fn), grad=False, id="nan"))
for name, fn in (("nansum", np.nansum), ("nanprod", np.nanprod)):
    CASES.append(Case(name, [NAN], {"axis": 1}, over(fn), grad=False, id="nan"))
for name in ("sum", "nansum"):
    CASES.append(Case(name, [(0, 3)], {"axis": 0}, over(np.sum), id="empty"))
    CASES.append(Case(name, [(0, 3)], {}, over(np.sum), id="all_of_empty"))
for name in ("max", "min"):
    CASES.append(Case(name, [(0, 3)], {"axis": 0}, fails="no extreme", id="empty"))
    CASES.append(Case(name, [(0, 3)], {"axis": 1}, over(np.sum), id="no_outputs"))
CASES += [
    Case("sum_axis", [(2, 3)], {"axis": 0}, over(np.sum)),
    Case("max_axis", [Spec((2, 3), kind="distinct")], {"axis": 1}, over(np.max)),
    Case("min_axis", [Spec((2, 3), kind="distinct")], {"axis": 1}, over(np.min)),
    # Every tied element takes the whole gradient.
    Case(
        "max",
        [np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]])],
        {"axis": 1},
        over(np.max),
        grad_ref=lambda head, x, axis: ((x == x.max(1, keepdims=True)) * head[:, None],),
        second=False,
        id="ties",
    ),
    # One zero: only its own gradient is not zero; two: none is.
    Case(
        "prod",
        [np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])],
        {"axis": 1},
        over(np.prod),
        grad_ref=lambda head, x, axis: (np.array([[0.0, 3.0, 0.0], [0.0, 0.0, 0.0]]) * head[:, None],),
        id="zeros",
    ),
    Case(
        "sum",
        [np.array([100, 100], np.int8)],
        {},
        lambda x: np.array([-56]),
        dtypes=("int8",),
        grad=False,
        id="wraps",
    ),
]
for params in ({}, {"ord": 1}, {"axis": 1}, {"ord": 1, "axis": (0, 2)}, {"axis": -1, "keepdims": True}):
    CASES.append(Case("norm", [(2, 3, 4)], dict(params), norm))
CASES += [
    Case(
        "norm", [Spec((3, 4), -4, 4, "int")], {"ord": 1, "axis": 0}, norm, grad=False, dtypes=INTS, id="int"
    ),
    Case("norm", [(2, 3)], {"ord": 3}, fails="[norm]", id="ord"),
    Case(
        "norm",
        [np.zeros((2, 2))],
        {},
        norm,
        grad_ref=lambda head, x: (np.zeros_like(x),),
        second=False,
        id="zero",
    ),
]
for name, place in (("argmax", np.argmax), ("argmin", np.argmin)):
    ref = places(place)
    for params in ({}, {"axis": 0}, {"axis": 1}, {"axis": -1, "keepdims": True}, {"keepdims": True}):
        CASES.append(Case(name, [DISTINCT], dict(params), ref))
    CASES += [
        Case(name, [Spec((3, 9), -3, 3, "int")], {"axis": 1}, ref, dtypes=ALL, id="ties"),
        Case(name, [Spec((9, 3), -3, 3, "int")], {"axis": 0}, ref, dtypes=ALL, id="ties_columns"),
        Case(name, [NAN], {"axis": 1}, ref, grad=False, id="nan"),
        Case(name, [NAN], {"axis": 0}, ref, grad=False, id="nan_columns"),
        Case(name, [Spec((3, 40), -3, 3, "int")], {"axis": 1}, ref, dtypes=ALL, id="ties_long_rows"),
        Case(name, [np.tile(NAN, (1, 20))], {"axis": 1}, ref, grad=False, id="nan_long_rows"),
        Case(name, [Spec((99, 5), -3, 3, "int")], {"axis": 1}, ref, dtypes=ALL, id="ties_many_rows"),
        Case(
            name,
            [Spec((20000,), kind="distinct")],
            {},
            ref,
            grad=False,
            dtypes=("float32", "float64"),
            id="long",
        ),
        Case(name, [(0, 3)], {"axis": 0}, fails="no extreme", id="empty"),
    ]
CASES += [
    Case("argmax_channel", [Spec((3, 4), kind="distinct")], {}, lambda x: x.argmax(1)),
    Case("argmax_channel", [Spec((2, 3, 2), kind="distinct")], {}, lambda x: x.argmax(1)),
    Case("moments", [(2, 3, 4)], {"axes": (0, 2)}, moments),
    Case("moments", [(2, 3, 4)], {"axes": (1,), "keepdims": True}, moments),
    Case("moments", [(2, 3)], {}, moments),
    Case("cumsum", [(2, 3, 4)], {"axis": 1}, cumsum, dtypes=ALL),
    Case("cumsum", [(2, 3)], {"axis": -1}, cumsum),
    Case("cumsum", [(2, 3)], {}, cumsum, dtypes=ALL),
    Case("cumsum", [(0, 3)], {"axis": 0}, cumsum, id="empty"),
    Case("cumsum", [PAST_STEPS], {}, cumsum_in_steps, dtypes=("float16",), grad=False, id="steps"),
    Case(
        "cumsum",
        [np.stack([PAST_STEPS, -PAST_STEPS], 1)],
        {"axis": 0},
        cumsum_in_steps,
        dtypes=("float16",),
        grad=False,
        id="steps of columns",
    ),
    Case("cumsum", [FRACTIONS], {"dtype": "int32"}, cumsum, dtypes=("float32",), grad=False, id="whole"),
    Case(
        "cumsum",
        [FRACTIONS],
        {"axis": 0, "dtype": "int8"},
        cumsum,
        dtypes=("float32",),
        grad=False,
        id="bytes",
    ),
]
for mode in ("instance", "channel", "spatial"):
    CASES.append(Case("L2Normalization", [(2, 3, 4)], {"mode": mode}, l2_normalization))
CASES += [
    Case("L2Normalization", [(2, 3)], {"eps": 0.5}, l2_normalization),
    Case("L2Normalization", [(2, 3)], {"mode": "channel"}, fails="three axes"),
]
assert set(FLOATS) < set(ALL)
