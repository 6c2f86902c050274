"""Layout, joining, cutting and creating."""

from __future__ import annotations

from ..case import Case, Input, distinct, grid, integer, normal, values

CUBE = (normal(2, 3, 4),)
IMAGE = (normal(1, 2, 3, 4),)


def _layout() -> list[Case]:
    shapes = ((0, -1), (-2,), (-3, 0), (0, 0, -4, 2, -1), (-4, 1, 2, -2), (-1,), (4, -1), (0, -3), (6, 4))
    cases = [Case("reshape", CUBE, {"shape": s}, grad=(0,)) for s in shapes]
    cases += [
        Case("reshape", (normal(10, 5, 4),), {"shape": (-1, 0), "reverse": True}),
        Case("Reshape", CUBE, {"shape": (0, -1)}),
        Case("method.reshape", CUBE, args=((4, 6),)),
        Case("method.reshape", CUBE, args=(-1,)),
        Case("reshape_like", (*CUBE, normal(6, 4)), grad=(0,)),
        Case(
            "reshape_like",
            (normal(30, 7), normal(15, 2, 4)),
            {"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2},
            grad=(0,),
        ),
        *grid("transpose", CUBE, {}, {"axes": (0, 2, 1)}, {"axes": (2, 0, 1)}, grad=(0,)),
        *grid("expand_dims", CUBE, {"axis": 0}, {"axis": -1}, {"axis": -4}, {"axis": 2}, grad=(0,)),
        Case("expand_dims", CUBE, {"axis": 4}, error=True),
        *grid("squeeze", (normal(1, 2, 1, 3),), {}, {"axis": 0}, {"axis": (0, 2)}, grad=(0,)),
        Case("squeeze", (normal(1, 1),)),
        Case("squeeze", (normal(1, 2),), {"axis": 1}, error=True),
        *grid("flip", CUBE, {"axis": 1}, {"axis": (0, 2)}, grad=(0,)),
        Case("reverse", CUBE, {"axis": 0}, grad=(0,)),
        *grid("tile", (normal(2, 3),), {"reps": (2, 2)}, {"reps": (2,)}, {"reps": (2, 1, 2)}, grad=(0,)),
        *grid(
            "repeat",
            (normal(2, 3),),
            {"repeats": 2},
            {"repeats": 3, "axis": 0},
            {"repeats": 2, "axis": -1},
            grad=(0,),
        ),
        *grid("swapaxes", CUBE, {"dim1": 0, "dim2": 2}, {"dim1": 1, "dim2": 2}, grad=(0,)),
        Case("SwapAxis", CUBE, {"dim1": 0, "dim2": 1}),
        Case("flatten", CUBE, grad=(0,)),
        Case("Flatten", (normal(3),)),
        *grid("broadcast_to", (normal(1, 3, 1),), {"shape": (2, 3, 4)}, {"shape": (2, 0, 0)}, grad=(0,)),
        Case("broadcast_axis", (normal(1, 3, 1),), {"axis": (0, 2), "size": (2, 4)}, grad=(0,)),
        Case("broadcast_axes", (normal(1, 3),), {"axis": 0, "size": 2}, grad=(0,)),
        Case("broadcast_like", (normal(1, 3), normal(5, 3)), grad=(0,)),
        Case(
            "broadcast_like", (normal(1, 3), normal(5, 6)), {"lhs_axes": (0,), "rhs_axes": (-1,)}, grad=(0,)
        ),
        Case("depth_to_space", (normal(1, 8, 2, 3),), {"block_size": 2}, grad=(0,)),
        Case("space_to_depth", (normal(1, 2, 4, 6),), {"block_size": 2}, grad=(0,)),
        Case("BlockGrad", CUBE, grad=(0,)),
        Case("stop_gradient", CUBE),
        Case("make_loss", CUBE, grad=(0,)),
        Case("shape_array", CUBE),
        Case("size_array", CUBE),
    ]
    for mode in ("constant", "edge", "reflect"):
        cases.append(
            Case(
                "pad",
                IMAGE,
                {"mode": mode, "pad_width": (0, 0, 0, 0, 1, 2, 2, 1), "constant_value": 0.5},
                grad=(0,),
            )
        )
        cases.append(
            Case("Pad", (normal(1, 1, 3, 3, 3),), {"mode": mode, "pad_width": (0, 0, 0, 0, 1, 1, 2, 0, 0, 1)})
        )
    return cases


def _join_and_cut() -> list[Case]:
    rows = (normal(2, 3), normal(2, 3))
    matrix = (normal(3, 5),)
    return [
        Case("concat", rows, grad=(0, 1)),
        Case("Concat", rows, {"dim": 0}, grad=(0, 1)),
        Case("concat", (normal(2, 1, 2), normal(2, 3, 2), normal(2, 2, 2)), {"dim": 1}, grad=(0, 1, 2)),
        Case("concat", rows, {"dim": -1}),
        Case("concat", (integer(2, dtype="int32"),) * 2, {"dim": 0}),
        Case("concat", (normal(2, 3), normal(3, 3)), {"dim": 1}, error=True),
        *grid("stack", rows, {}, {"axis": 1}, {"axis": -1}, grad=(0, 1)),
        Case("split", (normal(2, 6),), {"num_outputs": 3}, grad=(0,), heads=(0, 1, 2)),
        Case("SliceChannel", (normal(4, 3),), {"num_outputs": 2, "axis": 0}, grad=(0,), heads=(0, 1)),
        Case("split", (normal(2, 3),), {"num_outputs": 3, "squeeze_axis": True}),
        Case("split", (normal(2, 3),), {"num_outputs": 1}),
        Case("split", (normal(2, 3),), {"num_outputs": 2}, error=True),
        Case("split_v2", (normal(2, 6),), {"axis": 1}, args=((2, 5),)),
        Case("split_v2", (normal(2, 6),), {"axis": 1}, args=(3,)),
        *grid(
            "slice",
            matrix,
            {"begin": (0, 1), "end": (2, 4)},
            {"begin": (None, 1), "end": (None, None)},
            {"begin": (None, None), "end": (None, None), "step": (-1, 2)},
            {"begin": (-2, -3), "end": (None, -1)},
            {"begin": (1,), "end": (9,)},
            {"begin": (2, 4), "end": (0, 0), "step": (-1, -2)},
            grad=(0,),
        ),
        *grid(
            "slice_axis",
            matrix,
            {"axis": 1, "begin": 1, "end": 3},
            {"axis": -1, "begin": -2, "end": None},
            grad=(0,),
        ),
        Case("slice_axis", matrix, {"axis": 1, "begin": 1, "end": 9}, error=True),
        Case("slice_like", (normal(3, 5), normal(2, 3)), grad=(0,)),
        Case("slice_like", (normal(3, 5), normal(2, 3)), {"axes": (0,)}, grad=(0,)),
        Case("_slice_assign", (normal(3, 4), normal(1, 2)), {"begin": (1, 0), "end": (2, 2)}),
        Case("_slice_assign", (normal(4), normal(2)), {"begin": (0,), "end": (4,), "step": (2,)}),
        Case("_slice_assign_scalar", (normal(3, 4),), {"scalar": 7.0, "begin": (1,), "end": (2,)}),
    ]


def _create() -> list[Case]:
    cases = [
        Case(op, (integer(2, 3, dtype=dtype),))
        for op in ("zeros_like", "ones_like")
        for dtype in ("float32", "float64", "int32")
    ]
    cases += [
        Case("_zeros", params={"shape": (2, 3)}),
        Case("_ones", params={"shape": (2,), "dtype": "int32"}),
        Case("_full", params={"shape": (2, 2), "value": 1.5}),
        Case("_full", params={"shape": (2,), "value": 3, "dtype": "int64"}),
        Case("_arange", params={"start": 0, "stop": 5}),
        Case("_arange", params={"start": 4}),
        Case("_arange", params={"start": 0, "stop": 3, "repeat": 2}),
        Case("_arange", params={"start": 5, "stop": 0, "step": -2, "dtype": "int32"}),
        Case("_linspace", params={"start": 0, "stop": 1, "num": 5}),
        Case("_linspace", params={"start": 0, "stop": 1, "num": 5, "endpoint": False}),
        Case("_eye", params={"N": 3}),
        Case("_eye", params={"N": 2, "M": 4, "k": 1}),
        Case("_eye", params={"N": 3, "M": 3, "k": -1, "dtype": "float64"}),
        Case("zeros", args=((2, 3),)),
        Case("ones", args=(3,)),
        Case("full", args=((2,), 2.5)),
        Case("arange", args=(3,)),
        Case("arange", args=(1, 10, 3), params={"dtype": "int32"}),
        Case("arange", args=(0, 10, 1.3), params={"dtype": "int32"}),
        Case("arange", args=(5, -3, -1.5), params={"dtype": "int64"}),
        Case("arange", args=(1.7, 9, 1.1), params={"dtype": "uint8"}),
        Case("arange", args=(0, 5, 0.7), params={"dtype": "int32", "repeat": 2}),
        Case("arange", args=(-3.5, 3, 1.25), params={"dtype": "float64"}),
        Case("linspace", args=(0, 2, 5)),
        Case("eye", args=(3, 4, -1)),
        Case("linspace", args=(0, 7, 4), params={"dtype": "int32"}),
        Case("linspace", args=(1, 2, 0)),
        Case("where", (values([[1, 0], [0, 2]]), normal(2, 2), normal(2, 2)), grad=(1, 2)),
        Case("where", (values([1, 0, 1]), normal(3, 2), normal(3, 2)), grad=(1, 2)),
        Case("where", (values([1, 0, 2], "int32"), normal(3), normal(3)), grad=(1, 2)),
        Case("where", (values([1, 0]), normal(3, 2), normal(3, 2)), error=True),
        Case("diag", (normal(3),)),
        Case("diag", (distinct(3, 3),), {"k": 1}),
    ]
    return cases


def _few() -> list[Case]:
    """More of the operators with few options."""
    cases = [
        Case("broadcast_to", (normal(1, 1),), {"shape": (1, 4)}, grad=(0,)),
        Case("broadcast_to", (normal(3, 1, dtype="float64"),), {"shape": (0, 2)}, grad=(0,)),
        Case("broadcast_to", (integer(1, 2, dtype="int32"),), {"shape": (3, 2)}),
        Case("broadcast_to", (normal(2, 3),), {"shape": (4, 3)}, error=True),
        Case("broadcast_axis", (normal(2, 1, 1),), {"axis": (1, 2), "size": (3, 1)}, grad=(0,)),
        Case("broadcast_axis", (integer(1, 3, dtype="int32"),), {"axis": 0, "size": 4}),
        Case("broadcast_axis", (normal(1, 3, dtype="float64"),), {"axis": 0, "size": 2}, grad=(0,)),
        Case("broadcast_axis", (normal(2, 3),), {"axis": 0, "size": 4}, error=True),
        Case("broadcast_like", (normal(1, 1, dtype="float64"), normal(2, 3, dtype="float64")), grad=(0,)),
        Case(
            "broadcast_like", (normal(2, 1), normal(4, 5)), {"lhs_axes": (1,), "rhs_axes": (0,)}, grad=(0, 1)
        ),
        Case("broadcast_like", (normal(2, 3), normal(4, 3)), error=True),
        Case("diag", (normal(2, 4),), {"k": -1}, grad=(0,)),
        Case("diag", (normal(3, dtype="float64"),), {"k": 2}, grad=(0,)),
        Case("diag", (normal(2, 3, 4),), {"axis1": 0, "axis2": 2}, grad=(0,)),
        Case("diag", (normal(2, 3, 4),), {"k": 1, "axis1": -1, "axis2": 1}, grad=(0,)),
        Case("diag", (integer(2, 3, dtype="int32"),), {"k": 1}),
        Case("slice_like", (normal(3, 5), normal(2, 9)), {"axes": (0,)}, grad=(0, 1)),
        Case(
            "slice_like",
            (normal(3, 5, 2, dtype="float64"), normal(1, 4, 2, dtype="float64")),
            {"axes": (-2,)},
            grad=(0,),
        ),
        Case("slice_like", (integer(4, dtype="int32"), integer(2, dtype="int32"))),
        Case("slice_like", (normal(2, 3), normal(3, 3)), error=True),
        Case("_slice_assign", (normal(3, 4), normal(3, 2)), {"begin": (None, 1), "end": (None, 3)}),
        Case(
            "_slice_assign",
            (normal(4, dtype="float64"), normal(4, dtype="float64")),
            {"begin": (3,), "end": (None,), "step": (-1,)},
        ),
        Case(
            "_slice_assign",
            (integer(2, 2, dtype="int32"), integer(1, 2, dtype="int32")),
            {"begin": (-1,), "end": (None,)},
        ),
        Case("_slice_assign", (normal(3, 4), normal(2, 2)), {"begin": (0, 0), "end": (1, 2)}, error=True),
    ]
    put = "_slice_assign_scalar"
    cases += [
        Case(put, (normal(3, 4),), {"scalar": -1.5, "begin": (None, 1), "end": (None, 4), "step": (1, 2)}),
        Case(put, (normal(3, 4, dtype="float64"),), {"scalar": 0.1, "begin": (-1,), "end": (None,)}),
        Case(put, (integer(5, dtype="int32"),), {"scalar": 2.0, "begin": (4,), "end": (0,), "step": (-2,)}),
        Case(put, (normal(3, 4),), {"scalar": 1.0, "begin": (0, 0, 0), "end": (1, 1, 1)}, error=True),
    ]
    for op, shape in (("depth_to_space", (2, 9, 1, 2)), ("space_to_depth", (2, 1, 3, 6))):
        cases += [
            Case(op, (normal(*shape),), {"block_size": 3}, grad=(0,)),
            Case(op, (normal(*shape, dtype="float64"),), {"block_size": 1}, grad=(0,)),
            Case(op, (normal(2, 5, 3, 5),), {"block_size": 2}, error=True),
            Case(op, (normal(2, 4, 4),), {"block_size": 2}, error=True),
            Case(op, (integer(1, 4, 2, 2, dtype="int32"),), {"block_size": 2}),
        ]
    for op in ("_zeros", "_ones"):
        cases += [
            Case(op, (), {"shape": (2, 1), "dtype": d}) for d in ("int32", "int64", "float64", "float16")
        ]
    cases += [
        Case("_full", (), {"shape": (1, 2), "value": -0.1, "dtype": "float64"}),
        Case("_full", (), {"shape": (2,), "value": float("nan")}),
        Case("_eye", (), {"N": 1, "dtype": "int32"}),
        Case("_eye", (), {"N": 2, "M": 2, "k": 5}),
        Case("_zeros", (), {"shape": (2,), "dtype": "text"}, error=True),
    ]
    for shape, dtype in (
        ((2, 3), "float32"),
        ((1,), "float64"),
        ((2, 1, 2), "int32"),
        ((4,), "float16"),
        ((2,), "int64"),
    ):
        given = (
            normal(*shape, dtype=dtype, name="out")
            if dtype[0] == "f"
            else integer(*shape, low=1, dtype=dtype, name="out")
        )
        cases.append(Case("_zeros_without_dtype", (given,), {"shape": shape}))
    for data in (normal(2, 3), normal(1), integer(4, dtype="int32"), normal(2, dtype="float64")):
        cases.append(Case("_copyto", (data, Input(data.shape, data.dtype, name="out"))))
    cases.append(Case("_copyto", (normal(2, 3), normal(3, 2, name="out")), error=True))
    return cases


CASES = _layout() + _join_and_cut() + _create() + _few()
