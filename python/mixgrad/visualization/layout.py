"""Layered drawing of a graph without cycles: a row per depth, few crossings, straight lines where possible.

Reference: Sugiyama, Tagawa, Toda: Methods for visual understanding of hierarchical system structures, 1981.
Columns are found by least squares under the order of each row (pool adjacent violators), sweep by sweep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

__all__ = ["Edge", "Layout", "lay_out"]

_ORDER_SWEEPS = 8
_PLACE_SWEEPS = 24
_PASSING, _LIGHT = 1e-3, 1e-4  # weights of passing lines and light nodes; boxes have 1
_BEND = 0.35  # room that a passing line takes, in boxes


@dataclass(frozen=True)
class Edge:
    """A line from the node that makes an array to one that reads it."""

    source: int
    target: int
    label: str = ""


@dataclass
class Layout:
    """Places of nodes and lines.

    Attributes
    ----------
    place : dict of int to (float, int)
        Column and row of each node. One box is one column wide; columns start at 0.
    route : dict of Edge to list of (float, int)
        Places that the line passes, both ends included.
    """

    place: dict[int, tuple[float, int]]
    route: dict[Edge, list[tuple[float, int]]]


def lay_out(nodes: Sequence[int], edges: Sequence[Edge], light: Collection[int] = ()) -> Layout:
    """Places nodes, which come in an order in which no edge points back.

    Parameters
    ----------
    nodes : sequence of int
        Numbers of the nodes.
    edges : sequence of Edge
        Lines between them.
    light : collection of int
        Nodes that give way to others.

    Examples
    --------
    >>> from mixgrad.visualization.layout import Edge, lay_out
    >>> lay_out([0, 1, 2], [Edge(0, 1), Edge(0, 2)]).place
    {0: (0.5, 0), 1: (0.0, 1), 2: (1.0, 1)}
    """
    row = _rows(nodes, edges)
    rows: list[list[int]] = [[] for _ in range(max(row.values(), default=-1) + 1)]
    for node in nodes:
        rows[row[node]].append(node)
    above: dict[int, list[int]] = defaultdict(list)
    below: dict[int, list[int]] = defaultdict(list)
    chains: dict[Edge, list[int]] = {}
    bends = -1  # bends are nodes with negative numbers
    for edge in edges:
        chain = [edge.source]
        for r in range(row[edge.source] + 1, row[edge.target]):
            rows[r].append(bends)
            chain.append(bends)
            bends -= 1
        chain.append(edge.target)
        for upper, lower in zip(chain, chain[1:]):
            below[upper].append(lower)
            above[lower].append(upper)
        chains[edge] = chain
    _order(rows, above, below)
    column = _columns(rows, above, below, frozenset(light))
    level = {node: r for r, line in enumerate(rows) for node in line}
    places = {node: (column[node], level[node]) for node in column}
    return Layout(
        {node: places[node] for node in nodes},
        {edge: [places[n] for n in chain] for edge, chain in chains.items()},
    )


def _rows(nodes: Sequence[int], edges: Sequence[Edge]) -> dict[int, int]:
    """Longest path from above; nodes that nothing enters move down to where they are read."""
    entering: dict[int, list[int]] = defaultdict(list)
    leaving: dict[int, list[int]] = defaultdict(list)
    for edge in edges:
        entering[edge.target].append(edge.source)
        leaving[edge.source].append(edge.target)
    row: dict[int, int] = {}
    for node in nodes:
        row[node] = max((row[source] + 1 for source in entering[node]), default=0)
    for node in nodes:
        if not entering[node] and leaving[node]:
            row[node] = max(min(row[target] for target in leaving[node]) - 1, 0)
    return row


def _order(rows: list[list[int]], above: dict[int, list[int]], below: dict[int, list[int]]) -> None:
    """Sorts each row by the mean place of neighbours, downwards and upwards in turn."""
    for sweep in range(_ORDER_SWEEPS):
        down = sweep % 2 == 0
        near = above if down else below
        order = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for r in order:
            other = {node: i for i, node in enumerate(rows[r - 1 if down else r + 1])}
            mine = {node: float(i) for i, node in enumerate(rows[r])}
            for node in rows[r]:
                places = [other[n] for n in near[node] if n in other]
                if places:
                    mine[node] = sum(places) / len(places)
            rows[r].sort(key=mine.__getitem__)


def _columns(
    rows: list[list[int]],
    above: dict[int, list[int]],
    below: dict[int, list[int]],
    light: frozenset[int],
) -> dict[int, float]:
    def weight(node: int) -> float:
        return _LIGHT if node in light else _PASSING if node < 0 else 1.0

    column: dict[int, float] = {}
    for line in rows:
        at = 0.0
        for left, node in zip([None, *line], line):
            at += 0.0 if left is None else _room(left, node)
            column[node] = at
    for sweep in range(_PLACE_SWEEPS):
        down = sweep % 2 == 0
        last = sweep >= _PLACE_SWEEPS - 2
        for line in rows if down else reversed(rows):
            wished = []
            for node in line:
                near = above[node] if down else below[node]
                if last or not near:
                    near = above[node] + below[node]
                total = sum(weight(n) for n in near)
                wished.append(sum(column[n] * weight(n) for n in near) / total if near else column[node])
            for node, place in zip(line, _spread(line, wished, [weight(n) for n in line])):
                column[node] = place
    first = min(column.values(), default=0.0)
    return {node: round(place - first, 4) for node, place in column.items()}


def _room(left: int, right: int) -> float:
    """Distance of two neighbours in a row; bends need less than boxes."""
    return ((1.0 if left >= 0 else _BEND) + (1.0 if right >= 0 else _BEND)) / 2


def _spread(line: list[int], wished: list[float], weights: list[float]) -> list[float]:
    """The places nearest to those wished for (weighted least squares) that keep order and room."""
    offset = [0.0]
    for left, right in zip(line, line[1:]):
        offset.append(offset[-1] + _room(left, right))
    blocks: list[tuple[float, float, int]] = []  # mean of wished places less offsets, weight, number of nodes
    for wish, shift, weight in zip(wished, offset, weights):
        mean, count = wish - shift, 1
        while blocks and blocks[-1][0] > mean:
            earlier, heft, members = blocks.pop()
            mean = (mean * weight + earlier * heft) / (weight + heft)
            weight += heft
            count += members
        blocks.append((mean, weight, count))
    flat = [mean for mean, _, count in blocks for _ in range(count)]
    return [mean + shift for mean, shift in zip(flat, offset)]
