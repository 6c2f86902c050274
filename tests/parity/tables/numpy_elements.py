"""Operators of NumPy's namespace, element by element: one array, two arrays, an array and a number."""

from __future__ import annotations

from itertools import product

from ..case import Case, Input, integer, normal, uniform, values

FLOATS = ("float16", "float32", "float64")
INTS = ("int8", "uint8", "int32", "int64")
SPECIAL = values([float("nan"), float("inf"), float("-inf"), 0.0, -1.5, 2.5])

# Where the function is smooth.
ANY = [
    "cos",
    "cosh",
    "degrees",
    "exp",
    "expm1",
    "negative",
    "radians",
    "sin",
    "sinh",
    "square",
    "tan",
    "tanh",
    "arctan",
    "arcsinh",
    "absolute",
    "cbrt",
]
ABOVE = [
    "log",
    "log10",
    "log1p",
    "log2",
    "sqrt",
    "reciprocal",
]
WITHIN = [
    "arccos",
    "arcsin",
    "arctanh",
]
STEPS = [
    "ceil",
    "fix",
    "floor",
    "rint",
    "sign",
    "trunc",
]
TRUTHS = ["isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not"]


def _unary() -> list[Case]:
    cases = []
    ranges = [(ANY, -2.0, 2.0), (ABOVE, 0.5, 3.0), (WITHIN, -0.9, 0.9), (["arccosh"], 1.2, 4.0)]
    for names, low, high in ranges:
        for name in names:
            op = "_npi_" + name
            cases += [
                Case(op, (uniform(2, 3, low=low, high=high, dtype=d),), grad=(0,) if d != "float16" else ())
                for d in FLOATS
            ]
            # What MXNet gives for integers is truncated.
            cases += [Case(op, (integer(4, low=1, high=2, dtype=d),)) for d in INTS if name != "arctanh"]
            cases.append(Case(op, (uniform(low=low, high=high),), grad=(0,), tag="0-d"))
            cases.append(Case(op, (normal(0, 3),), tag="empty"))
            cases.append(Case(op, (integer(3, dtype="bool", high=2),), error=True))
    for name in STEPS:
        cases += [Case("_npi_" + name, (SPECIAL,), grad=(0,)), Case("_npi_" + name, (normal(),), tag="0-d")]
        cases += [Case("_npi_" + name, (integer(4, high=5, dtype=d),)) for d in INTS]
        cases += [Case("_npi_" + name, (uniform(3, 4, low=-5, high=5, dtype=d),)) for d in FLOATS]
    for name in TRUTHS:
        cases += [Case("_npi_" + name, (SPECIAL,)), Case("_npi_" + name, (normal(),), tag="0-d")]
        cases += [Case("_npi_" + name, (integer(4, high=2, dtype=d),)) for d in (*INTS, "bool", "float16")]
    cases += [
        Case("_npi_abs", (normal(2, 3),), grad=(0,)),
        Case("_npi_bitwise_not", (normal(3),), error=True),
    ]
    cases += [Case("_npi_bitwise_not", (integer(2, 3, high=2, dtype=d),)) for d in (*INTS, "bool")]
    return cases


# The pairs of dtypes that MXNet joins, and those that it refuses.
ALL = (*FLOATS, *INTS, "bool")
PROMOTED = ("add", "subtract", "multiply", "true_divide", "mod", "power")
SAME = (
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "maximum",
    "minimum",
)


def _operand(dtype: str, *shape: int) -> Input:
    if dtype in FLOATS:
        return uniform(*shape, low=0.5, high=3, dtype=dtype)
    return integer(*shape, low=1, high=2 if dtype == "bool" else 4, dtype=dtype)


def _refused(name: str, a: str, b: str) -> bool:
    floats = (a in FLOATS) + (b in FLOATS)
    if name in ("add", "multiply", "power"):
        return {a, b} == {"int8", "uint8"}
    if name == "true_divide":
        return floats != 1 and a != b
    return floats == 0 and (a != b or a == "bool")


