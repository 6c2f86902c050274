"""Unary, scalar, broadcast and elemwise families."""

from __future__ import annotations

import numpy as np

from ..case import Case, Input, distinct, grid, integer, normal, uniform, values

INF, NAN = float("inf"), float("nan")
SPECIAL = values([-INF, -2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, INF, NAN])
SHAPE = (3, 4)

# Operator and the interval where it is smooth.
UNARY = {
    "abs": (-2, 2),
    "arccos": (-0.9, 0.9),
    "arccosh": (1.2, 4),
    "arcsin": (-0.9, 0.9),
    "arcsinh": (-3, 3),
    "arctan": (-3, 3),
    "arctanh": (-0.9, 0.9),
    "cbrt": (0.2, 3),
    "cos": (-3, 3),
    "cosh": (-2, 2),
    "degrees": (-3, 3),
    "erf": (-2, 2),
    "erfinv": (-0.8, 0.8),
    "exp": (-2, 2),
    "expm1": (-2, 2),
    "gamma": (0.5, 4),
    "gammaln": (0.5, 4),
    "hard_sigmoid": (-2, 2),
    "identity": (-2, 2),
    "log": (0.1, 4),
    "log10": (0.1, 4),
    "log1p": (-0.5, 3),
    "log2": (0.1, 4),
    "negative": (-2, 2),
    "radians": (-180, 180),
    "rcbrt": (0.2, 3),
    "reciprocal": (0.3, 3),
    "relu": (-2, 2),
    "rsqrt": (0.2, 3),
    "sigmoid": (-3, 3),
    "sin": (-3, 3),
    "sinh": (-2, 2),
    "softsign": (-3, 3),
    "sqrt": (0.2, 3),
    "square": (-2, 2),
    "tan": (-1, 1),
    "tanh": (-2, 2),
}
STEPS = ("ceil", "fix", "floor", "rint", "round", "sign", "trunc", "logical_not")
EXACT_ON_SPECIAL = (
    "abs",
    "ceil",
    "fix",
    "floor",
    "rint",
    "round",
    "sign",
    "trunc",
    "relu",
    "square",
    "sqrt",
    "cbrt",
    "reciprocal",
    "rsqrt",
    "negative",
    "hard_sigmoid",
    "softsign",
    "sigmoid",
    "logical_not",
)
INTEGER = ("abs", "sign", "negative", "square", "sqrt", "exp", "relu", "round", "reciprocal")

SCALAR = {
    "_plus_scalar": 1.5,
    "_minus_scalar": 1.5,
    "_rminus_scalar": 1.5,
    "_mul_scalar": -2.5,
    "_div_scalar": 1.6,
    "_rdiv_scalar": 1.6,
    "_mod_scalar": 0.7,
    "_rmod_scalar": 3.1,
    "_power_scalar": 2.5,
    "_rpower_scalar": 1.7,
    "_maximum_scalar": 1.0,
    "_minimum_scalar": 1.0,
    "_hypot_scalar": 2.0,
}
SCALAR_TESTS = (
    "_equal_scalar",
    "_not_equal_scalar",
    "_greater_scalar",
    "_greater_equal_scalar",
    "_lesser_scalar",
    "_lesser_equal_scalar",
    "_logical_and_scalar",
    "_logical_or_scalar",
    "_logical_xor_scalar",
)
SMOOTH = ("add", "sub", "mul", "div", "power", "maximum", "minimum", "hypot", "mod")
TESTS = (
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "lesser",
    "lesser_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
)


