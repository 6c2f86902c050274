"""Putting casts into graphs, so that operators run in the precision that lists say."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ... import symbol as sym
from ...base import DTYPE_NAMES, DTYPE_NUMBERS, MXNetError, dtype_number
from ...symbol import Symbol

__all__ = ["Precisions", "with_casts"]

Entry = tuple[int, int]  # a node and which of its outputs

_FLOAT32 = "float32"


class Precisions(NamedTuple):
    """Operators by the precision in which they run; those in no list follow their inputs."""

    low: Collection[str]
    full: Collection[str]
    widest: Collection[str]
    conditional: Mapping[str, Sequence[tuple[str, Sequence[str]]]]  # in float32 for values of a parameter
    excluded: Collection[str]  # names of nodes that run in float32

    def of(self, node: Mapping[str, Any]) -> str:
        """``'low'``, ``'full'``, ``'widest'`` or ``'either'``."""
        op, attributes = node["op"], node.get("attrs", {})
        if node["name"] in self.excluded or node.get("subgraphs"):
            return "full"
        if any(attributes.get(name) in values for name, values in self.conditional.get(op, ())):
            return "full"
        for kind, names in (("low", self.low), ("full", self.full), ("widest", self.widest)):
            if op in names:
                return kind
        return "either"


class _Graph:
    """A graph that is being made from another one, node by node in its order."""

    def __init__(self, graph: Mapping[str, Any], dtype: str, params: Collection[str]) -> None:
        self._old: list[dict[str, Any]] = graph["nodes"]
        self._counts = [1] * len(self._old)  # of outputs that are used
        for source, place, *_ in [*graph["heads"], *(one for node in self._old for one in node["inputs"])]:
            self._counts[source] = max(self._counts[source], place + 1)
        self._params = params
        self.low = dtype
        self.nodes: list[dict[str, Any]] = []
        self.new: dict[Entry, Entry] = {}  # by entries of the other graph
        self.dtypes: dict[Entry, str | None] = {}
        self._casts: dict[tuple[Entry, str], Entry] = {}

    def add(self, node: dict[str, Any], dtypes: Sequence[str | None]) -> int:
        """Adds a node whose outputs have these dtypes."""
        self.nodes.append(node)
        place = len(self.nodes) - 1
        self.dtypes.update({(place, output): dtype for output, dtype in enumerate(dtypes)})
        return place

    def name_of(self, entry: Entry) -> str:
        node = self.nodes[entry[0]]
        if node["op"] == "null":
            return str(node["name"])
        return f"{node['name']}_output{entry[1] or ''}"

    def cast(self, entry: Entry, dtype: str) -> Entry:
        """The entry in another precision; one cast serves all who want it."""
        known = self._casts.get((entry, dtype))
        if known is None:
            node = {
                "op": "amp_cast",
                "name": f"{self.name_of(entry)}_amp_cast_{dtype}",
                "attrs": {"dtype": dtype},
                "inputs": [[*entry, 0]],
            }
            known = self._casts[entry, dtype] = (self.add(node, [dtype]), 0)
        return known

    def is_data(self, entry: Entry) -> bool:
        """Whether this is a variable that batches bring, in whatever precision."""
        node = self.nodes[entry[0]]
        return node["op"] == "null" and node["name"] not in self._params

    def inputs_of(self, kind: str, entries: list[Entry], states: set[int]) -> list[Entry]:
        """The inputs of a node in the precision that it wants."""
        low, dtypes = self.low, [self.dtypes[entry] for entry in entries]
        if kind == "low":
            return [
                entry
                if dtype == low or i in states or dtype not in (_FLOAT32, None)
                else self.cast(entry, low)
                for i, (entry, dtype) in enumerate(zip(entries, dtypes))
            ]
        if kind == "full" or (kind == "widest" and _FLOAT32 in dtypes and low in dtypes):
            if kind == "widest" and any(map(self.is_data, entries)):
                node = {
                    "op": "amp_multicast",
                    "name": f"{self.name_of(entries[0])}_amp_multicast",
                    "attrs": {"num_outputs": str(len(entries))},
                    "inputs": [[*entry, 0] for entry in entries],
                }
                place = self.add(node, [None] * len(entries))
                return [(place, output) for output in range(len(entries))]
            return [
                self.cast(entry, _FLOAT32) if dtype == low or dtype is None else entry
                for entry, dtype in zip(entries, dtypes)
            ]
        return entries

    def outputs_of(self, old: int, entries: list[Entry]) -> list[str | None]:
        """The dtypes of the outputs of a node of the other graph; None where one is not known.

        They follow from a graph of that node alone.
        """
        count = self._counts[old]
        node = self._old[old]
        dtypes = [self.dtypes[entry] for entry in entries]
        if None in dtypes or node.get("subgraphs"):
            return [_FLOAT32 if node.get("subgraphs") else None] * count
        names = [f"input{i}" for i in range(len(entries))]
        alone = {
            "nodes": [{"op": "null", "name": name, "inputs": []} for name in names]
            + [{**node, "inputs": [[i, 0, 0] for i in range(len(names))]}],
            "arg_nodes": list(range(len(names))),
            "heads": [[len(names), output, 0] for output in range(count)],
        }
        try:
            symbol = sym.load_json(json.dumps(alone))
            _, found, _ = symbol.infer_type_partial(**dict(zip(names, dtypes)))
        except MXNetError:
            return [dtypes[0] if dtypes else _FLOAT32] * count
        return [None if one is None else DTYPE_NAMES[dtype_number(one)] for one in found]


def _optional(graph: Mapping[str, Any], lists: Precisions, params: Collection[str]) -> set[str]:
    """Parameters that only operators of low precision read."""
    readers: dict[str, set[str]] = {}
    for node in graph["nodes"]:
        for source, *_ in node["inputs"]:
            readers.setdefault(graph["nodes"][source]["name"], set()).add(lists.of(node))
    return {name for name, kinds in readers.items() if kinds == {"low"} and name in params}


def with_casts(
    symbol: Symbol, dtype: str, lists: Precisions, params: Collection[str], cast_params: bool
) -> Symbol:
    """A graph with casts to ``dtype`` and back, whose outputs are float32 where they were.

    Parameters
    ----------
    symbol : Symbol
        A graph of float32.
    dtype : str
        The low precision.
    lists : Precisions
        What runs in which.
    params : collection of str
        The variables that are parameters: their dtypes become attributes of theirs.
    cast_params : bool
        Whether parameters that are read in low precision alone have it from the start.
    """
    graph = json.loads(symbol.tojson(remove_amp_cast=False))
    cast_early = _optional(graph, lists, params) if cast_params else set()
    states = set(symbol.list_auxiliary_states())
    made = _Graph(graph, dtype, params)
    heads = [(source, place) for source, place, *_ in graph["heads"]]
    for old, node in enumerate(graph["nodes"]):
        node = dict(node)
        if node["op"] == "null":
            given = node.get("attrs", {}).get("__dtype__")
            kind = dtype if node["name"] in cast_early else DTYPE_NAMES.get(int(given or 0), _FLOAT32)
            if node["name"] in params:
                node["attrs"] = {**node.get("attrs", {}), "__dtype__": str(DTYPE_NUMBERS[kind])}
            made.new[old, 0] = (made.add(node, [kind]), 0)
            continue
        sources = [(source, place) for source, place, *_ in node["inputs"]]
        of_states = {i for i, (source, _) in enumerate(sources) if graph["nodes"][source]["name"] in states}
        entries = made.inputs_of(lists.of(node), [made.new[one] for one in sources], of_states)
        dtypes = made.outputs_of(old, entries)
        node["inputs"] = [[*entry, int(i in of_states)] for i, entry in enumerate(entries)]
        place = made.add(node, dtypes)
        made.new.update({(old, output): (place, output) for output in range(len(dtypes))})
    ends = [made.new[head] for head in heads]
    ends = [made.cast(end, _FLOAT32) if made.dtypes[end] in (dtype, None) else end for end in ends]
    variables = [i for i, node in enumerate(made.nodes) if node["op"] == "null"]
    return sym.load_json(
        json.dumps({"nodes": made.nodes, "arg_nodes": variables, "heads": [[*end, 0] for end in ends]})
    )
