"""Graphs without the casts of mixed precision."""

from __future__ import annotations

import json
from typing import Any

from .. import _core

__all__ = ["without_casts"]

_CASTS = ("amp_cast", "amp_multicast")


def without_casts(handle: _core.SymbolHandle) -> _core.SymbolHandle:
    """The same graph where it has none, else one whose nodes read what was cast."""
    text = handle.to_json()
    if not any(f'"op": "{op}"' in text for op in _CASTS):
        return handle
    graph = json.loads(text)
    nodes: list[dict[str, Any]] = []
    places: dict[tuple[int, int], list[int]] = {}
    for old, node in enumerate(graph["nodes"]):
        inputs = [
            [*places.get((source, output), [places[source, 0][0], output]), *rest]
            for source, output, *rest in node["inputs"]
        ]
        if node["op"] in _CASTS:
            places.update({(old, output): one[:2] for output, one in enumerate(inputs)})
            continue
        places[old, 0] = [len(nodes), 0]
        nodes.append({**node, "inputs": inputs})
    heads = [
        [*places.get((source, output), [places[source, 0][0], output]), *rest]
        for source, output, *rest in graph["heads"]
    ]
    variables = [i for i, node in enumerate(nodes) if node["op"] == "null"]
    made = {**graph, "nodes": nodes, "arg_nodes": variables, "heads": heads}
    made.pop("node_row_ptr", None)
    return _core.symbol_from_json(json.dumps(made), "the graph")
