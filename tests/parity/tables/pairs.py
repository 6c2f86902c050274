"""Pairs of arrays compared and joined, rounding with a gradient, scaling: the small operators around them."""

from __future__ import annotations

from ..case import Case, distinct, grid, integer, normal, uniform, values

INF, NAN = float("inf"), float("nan")
SPECIAL = values([-INF, -2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, INF, NAN])
LEFT, RIGHT = values([NAN, 1, INF, -INF, 0, 2]), values([NAN, NAN, INF, INF, -0.0, 1])
COMPARED = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal")
LOGICAL = ("logical_and", "logical_or", "logical_xor")


def _truths() -> list[Case]:
    cases = []
    for name in (*COMPARED, *LOGICAL):
        op = f"broadcast_{name}"
        cases += [
            Case(op, (LEFT, RIGHT), tag="special"),
            Case(op, (integer(2, 1, 3, high=2), integer(4, 1, high=2)), grad=(0, 1)),
            Case(op, (integer(1, 1, high=2, dtype="float64"), integer(3, high=2, dtype="float64"))),
            Case(op, (integer(2, 3, high=2, dtype="float16"), integer(2, 3, high=2, dtype="float16"))),
            Case(op, (normal(2, 3), normal(3, 2)), error=True),
        ]
        op = f"_{name}"
        if name in ("greater_equal", "lesser_equal", *LOGICAL):
            cases += [
                Case(op, (integer(2, 3, high=3), integer(2, 3, high=3))),
                Case(op, (LEFT, RIGHT), tag="special"),
                Case(op, (integer(5, high=2, dtype="int32"), integer(5, high=2, dtype="int32"))),
                Case(op, (integer(1, high=2, dtype="float64"), integer(1, high=2, dtype="float64"))),
                Case(op, (normal(2, 3), normal(1, 3)), error=True),
            ]
    return cases


def _numbers() -> list[Case]:
    cases = [
        Case("broadcast_hypot", (LEFT, RIGHT), tag="special"),
        Case("broadcast_hypot", (values([0, 3]), values([0, -4])), grad=(), tag="zero"),
        Case("broadcast_hypot", (normal(1), normal(2, 1, dtype="float32")), grad=(0, 1)),
        *(Case("arccosh", (data,), tag=tag) for data, tag in ((values([0.5, 1, INF, NAN]), "special"),)),
        Case("arccosh", (uniform(1, 3, low=1, high=9, dtype="float64"),), grad=(0,), rtol=1e-6),
        *(Case("erfinv", (data,), tag=tag) for data, tag in ((values([-1, 0, 1, 2, NAN]), "special"),)),
        Case("erfinv", (uniform(1, 1, low=-0.99, high=0.99, dtype="float64"),), grad=(0,), rtol=1e-6),
        Case("_npi_lcm_scalar", (integer(4, low=-9, high=9, dtype="int32"),), {"scalar": -4, "is_int": True}),
        Case("_npi_lcm_scalar", (integer(3, dtype="int64"),), {"scalar": 0, "is_int": True}),
        Case("_npi_lcm_scalar", (normal(3),), {"scalar": 2, "is_int": True}, error=True),
    ]
    for op in ("_npx_relu", "_npx_sigmoid"):
        cases += [Case(op, (SPECIAL,), tag="special"), Case(op, (normal(3, dtype="float64"),), grad=(0,))]
    return cases


def _straight() -> list[Case]:
    """Rounding, signs and multiples whose gradient is not their derivative."""
    cases = []
    for op in ("contrib.round_ste", "contrib.sign_ste"):
        cases += [
            Case(op, (uniform(3, 4, low=-3, high=3),), grad=(0,)),
            Case(op, (uniform(5, low=-3, high=3, dtype="float64"),), grad=(0,)),
            Case(op, (uniform(5, low=-3, high=3, dtype="float16"),)),
            Case(op, (SPECIAL,), grad=(0,), tag="special"),
            Case(op, (integer(1, 4, low=-3, high=3, dtype="int32"),)),
        ]
    op = "contrib.gradientmultiplier"
    cases += grid(op, (normal(2, 3),), {"scalar": 2.5}, {"scalar": -1.0}, {"scalar": 0.0}, {}, grad=(0,))
    cases += [
        Case(op, (normal(2, dtype="float64"),), {"scalar": 0.3}, grad=(0,)),
        Case(op, (values([NAN, INF, 0]),), {"scalar": 2.0}, grad=(0,), tag="special"),
    ]
    op = "contrib.quadratic"
    cases += grid(
        op, (normal(2, 3),), {}, {"a": 2.0}, {"b": -1.5, "c": 1.0}, {"a": 0.5, "b": 1, "c": -3}, grad=(0,)
    )
    cases += [
        Case(op, (normal(3, dtype="float64"),), {"a": 0.5, "b": 0.25, "c": -0.125}, grad=(0,)),
        Case(op, (SPECIAL,), {"a": 1.0, "b": 1.0}, tag="special"),
    ]
    op = "contrib.div_sqrt_dim"
    cases += [Case(op, (normal(*shape),), grad=(0,)) for shape in ((2, 3), (5,), (2, 1), (1, 2, 7))]
    cases += [
        Case(op, (normal(2, 3, dtype="float64"),), grad=(0,)),
        Case(op, (normal(2, 3, dtype="float16"),)),
    ]
    return cases


