"""Symbols in which no call stands twice, as the pass ``common`` has graphs compute each value once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .files import load_json
from .functions import operator_described

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["without_repeats"]


def without_repeats(symbol: Symbol) -> Symbol:
    """The symbol with one node for all calls of an operator with equal inputs and attributes.

    Random calls, those that change an input, and loops and branches stay. An output that came to be another
    one is a copy of it.
    """
    graph = json.loads(symbol.tojson(remove_amp_cast=False))
    nodes: list[dict[str, Any]] = []
    number: list[int] = []  # of each old node: that of the new one
    seen: dict[str, int] = {}
    for node in graph["nodes"]:
        node["inputs"] = [[number[i], *rest] for i, *rest in node["inputs"]]
        key = json.dumps([node["op"], node.get("attrs"), node["inputs"]], sort_keys=True)
        if key not in seen or not _may_merge(node):
            seen[key] = len(nodes)
            nodes.append(node)
        number.append(seen[key])
    first: dict[tuple[int, int], int] = {}  # of each output: the old node that made it
    heads: list[list[int]] = []
    for old, out, *rest in graph["heads"]:
        entry = [number[old], out, *rest]
        if first.setdefault((number[old], out), old) != old:
            name = graph["nodes"][old]["name"]
            nodes.append({"op": "_copy", "name": f"{name}_copy{len(heads)}", "inputs": [entry]})
            entry = [len(nodes) - 1, 0, *rest]
        heads.append(entry)
    arguments = [i for i, node in enumerate(nodes) if node["op"] == "null"]
    rest = {key: value for key, value in graph.items() if key != "node_row_ptr"}
    return load_json(json.dumps({**rest, "nodes": nodes, "heads": heads, "arg_nodes": arguments}))


def _may_merge(node: dict[str, Any]) -> bool:
    if node["op"] == "null" or "subgraphs" in node:
        return False
    info = operator_described(node["op"])
    return (
        info is not None and not info["has"]["random"] and not any(port["mutates"] for port in info["inputs"])
    )
