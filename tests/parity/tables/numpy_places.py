"""Operators of NumPy's namespace that put numbers in places, repeat and compare arrays; their old names."""

from __future__ import annotations

from ..case import Case, distinct, grid, integer, normal, uniform, values

NAN = float("nan")
FIXED = values([1, 0, 1], "bool")


def _copies() -> list[Case]:
    cases = [Case("_np_copy", (normal(0, 3),), tag="empty"), Case("_np_copy", (values([NAN, 1], "float64"),))]
    cases += [Case("_np_copy", (integer(2, 3, high=2, dtype=d),)) for d in ("bool", "uint8", "float16")]
    box = (normal(2, 1, 3),)
    cases += grid(
        "repeat", box, {"repeats": 2}, {"repeats": 3, "axis": 1}, {"repeats": 1, "axis": -1}, grad=(0,)
    )
    cases += [
        Case("repeat", (normal(2, 3, dtype="float64"),), {"repeats": 2, "axis": 1}, grad=(0,)),
        Case("repeat", (integer(3, dtype="int32"),), {"repeats": 2}),
        Case("repeat", box, {"repeats": 2, "axis": 3}, error=True),
    ]
    return cases


def _masked() -> list[Case]:
    scalar, tensor = "_npi_boolean_mask_assign_scalar", "_npi_boolean_mask_assign_tensor"
    at = {"value": -1.0, "start_axis": 0}
    return [
        Case(scalar, (normal(3, dtype="float64"), FIXED), at, out=0),
        Case(scalar, (normal(3, 2, dtype="float16"), FIXED), at, out=0),
        Case(scalar, (normal(2, 3, 2), FIXED), {"value": NAN, "start_axis": 1}, out=0),
        Case(scalar, (normal(3), values([0, 0, 0], "bool")), at, out=0, tag="none"),
        Case(
            tensor, (normal(3, dtype="float64"), FIXED, normal(2, dtype="float64")), {"start_axis": 0}, out=0
        ),
        Case(
            tensor,
            (integer(3, 2, dtype="int32"), FIXED, integer(1, 2, dtype="int32")),
            {"start_axis": 0},
            out=0,
        ),
        Case(tensor, (normal(3, 2), FIXED, normal(2, 2)), {"start_axis": 0}, out=0),
        Case(tensor, (normal(3), FIXED, normal(3)), {"start_axis": 0}, out=0, error=True),
    ]


def _inserted() -> list[Case]:
    line, box = normal(5), normal(2, 3)
    cases = [
        Case(
            "_npi_insert_slice",
            (normal(5, dtype="float64"), normal(3, dtype="float64")),
            {"start": 2, "stop": 5, "step": 1},
        ),
        Case("_npi_insert_slice", (box, normal(1, 3)), {"start": 0, "stop": 1, "step": 1, "axis": 0}),
        Case("_npi_insert_slice", (line, normal(3)), {"start": 0, "stop": 4, "step": 2}, error=True),
        Case(
            "_npi_insert_tensor",
            (normal(4, dtype="float64"), normal(1, dtype="float64"), values([0], "int64")),
        ),
        Case("_npi_insert_tensor", (box, normal(1, 3), values([2], "int64")), {"axis": 0}),
    ]
    cube = normal(2, 3, 4)
    return [
        *cases,
        Case("_npi_dsplit", (normal(1, 1, 6, dtype="float64"),), {"indices": (), "sections": 3, "axis": 2}),
        Case("_npi_dsplit", (cube,), {"indices": (), "sections": 1, "axis": 2}),
        Case("_npi_dsplit", (cube,), {"indices": (0, 1), "axis": 2}, grad=(0,), heads=(1,)),
    ]