def _unary() -> list[Case]:
    cases = []
    for op, (low, high) in UNARY.items():
        cases.append(Case(op, (uniform(*SHAPE, low=low, high=high),), grad=(0,)))
        cases.append(Case(op, (uniform(5, low=low, high=high, dtype="float64"),), grad=(0,), rtol=1e-6))
        cases.append(Case(op, (uniform(2, 3, low=low, high=high, dtype="float16"),)))
    for op in STEPS:
        cases.append(Case(op, (uniform(*SHAPE, low=-3, high=3),), grad=() if op == "logical_not" else (0,)))
    cases += [Case(op, (SPECIAL,), tag="special") for op in EXACT_ON_SPECIAL]
    for dtype in ("int32", "int64", "int8", "uint8"):
        low = 1 if dtype == "uint8" else -4
        for op in INTEGER:
            smallest = 1 if op in ("sqrt", "reciprocal", "exp") else low
            cases.append(Case(op, (integer(6, low=smallest, high=5, dtype=dtype),)))
    cases += [
        Case("relu", (values([-1, 0, 2, 0]),), grad=(0,), tag="kink"),
        Case("relu", (values([np.nan, 1, -2, np.inf]),), grad=(0,), tag="nan"),
        Case("abs", (values([-1, 0, 2, 0]),), grad=(0,), tag="kink"),
        Case("hard_sigmoid", (values([-2.6, -2.4, 0, 2.4, 2.6]),), {"alpha": 0.2, "beta": 0.5}, grad=(0,)),
        Case("hard_sigmoid", (normal(7),), {"alpha": 0.4, "beta": 0.3}, grad=(0,)),
        Case("gamma", (values([-1.5, -0.5, 0.5, 5]),), tag="negative"),
        Case("clip", (normal(4, 5),), {"a_min": -0.5, "a_max": 0.5}, grad=(0,)),
        Case("clip", (values([-2, -1, 0, 1, 2]),), {"a_min": -1, "a_max": 1}, grad=(0,), tag="ends"),
        Case("clip", (integer(6, low=-5, high=6, dtype="int32"),), {"a_min": -2, "a_max": 3}),
        Case("clip", (SPECIAL,), {"a_min": -1, "a_max": 1}, tag="special"),
        *grid(
            "smooth_l1",
            (uniform(3, 5, low=-3, high=3),),
            {"scalar": 1.0},
            {"scalar": 2.0},
            {"scalar": 0.5},
            grad=(0,),
        ),
        Case("cumsum", (normal(3, 4),), {"axis": 1}, grad=(0,)),
        Case("cumsum", (normal(3, 4),), {}, grad=(0,)),
    ]
    for target in ("float16", "float64", "int32", "uint8", "int8", "int64", "bool"):
        source = uniform(5, low=0 if target == "uint8" else -9, high=9)
        cases.append(Case("cast", (source,), {"dtype": target}))
    cases += [
        Case("Cast", (normal(3),), {"dtype": "float64"}, grad=(0,)),
        Case("cast", (integer(4, dtype="int32"),), {"dtype": "float32"}),
        Case("amp_cast", (normal(3),), {"dtype": "float16"}),
        Case("amp_cast", (integer(3, dtype="int32"),), {"dtype": "float16"}),
    ]
    return cases


def _scalar() -> list[Case]:
    cases = []
    for op, scalar in SCALAR.items():
        cases.append(Case(op, (uniform(*SHAPE, low=0.4, high=3),), {"scalar": scalar}, grad=(0,)))
        cases.append(Case(op, (uniform(3, low=0.4, high=3, dtype="float64"),), {"scalar": scalar}, rtol=1e-6))
        cases.append(Case(op, (integer(6, low=1, high=6, dtype="int32"),), {"scalar": 2.0}))
    for op in SCALAR_TESTS:
        cases.append(Case(op, (integer(8, high=3),), {"scalar": 1.0}))
        cases.append(Case(op, (integer(8, high=3, dtype="int32"),), {"scalar": 1.0}))
    cases += [
        Case("_mod_scalar", (values([5, -5, 5.5, -5.5]),), {"scalar": -3.0}, grad=(0,)),
        Case("_mod_scalar", (values([7, -7, 8], "int32"),), {"scalar": 3.0}),
        Case("_rmod_scalar", (values([3, -3, 2, -2]),), {"scalar": 7.0}, grad=(0,)),
        Case("_maximum_scalar", (values([0, 1, 2]),), {"scalar": 1.0}, grad=(0,), tag="tie"),
        Case("_minimum_scalar", (values([0, 1, 2]),), {"scalar": 1.0}, grad=(0,), tag="tie"),
        Case("_plus_scalar", (integer(4, dtype="int32"),), {"scalar": 1.5}, tag="truncated"),
        Case("_mul_scalar", (integer(4, dtype="int64"),), {"scalar": 1.5}, tag="truncated"),
    ]
    for name in ("add", "sub", "mul", "truediv", "mod", "pow", "eq", "ne", "gt", "ge", "lt", "le"):
        cases.append(Case(f"operator.{name}", (integer(2, 3, low=1, high=5),), args=(2,)))
        cases.append(Case(f"operator.{name}", (integer(2, 3, low=1, high=5), integer(1, 3, low=1, high=5))))
    return cases