def _binary() -> list[Case]:
    cases = []
    for name in PROMOTED:
        op = "_npi_" + name
        for a, b in product(ALL, ALL):
            if name == "true_divide" and a != b and a in FLOATS and b in FLOATS:
                continue  # refused by MXNet, though sums of these are not
            differentiable = a == b and a in ("float32", "float64")
            cases.append(
                Case(
                    op,
                    (_operand(a, 2, 3), _operand(b, 2, 3)),
                    error=_refused(name, a, b),
                    grad=(0, 1) if differentiable else (),
                )
            )
        cases += [
            Case(op, (_operand("float32", 2, 1, 3), _operand("float32", 4, 1)), grad=(0, 1)),
            Case(op, (_operand("float32"), _operand("float32", 2)), grad=(0, 1), tag="0-d"),
            Case(op, (_operand("float32"), _operand("float32")), grad=(0, 1), tag="0-d"),
            Case(op, (_operand("float32", 0, 2), _operand("float32", 2)), tag="empty"),
            Case(op, (_operand("float32", 2), _operand("float32", 3)), error=True),
            Case(op, (_operand("float32", 2, 3), _operand("int32", 2, 3)), grad=(0,), tag="grad"),
        ]
    for name in SAME:
        op = "_npi_" + name
        extreme = name in ("maximum", "minimum")
        cases += [Case(op, (integer(2, 3, dtype=d), integer(2, 3, dtype=d))) for d in (*FLOATS, *INTS)]
        cases += [
            Case(op, (normal(2, 1, 3), normal(4, 1)), grad=(0, 1)),
            Case(op, (normal(), normal(2)), tag="0-d"),
            Case(op, (normal(0, 2), normal(2)), tag="empty"),
        ]
        if not extreme:
            cases.append(Case(op, (SPECIAL, values([1, 2, 3, 0, -1.5, 2]))))
            cases.append(Case(op, (normal(2, dtype="float32"), normal(2, dtype="float64")), error=True))
    for name in ("arctan2", "hypot"):
        op = "_npi_" + name
        cases += [
            *[Case(op, (normal(2, 3, dtype=d), normal(2, 3, dtype=d)), grad=(0, 1)) for d in FLOATS[1:]],
            Case(op, (normal(2, 3, dtype="float16"), normal(2, 3, dtype="float16"))),
            Case(op, (normal(2, 1), normal(3)), grad=(0, 1)),
            Case(op, (normal(), normal()), grad=(0, 1), tag="0-d"),
            Case(op, (integer(2, dtype="int32"), integer(2, dtype="int32")), error=True),
        ]
    for name in ("copysign", "ldexp"):
        op = "_npi_" + name
        cases += [
            *[Case(op, (normal(2, 3, dtype=d), normal(2, 3, dtype=d)), grad=(0, 1)) for d in FLOATS[1:]],
            *[Case(op, (integer(2, 3, dtype=d), integer(2, 3, dtype=d))) for d in ("float16", *INTS)],
            Case(op, (normal(2, 1), normal(3)), grad=(0, 1)),
            Case(op, (normal(), normal()), tag="0-d"),
        ]
    for name in ("lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
        op = "_npi_" + name
        cases += [
            *[Case(op, (integer(2, 3, high=30, dtype=d), integer(3, high=30, dtype=d))) for d in INTS],
            Case(op, (integer(high=30, dtype="int32"), integer(2, high=30, dtype="int32")), tag="0-d"),
            Case(op, (integer(0, 3, dtype="int32"), integer(3, dtype="int32")), tag="empty"),
            Case(op, (normal(2), normal(2)), error=True),
        ]
        if name != "lcm":
            cases.append(Case(op, (integer(5, high=2, dtype="bool"), integer(5, high=2, dtype="bool"))))
    return cases


SCALAR = [
    "add",
    "subtract",
    "rsubtract",
    "multiply",
    "true_divide",
    "rtrue_divide",
    "mod",
    "rmod",
    "power",
    "rpower",
    "arctan2",
    "rarctan2",
    "copysign",
    "rcopysign",
    "ldexp",
    "rldexp",
    "maximum",
    "minimum",
    "hypot",
]
# MXNet's gradient fails, or is not the derivative.
BROKEN = ("copysign", "rcopysign", "rarctan2")
COMPARED = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")


def _scalar() -> list[Case]:
    cases = []
    for name in SCALAR:
        op = f"_npi_{name}_scalar"
        for dtype in ALL:
            for number, whole in ((2.0, True), (1.5, False)):
                if dtype in FLOATS and whole:
                    continue
                cases.append(
                    Case(
                        op,
                        (_operand(dtype, 2, 3),),
                        {"scalar": number, "is_int": whole},
                        grad=(0,) if dtype in ("float32", "float64") and name not in BROKEN else (),
                    )
                )
        cases += [
            Case(
                op,
                (_operand("float32"),),
                {"scalar": 2.0, "is_int": True},
                grad=() if name in BROKEN else (0,),
                tag="0-d",
            ),
            Case(op, (_operand("float32", 0, 2),), {"scalar": 2.0, "is_int": True}, tag="empty"),
        ]
    for name in COMPARED:
        op = f"_npi_{name}_scalar"
        cases += [
            Case(op, (integer(2, 3, high=2 if d == "bool" else 4, dtype=d),), {"scalar": 1.0, "is_int": True})
            for d in ALL
        ]
        cases += [
            Case(op, (integer(5, high=4, dtype="int32"),), {"scalar": 1.5, "is_int": False}),
            Case(op, (normal(),), {"scalar": 0.5, "is_int": False}, tag="0-d"),
        ]
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        cases += [
            Case(f"_npi_{name}_scalar", (integer(5, high=30, dtype=d),), {"scalar": 6.0, "is_int": True})
            for d in INTS
        ]
        cases.append(Case(f"_npi_{name}_scalar", (normal(2),), {"scalar": 6.0}, error=True))
    cases += [
        Case("_npi_lcm_scalar", (integer(5, high=30, dtype=d),), {"scalar": 6.0, "is_int": True})
        for d in ("int8", "int32", "int64")
    ]
    return cases


CASES: list[Case] = [*_unary(), *_binary(), *_scalar()]
