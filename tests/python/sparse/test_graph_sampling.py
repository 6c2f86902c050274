"""Graphs in csr: samples of neighbours, induced subgraphs, edges by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

UNIFORM = mx.nd.contrib.dgl_csr_neighbor_uniform_sample
WEIGHTED = mx.nd.contrib.dgl_csr_neighbor_non_uniform_sample
SUBGRAPH = mx.nd.contrib.dgl_subgraph
COMPACT = mx.nd.contrib.dgl_graph_compact


def ids(values: Any) -> mx.nd.NDArray:
    return mx.nd.array(np.asarray(values, np.int64), dtype="int64")


def complete(n: int) -> tuple[np.ndarray, mx.nd.NDArray]:
    """Every vertex leads to every other; edges are numbered from 1."""
    dense = np.zeros((n, n), np.int64)
    dense[~np.eye(n, dtype=bool)] = np.arange(1, n * (n - 1) + 1)
    return dense, mx.nd.array(dense, dtype="int64").tostype("csr")


def check_sample(dense: np.ndarray, out: list[Any], seeds: list[int], hops: int, most: int) -> int:
    """The rules that any sample keeps; gives the number of its vertices."""
    vertices, edges, layers = out[0].asnumpy(), out[1], out[-1].asnumpy()
    count = int(vertices[-1])
    assert vertices.shape == (most + 1,) and layers.shape == (most,) and edges.shape == (most, len(dense))
    assert (vertices[count:-1] == -1).all() and (layers[count:] == -1).all()
    chosen = vertices[:count].tolist()
    assert chosen == sorted(set(chosen)) and set(seeds) <= set(chosen)
    assert [v for v, hop in zip(chosen, layers) if hop == 0] == sorted(set(seeds))
    assert layers[:count].max(initial=0) <= hops
    edges.check_format()
    rows = edges.asnumpy()
    for row, vertex in enumerate(chosen):
        led = np.flatnonzero(rows[row])
        assert (rows[row][led] == dense[vertex][led]).all()
        assert set(led) <= set(chosen)
        for to in led:
            assert layers[chosen.index(to)] <= layers[row] + 1
    assert not rows[count:].any()
    return count


@pytest.mark.parametrize("seeds", [[3], [0, 5], [9, 1, 4], [2, 2], []])
@pytest.mark.parametrize(
    "hops,neighbours,most", [(1, 2, 12), (2, 3, 30), (0, 4, 5), (3, 1, 10), (1, 100, 10)]
)
def test_samples_keep_the_rules(seeds: list[int], hops: int, neighbours: int, most: int) -> None:
    dense, graph = complete(10)
    mx.random.seed(1)
    out = UNIFORM(
        graph, ids(seeds), num_args=2, num_hops=hops, num_neighbor=neighbours, max_num_vertices=most
    )
    check_sample(dense, out, seeds, hops, most)
    weights = mx.nd.array(np.linspace(0.1, 1, 10))
    out = WEIGHTED(
        graph, weights, ids(seeds), num_args=3, num_hops=hops, num_neighbor=neighbours, max_num_vertices=most
    )
    count = check_sample(dense, out, seeds, hops, most)
    chosen = out[0].asnumpy()[:count]
    np.testing.assert_array_equal(out[2].asnumpy()[:count], weights.asnumpy()[chosen])


def test_neighbours_are_drawn_evenly_or_by_weight() -> None:
    _, graph = complete(6)
    mx.random.seed(5)
    rounds, counts, weighted = 3000, np.zeros(6), np.zeros(6)
    weights = mx.nd.array([0, 1, 1, 2, 4, 0])
    for _ in range(rounds):
        out = UNIFORM(graph, ids([0]), num_args=2, num_neighbor=2, max_num_vertices=6)
        counts[out[1].asnumpy()[0] > 0] += 1
        out = WEIGHTED(graph, weights, ids([0]), num_args=3, num_neighbor=1, max_num_vertices=6)
        weighted[np.flatnonzero(out[1].asnumpy()[0])] += 1
    assert abs(counts[1:] / rounds - 2 / 5).max() < 0.05
    assert abs(weighted / rounds - np.array([0, 1, 1, 2, 4, 0]) / 8).max() < 0.05


def test_samples_follow_from_the_seed() -> None:
    _, graph = complete(40)

    def drawn() -> list[int]:
        out = UNIFORM(graph, ids([1, 7]), num_args=2, num_hops=2, num_neighbor=3, max_num_vertices=40)
        return out[0].asnumpy().tolist()

    mx.random.seed(9)
    first, second = drawn(), drawn()
    assert first != second
    mx.random.seed(9)
    assert [drawn(), drawn()] == [first, second]


def test_several_seed_arrays_have_outputs_by_group() -> None:
    dense, graph = complete(8)
    out = UNIFORM(graph, ids([0]), ids([5, 6]), num_args=3, num_neighbor=2, max_num_vertices=9)
    assert len(out) == 6
    check_sample(dense, out[0::2], [0], 1, 9)
    check_sample(dense, out[1::2], [5, 6], 1, 9)


def test_a_sample_ends_at_the_number_of_vertices_with_a_warning() -> None:
    dense, graph = complete(10)
    with pytest.warns(UserWarning, match="max_num_vertices"):
        out = UNIFORM(graph, ids([0, 1]), num_args=2, num_hops=3, num_neighbor=5, max_num_vertices=4)
    assert check_sample(dense, out, [0, 1], 3, 4) == 4


@pytest.mark.parametrize("mapping", [False, True])
def test_compact(mapping: bool) -> None:
    _, graph = complete(10)
    out = UNIFORM(graph, ids([3]), num_args=2, num_hops=2, num_neighbor=2, max_num_vertices=12)
    count = int(out[0][-1].asscalar())
    made = COMPACT(out[1], out[0], graph_sizes=count, return_mapping=mapping)
    first, *rest = made if mapping else [made]
    assert first.shape == (count, count)
    chosen = out[0].asnumpy()[:count]
    np.testing.assert_array_equal(first.data.asnumpy(), np.arange(first.data.size))
    if mapping:
        np.testing.assert_array_equal(rest[0].asnumpy(), out[1].asnumpy()[:count][:, chosen])
    two = COMPACT(out[1], out[1], out[0], out[0], graph_sizes=(count, count), return_mapping=mapping)
    assert len(two) == (4 if mapping else 2)


@pytest.mark.parametrize("mapping", [False, True])
def test_subgraph(mapping: bool) -> None:
    dense, graph = complete(7)
    sets = [[1, 2, 4], [0, 6]]
    made = SUBGRAPH(graph, *map(ids, sets), return_mapping=mapping)
    assert len(made) == (4 if mapping else 2)
    for i, vertices in enumerate(sets):
        np.testing.assert_array_equal(made[i].data.asnumpy(), np.arange(made[i].data.size))
        if mapping:
            np.testing.assert_array_equal(made[2 + i].asnumpy(), dense[np.ix_(vertices, vertices)])


def test_adjacency_edge_ids_and_counts() -> None:
    dense, graph = complete(5)
    ones = mx.nd.contrib.dgl_adjacency(graph)
    assert ones.stype == "csr" and ones.dtype == np.float32
    np.testing.assert_array_equal(ones.asnumpy(), dense > 0)
    found = mx.nd.contrib.edge_id(graph, ids([0, 1, 2, 4]), ids([0, 0, 4, 3]))
    assert found.asnumpy().tolist() == [-1, 5, 12, 20]
    assert mx.nd.contrib.getnnz(graph).asnumpy().tolist() == [20]
    assert mx.nd.contrib.getnnz(graph, axis=0).asnumpy().tolist() == [4] * 5
    assert mx.nd.contrib.getnnz(graph, axis=1).asnumpy().tolist() == [4] * 5
    assert mx.nd.contrib.getnnz(mx.nd.sparse.zeros("csr", (0, 3))).asnumpy().tolist() == [0]


def refused(call: Any, *words: str) -> None:
    with pytest.raises(Exception) as caught:
        for out in np.atleast_1d(np.asarray(call(), dtype=object)):
            out.wait_to_read()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_what_is_refused() -> None:
    dense, graph = complete(5)
    plain = mx.nd.array(dense)
    sample = {"num_args": 2, "num_neighbor": 2, "max_num_vertices": 4}
    refused(lambda: UNIFORM(plain, ids([0]), **sample), "csr", "default")
    refused(lambda: UNIFORM(graph, ids([5]), **sample), "vertex 5", "5 vertices")
    refused(lambda: UNIFORM(graph, ids([-1]), **sample), "vertex -1")
    refused(lambda: UNIFORM(graph, ids([[0]]), **sample), "vector")
    refused(lambda: UNIFORM(graph, ids(range(5)), **sample), "max_num_vertices")
    refused(lambda: UNIFORM(graph[0:2], ids([0]), **sample), "as many rows as columns")
    bad = mx.nd.array([1, 1, -1, 1, 1])
    refused(lambda: WEIGHTED(graph, bad, ids([0]), num_args=3), "-1")
    refused(lambda: WEIGHTED(graph, mx.nd.ones(3), ids([0]), num_args=3), "weights")
    refused(lambda: SUBGRAPH(graph, ids([2, 1]), return_mapping=False), "ascending")
    refused(lambda: COMPACT(graph, ids([0, 1]), graph_sizes=2, return_mapping=False), "graph_sizes")
    refused(lambda: COMPACT(graph, ids(range(5)), graph_sizes=(5, 5), return_mapping=False), "graph_sizes")
    refused(lambda: mx.nd.contrib.edge_id(plain, ids([0]), ids([0])), "csr")
    refused(lambda: mx.nd.contrib.edge_id(graph, ids([0]), ids([9])), "vertex 9")
    refused(lambda: mx.nd.contrib.getnnz(plain), "csr")
    refused(lambda: mx.nd.contrib.getnnz(graph.tostype("row_sparse")), "row_sparse")
    refused(lambda: mx.nd.contrib.getnnz(graph, axis=2), "axis")
    refused(lambda: mx.nd.contrib.dgl_adjacency(plain), "csr")


def test_most_vertices_have_a_limit() -> None:
    with pytest.raises(mx.MXNetError, match="max_num_vertices"):
        mx.nd.contrib.dgl_csr_neighbor_uniform_sample(
            mx.nd.zeros((2, 2)), mx.nd.array([0]), num_args=2, max_num_vertices=2**63 - 1
        )
