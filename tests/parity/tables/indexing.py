"""Products, gathering and scattering."""

from __future__ import annotations

from ..case import Case, grid, integer, normal, values

TABLE = normal(4, 3)


def _dot() -> list[Case]:
    return [
        Case("dot", (normal(3, 4), normal(4, 5)), grad=(0, 1)),
        Case("dot", (normal(4, 3), normal(4, 5)), {"transpose_a": True}, grad=(0, 1)),
        Case("dot", (normal(3, 4), normal(5, 4)), {"transpose_b": True}, grad=(0, 1)),
        Case("dot", (normal(4, 3), normal(5, 4)), {"transpose_a": True, "transpose_b": True}, grad=(0, 1)),
        Case("dot", (normal(4), normal(4)), grad=(0, 1)),
        Case("dot", (normal(2), normal(2, 3)), grad=(0, 1)),
        Case("dot", (normal(3, 2), normal(2)), grad=(0, 1)),
        Case("dot", (normal(2, 3, 4), normal(4, 5)), grad=(0, 1)),
        Case("dot", (normal(2, 3, 4), normal(4, 2, 3)), grad=(0, 1)),
        Case("dot", (normal(4, 2, 3), normal(4, 5, 2)), {"transpose_a": True}),
        Case("dot", (normal(2, 3, 4), normal(5, 2, 4)), {"transpose_b": True}),
        Case("dot", (normal(3, 4, dtype="float64"), normal(4, 2, dtype="float64")), grad=(0, 1)),
        Case("dot", (normal(2, 3), normal(2, 3)), error=True),
        Case("batch_dot", (normal(2, 3, 4), normal(2, 4, 5)), grad=(0, 1)),
        Case("batch_dot", (normal(2, 4, 3), normal(2, 4, 5)), {"transpose_a": True}, grad=(0, 1)),
        Case("batch_dot", (normal(2, 3, 4), normal(2, 5, 4)), {"transpose_b": True}, grad=(0, 1)),
        Case("batch_dot", (normal(2, 2, 3, 4), normal(2, 2, 4, 5)), grad=(0, 1)),
        Case("batch_dot", (normal(1, 3, 4), normal(2, 4, 5)), error=True),
    ]


def _gather() -> list[Case]:
    return [
        Case("take", (TABLE, values([0, 3, 3, 1])), grad=(0,)),
        Case("take", (TABLE, values([[0, 2], [1, 0]], "int32")), {"axis": 1}, grad=(0,)),
        Case("take", (TABLE, values([1, 0], "int64")), {"axis": -1}, grad=(0,)),
        *grid("take", (TABLE, values([-1, 0, 9, 2, -7])), {"mode": "clip"}, {"mode": "wrap"}, grad=(0,)),
        Case("take", (TABLE, values([0, 3])), {"mode": "raise"}),
        Case("take", (TABLE, values([1.7, 0.2])), tag="fraction"),
        Case("batch_take", (TABLE, values([0, 2, 1, 0], "int32"))),
        Case("batch_take", (TABLE, values([0, 5, -2, 1], "int32")), tag="outside"),
        *grid("pick", (TABLE, values([0, 2, 5, -1])), {"mode": "clip"}, {"mode": "wrap"}, grad=(0,)),
        Case("pick", (TABLE, values([3, 0, 1])), {"axis": 0}, grad=(0,)),
        Case("pick", (TABLE, values([0, 1, 2, 0])), {"keepdims": True}, grad=(0,)),
        Case("pick", (normal(2, 3, 4), integer(2, 3, high=4)), grad=(0,)),
        Case("choose_element_0index", (TABLE, values([0, 2, 1, 0]))),
        Case("one_hot", (values([0, 2, -1, 3]),), args=(3,)),
        Case(
            "one_hot",
            (values([[1], [0]], "int32"),),
            {"on_value": 5, "off_value": -1, "dtype": "int32"},
            args=(2,),
        ),
        Case("one_hot", (values([1.9, 0.1]),), args=(3,), tag="fraction"),
        Case("gather_nd", (TABLE, values([[0, 2, 0], [1, 0, 1]])), grad=(0,)),
        Case("gather_nd", (TABLE, values([[0, 2]], "int64")), grad=(0,)),
        Case("gather_nd", (TABLE, values([[-1], [0]])), tag="negative"),
        Case("scatter_nd", (values([1, 2]), values([[0, 1], [1, 0]])), {"shape": (2, 2)}, grad=(0,)),
        Case("scatter_nd", (normal(2, 3), values([[2, 0]], "int32")), {"shape": (4, 3)}, grad=(0,)),
        Case("_scatter_set_nd", (TABLE, values([9, 8]), values([[0, 1], [1, 0]])), {"shape": (4, 3)}, out=0),
        Case("Embedding", (values([0, 2, 2]), normal(3, 2)), {"input_dim": 3, "output_dim": 2}, grad=(1,)),
        Case(
            "Embedding",
            (values([[0, 1], [2, 2]], "int32"), normal(3, 2)),
            {"input_dim": 3, "output_dim": 2},
            grad=(1,),
        ),
        Case(
            "Embedding",
            (values([0, 5, -1, 1.7]), normal(3, 2)),
            {"input_dim": 3, "output_dim": 2},
            grad=(1,),
            tag="outside",
        ),
        Case("ravel_multi_index", (values([[1, 2], [2, 0]]),), {"shape": (3, 4)}),
        Case("unravel_index", (values([6, 11]),), {"shape": (3, 4)}),
    ]


def _few() -> list[Case]:
    """More of places as numbers and of elements by place."""
    ravel, unravel, take = "ravel_multi_index", "unravel_index", "batch_take"
    cases = [
        Case(ravel, (values([[0, 1], [2, 3], [1, 0]]),), {"shape": (2, 4, 3)}),
        Case(ravel, (values([[1, 5, 0]]),), {"shape": (9,)}),
        Case(ravel, (values([[1], [2]], "int64"),), {"shape": (2, 3)}),
        Case(ravel, (values([[3, -1], [1, 0]]),), {"shape": (2, 3)}, tag="outside"),
        Case(ravel, (values([[1, 2]]),), {"shape": (2, 3)}, error=True),
        Case(unravel, (values([[0, 23], [7, 12]]),), {"shape": (2, 4, 3)}),
        Case(unravel, (values([0, 8]),), {"shape": (9,)}),
        Case(unravel, (values([5], "int64"),), {"shape": (2, 3)}),
        Case(unravel, (values([0, 8, 3, 3, 5]),), {"shape": (3, 3)}),
        Case(unravel, (values([5, 6, 1], "int32"),), {"shape": (-1, 3)}),
        Case(take, (TABLE, values([2, 2, 2, 0], "int32")), tag="repeated"),
        Case(take, (normal(3, 1, dtype="float64"), values([0, 0, 0], "int32"))),
        Case(take, (integer(2, 5, dtype="int32"), values([4, 1], "int32"))),
        Case(take, (TABLE, values([0, 1], "int32")), error=True),
    ]
    for data in (values([[1, 5, 5], [0, -1, -2]]), normal(1, 4, dtype="float64"), normal(4, 1)):
        cases.append(Case("argmax_channel", (data,)))
    cases.append(Case("argmax_channel", (values([[1, float("nan"), 2], [float("nan")] * 3]),), tag="nan"))
    return cases


CASES = _dot() + _gather() + _few()
