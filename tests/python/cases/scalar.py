"""Arrays with one number."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import ALL, FLOATS, INTS, Array, Case, Spec

Ref = Callable[[Array, float], Array]


def modulo(x: Array, y: Array) -> Array:
    return np.where(y == 0, 0, np.mod(x, np.where(y == 0, 1, y)))


def scalar_ref(fn: Ref) -> Callable[..., Array]:
    return lambda x, scalar=1.0, is_int=True: fn(x, scalar)


def power(x: Array, y: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.power(x, y)


POSITIVE = Spec((3, 4), 0.5, 3.0)
TABLE: list[tuple[str, Ref, Any, float]] = [
    ("_plus_scalar", lambda x, s: x + s, (3, 4), 2.0),
    ("_minus_scalar", lambda x, s: x - s, (3, 4), 2.0),
    ("_rminus_scalar", lambda x, s: s - x, (3, 4), 2.0),
    ("_mul_scalar", lambda x, s: x * s, (3, 4), -3.0),
    ("_div_scalar", lambda x, s: x / s, (3, 4), 4.0),
    ("_rdiv_scalar", lambda x, s: s / x, POSITIVE, 4.0),
    ("_floor_divide_scalar", lambda x, s: np.floor(x / s), Spec((3, 4), 3.1, 3.9), -3.0),
    ("_rfloor_divide_scalar", lambda x, s: np.floor(s / x), Spec((3, 4), 2.4, 2.9), 7.0),
    ("_mod_scalar", modulo, Spec((3, 4), 3.1, 3.9), -3.0),
    ("_rmod_scalar", lambda x, s: modulo(s, x), Spec((3, 4), 2.1, 2.9), 7.0),
    ("_power_scalar", power, POSITIVE, 3.0),
    ("_rpower_scalar", lambda x, s: power(s, x), POSITIVE, 3.0),
    ("_maximum_scalar", np.maximum, (3, 4), 0.0),
    ("_minimum_scalar", np.minimum, (3, 4), 0.0),
    ("_hypot_scalar", np.hypot, POSITIVE, 2.0),
    ("_equal_scalar", lambda x, s: x == s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_not_equal_scalar", lambda x, s: x != s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_greater_scalar", lambda x, s: x > s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_greater_equal_scalar", lambda x, s: x >= s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_lesser_scalar", lambda x, s: x < s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_lesser_equal_scalar", lambda x, s: x <= s, Spec((3, 4), 0, 2, "int"), 1.0),
    ("_logical_and_scalar", lambda x, s: (x != 0) & (s != 0), Spec((3, 4), 0, 2, "int"), 2.0),
    ("_logical_or_scalar", lambda x, s: (x != 0) | (s != 0), Spec((3, 4), 0, 2, "int"), 0.0),
    ("_logical_xor_scalar", lambda x, s: (x != 0) ^ (s != 0), Spec((3, 4), 0, 2, "int"), 2.0),
]

EDGES = np.array([-np.inf, -2.5, -1.0, -0.0, 0.0, 1.0, 2.5, np.inf, np.nan])


def table() -> list[Case]:
    cases = []
    for op, fn, shape, scalar in TABLE:
        ref = scalar_ref(fn)
        cases.append(Case(op, [shape], {"scalar": scalar}, ref, dtypes=ALL))
        cases.append(Case(op, [Spec((), 0.5, 2.0)], {"scalar": scalar + 0.25}, ref, id="0d"))
        cases.append(Case(op, [(0, 3)], {"scalar": scalar}, ref, dtypes=("float32", "int32"), id="empty"))
        cases.append(
            Case(
                op,
                [Spec((5,), 1, 9, "int")],
                {"scalar": 2.5, "is_int": False},
                ref,
                dtypes=INTS,
                id="float_of_int",
            )
        )
        edges = EDGES if "mod" not in op and "power" not in op else EDGES[1:7]
        cases.append(Case(op, [edges], {"scalar": 2.0}, ref, grad=False, dtypes=FLOATS, id="edges"))
    return cases


def smooth_l1(x: Array, scalar: float = 1.0) -> Array:
    s = scalar * scalar
    return np.where(np.abs(x) < 1 / s, 0.5 * s * x * x, np.abs(x) - 0.5 / s)


CASES = [
    *table(),
    Case(
        "_plus_scalar",
        [np.array([True, False])],
        {"scalar": 3},
        scalar_ref(lambda x, s: x + s),
        dtypes=("bool",),
    ),
    Case(
        "_plus_scalar", [Spec((300, 200), -1, 1)], {"scalar": 0.5}, scalar_ref(lambda x, s: x + s), id="large"
    ),
    Case(
        "_plus_scalar",
        [Spec((4,), 0, 5, "int")],
        {"scalar": 2.75},
        scalar_ref(lambda x, s: x + 2),
        dtypes=INTS,
    ),
    Case(
        "_div_scalar",
        [Spec((6,), -9, 9, "int")],
        {"scalar": 0},
        lambda x, scalar: x * 0,
        dtypes=INTS,
        id="by_zero",
    ),
    Case(
        "_floor_divide_scalar",
        [Spec((6,), -9, 9, "int")],
        {"scalar": 0},
        lambda x, scalar: x * 0,
        dtypes=INTS,
        id="by_zero",
    ),
    Case(
        "_floor_divide_scalar",
        [np.arange(-9, 10)],
        {"scalar": 4},
        lambda x, scalar: x // 4,
        dtypes=("int64",),
        id="signs",
    ),
    Case(
        "_mod_scalar",
        [Spec((6,), -9, 9)],
        {"scalar": 0},
        lambda x, scalar: x * 0,
        dtypes=ALL,
        grad=False,
        id="by_zero",
    ),
    Case("_power_scalar", [Spec((6,), -3, 3)], {"scalar": 2}, scalar_ref(power), dtypes=ALL, id="square"),
    Case("_power_scalar", [Spec((6,), 1, 3)], {"scalar": 0.5}, scalar_ref(power), dtypes=FLOATS, id="root"),
    Case(
        "_power_scalar", [Spec((6,), 1, 3)], {"scalar": -1.5}, scalar_ref(power), dtypes=FLOATS, id="negative"
    ),
    Case("smooth_l1", [Spec((4, 5), -3, 3)], {"scalar": 1.0}, smooth_l1),
    Case("smooth_l1", [Spec((4, 5), -3, 3)], {"scalar": 0.75}, smooth_l1, id="wide"),
]
CASES += [
    Case("_power_scalar", [Spec((40,), -3, 3)], {"scalar": s}, scalar_ref(power), grad=False, id=f"whole_{s}")
    for s in (-3.0, -2.0, -1.0, 0.0, 1.0, 3.0, 4.0, 5.0)
]
CASES += [
    Case(
        "_power_scalar", [EDGES], {"scalar": s}, scalar_ref(power), dtypes=FLOATS, grad=False, id=f"edges_{s}"
    )
    for s in (-3.0, -0.75, 0.0, 0.75, 3.0, 4.0, float("inf"))
]

# Integers beside numbers that they are not.
COMPARED = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal")
CASES += [
    Case(
        f"_{name}_scalar",
        [np.array([-(2**31), -1, 0, 2**31 - 1], "int32")],
        {"scalar": number},
        scalar_ref(getattr(np, name.replace("lesser", "less"))),
        dtypes=("int32",),
        id=f"beside_{number}",
    )
    for name in COMPARED
    for number in (float("nan"), float("inf"), -float("inf"), 2147483647.5, -2147483648.5)
]
CASES += [
    Case(
        "_maximum_scalar", [(3,)], {"scalar": 300}, dtypes=("uint8", "int8"), fails="does not fit", id="far"
    ),
    Case(
        "_minimum_scalar", [(3,)], {"scalar": -300}, dtypes=("uint8", "int8"), fails="does not fit", id="far"
    ),
    Case("_maximum_scalar", [(3,)], {"scalar": float("nan")}, dtypes=INTS, fails="does not fit", id="nan"),
    Case(
        "_maximum_scalar",
        [Spec((5,), 1, 9, "int")],
        {"scalar": -300},
        scalar_ref(np.maximum),
        dtypes=INTS,
        id="below_all",
    ),
    Case(
        "_plus_scalar",
        [np.array([0, 5, 2**31 - 1], "int32")],
        {"scalar": -(2**31)},
        scalar_ref(lambda x, s: x + s),
        dtypes=("int32",),
        id="lowest",
    ),
]