def _binary() -> list[Case]:
    cases = []
    pairs: tuple[tuple[Input, Input], ...] = (
        (uniform(2, 3, low=0.5, high=3), uniform(2, 3, low=0.5, high=3)),
        (uniform(2, 1, 4, low=0.5, high=3), uniform(1, 3, 1, low=0.5, high=3)),
    )
    for name in SMOOTH:
        cases += [Case(f"broadcast_{name}", pair, grad=(0, 1)) for pair in pairs]
        cases.append(
            Case(
                f"broadcast_{name}",
                (
                    uniform(2, 3, low=0.5, high=3, dtype="float64"),
                    uniform(1, 3, low=0.5, high=3, dtype="float64"),
                ),
            )
        )
        cases.append(
            Case(
                f"broadcast_{name}",
                (integer(2, 3, low=1, dtype="int32"), integer(2, 3, low=1, dtype="int32")),
            )
        )
    for name in ("add", "sub", "mul", "div"):
        cases.append(Case(f"elemwise_{name}", pairs[0], grad=(0, 1)))
        cases.append(
            Case(f"elemwise_{name}", (integer(5, low=1, dtype="int64"), integer(5, low=1, dtype="int64")))
        )
    for name in TESTS:
        cases.append(Case(f"broadcast_{name}", (integer(2, 3, high=3), integer(1, 3, high=3))))
        cases.append(
            Case(f"broadcast_{name}", (integer(4, high=2, dtype="int32"), integer(4, high=2, dtype="int32")))
        )
    signs = (values([5, -5, 5, -5, 5.5, 4]), values([3, 3, -3, -3, 2, 0]))
    special = (values([NAN, 1, INF, -INF, 0]), values([1, NAN, 1, INF, -0.0]))
    cases += [
        Case("broadcast_mod", signs, tag="signs"),
        Case(
            "broadcast_div",
            (values([7, -7, 5, -5], "int32"), values([2, 2, -3, -3], "int32")),
            tag="truncates",
        ),
        Case(
            "broadcast_mod", (values([7, -7, 5, -5], "int32"), values([2, 2, -3, -3], "int32")), tag="signs"
        ),
        Case("broadcast_div", (values([1, 0, -1]), values([0, 0, 0])), tag="zero"),
        Case("broadcast_maximum", special, tag="special"),
        Case("broadcast_minimum", special, tag="special"),
        Case("broadcast_maximum", (values([1, 2, 3]), values([1, 3, 2])), grad=(0, 1), tag="tie"),
        Case("broadcast_minimum", (values([1, 2, 3]), values([1, 3, 2])), grad=(0, 1), tag="tie"),
        Case(
            "broadcast_mod", (uniform(4, low=3, high=9), uniform(4, low=1, high=2)), grad=(0, 1), tag="wide"
        ),
        Case("broadcast_add", (normal(3), normal(2, 3)), grad=(0, 1)),
        Case("elemwise_add", (normal(1, 3), normal(2, 3)), error=True),
        Case("broadcast_add", (normal(3), normal(3, dtype="float64")), error=True),
        Case("broadcast_add", (normal(2, 3), normal(4, 3)), error=True),
        Case("add_n", (normal(2, 3), normal(2, 3), normal(2, 3)), grad=(0, 1, 2)),
        Case("ElementWiseSum", (normal(4), normal(4)), grad=(0, 1)),
        Case("add_n", (distinct(4),), grad=(0,)),
        Case("maximum", (normal(4), normal(4))),
        Case("modulo", (uniform(4, low=1, high=9), uniform(4, low=1, high=3))),
    ]
    return cases


CASES = _unary() + _scalar() + _binary()
