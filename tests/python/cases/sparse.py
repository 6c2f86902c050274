"""Operators on arrays that store a part of their elements, and on graphs stored so."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, Array, Case, Spec, Stored

NUMBERS = ("float32", "float64", "int64", "int32")
MATRIX = np.array([[0, 1.5, 0], [0, 0, 0], [-2, 0, 3], [4, 0, 0]])
ROWS = Stored(MATRIX, "row_sparse")
# Vertex 0 leads to vertex 1 by edge 1, to 2 by edge 2, ...
GRAPH = (
    np.array([[0, 1, 2, 0, 3], [4, 0, 0, 5, 0], [0, 0, 0, 6, 0], [7, 8, 9, 0, 10], [0, 0, 0, 0, 11]]) * 1.0
)
STORED, NO_EDGES = Stored(GRAPH), Stored(np.zeros((3, 3)))


def vertices(*numbers: int) -> Array:
    return np.array(numbers, np.int64)


def storage() -> list[Case]:
    def same(x: Array, stype: str) -> Array:
        return x

    def retained(x: Array, rows: Array) -> Array:
        out = np.zeros_like(x)
        out[rows.astype(int)] = x[rows.astype(int)]
        return out

    cases: list[Case] = []
    for given, to in (
        (MATRIX, "default"),
        (MATRIX, "csr"),
        (MATRIX, "row_sparse"),
        (Stored(MATRIX), "csr"),
        (Stored(MATRIX), "default"),
        (ROWS, "default"),
        (Stored(np.zeros((2, 0))), "default"),
    ):
        cases.append(Case("cast_storage", [given], {"stype": to}, same, dtypes=ALL, id=to))
    cases.append(Case("cast_storage", [(3, 2, 2)], {"stype": "row_sparse"}, same, id="3d"))
    cases.append(Case("cast_storage", [(3, 2, 2)], {"stype": "csr"}, fails="two axes", id="3d-csr"))
    cases.append(Case("cast_storage", [()], {"stype": "row_sparse"}, fails="axis", id="0-d"))
    for data in (MATRIX, ROWS):
        for rows in (vertices(0, 3, 0), vertices()):
            cases.append(Case("_sparse_retain", [data, rows], {}, retained, id=f"{rows.size}-rows"))
        cases.append(Case("_sparse_retain", [data, vertices(4)], fails="4", id="outside"))
    return cases


def arithmetic() -> list[Case]:
    """Zeros that are not stored stay; a stored row has them, too."""

    def plus(x: Array, scalar: float) -> Array:
        return x + scalar

    def minus(x: Array, scalar: float) -> Array:
        return x - scalar

    def divided(x: Array, y: Array) -> Array:
        return np.where(x.any(1, keepdims=True), x / y, 0)

    one = {"scalar": 1.5}
    divisors = Spec((4, 3), 0.5, 2)
    return [
        Case("_scatter_plus_scalar", [(3, 4)], one, plus),
        Case(
            "_scatter_plus_scalar",
            [Stored(MATRIX)],
            one,
            lambda x, scalar: np.where(x, x + scalar, 0),
            grad=False,
        ),
        Case("_scatter_minus_scalar", [(3, 4)], one, minus),
        Case("_scatter_minus_scalar", [()], one, minus, id="0-d"),
        Case(
            "_scatter_minus_scalar",
            [ROWS],
            one,
            lambda x, scalar: np.where(x.any(1, keepdims=True), x - scalar, 0),
            grad=False,
            id="rows",
        ),
        Case("_scatter_elemwise_div", [(4, 3), divisors], {}, lambda x, y: x / y),
        Case("_scatter_elemwise_div", [ROWS, divisors], {}, divided, grad=False, id="rows"),
    ]


def products() -> list[Case]:
    def embedding(i: Array, w: Array, input_dim: int, output_dim: int) -> Array:
        return w[np.clip(np.nan_to_num(i).astype(int), 0, len(w) - 1)]

    def dot(
        values: Array, places: Array, starts: Array, b: Array, columns: int, transpose: bool = False
    ) -> Array:
        a = np.zeros((len(starts) - 1, columns), values.dtype)
        np.add.at(a, (np.repeat(np.arange(len(a)), np.diff(starts)), places), values)
        return (a.T if transpose else a) @ b

    sizes = {"input_dim": 5, "output_dim": 3}
    parts = [Spec((4,), -3, 3), vertices(2, 0, 1, 1), vertices(0, 2, 2, 4)]
    common: dict[str, Any] = {"ref": dot, "dtypes": NUMBERS, "grad": False}
    op = "_csr_dot"
    return [
        Case(
            "_contrib_SparseEmbedding", [np.array([0, 4.0, -3, 7, 2.9]), (5, 3)], sizes, embedding, grad=[1]
        ),
        Case("_contrib_SparseEmbedding", [(2,), (4, 3)], sizes, fails="expected (5, 3)", id="bad"),
        Case(op, [*parts, (3, 5)], {"columns": 3}, **common),
        Case(op, [*parts, (3, 5)], {"columns": 4, "transpose": True}, id="transposed", **common),
        Case(op, [(0,), vertices(), vertices(0), (3, 2)], {"columns": 3}, id="no-rows", **common),
        Case(op, [*parts, (2, 5)], {"columns": 2}, fails="2", id="outside"),
        Case(op, [*parts, (4, 5)], {"columns": 3}, fails="inner extents", id="bad"),
    ]


def graphs() -> list[Case]:
    def subgraph(graph: Array, *sets: Array, num_args: int, return_mapping: bool) -> tuple[Array, ...]:
        own = [graph[np.ix_(s, s)] for s in sets]
        return (*map(numbered, own), *(own if return_mapping else []))

    def compact(graph: Array, chosen: Array, num_args: int, return_mapping: bool, graph_sizes: Any) -> Any:
        own = graph[: graph_sizes[0]][:, chosen[: graph_sizes[0]]]
        return (numbered(own), own) if return_mapping else numbered(own)

    def counted(graph: Array, axis: Any = None) -> Array:
        return np.atleast_1d(np.count_nonzero(graph, axis))

    any_number: dict[str, Any] = {"dtypes": NUMBERS, "grad": False}
    pair = {"num_args": 2, "return_mapping": True}
    sampled = np.zeros((4, 5))  # vertices 0, 1 and 3, and edges among them
    sampled[0, 1], sampled[1, 3], sampled[2, 0] = 1, 5, 7
    cases = [
        Case("_contrib_dgl_adjacency", [STORED], {}, lambda g: (g != 0) * 1.0, **any_number),
        Case("_contrib_dgl_adjacency", [NO_EDGES], {}, lambda g: g, id="no-edges", **any_number),
        Case("_contrib_dgl_adjacency", [GRAPH], fails="expected csr", id="dense"),
        Case(
            "_contrib_edge_id",
            [STORED, vertices(0, 1, 3, 4), vertices(4, 2, 0, 4)],
            {},
            lambda g, u, v: np.where(g[u, v] != 0, g[u, v], -1),
            **any_number,
        ),
        Case("_contrib_edge_id", [STORED, vertices(0), vertices(5)], fails="vertex 5", id="outside"),
        Case("_contrib_edge_id", [ROWS, vertices(0), vertices(1)], fails="expected csr", id="rows"),
        *[
            Case("_contrib_getnnz", [given], params, counted, **any_number)
            for given in (STORED, NO_EDGES)
            for params in ({}, {"axis": 0}, {"axis": 1})
        ],
        Case("_contrib_getnnz", [GRAPH], fails="expected csr", id="dense"),
        Case("_contrib_dgl_subgraph", [STORED, vertices(0, 1, 3)], pair, subgraph, **any_number),
        Case(
            "_contrib_dgl_subgraph",
            [STORED, vertices(1), vertices(2, 3, 4)],
            {"num_args": 3, "return_mapping": False},
            subgraph,
            id="two",
            **any_number,
        ),
        Case("_contrib_dgl_subgraph", [STORED, vertices(3, 1)], pair, fails="ascending order", id="order"),
    ]
    for mapping in (True, False):
        params = {"num_args": 2, "return_mapping": mapping, "graph_sizes": (3,)}
        given = [Stored(sampled), vertices(0, 1, 3, -1)]
        cases.append(
            Case("_contrib_dgl_graph_compact", given, params, compact, id=f"{mapping}", **any_number)
        )
    bad = {"num_args": 2, "return_mapping": True, "graph_sizes": (2,)}
    cases.append(
        Case(
            "_contrib_dgl_graph_compact",
            [Stored(sampled), vertices(0, 1, 3)],
            bad,
            fails="graph_sizes",
            id="bad",
        )
    )
    return cases


def numbered(edges: Array) -> Array:
    """The edges replaced by 0, 1, ... in their order."""
    out = np.zeros_like(edges)
    out[edges != 0] = np.arange(np.count_nonzero(edges))
    return out


def samples() -> list[Case]:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        """One hop from vertex 0: it and one or both of its neighbours that may be drawn."""
        chosen, edges, *weights, hops = outputs
        count = int(chosen[-1])
        drawn = chosen[:count]
        assert chosen.shape == (5,) and edges.shape == (4, 5) and 2 <= count <= 3 and drawn[0] == 0
        assert set(drawn[1:]) < {1, 2, 4} and (np.diff(drawn) > 0).all()
        np.testing.assert_array_equal(hops, [0, *[1] * (count - 1), *[-1] * (4 - count)])
        expected = np.zeros_like(edges)
        expected[0, drawn] = inputs[0][0, drawn]
        np.testing.assert_array_equal(edges, expected)
        for given in weights:
            assert 2 not in drawn
            np.testing.assert_array_equal(given[:count], inputs[1][drawn])

    sizes = {"num_hops": 1, "num_neighbor": 2, "max_num_vertices": 4}
    weights = np.array([1, 1, 0, 1, 1.0])
    even, weighted = (f"_contrib_dgl_csr_neighbor_{kind}_sample" for kind in ("uniform", "non_uniform"))
    seed = vertices(0)
    common: dict[str, Any] = {"dtypes": NUMBERS, "grad": False}
    return [
        Case(even, [STORED, seed], sizes | {"num_args": 2}, check=check, **common),
        Case(weighted, [STORED, weights, seed], sizes | {"num_args": 3}, check=check, **common),
        Case(even, [STORED, vertices(5)], sizes | {"num_args": 2}, fails="vertex 5", id="outside"),
        Case(weighted, [STORED, -weights, seed], sizes | {"num_args": 3}, fails="below 0", id="negative"),
        Case(even, [GRAPH, seed], sizes | {"num_args": 2}, fails="expected csr", id="dense"),
    ]


CASES = [*storage(), *arithmetic(), *products(), *graphs(), *samples()]
