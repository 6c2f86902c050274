"""Slices, boxes and arrays of indices."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import ALL, Array, Case

CUBE = (2, 3, 4)
Tuple = tuple[int, ...]


def key_of(begin: Tuple, step: Tuple, size: Tuple) -> tuple[Array, ...]:
    return np.ix_(*(b + s * np.arange(n) for b, s, n in zip(begin, step, size)))


def boxes() -> list[Case]:
    def read(x: Array, begin: Tuple, step: Tuple, size: Tuple) -> Array:
        return x[key_of(begin, step, size)]

    def place(x: Array, begin: Tuple, step: Tuple, shape: Tuple) -> Array:
        out = np.zeros(shape)
        out[key_of(begin, step, x.shape)] = x
        return out

    def write(x: Array, v: Array, begin: Tuple, step: Tuple, size: Tuple) -> Array:
        out = x.copy()
        out[key_of(begin, step, size)] = v
        return out

    def write_scalar(x: Array, scalar: float = 0, **box: Any) -> Array:
        return write(x, np.float64(scalar), **box)

    box = {"begin": (1, 2, 0), "step": (-1, -2, 3), "size": (2, 2, 2)}
    empty = {"begin": (0, 0, 0), "step": (1, 1, 1), "size": (2, 0, 4)}
    outside = {"begin": (1, 2, 0), "step": (-1, -2, 3), "size": (3, 2, 2)}
    placing = {"begin": (5, 0, 1), "step": (-2, 1, 3), "shape": (6, 3, 11)}
    return [
        Case("_strided_slice", [CUBE], box, read, dtypes=ALL),
        Case("_strided_slice", [CUBE], empty, read, id="empty"),
        Case("_strided_slice", [()], {"begin": (), "step": (), "size": ()}, lambda x, **_: x, id="0d"),
        Case("_strided_slice", [CUBE], outside, fails="3 elements from 1 by steps of -1 leave axis 0"),
        Case("_strided_slice_place", [CUBE], placing, place, dtypes=ALL),
        Case("_strided_slice_assign", [CUBE, (2, 2, 2)], box, write, dtypes=ALL),
        Case("_strided_slice_assign", [CUBE, (2, 1)], box, write, id="broadcast"),
        Case("_strided_slice_assign", [CUBE, ()], box, write, id="0d"),
        Case("_strided_slice_assign", [CUBE, (2, 3)], box, fails="does not broadcast"),
        Case("_strided_slice_assign_scalar", [CUBE], {**box, "scalar": 3.0}, write_scalar, dtypes=ALL),
    ]


def slices() -> list[Case]:
    Bound = tuple[Any, ...]

    def key(begin: Bound, end: Bound, step: Bound = ()) -> tuple[slice, ...]:
        return tuple(slice(*bounds) for bounds in zip(begin, end, step or (None,) * len(begin)))

    def read(x: Array, **bounds: Bound) -> Array:
        return x[key(**bounds)]

    def write(x: Array, v: Array, **bounds: Bound) -> Array:
        out = x.copy()
        out[key(**bounds)] = v
        return out

    def along(x: Array, axis: int, begin: int, end: int | None) -> Array:
        return x[(slice(None),) * (axis % x.ndim) + (slice(begin, end),)]

    bounds: list[dict[str, Bound]] = [
        {"begin": (0, 1), "end": (2, 4)},
        {"begin": (None, 1), "end": (None, None)},
        {"begin": (None, None), "end": (None, None), "step": (-1, 2)},
        {"begin": (-2, -3), "end": (None, -1)},
        {"begin": (1,), "end": (9,)},
        {"begin": (2, 4), "end": (0, 0), "step": (-1, -2)},
        {"begin": (9, -9), "end": (-9, 9), "step": (-2, None)},
        {"begin": (2,), "end": (1,)},
    ]
    cases = [Case("slice", [(3, 5)], b, read, dtypes=ALL, id=str(i)) for i, b in enumerate(bounds)]
    some = {"begin": (None, 1), "end": (None, 3), "step": (2, 1)}
    axis = {"axis": 1, "begin": 1, "end": 3}
    cases += [
        Case("slice", [(3, 5)], {"begin": (0,), "end": (1,), "step": (0,)}, fails="step 0 on axis 0"),
        Case("slice", [(3,)], {"begin": (0, 0), "end": (1, 1)}, fails="at most one per axis"),
        Case("slice_axis", [(3, 5)], axis, along, dtypes=ALL),
        Case("slice_axis", [(3, 5)], {"axis": -1, "begin": -2, "end": None}, along, id="end"),
        Case("slice_axis", [(3, 5)], {"axis": 1, "begin": 1, "end": 9}, fails="begin 1 and end 9"),
        Case("slice_like", [(3, 5), (2, 3)], {}, lambda x, y: x[:2, :3], grad=[0]),
        Case(
            "slice_like", [(3, 5), (2, 3)], {"axes": (-1,)}, lambda x, y, axes: x[:, :3], grad=[0], id="axes"
        ),
        Case("slice_like", [(3, 5), (4, 3)], {}, fails="is shorter than"),
        Case("_slice_assign", [(3, 5), (2, 2)], some, write, dtypes=ALL),
        Case("_slice_assign", [(3, 5), (2, 3)], some, fails="expected (2, 2)"),
        Case(
            "_slice_assign_scalar",
            [(3, 5)],
            {"scalar": 2.0, **some},
            lambda x, scalar, **b: write(x, np.float64(scalar), **b),
            dtypes=ALL,
        ),
    ]
    return cases


MODES: dict[str, Callable[[Array, int], Array]] = {
    "clip": lambda i, n: np.clip(i.astype(int), 0, n - 1),
    "wrap": lambda i, n: i.astype(int) % n,
    "raise": lambda i, n: i.astype(int),
    "python": lambda i, n: i.astype(int),
}


def full_key(ndim: int, axes: Tuple, indices: tuple[Array, ...]) -> tuple[Any, ...]:
    key: list[Any] = [slice(None)] * ndim
    for axis, index in zip(axes, indices):
        key[axis] = index.astype(int)
    return tuple(key)


def by_arrays() -> list[Case]:
    def gather(x: Array, *i: Array, axes: Tuple, **_: Any) -> Array:
        return x[full_key(x.ndim, axes, i)]

    def place(x: Array, *i: Array, axes: Tuple, shape: Tuple, **_: Any) -> Array:
        out = np.zeros(shape)
        np.add.at(out, full_key(len(shape), axes, i), x)
        return out

    def put(x: Array, v: Array, *i: Array, axes: Tuple, **_: Any) -> Array:
        out = x.copy()
        out[full_key(x.ndim, axes, i)] = v
        return out

    def add(x: Array, v: Array, *i: Array, axes: Tuple, **_: Any) -> Array:
        out = x.copy()
        np.add.at(out, full_key(x.ndim, axes, i), v)
        return out

    rows, other = np.array([0, 1, -1, 0]), np.array([[2], [-3]])
    cases = []
    for axes, indices in (
        ((0,), [rows]),
        ((1,), [other]),
        ((0, 1), [rows, other]),
        ((0, 2), [rows, other]),
        ((0, 1, 2), [rows, other, rows]),
    ):
        params = {"axes": axes, "num_args": 1 + len(indices)}
        id = "axes" + "".join(map(str, axes))
        cases.append(Case("_index_gather", [CUBE, *indices], params, gather, dtypes=ALL, id=id))
        picked = gather(np.zeros(CUBE), *indices, axes=axes).shape
        placed = {**params, "shape": CUBE}
        cases.append(
            Case("_index_place", [picked, *indices], placed, place, dtypes=ALL, rtol=1e-4, atol=1e-5, id=id)
        )
        more = {**params, "num_args": 2 + len(indices)}
        cases.append(Case("_index_add", [CUBE, picked, *indices], more, add, rtol=1e-4, atol=1e-5, id=id))
        cases.append(Case("_index_put", [CUBE, picked, *indices], more, put, grad=[0], dtypes=ALL, id=id))
    unique = np.array([1, 0])
    params = {"axes": (0,), "num_args": 3}
    cases += [
        Case("_index_put", [CUBE, (4,), unique], params, put, id="broadcast"),
        Case("_index_put", [CUBE, (), unique], params, put, id="number"),
        Case("_index_add", [CUBE, (3, 1), rows], params, add, rtol=1e-4, id="broadcast"),
        Case("_index_gather", [CUBE, np.zeros(0, int)], {"axes": (1,)}, gather, id="empty"),
        Case("_index_gather", [CUBE, np.array([2])], {"axes": (0,)}, fails="index 2 at position 0"),
        Case("_index_gather", [CUBE, np.array([-3])], {"axes": (0,)}, fails="outside an axis of extent 2"),
        Case("_index_gather", [CUBE, rows, rows], {"axes": (1, 0)}, fails="must ascend"),
        Case("_index_put", [CUBE, (5,), rows], {"axes": (0,)}, fails="does not broadcast"),
    ]
    return cases


def taking() -> list[Case]:
    def take(x: Array, i: Array, axis: int = 0, mode: str = "clip") -> Array:
        return np.take(x, MODES[mode](i, x.shape[axis]), axis)

    def pick(x: Array, i: Array, axis: int | None = -1, keepdims: bool = False, mode: str = "clip") -> Array:
        if axis is None:
            flat = x.reshape(-1)[MODES[mode](i, x.size)].reshape(1)
            return flat.reshape((1,) * x.ndim) if keepdims else flat
        places = MODES[mode](i, x.shape[axis])
        if places.ndim < x.ndim:
            places = np.expand_dims(places, axis)
        out = np.take_along_axis(x, places, axis)
        return out if keepdims else out.squeeze(axis)

    def pick_place(v: Array, i: Array, shape: Tuple, axis: int = -1, mode: str = "clip", **_: Any) -> Array:
        out = np.zeros(shape)
        places = np.expand_dims(MODES[mode](i, shape[axis]), axis)
        np.put_along_axis(out, places, v.reshape(places.shape), axis)
        return out

    def one_hot(i: Array, depth: int, on_value: float = 1, off_value: float = 0, dtype: str = "") -> Array:
        return np.where(i.astype(int)[..., None] == np.arange(depth), on_value, off_value)

    def embedding(i: Array, w: Array, **_: Any) -> Array:
        return w[MODES["clip"](i, len(w))]

    wild = np.array([-1, 0, 9, 2, -7])
    four = np.array([0, 2, 5, -1])
    cases = []
    for mode in ("clip", "wrap"):
        for axis in (0, 1):
            params = {"axis": axis, "mode": mode}
            cases.append(Case("take", [(4, 3, 2), wild], params, take, dtypes=ALL, id=f"{mode}{axis}"))
        cases.append(Case("pick", [(4, 3), four], {"mode": mode}, pick, dtypes=ALL, id=mode))
        placed = {"mode": mode, "shape": (4, 3)}
        cases.append(Case("_pick_place", [(4,), four], placed, pick_place, dtypes=ALL, id=mode))
    sizes = {"input_dim": 5, "output_dim": 3}
    cases += [
        Case("take", [(4, 3), np.array([[0, 3], [1, 1]])], {"mode": "raise"}, take, id="raise"),
        Case(
            "take",
            [(4, 3), np.array([1.7, 0.2])],
            {},
            take,
            grad=[0],
            dtypes=("float32", "float64"),
            id="float",
        ),
        Case("take", [(4, 3), np.array(2)], {"axis": -1}, take, id="0d"),
        Case("take", [(4, 3), np.array([4])], {"mode": "raise"}, fails="index 4 at position 0"),
        Case("take", [(4, 3), np.array([-1])], {"mode": "raise"}, fails="outside an axis of extent 4"),
        Case("pick", [(2, 3, 4), np.array([[0, 3, 1], [2, 2, 0]])], {}, pick, id="3d"),
        Case("pick", [(2, 3, 4), np.array([[[0, 2, 1, 1]], [[2, 2, 0, 0]]])], {"axis": 1}, pick, id="kept"),
        Case("pick", [(4, 3), four], {"keepdims": True}, pick, id="keepdims"),
        Case("pick", [(4, 3), np.array([7])], {"axis": None}, pick, id="flat"),
        Case("pick", [(4, 3), np.array([0, 1, 2])], {}, fails="expected index shape (4,)"),
        Case("batch_take", [(4, 3), four], {}, pick, dtypes=ALL),
        Case("one_hot", [np.array([0, 2, -1, 3])], {"depth": 3}, one_hot),
        Case(
            "one_hot",
            [np.array([[1.9], [0.2]])],
            {"depth": 2, "on_value": 5.0, "off_value": -1.0, "dtype": "int32"},
            one_hot,
            dtypes=("float32",),
            id="values",
        ),
        Case("Embedding", [wild, (5, 3)], sizes, embedding, dtypes=ALL),
        Case("Embedding", [np.array([[0, 1], [2, 0]], np.int32), (5, 3)], sizes, embedding, id="2d"),
        Case("Embedding", [wild, (4, 3)], sizes, fails="expected (5, 3)"),
    ]
    return cases


def coordinates() -> list[Case]:
    def gather(x: Array, i: Array) -> Array:
        return x[tuple(i.astype(int))]

    def scatter(v: Array, i: Array, shape: Tuple) -> Array:
        out = np.zeros(shape)
        out[tuple(i.astype(int))] = v
        return out

    def scatter_add(v: Array, i: Array, shape: Tuple) -> Array:
        out = np.zeros(shape)
        np.add.at(out, tuple(i.astype(int)), v)
        return out

    def scatter_set(x: Array, v: Array, i: Array, shape: Tuple) -> Array:
        out = x.copy()
        out[tuple(i.astype(int))] = v
        return out

    def index_array(x: Array, axes: Tuple | None = None) -> Array:
        places = np.indices(x.shape)
        return np.stack([places[a] for a in (range(x.ndim) if axes is None else axes)], -1)

    def index_copy(x: Array, i: Array, v: Array) -> Array:
        out = x.copy()
        out[i.astype(int)] = v
        return out

    points, rows = np.array([[0, 2, -1], [1, 0, 1]]), np.array([[2, 0]])
    return [
        Case("gather_nd", [(4, 3), points], {}, gather, dtypes=ALL),
        Case("gather_nd", [(4, 3), rows], {}, gather, id="rows"),
        Case("gather_nd", [(4, 3), np.array([[4]])], {}, fails="index 4 at position 0"),
        Case("gather_nd", [(4, 3), np.zeros((3, 1), int)], {}, fails="name 3 axes"),
        Case("scatter_nd", [(3,), points], {"shape": (4, 3)}, scatter, dtypes=ALL),
        Case("scatter_nd", [(2, 3), rows], {"shape": (4, 3)}, scatter, id="rows"),
        Case("scatter_nd", [(2, 2), rows], {"shape": (4, 3)}, fails="expected (2, 3)"),
        Case(
            "_scatter_nd_add",
            [(3, 3), np.array([[2, 0, 2]])],
            {"shape": (4, 3)},
            scatter_add,
            dtypes=ALL,
            rtol=1e-4,
        ),
        Case("_scatter_set_nd", [(4, 3), (2, 3), rows], {"shape": (4, 3)}, scatter_set, dtypes=ALL),
        Case(
            "_ravel_multi_index",
            [np.array([[1, 2], [2, 0]])],
            {"shape": (3, 4)},
            lambda x, shape: np.ravel_multi_index(tuple(x), shape),
        ),
        Case(
            "_unravel_index",
            [np.array([[6, 11]])],
            {"shape": (3, 4)},
            lambda x, shape: np.array(np.unravel_index(x, shape)),
        ),
        Case(
            "_unravel_index",
            [np.array([12, 100])],
            {"shape": (3, 4)},
            lambda x, shape: np.array([[3, 25], [0, 0]]),
            id="far",
        ),
        *(
            Case(
                "_npi_unravel_index",
                [np.array(flat)],
                {"shape": shape},
                lambda x, shape: np.array(np.unravel_index(x.astype(int), shape)),
                dtypes=("float64", "int32", "int64"),
                id=id,
            )
            for flat, shape, id in (
                ([[6, 11]], (3, 4), "matrix"),
                ([0, 23, 5], (2, 3, 4), "three"),
                ([4], (5,), "one"),
                (7, (2, 4), "0d"),
                (np.zeros((0, 2)), (2, 2), "empty"),
            )
        ),
        *(
            Case(
                "_npi_unravel_index",
                [np.array([1, flat])],
                {"shape": (3, 4)},
                fails="is outside",
                id=f"far_{flat}",
            )
            for flat in (12, -1, 10**12)
        ),
        Case("_contrib_index_array", [(2, 3)], {}, index_array, dtypes=ALL),
        Case("_contrib_index_array", [(2, 3)], {"axes": (1, 0)}, index_array, id="axes"),
        Case("_contrib_index_copy", [(4, 2), np.array([3, 1]), (2, 2)], {}, index_copy, dtypes=ALL),
    ]


def along_axis() -> list[Case]:
    def take(x: Array, i: Array, axis: int) -> Array:
        return np.take_along_axis(x, i.astype(int), axis)

    def place(v: Array, i: Array, axis: int, shape: Tuple) -> Array:
        out = np.zeros(shape)
        key = list(np.indices(i.shape))
        key[axis] = i.astype(int)
        np.add.at(out, tuple(key), v)
        return out

    places = np.array([[[0, 1]], [[2, -1]], [[0, 0]]])
    wider = {"axis": 1, "shape": (3, 4, 2)}
    return [
        Case("_take_along_axis", [(3, 4, 2), places], {"axis": 1}, take, dtypes=ALL),
        Case("_take_along_axis", [(3, 4), places], {"axis": 1}, fails="may differ only along axis 1"),
        Case("_place_along_axis", [(3, 1, 2), places], wider, place, dtypes=ALL),
    ]


CASES = boxes() + slices() + by_arrays() + taking() + coordinates() + along_axis()
