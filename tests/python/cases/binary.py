"""Two arrays, their sums, selections and copies, and arrays made from nothing."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import ALL, FLOATS, INTS, Array, Case, Spec

Ref = Callable[..., Array]


def modulo(x: Array, y: Array) -> Array:
    return np.where(y == 0, 0, np.mod(x, np.where(y == 0, 1, y)))


def divide(x: Array, y: Array) -> Array:
    return x / y


def floor_divide(x: Array, y: Array) -> Array:
    return np.floor(x / y)


LOGICAL = Spec((3, 4), 0, 2, "int")
# Name after "broadcast_", the twin for equal shapes, reference, both operands.
TABLE: list[tuple[str, str | None, Ref, Any, Any]] = [
    ("add", "elemwise_add", np.add, (3, 4), (3, 4)),
    ("sub", "elemwise_sub", np.subtract, (3, 4), (3, 4)),
    ("mul", "elemwise_mul", np.multiply, (3, 4), (3, 4)),
    ("div", "elemwise_div", divide, (3, 4), Spec((3, 4), 1, 3)),
    ("floor_divide", "_floor_divide", floor_divide, Spec((3, 4), 3.1, 3.9), Spec((3, 4), 2.1, 2.9)),
    ("mod", "_mod", modulo, Spec((3, 4), 3.1, 3.9), Spec((3, 4), 2.1, 2.9)),
    ("power", "_power", np.power, Spec((3, 4), 0.5, 3), Spec((3, 4), 0.5, 3)),
    ("maximum", "_maximum", np.maximum, (3, 4), (3, 4)),
    ("minimum", "_minimum", np.minimum, (3, 4), (3, 4)),
    ("hypot", "_hypot", np.hypot, Spec((3, 4), 0.5, 3), Spec((3, 4), 0.5, 3)),
    ("equal", "_equal", np.equal, LOGICAL, LOGICAL),
    ("not_equal", "_not_equal", np.not_equal, LOGICAL, LOGICAL),
    ("greater", "_greater", np.greater, LOGICAL, LOGICAL),
    ("greater_equal", "_greater_equal", np.greater_equal, LOGICAL, LOGICAL),
    ("lesser", "_lesser", np.less, LOGICAL, LOGICAL),
    ("lesser_equal", "_lesser_equal", np.less_equal, LOGICAL, LOGICAL),
    ("logical_and", "_logical_and", np.logical_and, LOGICAL, LOGICAL),
    ("logical_or", "_logical_or", np.logical_or, LOGICAL, LOGICAL),
    ("logical_xor", "_logical_xor", np.logical_xor, LOGICAL, LOGICAL),
]
EDGES = np.array([-np.inf, -2.0, -0.0, 0.0, 1.0, 3.0, np.inf, np.nan])
SHAPES = [
    ("row", (3, 4), (4,)),
    ("column", (3, 1), (3, 4)),
    ("both", (3, 1, 2), (4, 1)),
    ("scalar", (), (2, 3)),
    ("0d", (), ()),
    ("empty", (0, 3), (1, 3)),
    ("long_rows", (3, 200), (3, 1)),
    ("long_row", (2, 1, 300), (2, 5, 1)),
]


def reshaped(given: Any, shape: tuple[int, ...]) -> Spec:
    spec = given if isinstance(given, Spec) else Spec(given)
    return Spec(shape, spec.low, spec.high, spec.kind)


def table() -> list[Case]:
    cases = []
    for op, twin, ref, x, y in TABLE:
        for name in filter(None, (f"broadcast_{op}", twin)):
            cases.append(Case(name, [x, y], ref=ref, dtypes=ALL))
            if op not in ("mod", "power", "hypot"):
                edges = [np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))]
                cases.append(Case(name, edges, ref=ref, grad=False, dtypes=FLOATS, id="edges"))
        for label, a, b in SHAPES:
            inputs = [reshaped(x, a), reshaped(y, b)]
            cases.append(
                Case(f"broadcast_{op}", inputs, ref=ref, dtypes=("float64", "float32", "int32"), id=label)
            )
        if twin:
            cases.append(Case(twin, [(3, 4), (4,)], fails="shape", id="shapes"))
    return cases


def rows_where(c: Array, x: Array, y: Array) -> Array:
    return np.where(c.reshape(-1, *[1] * (x.ndim - 1)) != 0, x, y)


def plain_where(c: Array, x: Array, y: Array) -> Array:
    return np.where(c != 0, x, y)


def sides(dtype: str | None, shape: tuple[int, ...] = (3, 4)) -> Spec:
    return Spec(shape, 0, 1, "int", dtype)


BIG = np.array([2**53 + 1, -(2**53) - 1, 3], np.int64)

WHERE = [
    *[
        Case("where", [sides(dtype), (3, 4), (3, 4)], ref=plain_where, dtypes=ALL, id=f"by_{dtype}")
        for dtype in ("float32", "float16", "int32", "int64", "uint8", "bool")
    ],
    Case("where", [sides("float32", (3,)), (3, 4, 2), (3, 4, 2)], ref=rows_where, dtypes=ALL, id="rows"),
    Case("where", [sides("float32", (3, 1)), (4,), (3, 4)], ref=plain_where, dtypes=ALL, id="broadcast"),
    Case("where", [sides("int32", (2, 700)), (2, 700), ()], ref=plain_where, dtypes=ALL, id="scalar"),
    Case(
        "where",
        [np.array([1, 0, 1], np.int64), BIG, BIG - 1],
        ref=np.where,
        dtypes=("int64",),
    ),
    Case(
        "where",
        [np.array([np.nan, 0.0]), np.array([1.0, 2.0]), np.array([3.0, 4.0])],
        ref=plain_where,
        grad=(1, 2),
    ),
    Case("where", [sides("float32", ()), (), ()], ref=plain_where, id="0d"),
    Case("where", [sides("float32", (0, 2)), (0, 2), (0, 2)], ref=plain_where, id="empty"),
    Case("where", [sides("float32", (3,)), (2, 4), (2, 4)], fails="where", id="shapes"),
]


def clip(x: Array, a_min: float, a_max: float) -> Array:
    return np.clip(x, a_min, a_max)


def total(*arrays: Array, num_args: int = 0) -> Array:
    return np.sum(arrays, axis=0)


def valid_gradient(
    head: Array, x: Array, grad_scale: float, valid_thresh: float, normalization: str
) -> Array:
    return np.full(x.shape, grad_scale / max(1, np.count_nonzero(x > valid_thresh)))


def filled(shape: tuple[int, ...], value: float) -> Array:
    return np.full(shape, value)


def same(x: Array, **_: Any) -> Array:
    return x


CASES = [
    *table(),
    *WHERE,
    Case(
        "broadcast_div",
        [Spec((9,), -9, 9), np.zeros(9)],
        ref=lambda x, y: x * 0,
        dtypes=INTS,
        id="int_by_zero",
    ),
    Case("broadcast_mod", [Spec((9,), -9, 9), np.zeros(9)], ref=modulo, dtypes=ALL, grad=False, id="by_zero"),
    Case("broadcast_mod", [Spec((9,), -9, 9), Spec((9,), -4, 4)], ref=modulo, dtypes=INTS, id="signs"),
    Case("broadcast_add", [(300, 300), (300,)], ref=np.add, dtypes=FLOATS, grad=False, id="large"),
    Case(
        "clip", [np.array([-3.0, -1, -0.5, 0.25, 2, 7])], {"a_min": -1.5, "a_max": 3.0}, clip, dtypes=FLOATS
    ),
    Case("clip", [Spec((9,), -9, 9)], {"a_min": -2, "a_max": 3}, clip, dtypes=INTS, id="ints"),
    Case(
        "clip", [np.array([np.nan, np.inf, -np.inf])], {"a_min": -1, "a_max": 1}, clip, grad=False, id="edges"
    ),
    Case("clip", [(0, 2)], {"a_min": -1, "a_max": 1}, clip, id="empty"),
    Case(
        "clip", [(3,)], {"a_min": 300, "a_max": 400}, dtypes=("uint8", "int8"), fails="does not fit", id="far"
    ),
    Case(
        "clip",
        [(3,)],
        {"a_min": -400, "a_max": -300},
        dtypes=("uint8", "int8"),
        fails="does not fit",
        id="low",
    ),
    Case("add_n", [(3, 4), (3, 4), (3, 4)], ref=total, dtypes=ALL),
    Case("add_n", [(3, 4)], ref=total, dtypes=ALL, id="one"),
    Case("add_n", [(50, 100)] * 5, ref=total, dtypes=FLOATS, id="many"),
    Case("add_n", [(), ()], ref=total, id="0d"),
    Case("add_n", [(0, 2), (0, 2)], ref=total, id="empty"),
    Case("add_n", [(3, 4), (3, 5)], fails="add_n", id="shapes"),
    Case("_copy", [(3, 4)], ref=same, dtypes=ALL),
    Case("_copyto", [(3, 4)], ref=same, dtypes=ALL),
    Case("BlockGrad", [(3, 4)], ref=same, dtypes=ALL, grad_ref=lambda head, x: np.zeros_like(x)),
    Case("_identity_with_attr_like_rhs", [(3, 4), (3, 4)], ref=lambda x, y: x, dtypes=ALL),
    Case("make_loss", [(3, 4)], ref=same, grad_ref=lambda head, x: np.ones_like(x)),
    Case("MakeLoss", [(3, 4)], ref=same, grad_ref=lambda head, x: np.ones_like(x)),
    Case(
        "MakeLoss",
        [(4, 2)],
        {"grad_scale": 2.0, "normalization": "batch"},
        same,
        grad_ref=lambda head, x, grad_scale, normalization: np.full(x.shape, 0.5),
        id="batch",
    ),
    Case(
        "MakeLoss",
        [(4, 2)],
        {"grad_scale": 2.0, "valid_thresh": 0.25, "normalization": "valid"},
        same,
        grad_ref=valid_gradient,
        id="valid",
    ),
    *[
        Case("Cast", [Spec((9,), -3, 3)], {"dtype": t}, same, dtypes=ALL, grad=False, id=t)
        for t in (*FLOATS, "int32")
    ],
    *[
        Case("Cast", [Spec((9,), -3, 3)], {"dtype": t}, same, dtypes=(t,), id=f"gradient-{t}")
        for t in ("float32", "float64")
    ],
    Case("amp_cast", [Spec((9,), -3, 3)], {"dtype": "float64"}, same, dtypes=("float64",), id="gradient"),
    Case("amp_cast", [Spec((9,), -3, 3)], {"dtype": "float16"}, same, dtypes=ALL, grad=False),
    Case(
        "amp_multicast", [(3,), (2, 2)], {"num_outputs": 2}, lambda x, y, num_outputs: (x, y), dtypes=FLOATS
    ),
    Case(
        "amp_multicast",
        [(3,), Spec((2, 2), dtype="float64")],
        {"num_outputs": 2},
        lambda x, y, num_outputs: (x, y),
        dtypes=("float32",),
        grad=False,
        id="float64",
    ),
    Case(
        "amp_multicast",
        [(3,), Spec((2, 2), dtype="float16"), Spec((1,), dtype="float64")],
        {"num_outputs": 3},
        lambda x, y, z, num_outputs: (x, y, z),
        dtypes=("float32",),
        grad=False,
        id="widest",
    ),
    Case("zeros_like", [(3, 4)], ref=np.zeros_like, dtypes=ALL),
    Case("ones_like", [(3, 4)], ref=np.ones_like, dtypes=ALL),
    *[Case("_zeros", [], {"shape": s}, np.zeros, id=str(s)) for s in ((2, 3), (0, 2))],
    Case("_ones", [], {"shape": (2, 3), "dtype": "int32"}, np.ones),
    Case("_full", [], {"shape": (2, 3), "value": 2.5}, filled),
]
