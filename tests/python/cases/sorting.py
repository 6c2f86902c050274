"""Sorting and selecting."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, INTS, Array, Case, Spec

REALS = ("float32", "float64", "float16")


def order(x: Array, axis: int | None, ascending: bool) -> tuple[Array, Array, int]:
    """The array that is sorted, the stable order along its axis, and that axis."""
    flat, along = (x.reshape(-1), 0) if axis is None else (x, axis)
    ranks = np.unique(flat, return_inverse=True)[1].reshape(flat.shape)  # NaN is last, and one value
    keys = ranks.astype(np.float64)
    return flat, np.argsort(keys if ascending else -keys, axis=along, kind="stable"), along


def sort(x: Array, axis: int | None = -1, is_ascend: bool = True) -> Array:
    flat, places, along = order(x, axis, is_ascend)
    return np.take_along_axis(flat, places, along)


def argsort(x: Array, axis: int | None = -1, is_ascend: bool = True, dtype: str = "float32") -> Array:
    return order(x, axis, is_ascend)[1]


def topk(
    x: Array,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = "indices",
    is_ascend: bool = False,
    dtype: str = "float32",
) -> Any:
    flat, places, along = order(x, axis, is_ascend)
    places = np.take(places, range(k if k > 0 else flat.shape[along]), along)
    values = np.take_along_axis(flat, places, along)
    mask = np.zeros(flat.shape)
    np.put_along_axis(mask, places, 1, along)
    return {
        "value": values,
        "indices": places,
        "both": (values, places),
        "mask": mask.reshape(x.shape),
    }[ret_typ]


def sorting() -> list[Case]:
    cases = []
    distinct = Spec((3, 5, 2), kind="distinct")
    tied = Spec((4, 7), 0, 3, "int")
    for axis in (-1, 1, None):
        for ascending in (True, False):
            params = {"axis": axis, "is_ascend": ascending}
            id = f"{axis}-{'up' if ascending else 'down'}"
            cases.append(Case("sort", [distinct], params, sort, dtypes=(*REALS, *INTS), id=id))
            cases.append(Case("argsort", [tied], {**params, "dtype": "int32"}, argsort, dtypes=ALL, id=id))
    long = Spec((2, 700), -50, 50, "int")
    special = np.array([np.nan, 1.0, -np.inf, np.inf, -0.0, 0.0, np.nan])
    cases += [
        Case("sort", [long], {}, sort, dtypes=ALL, grad=False, id="long"),
        Case("argsort", [long], {"is_ascend": False}, argsort, dtypes=ALL, id="long"),
        Case(
            "argsort", [Spec((1, 70000), -50, 50, "int")], {}, argsort, dtypes=("float32", "int64"), id="one"
        ),
        Case("argsort", [special], {}, argsort, grad=False, dtypes=REALS, id="special"),
        Case(
            "argsort", [special], {"is_ascend": False}, argsort, grad=False, dtypes=REALS, id="special-down"
        ),
        Case("sort", [special], {}, sort, grad=False, dtypes=REALS, id="special"),
        Case("sort", [()], {}, lambda x: x, id="0d"),
        Case("sort", [(3, 0)], {}, lambda x: x, id="empty"),
        Case("argsort", [(300,)], {"dtype": "uint8"}, fails="do not fit into uint8"),
    ]
    return cases


def selecting() -> list[Case]:
    cases = []
    distinct = Spec((3, 6), kind="distinct")
    for ret_typ in ("value", "indices", "both", "mask"):
        for axis in (-1, 0, None):
            for ascending in (False, True):
                params = {"axis": axis, "k": 2, "ret_typ": ret_typ, "is_ascend": ascending, "dtype": "int32"}
                id = f"{ret_typ}-{axis}-{'up' if ascending else 'down'}"
                cases.append(Case("topk", [distinct], params, topk, dtypes=(*REALS, *INTS), id=id))
    long = Spec((3, 900), -60, 60, "int")
    for k in (1, 20, 40, 100, 500, 0):
        params = {"k": k, "ret_typ": "both", "dtype": "int64"}
        cases.append(Case("topk", [long], params, topk, dtypes=ALL, grad=False, id=f"long{k}"))
    cases += [
        Case("topk", [distinct], {"k": 7}, fails="k = 7 of an axis of extent 6"),
        Case("topk", [(300,)], {"dtype": "uint8"}, fails="do not fit into uint8"),
    ]
    return cases


CASES = sorting() + selecting()