def _casts() -> list[Case]:
    half, single, double = (normal(2, 3, dtype=d) for d in ("float16", "float32", "float64"))
    cases = [
        Case("amp_cast", (single,), {"dtype": "float64"}, grad=(0,), tag="grad"),
        Case("amp_cast", (double,), {"dtype": "float32"}, grad=(0,), tag="grad"),
        Case("amp_cast", (half,), {"dtype": "float32"}),
        Case("amp_cast", (integer(3, dtype="int64"),), {"dtype": "float16"}),
        Case("amp_cast", (values([1e9, -1e9, NAN]),), {"dtype": "float16"}, tag="overflow"),
    ]
    for given in ((half, single), (single, half, double), (single, single)):
        for narrow in ({}, {"cast_narrow": True}):
            cases.append(Case("amp_multicast", given, {"num_outputs": len(given), **narrow}))
    cases += [
        Case("amp_multicast", (single, half), {"num_outputs": 2}, grad=(0, 1), heads=(0, 1), tag="grad"),
        Case("amp_multicast", (half, single), {"num_outputs": 3}, error=True),
    ]
    same = "_identity_with_attr_like_rhs"
    cases += [
        Case(same, (normal(2, 3), normal(2, 3)), grad=(0, 1)),
        Case(same, (normal(2, 3, dtype="float64"), normal(2, 3, dtype="float64")), grad=(0,)),
        Case(same, (integer(4, dtype="int32"), integer(4, dtype="int32"))),
        Case(same, (values([NAN, INF]), normal(2)), tag="special"),
        Case(same, (normal(2, 3), normal(3, 2)), error=True),
    ]
    return cases


def _finite() -> list[Case]:
    bad = (values([1, NAN]), values([[INF, 0]]), values([-INF]))
    cases = [Case("all_finite", (data,)) for data in (normal(2, 3), normal(1, dtype="float64"), *bad)]
    cases += [
        Case("all_finite", (normal(2, 3, dtype="float16"),)),
        *(
            Case(
                "all_finite",
                (data, values([before], name="out")),
                {"init_output": False},
                tag=f"after {before}",
            )
            for data in (normal(2, 3), bad[0])
            for before in (0, 1)
        ),
    ]
    many = "multi_all_finite"
    cases += [
        Case(many, (normal(2, 3), normal(4)), {"num_arrays": 2}),
        Case(many, (normal(2, 3),), {"num_arrays": 1}),
        Case(many, (normal(2, 3), bad[0], normal(1)), {"num_arrays": 3}),
        Case(many, (normal(2, 3, dtype="float64"), normal(4, dtype="float64")), {"num_arrays": 2}),
        Case(many, (bad[1], bad[2]), {"num_arrays": 2}),
    ]
    sums = "multi_sum_sq"
    cases += [
        Case(sums, (normal(2, 3), normal(4)), {"num_arrays": 2}),
        Case(sums, (normal(5),), {"num_arrays": 1}),
        Case(sums, (normal(2, 3, dtype="float64"), normal(1, dtype="float64")), {"num_arrays": 2}),
        Case(
            sums, (normal(2, 3, dtype="float16"), normal(2, 2, dtype="float16")), {"num_arrays": 2}, rtol=2e-3
        ),
        Case(sums, (bad[0], bad[1]), {"num_arrays": 2}),
        Case(sums, (distinct(7), distinct(2, 2), distinct(3)), {"num_arrays": 3}),
    ]
    reset = "reset_arrays"
    cases += [
        Case(reset, (normal(2, 3), normal(4)), {"num_arrays": 2}, state=(0, 1)),
        Case(reset, (normal(5),), {"num_arrays": 1}, state=(0,)),
        Case(
            reset, (normal(2, dtype="float64"), normal(1, dtype="float64")), {"num_arrays": 2}, state=(0, 1)
        ),
        Case(reset, (values([NAN, INF]), normal(2)), {"num_arrays": 2}, state=(0, 1)),
        Case(
            reset, (normal(2, 0), normal(1, 1, dtype="float32")), {"num_arrays": 2}, state=(0, 1), tag="empty"
        ),
        Case(reset, (normal(3, dtype="float16"),), {"num_arrays": 1}, state=(0,)),
    ]
    return cases


CASES = _truths() + _numbers() + _straight() + _casts() + _finite()
