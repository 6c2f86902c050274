"""Reductions, index reductions and ordering."""

from __future__ import annotations

from typing import Any

from ..case import Case, distinct, grid, integer, normal, uniform, values

NAN = float("nan")
AXES: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 1},
    {"axis": (0, 2), "keepdims": True},
    {"axis": 1, "exclude": True},
    {"axis": -1},
)


def _reductions() -> list[Case]:
    cases: list[Case] = []
    for op in ("sum", "mean", "prod", "nansum", "nanprod", "max", "min"):
        source = distinct(2, 3, 4) if op in ("max", "min") else uniform(2, 3, 4, low=0.5, high=1.5)
        cases += grid(op, (source,), *AXES, grad=(0,))
        cases.append(Case(op, (integer(3, 4, low=1, high=4, dtype="int32"),), {"axis": 0}))
        cases.append(Case(op, (uniform(3, 4, dtype="float64", low=0.5, high=1.5),), {"axis": 1}, rtol=1e-6))
        cases.append(Case(op, (uniform(3, 4, dtype="float16", low=0.5, high=1.5),), {"axis": 1}))
    cases += [
        Case("nansum", (values([[1, NAN, 3], [NAN, NAN, 2]]),), {"axis": 1}, grad=(0,), tag="nan"),
        Case("nanprod", (values([[1, NAN, 3], [4, NAN, 2]]),), {"axis": 1}, grad=(0,), tag="nan"),
        Case("max", (values([1, NAN, 2]),), tag="nan"),
        Case("min", (values([1, NAN, 2]),), tag="nan"),
        Case("max", (values([[1, 3, 3], [2, 2, 1]]),), {"axis": 1}, grad=(0,), tag="tie"),
        Case("sum", (normal(2, 3),), {"axis": ()}),
        Case("sum", (normal(2, 3),), {"axis": 5}, error=True),
        Case("mean", (values([1, 2], "int32"),), tag="truncates"),
        Case("sum", (values([100, 100], "int8"),), tag="wraps"),
        Case("sum_axis", (normal(2, 3),), {"axis": 0}),
        Case("max_axis", (distinct(2, 3),), {"axis": 1}),
        Case("min_axis", (distinct(2, 3),), {"axis": 1}),
    ]
    cases += grid(
        "norm",
        (normal(2, 3, 4),),
        {},
        {"ord": 1},
        {"ord": 2, "axis": 1},
        {"ord": 1, "axis": 0},
        {"axis": (0, 2)},
        {"keepdims": True},
        {"ord": 2, "axis": (1, 2), "keepdims": True},
        grad=(0,),
    )
    cases.append(Case("norm", (normal(2, 3),), {"ord": 3}, error=True))
    return cases


def _indices() -> list[Case]:
    cases: list[Case] = []
    for op in ("argmax", "argmin"):
        cases += grid(op, (distinct(2, 3, 4),), {}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": -1})
        cases.append(Case(op, (values([[1, 3, 3, 2], [2, 1, 1, 2]]),), {"axis": 1}, tag="tie"))
        cases.append(Case(op, (distinct(3, 4, dtype="float64"),), {"axis": 1}))
        cases.append(Case(op, (integer(3, 4, high=50, dtype="int32"),), {"axis": 1}))
    cases += [
        Case("argmax_channel", (distinct(3, 4),)),
        Case("argmax_channel", (distinct(2, 3, 2),)),
    ]
    return cases


def _ordering() -> list[Case]:
    source = (distinct(3, 5),)
    cases = grid(
        "topk",
        source,
        {"k": 2},
        {"k": 2, "ret_typ": "mask"},
        {"k": 2, "is_ascend": True},
        {"k": 3, "axis": 0},
        {"k": 2, "axis": None},
        {"k": 0},
        {"k": 2, "dtype": "int32"},
    )
    cases += [Case("topk", source)]
    cases += grid(
        "topk",
        source,
        {"k": 2, "ret_typ": "value"},
        {"k": 1, "axis": 0, "ret_typ": "value"},
        {"k": 3, "ret_typ": "both"},
        {"k": 2, "ret_typ": "both", "is_ascend": True},
        grad=(0,),
    )
    cases += [
        Case("topk", (values([[3, 1, 2], [3, 3, 1]]),), {"k": 2, "ret_typ": "both"}, tag="tie"),
        Case("topk", (distinct(3, 5),), {"k": 9}, error=True),
        Case("topk", (values([5, 7, 1], "int32"),), {"k": 2, "ret_typ": "both"}),
    ]
    cases += grid("sort", source, {"axis": -1}, {"axis": -1, "is_ascend": False}, {"axis": 0}, grad=(0,))
    cases += grid("sort", source, {}, {"is_ascend": False}, {"axis": None})
    cases += grid(
        "argsort", source, {}, {"is_ascend": False}, {"axis": 0}, {"axis": None}, {"dtype": "int32"}
    )
    cases += [
        Case("sort", (integer(6, high=99, dtype="int32"),)),
        Case("sort", (distinct(6, dtype="float64"),)),
        Case("sort", (values([2, NAN, 1]),), tag="nan"),
    ]
    return cases


CASES = _reductions() + _indices() + _ordering()
