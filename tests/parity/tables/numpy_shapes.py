"""Operators of NumPy's namespace: reductions, shapes, joins, creation, choices and places."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, distinct, grid, integer, normal, uniform, values

FLOATS = ("float16", "float32", "float64")
INTS = ("int8", "uint8", "int32", "int64")
SOME = {"scalar": 2.0}


def _reductions() -> list[Case]:
    cases: list[Case] = []
    axes: list[dict[str, Any]] = [{}, {"axis": (1,)}, {"axis": (0, -1), "keepdims": True}, {"axis": ()}]
    for op in ("_np_sum", "_np_prod", "_npi_mean", "_np_max", "_np_min", "_npi_var", "_npi_std"):
        data = distinct(2, 3, 4) if op in ("_np_max", "_np_min") else uniform(2, 3, 4, low=0.5, high=2)
        some = [a for a in axes if not (a == {"axis": ()} and op in ("_npi_var", "_npi_std"))]
        cases += grid(op, (data,), *some, grad=() if op in ("_npi_var", "_npi_std") else (0,))
        cases += [Case(op, (integer(2, 3, low=1, high=4, dtype=d),), {"axis": (0,)}) for d in INTS]
        cases += [Case(op, (integer(2, 3, low=1, high=4, dtype=d),)) for d in ("float16", "float64")]
        cases.append(Case(op, (normal(),), tag="0-d"))
        cases.append(Case(op, (normal(2, 3),), {"axis": (2,)}, error=True))
    for op in ("_np_max", "_np_min"):
        cases += [
            Case(op, (values([1, float("nan"), 3]),)),
            Case(op, (normal(0, 3),), {"axis": (0,)}, tag="empty", error=True),
            Case(op, (normal(3),), {"initial": 2.0}, error=True),
        ]
    for op in ("_np_sum", "_np_prod", "_npi_mean"):
        cases += [
            *([Case(op, (normal(0, 3),), {"axis": (0,)}, tag="empty")] if op != "_np_prod" else []),
            Case(op, (integer(2, 3, high=3, dtype="int32"),), {"dtype": "float64"}),
            Case(op, (uniform(2, 3, high=3),), {"dtype": "float64"}, grad=(0,)),
            Case(op, (integer(5, high=2, dtype="bool"),)),
        ]
    cases += [
        Case("_np_sum", (integer(4, high=3),), {"dtype": "int32"}),
        Case("_np_product", (uniform(3, low=1, high=2),), grad=(0,)),
        Case("_np_amax", (distinct(3, 2),), grad=(0,)),
        Case("_np_amin", (distinct(3, 2),), grad=(0,)),
        Case("_npi_var", (normal(5, 3),), {"axis": (0,), "ddof": 1}),
        Case("_npi_std", (normal(5, 3),), {"axis": (0,), "ddof": 1}),
        Case("_npi_var", (integer(5, dtype="int32"),), {"dtype": "float64"}),
        Case("_npi_std", (integer(5, dtype="int32"),), {"dtype": "float32"}),
        Case("_npi_var", (normal(4, 2),), {"keepdims": True}),
    ]
    for op in ("_np_all", "_np_any", "_np_sometrue"):
        cases += grid(op, (integer(3, 4, high=2),), *axes[:3])
        cases += [
            Case(op, (integer(2, 3, high=2, dtype=d),), {"axis": (1,)}) for d in (*INTS, "bool", "float16")
        ]
        cases += [
            Case(op, (values([float("nan"), 1]),)),
            Case(op, (normal(),), tag="0-d"),
            Case(op, (normal(0, 2),), tag="empty"),
            Case(op, (normal(0, 2),), {"axis": (0,)}, tag="empty"),
        ]
    weights = uniform(3, low=0.5, high=2)
    cases += [
        Case("_npi_average", (normal(2, 3), weights), {"axis": (1,)}, grad=(0,)),
        Case("_npi_average", (normal(2, 3), weights), {"axis": (1,), "returned": True}, grad=(0,)),
        Case("_npi_average", (normal(2, 3), uniform(2, 3, low=0.5, high=2)), {"axis": (0,)}, grad=(0,)),
        Case("_npi_average", (normal(2, 3), uniform(2, 3, low=0.5, high=2)), grad=(0,)),
        Case("_npi_average", (normal(2, 3),), {"weighted": False}, grad=(0,)),
        Case("_npi_average", (normal(2, 3),), {"weighted": False, "returned": True, "axis": (1,)}),
        Case("_npi_average", (normal(2, 3, dtype="float64"),), {"weighted": False}),
        Case("_npi_average", (normal(2, 3), weights), error=True),
    ]
    for op in ("_npi_argmax", "_npi_argmin"):
        cases += grid(
            op, (distinct(3, 4),), {}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"keepdims": True}
        )
        cases += [
            Case(op, (integer(3, 4, dtype=d),), {"axis": -1}) for d in ("float64", "int32", "int64", "uint8")
        ]
        cases += [Case(op, (normal(),), tag="0-d"), Case(op, (values([1, float("nan"), 3]),))]
        cases.append(Case(op, (normal(2, 3),), {"axis": 2}, error=True))
    cases += grid(
        "_np_cumsum", (normal(2, 3),), {}, {"axis": 1}, {"axis": 0}, {"dtype": "float64"}, grad=(0,)
    )
    cases += [
        Case("_np_cumsum", (integer(4, high=2, dtype="bool"),)),
        Case("_np_cumsum", (integer(4, dtype="int32"),), {"dtype": "int64"}),
        Case("_np_cumsum", (normal(0),), tag="empty"),
        Case("_np_cumsum", (values([2048] + [1] * 9, dtype="float16"),), tag="steps"),
        Case(
            "_np_cumsum", (values([[2048, 1], [1, 2048], [1, 1]], dtype="float16"),), {"axis": 0}, tag="steps"
        ),
        Case("_np_cumsum", (values([0.75, 0.75, -1.5, 300.5]),), {"dtype": "int32"}, tag="fractions"),
        Case(
            "_np_cumsum",
            (values([[0.75, 0.75], [1.5, -1.5]]),),
            {"axis": 0, "dtype": "int8"},
            tag="fractions",
        ),
    ]
    return cases


def _shapes() -> list[Case]:
    box = normal(2, 3, 4)
    cases: list[Case] = []

    def each(
        op: str, data: Input, *params: dict[str, Any], dtypes: tuple[str, ...] = ("int32", "float64")
    ) -> None:
        cases.extend(grid(op, (data,), *params, grad=(0,)))
        whole = Input(data.shape, "int32", "int", 0, 9)
        cases.extend(Case(op, (Input(whole.shape, d, "int", 0, 9),), params[0]) for d in dtypes)

    codes = [
        (-2, -1),
        (-4,),
        (6, 4),
        (-1, 2),
        (-6, 1, 2, -4),
        (-2, -6, -1, 3, -2),
        (-5, -2),
        (-2, -5),
        (4, -1, 2),
    ]
    for op in ("_npx_reshape", "_npi_reshape"):
        each(op, box, *[{"newshape": c} for c in codes])
        cases += [
            Case(op, (normal(2, 1, 3),), {"newshape": (-2, -3, -1)}, grad=(0,)),
            Case(op, (normal(8, 3, 4),), {"newshape": (-1, -5), "reverse": True}),
            Case(op, (normal(8, 3, 3, 3, 4, 4),), {"newshape": (-6, 2, -1, -4)}),
            Case(op, (normal(0, 3),), {"newshape": (-1, 3)}, tag="empty"),
            Case(op, (normal(1, 1),), {"newshape": ()}, tag="0-d"),
            Case(op, (normal(2, 3),), {"newshape": (4, -1)}, error=True),
            Case(op, (normal(2, 3),), {"newshape": (-3, 6)}, error=True),
        ]
    each("_np_reshape", box, {"newshape": (6, 4)}, {"newshape": (-1, 8)}, {"newshape": (2, 1, 12)})
    cases += [
        Case("_np_reshape", (normal(1),), {"newshape": ()}, tag="0-d"),
        Case("_np_reshape", (normal(0, 3),), {"newshape": (3, 0)}, tag="empty"),
        Case("_np_reshape", (normal(2, 3),), {"newshape": (4, 2)}, error=True),
    ]
    each("_np_squeeze", normal(1, 3, 1), {}, {"axis": (0,)}, {"axis": (0, -1)})
    cases += [
        Case("_np_squeeze", (normal(1, 1),), tag="0-d"),
        Case("_np_squeeze", (normal(1, 3),), {"axis": (1,)}, error=True),
    ]
    each("_np_transpose", box, {}, {"axes": (1, 0, 2)}, {"axes": (-1, 0, 1)})
    cases += [
        Case("_np_transpose", (normal(0, 3),), tag="empty"),
        Case("_np_transpose", (box,), {"axes": (0, 0, 1)}, error=True),
    ]
    each(
        "_np_moveaxis",
        box,
        {"source": (0,), "destination": (-1,)},
        {"source": (0, 1), "destination": (-1, 0)},
        {"source": (2,), "destination": (0,)},
    )
    cases.append(Case("_np_moveaxis", (box,), {"source": (0, 0), "destination": (1, 2)}, error=True))
    each(
        "_np_roll",
        box,
        {"shift": (1,)},
        {"shift": (1, -2), "axis": (0, 2)},
        {"shift": (2,), "axis": (0, 1)},
        {"shift": (5,), "axis": (1,)},
        {"shift": (-1,), "axis": (-1,)},
    )
    cases.append(Case("_np_roll", (box,), {"shift": (1, 2), "axis": (0, 1, 2)}, error=True))
    cases += grid("_npi_rot90", (normal(2, 3, 2),), *[{"k": k, "axes": (0, 1)} for k in (0, 1, 2, 3, -1)])
    cases += grid("_npi_rot90", (box,), {"k": 1, "axes": (2, 0)}, {"k": 3, "axes": (1, 2)})
    cases.append(Case("_npi_rot90", (box,), {"k": 1, "axes": (1, 1)}, error=True))
    each("_npi_flip", box, {"axis": (0,)}, {"axis": (0, 2)}, {"axis": (1,)})
    each("_np_diag", normal(3), {}, {"k": 1}, {"k": -2})
    each("_np_diag", normal(3, 4), {}, {"k": 1}, {"k": -2}, {"k": 7})
    each("_np_diagflat", normal(2, 2), {}, {"k": 1}, {"k": -2})
    stack = normal(2, 3, 4)
    turned = {"offset": 1, "axis1": 2, "axis2": 0}
    for op in ("_np_diagonal", "_np_trace"):
        each(op, stack, {}, turned, {"offset": -1, "axis1": 0, "axis2": 2})
        cases.append(Case(op, (normal(3),), error=True))
        each(op, normal(3, 3), {}, {"offset": 1})
    each("_npi_tril", normal(3, 4), {}, {"k": 1}, {"k": -2})
    each("_npi_tril", normal(2, 3, 3), {}, {"k": 1})
    cases.append(Case("_npi_tril", (normal(3),), grad=(0,)))
    each("_npi_broadcast_to", normal(3), {"shape": (2, 3)}, {"shape": (2, -2)}, {"shape": (2, 2, 3)})
    cases += [
        Case("_npi_broadcast_to", (normal(2, 1),), {"shape": (2, 3)}, grad=(0,)),
        Case("_npi_broadcast_to", (normal(),), {"shape": (2,)}, grad=(0,), tag="0-d"),
        Case("_npi_broadcast_to", (normal(2),), {"shape": (3, 4)}, error=True),
    ]
    for axes in (1, 2, 3):
        op = f"_np_atleast_{axes}d"
        cases += [
            Case(op, (normal(),), {"num_args": 1}, tag="0-d"),
            Case(op, (normal(2), normal(2, 3)), {"num_args": 2}),
            Case(op, (normal(2, 3, 4),), {"num_args": 1}),
            Case(op, (normal(0),), {"num_args": 1}, tag="empty"),
            Case(op, (integer(2, dtype="int32"), integer(2, 3, dtype="int32")), {"num_args": 2}),
        ]
    for op in ("_npi_swapaxes",):
        each(op, box, {"dim1": 0, "dim2": 2}, {"dim1": -1, "dim2": 1})
    each("_npi_expand_dims", normal(2, 3), {"axis": 0}, {"axis": -1})
    each(
        "_npi_slice",
        normal(4, 5),
        {"begin": (1, 0), "end": (3, 4)},
        {"begin": (3, None), "end": (0, None), "step": (-1, 2)},
    )
    return cases


def _joins() -> list[Case]:
    cases: list[Case] = []
    pairs: dict[str, list[tuple[Input, Input]]] = {
        "vstack": [(normal(2), normal(2)), (normal(1, 2), normal(3, 2)), (normal(), normal())],
        "hstack": [(normal(2), normal(3)), (normal(2, 1), normal(2, 3)), (normal(), normal())],
        "dstack": [(normal(2), normal(2)), (normal(2, 3), normal(2, 3)), (normal(1, 2, 3), normal(1, 2, 1))],
        "column_stack": [(normal(2), normal(2, 3)), (normal(2), normal(2)), (normal(2, 1), normal(2, 2))],
        "stack": [(normal(2), normal(2)), (normal(), normal()), (normal(2, 3), normal(2, 3))],
        "concatenate": [(normal(1, 2), normal(3, 2)), (normal(2), normal(3)), (normal(0, 2), normal(1, 2))],
    }
    for name, some in pairs.items():
        op = "_npi_" + name
        cases += [Case(op, pair, {"num_args": 2}, grad=(0, 1)) for pair in some]
        cases += [
            Case(op, (integer(2, 2, dtype=d), integer(2, 2, dtype=d)), {"num_args": 2})
            for d in ("int32", "int64", "float64", "float16")
        ]
        if name != "stack":  # MXNet reads what is not there
            cases.append(Case(op, (normal(2, 3), normal(3, 2)), {"num_args": 2}, error=True))
    cases += [
        *grid(
            "_npi_stack",
            (normal(2, 3), normal(2, 3)),
            {"num_args": 2, "axis": 1},
            {"num_args": 2, "axis": -1},
        ),
        *grid(
            "_npi_concatenate",
            (normal(2, 3), normal(2, 3)),
            {"num_args": 2, "axis": 1},
            {"num_args": 2, "axis": -1},
        ),
        Case("_npi_concatenate", (normal(2, 3), normal(4)), {"num_args": 2, "axis": None}, grad=(0, 1)),
        Case("_npi_hstack", (normal(3), normal(2), normal(1)), {"num_args": 3}, grad=(0, 1, 2)),
    ]
    for op, shape, axis in (
        ("_npi_hsplit", (2, 4), 1),
        ("_npi_split", (2, 4), 1),
        ("_npi_dsplit", (2, 2, 4), 2),
    ):
        data = normal(*shape)
        cases += [
            Case(op, (data,), {"indices": (0, 1, 3), "axis": axis}, grad=(0,), heads=(0, 1, 2)),
            Case(op, (data,), {"indices": (), "sections": 2, "axis": axis}, grad=(0,), heads=(0, 1)),
            Case(op, (integer(*shape, dtype="int32"),), {"indices": (0, 2), "axis": axis}),
            Case(op, (data,), {"indices": (0, 2, 2), "axis": axis}, tag="empty"),
        ]
    cases += [
        Case("_npi_hsplit", (normal(4),), {"indices": (0, 2)}, grad=(0,), heads=(0, 1)),
        Case("_npi_hsplit", (normal(4),), {"indices": (), "sections": 2}),
    ]
    diff: list[dict[str, Any]] = [{}, {"n": 2}, {"n": 1, "axis": 0}, {"n": 0}, {"n": 7}]
    cases += grid("_npi_diff", (normal(3, 5),), *diff, grad=(0,))
    cases += [Case("_npi_diff", (integer(5, dtype=d),)) for d in ("int32", "int64", "float64")]
    cases += [
        Case("_npi_ediff1d", (normal(2, 3),), grad=(0,)),
        Case("_npi_ediff1d", (normal(4), normal(2)), {"to_begin_arr_given": True}, grad=(0, 1)),
        Case("_npi_ediff1d", (normal(4), normal(2)), {"to_end_arr_given": True}, grad=(0, 1)),
        Case("_npi_ediff1d", (normal(4),), {"to_begin_scalar": 2.0, "to_end_scalar": 3.0}, grad=(0,)),
        Case(
            "_npi_ediff1d",
            (normal(4), normal(2), normal(1)),
            {"to_begin_arr_given": True, "to_end_arr_given": True},
            grad=(0, 1, 2),
        ),
        Case("_npi_ediff1d", (integer(4, dtype="int32"),)),
    ]
    pads = [{"mode": m} for m in ("reflect", "symmetric", "edge", "maximum", "minimum")]
    around: dict[str, Any] = {"pad_width": ((1, 2), (0, 2))}
    cases += [Case("_npi_pad", (distinct(3, 4),), around | p) for p in pads]
    cases += [
        Case("_npi_pad", (normal(3, 4),), around | {"constant_value": 1.5}, grad=(0,)),
        Case("_npi_pad", (normal(2, 3, 2),), {"pad_width": ((1, 0), (0, 1), (2, 2))}, grad=(0,)),
        Case("_npi_pad", (integer(2, 3, dtype="int32"),), around | {"constant_value": 7.0}),
        Case("_npi_pad", (normal(2, 3, dtype="float64"),), around),
    ]
    return cases


def _creation() -> list[Case]:
    types = ("float32", "float64", "float16", "int32", "int64")
    cases: list[Case] = []
    for op in ("_npi_zeros", "_npi_ones"):
        cases += [Case(op, (), {"shape": (2, 3), "dtype": d}) for d in (*types, "bool", "int8", "uint8")]
        cases += [Case(op, (), {"shape": s}) for s in ((), (0, 2), (3,))]
    cases += [Case("_npi_identity", (), {"shape": (3, 3), "dtype": d}) for d in types]
    cases += [Case("_npi_identity", (), {"shape": (0, 0)})]
    eyes: list[dict[str, Any]] = [
        {"N": 3},
        {"N": 2, "M": 4, "k": 1},
        {"N": 4, "M": 2, "k": -1},
        {"N": 2, "M": 0},
    ]
    cases += grid("_npi_eye", (), *eyes, {"N": 2, "M": None, "dtype": "int32"}, {"N": 2, "k": 9})
    cases += grid(
        "_npi_arange",
        (),
        {"start": 0, "stop": 3},
        {"start": 3},
        {"start": 0, "stop": 1, "step": 0.25},
        {"start": 3, "stop": 0},
        {"start": 3, "stop": 0, "step": -1, "dtype": "int32"},
    )
    logs: dict[str, Any] = {"start": 0, "stop": 2, "num": 5}
    cases += grid("_npi_logspace", (), logs, logs | {"endpoint": False}, logs | {"base": 2.0}, rtol=2e-5)
    cases += grid("_npi_logspace", (), logs | {"num": 0}, logs | {"num": 1}, logs | {"dtype": "float64"})
    for op in ("_npi_hanning", "_npi_hamming", "_npi_blackman"):
        cases += grid(
            op, (), {"M": 0}, {"M": 1}, {"M": 5}, {"M": 12}, {"M": 7, "dtype": "float64"}, atol=1e-6
        )
    grids: list[dict[str, Any]] = [{"dimensions": (2, 3)}, {"dimensions": (4,)}, {"dimensions": (2, 0, 3)}]
    cases += grid("_npi_indices", (), *grids, {"dimensions": (2, 3, 2), "dtype": "int64"})
    cases += [Case("_npi_indices", (), {"dimensions": (2, 2), "dtype": "float32"})]
    cases += [
        Case("_npi_full_like", (normal(2, 3),), {"fill_value": 3.0, "dtype": d}) for d in (*types, "bool")
    ]
    cases += [
        Case("_npi_full_like", (integer(2, dtype="int32"),), {"fill_value": 3.0}),
        Case("_npi_full_like", (normal(),), {"fill_value": 3.0}, grad=(0,), tag="0-d"),
        Case("_npi_full_like", (normal(0, 2),), {"fill_value": 3.0}, tag="empty"),
    ]
    cases += [Case("_npi_diag_indices_from", (normal(*s),)) for s in ((3, 3), (2, 2, 2), (1, 1), (0, 0))]
    cases += [
        Case("_npi_diag_indices_from", (normal(2, 3),), error=True),
        Case("_npi_full", (), {"shape": (2,), "value": 3.0, "dtype": "int32"}),
    ]
    return cases


def _choices() -> list[Case]:
    cases: list[Case] = []
    condition = integer(2, 3, high=2)
    cases += [
        Case("_npi_where", (condition, normal(2, 3, dtype=d), normal(2, 3, dtype=d)), grad=(1, 2))
        for d in FLOATS[1:]
    ]
    cases += [
        Case("_npi_where", (condition, integer(2, 3, dtype=d), integer(2, 3, dtype=d)))
        for d in (*INTS, "bool", "float16")
    ]
    cases += [
        Case("_npi_where", (integer(3, high=2, dtype="bool"), normal(2, 1), normal(1)), grad=(1, 2)),
        Case("_npi_where", (integer(2, 1, high=2, dtype="int32"), normal(), normal(3)), grad=(1, 2)),
        Case("_npi_where", (integer(high=2), normal(), normal()), tag="0-d"),
        Case("_npi_where", (condition, normal(2), normal(3)), error=True),
    ]
    for op in ("_npi_where_lscalar", "_npi_where_rscalar"):
        cases += [Case(op, (condition, normal(2, 3, dtype=d)), SOME) for d in FLOATS[1:]]
        cases += [Case(op, (condition, integer(2, 3, dtype=d)), SOME) for d in ("int32", "int64", "float16")]
        cases += [
            Case(op, (integer(3, high=2, dtype="bool"), normal(2, 1)), SOME),
            Case(op, (integer(high=2), normal()), SOME, tag="0-d"),
            Case(op, (integer(0, 3, high=2), normal(3)), SOME, tag="empty"),
        ]
    cases += [
        Case("_npi_where_scalar2", (integer(5, high=2, dtype=d),), {"x": 1.5, "y": 3.0})
        for d in (*INTS, "bool", "float32")
    ]
    odd = [float("nan"), float("inf"), float("-inf"), 1.0]
    cases += [Case("_npi_nan_to_num", (values(odd, dtype=d),), grad=(0,)) for d in FLOATS]
    cases += grid(
        "_npi_nan_to_num", (values(odd),), {"nan": 2.0, "posinf": 5.0}, {"neginf": -7.0}, {"copy": False}
    )
    cases += [Case("_npi_nan_to_num", (integer(3, dtype=d),)) for d in ("int32", "int64")]
    halves = values([0.5, 1.5, -2.5, 12.345, -0.5, 127.5, 2.25])
    cases += grid("_npi_around", (halves,), {}, {"decimals": 1}, {"decimals": -1}, {"decimals": 3}, grad=(0,))
    cases += [
        Case("_npi_around", (uniform(6, low=-50, high=50, dtype="float64"),), {"decimals": 2}),
        Case("_npi_around", (integer(6, high=90, dtype="int32"),), {"decimals": -1}),
        Case("_npi_around", (integer(6, high=90, dtype="int64"),), {"decimals": 2}),
        Case("_npi_around", (normal(),), tag="0-d"),
        Case("_npi_around", (normal(0),), tag="empty"),
    ]
    mask = integer(3, high=2, dtype="bool")
    cases += [
        Case("_npi_boolean_mask_assign_scalar", (normal(3, 4), mask), {"value": 9.0, "start_axis": 0}, out=0),
        Case("_npi_boolean_mask_assign_scalar", (normal(2, 3), mask), {"value": 9.0, "start_axis": 1}, out=0),
        Case(
            "_npi_boolean_mask_assign_scalar",
            (integer(3, 3, dtype="int32"), integer(3, 3, high=2, dtype="bool")),
            {"value": 9.0, "start_axis": 0},
            out=0,
        ),
        Case(
            "_npi_boolean_mask_assign_scalar",
            (normal(2, 3), mask),
            {"value": 9.0, "start_axis": 0},
            out=0,
            error=True,
        ),
    ]
    fixed = values([1, 0, 1], dtype="bool")
    for given in (normal(2), normal(1)):
        cases.append(
            Case("_npi_boolean_mask_assign_tensor", (normal(3), fixed, given), {"start_axis": 0}, out=0)
        )
    for given, start in ((normal(2, 4), 0), (normal(1, 4), 0)):
        cases.append(
            Case(
                "_npi_boolean_mask_assign_tensor", (normal(3, 4), fixed, given), {"start_axis": start}, out=0
            )
        )
    cases += [
        Case("_npi_share_memory", (normal(2), normal(2))),
        Case("_npx_constraint_check", (values([1, 1], dtype="bool"),)),
        Case("_npx_constraint_check", (values([1, 0], dtype="bool"),), {"msg": "no"}, error=True),
        Case("_np_copy", (normal(2, 3),), grad=(0,)),
        Case("_np_copy", (integer(2, dtype="int32"),)),
        Case("_np_copy", (normal(),), tag="0-d"),
    ]
    return cases


def _counted() -> list[Case]:
    """Results whose extents depend on the elements."""
    cases: list[Case] = []
    for dtype in (*INTS, "float32", "float64", "float16"):
        cases.append(Case("_npi_nonzero", (integer(3, 4, high=2, dtype=dtype),)))
        cases.append(Case("_npi_unique", (integer(7, high=4, dtype=dtype),)))
    for op in ("_npi_nonzero", "_npx_nonzero"):
        cases += [Case(op, (values(data),), tag=str(data)) for data in (0.0, 3.0, [0, 0], [float("nan"), 0])]
        cases.append(Case(op, (normal(0, 3),), tag="empty"))
    all_of_it = {"return_index": True, "return_inverse": True, "return_counts": True}
    for shape in ((6,), (3, 3), (0,), ()):
        cases += grid("_npi_unique", (integer(*shape, high=3),), all_of_it, {"return_counts": True})
    pairs = values([[1, 0, 1], [2, 2, 2], [1, 0, 1]])
    cases += [Case("_npi_unique", (pairs,), {**all_of_it, "axis": axis}) for axis in (0, 1, -1)]
    cases.append(Case("_npi_unique", (pairs,), {"axis": 2}, error=True))
    count = "_npi_bincount"
    for dtype in INTS:
        cases += grid(count, (integer(9, high=5, dtype=dtype),), {}, {"minlength": 8})
    for dtype in ("float32", "float64", "int32"):
        given = (integer(6, dtype="int32"), integer(6, high=9, dtype=dtype))
        cases.append(Case(count, given, {"has_weights": True}))
    cases += [
        Case(count, (integer(0, dtype="int32"),), {"minlength": 3}, tag="empty"),
        Case(count, (values([-1, 2], dtype="int32"),), error=True),
        Case(count, (normal(3),), error=True),
        Case(count, (integer(2, 2, dtype="int32"),), error=True),
        Case("_npi_boolean_mask", (normal(3, 2), values([1, 0, 1])), grad=(0,)),
        Case("_npi_boolean_mask", (normal(3), values([0, 0, 0], dtype="bool"))),
        Case("_npi_boolean_mask", (normal(3, 2), values([1, 0])), error=True),
    ]
    return cases


CASES: list[Case] = [*_reductions(), *_shapes(), *_joins(), *_creation(), *_choices(), *_counted()]