def _indexed() -> list[Case]:
    cases = [
        Case("gather_nd", (normal(2, 3, 4), values([[0, 1], [2, 0], [3, 3]])), grad=(0,)),
        Case("gather_nd", (normal(2, 3, dtype="float64"), values([[1, 1, 0]], "int32")), grad=(0,)),
        Case("gather_nd", (integer(3, 2, dtype="int32"), values([[[0, 2]], [[1, 0]]], "int64"))),
    ]
    where = values([[0, 2, 0]], "int32")
    cases += [
        Case("scatter_nd", (normal(3, dtype="float64"), values([[1, 0, 3]])), {"shape": (4,)}, grad=(0,)),
        Case("scatter_nd", (normal(2, 2), values([[0, 1], [1, 0]])), {"shape": (2, 2, 2)}, grad=(0,)),
        Case("scatter_nd", (integer(2, dtype="int32"), values([[1, 0], [0, 0]], "int64")), {"shape": (2, 1)}),
        Case("scatter_nd", (normal(3), values([[0, 1]])), {"shape": (2,)}, error=True),
    ]
    put = "_scatter_set_nd"
    cases += [
        Case(put, (normal(4), normal(2), values([[1, 3]])), {"shape": (4,)}, out=0),
        Case(
            put,
            (normal(3, 2, dtype="float64"), normal(2, 2, dtype="float64"), values([[2, 0]])),
            {"shape": (3, 2)},
            out=0,
        ),
        Case(
            put,
            (integer(2, 2, dtype="int32"), integer(1, dtype="int32"), values([[1], [1]], "int32")),
            {"shape": (2, 2)},
            out=0,
        ),
        Case(put, (normal(2, 3, 2), normal(2, 2), values([[0, 1], [2, 0]])), {"shape": (2, 3, 2)}, out=0),
        Case(put, (normal(4), normal(3), values([[1, 3]])), {"shape": (4,)}, out=0, error=True),
    ]
    fill = "one_hot"
    cases += [
        Case(fill, (integer(2, 2, high=3, dtype="int64"),), {"dtype": "float16"}, args=(3,)),
        Case(fill, (integer(3, high=3, dtype="uint8"),), {"on_value": -1.5, "off_value": 2.5}, args=(4,)),
        Case(fill, (where,), args=(1,)),
        Case(fill, (normal(2),), args=(-1,), error=True),
    ]
    shares = "_npi_share_memory"
    cases += [
        Case(shares, (normal(2, 3), normal(3))),
        Case(shares, (integer(2, dtype="int32"), integer(2, dtype="int32"))),
        Case(shares, (normal(2, dtype="float64"), normal(2))),
        Case(shares, (normal(0), normal(0)), tag="empty"),
    ]
    check = "_npx_constraint_check"
    cases += [
        Case(check, (values([1], "bool"),)),
        Case(check, (values([[1, 1], [1, 1]], "bool"),), {"msg": "all hold"}),
        Case(check, (values([[1, 1], [0, 1]], "bool"),), error=True),
    ]
    return cases


def _described() -> list[Case]:
    cases = []
    for op in ("shape_array", "size_array"):
        cases += [
            Case(op, (integer(*shape, dtype=d),)) for shape, d in (((3,), "int32"), ((1, 4, 2), "float64"))
        ]
        cases.append(Case(op, (normal(2, 3, 4, 1, 1),)))
    like = "reshape_like"
    ranges = {"lhs_begin": 1, "lhs_end": None, "rhs_begin": 1, "rhs_end": 3}
    cases += [
        Case(like, (normal(2, 6), normal(3, 2, 3)), ranges, grad=(0,)),
        Case(
            like,
            (normal(4, 3), normal(2, 2, 9)),
            {"lhs_begin": -2, "lhs_end": -1, "rhs_begin": 0, "rhs_end": -1},
        ),
        Case(like, (integer(6, dtype="int32"), normal(2, 3))),
        Case(like, (normal(6), normal(4)), error=True),
    ]
    smooth = "smooth_l1"
    cases += [
        Case(smooth, (values([-1, -0.5, 0, 0.5, 1, NAN]),), {"scalar": 1.0}, grad=(0,), tag="ends"),
        Case(smooth, (uniform(5, low=-2, high=2, dtype="float64"),), {"scalar": 3.0}, grad=(0,)),
    ]
    old = (distinct(2, 3), values([2.0, 0.0]))
    for places in ([0, 2], [1, 1], [2, 0]):
        cases.append(Case("onehot_encode", (values(places), old[0]), tag=str(places)))
    for number in (-2.5, 0.0):
        cases.append(Case("_set_value", (normal(2, 3, dtype="float64", name="out"),), args=(number,)))
    for op in ("_scatter_plus_scalar", "_scatter_minus_scalar"):
        cases += [
            Case(op, (normal(1, 4),), {"scalar": -0.5}),
            Case(op, (values([NAN, 0]),), {"scalar": 1.0}, tag="special"),
        ]
    return cases


CASES = _copies() + _masked() + _inserted() + _indexed() + _described()
