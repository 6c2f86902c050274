"""Graphs of 8-bit operators made of graphs of float ones.

All are int8: convolutions of unsigned data have MXNet's range, which is not that of the data.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Callable, Optional

from ..ndarray import NDArray, array
from ..ndarray import contrib as nd_contrib
from ..symbol import Symbol, load_json

# What a value is in the new graph: a node and which of its outputs.
Entry = tuple[int, int]
_FC_BLOCK = "_quantized_fully_connected_block"
CALIBRATED = "__quantized_layer__"  # attribute: which output of the float graph gives the range


def _is_2d_or_3d(attrs: Mapping[str, str]) -> bool:
    layout = attrs.get("layout", "None")
    return attrs.get("kernel", "").count(",") in (1, 2) and layout in ("None", "NCHW", "NCDHW")


def _is_max_or_avg(attrs: Mapping[str, str]) -> bool:
    return attrs.get("pool_type", "max") in ("max", "avg") and attrs.get("layout", "None") in (
        *("None", "NCHW", "NCDHW"),
    )


# By float operator: the 8-bit one, when it can stand for it, and whether it is worth roundings of its own.
_KINDS: dict[str, tuple[str, Callable[[Mapping[str, str]], bool], bool]] = {
    "Convolution": ("_contrib_quantized_conv", _is_2d_or_3d, True),
    "FullyConnected": ("_contrib_quantized_fully_connected", lambda a: True, True),
    "Pooling": ("_contrib_quantized_pooling", _is_max_or_avg, False),
    "Activation": ("_contrib_quantized_act", lambda a: a.get("act_type") == "relu", False),
    "Flatten": ("_contrib_quantized_flatten", lambda a: True, False),
    "Concat": ("_contrib_quantized_concat", lambda a: True, False),
    "elemwise_add": ("_contrib_quantized_elemwise_add", lambda a: True, False),
    "BatchNorm": ("_contrib_quantized_batch_norm", lambda a: a.get("axis", "1") == "1", False),
}
_ALIASES = {"_plus": "elemwise_add", "_Plus": "elemwise_add", "flatten": "Flatten", "concat": "Concat"}
_SUMS = ("Convolution", "FullyConnected", "elemwise_add")  # whose outputs are int32


class GraphQuantizer:
    """Writes one graph as another, node by node.

    Parameters
    ----------
    calibrated : bool
        Ranges will be known, which batch normalisation needs.
    """

    def __init__(
        self,
        sym: Symbol,
        excluded_names: Collection[str],
        excluded_ops: Collection[str],
        offline: Collection[str],
        smart: bool,
        channel_wise: bool,
        calibrated: bool,
    ) -> None:
        graph = json.loads(sym.tojson())
        self._old: list[dict[str, Any]] = graph["nodes"]
        self._heads: list[list[int]] = graph["heads"]
        self._version: Any = graph.get("attrs", {})
        self._excluded_names = set(excluded_names)
        self._excluded_ops = set(excluded_ops)
        self._offline = set(offline)
        self._smart = smart
        self._channel_wise = channel_wise
        self._calibrated = calibrated
        self._nodes: list[dict[str, Any]] = []
        self._float: dict[Entry, Entry] = {}
        self._bytes: dict[Entry, tuple[Entry, Entry, Entry]] = {}
        self.layers: list[str] = []  # outputs of the float graph whose ranges are asked for

    def run(self) -> Symbol:
        """The new graph."""
        for at, node in enumerate(self._old):
            inputs = [(int(i[0]), int(i[1])) for i in node["inputs"]]
            if node["op"] == "null" or not self._takes(node, inputs):
                self._copy(at, node, inputs)
            else:
                self._quantize(at, node, inputs)
        heads = [self._as_float((int(h[0]), int(h[1]))) for h in self._heads]
        graph = {
            "nodes": self._nodes,
            "arg_nodes": [i for i, n in enumerate(self._nodes) if n["op"] == "null"],
            "heads": [[*h, 0] for h in heads],
            "attrs": self._version,
        }
        return load_json(json.dumps(graph))

    def _kind(self, node: Mapping[str, Any]) -> str:
        return _ALIASES.get(str(node["op"]), str(node["op"]))

    def _takes(self, node: Mapping[str, Any], inputs: list[Entry]) -> bool:
        kind = self._kind(node)
        if kind not in _KINDS or node["name"] in self._excluded_names:
            return False
        if node["op"] in self._excluded_ops or kind in self._excluded_ops:
            return False
        _, fits, worth = _KINDS[kind]
        if not fits(node.get("attrs", {})) or (kind == "BatchNorm" and not self._calibrated):
            return False
        if worth:  # what it reads are layers and parameters
            return all(self._old[i]["op"] == "null" for i, _ in inputs[1:])
        arrays = inputs if kind in ("Concat", "elemwise_add") else inputs[:1]
        return all(entry in self._bytes for entry in arrays) or (
            not self._smart and all(self._old[i]["op"] != "null" for i, _ in arrays)
        )

    def _add(
        self, op: str, name: str, inputs: Collection[Entry], attrs: Optional[dict[str, str]] = None
    ) -> int:
        node: dict[str, Any] = {"op": op, "name": name, "inputs": [[*entry, 0] for entry in inputs]}
        if attrs:
            node["attrs"] = attrs
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _copy(self, at: int, node: dict[str, Any], inputs: list[Entry]) -> None:
        moved = [self._as_float(entry) for entry in inputs]
        new = dict(node, inputs=[[*entry, 0] for entry in moved])
        self._nodes.append(new)
        for output in range(8):
            self._float[(at, output)] = (len(self._nodes) - 1, output)

    def _output_name(self, entry: Entry) -> str:
        node = self._old[entry[0]]
        if node["op"] == "null":
            return str(node["name"])
        return f"{node['name']}_output" + (str(entry[1]) if entry[1] else "")

    def _as_float(self, entry: Entry) -> Entry:
        if entry not in self._float:
            name = self._old[entry[0]]["name"]
            made = self._add("_contrib_dequantize", f"{name}_dequantize", self._bytes[entry])
            self._float[entry] = (made, 0)
        return self._float[entry]

    def _as_bytes(self, entry: Entry) -> tuple[Entry, Entry, Entry]:
        if entry not in self._bytes:
            node = self._old[entry[0]]
            layer = self._output_name(entry)
            attrs = {"out_type": "int8", CALIBRATED: layer}
            made = self._add("_contrib_quantize_v2", f"{node['name']}_quantize", [self._float[entry]], attrs)
            self._watch(layer)
            self._bytes[entry] = ((made, 0), (made, 1), (made, 2))
        return self._bytes[entry]

    def _watch(self, layer: str) -> None:
        if layer not in self.layers:
            self.layers.append(layer)

    def _parameter(self, entry: Entry) -> tuple[Entry, Entry, Entry]:
        """A weight or bias in 8 bits: from the file where it is known before, else rounded in each run."""
        name = str(self._old[entry[0]]["name"])
        if name not in self._offline:
            return self._as_bytes_of_parameter(entry, name)
        if entry not in self._bytes:
            ends = [self._add("null", f"{name}_quantize{end}", []) for end in ("", "_min", "_max")]
            self._bytes[entry] = ((ends[0], 0), (ends[1], 0), (ends[2], 0))
        return self._bytes[entry]

    def _as_bytes_of_parameter(self, entry: Entry, name: str) -> tuple[Entry, Entry, Entry]:
        if entry not in self._bytes:
            value = self._float[entry]
            made = self._add("_contrib_quantize_v2", f"{name}_quantize", [value], {"out_type": "int8"})
            self._bytes[entry] = ((made, 0), (made, 1), (made, 2))
        return self._bytes[entry]

    def _quantize(self, at: int, node: dict[str, Any], inputs: list[Entry]) -> None:
        kind, attrs, layer = self._kind(node), dict(node.get("attrs", {})), self._output_name((at, 0))
        op, name = _KINDS[kind][0], f"quantized_{node['name']}"
        if kind in ("Convolution", "FullyConnected") and self._channel_wise and self._calibrated:
            if kind == "FullyConnected":
                attrs["float_weight"] = "1"
            data, low, high = self._as_bytes(inputs[0])
            weights = [self._float[entry] for entry in inputs[1:]]
            self._watch(layer)
            block = "_quantized_conv_block" if kind == "Convolution" else _FC_BLOCK
            made = self._add(block, name, [data, *weights, low, high], {**attrs, CALIBRATED: layer})
        elif kind in ("Convolution", "FullyConnected"):
            triples = [self._as_bytes(inputs[0]), *(self._parameter(entry) for entry in inputs[1:])]
            ends = [end for triple in triples for end in triple[1:]]
            made = self._add(op, name, [t[0] for t in triples] + ends, attrs)
        elif kind in ("Concat", "elemwise_add"):
            triples = [self._as_bytes(entry) for entry in inputs]
            ends = [end for triple in triples for end in triple[1:]]
            attrs.update({"num_args": str(len(inputs))} if kind == "Concat" else {})
            made = self._add(op, name, [t[0] for t in triples] + ends, attrs)
        elif kind == "BatchNorm":
            data, low, high = self._as_bytes(inputs[0])
            self._watch(layer)
            others = [self._float[entry] for entry in inputs[1:]]
            made = self._add(op, name, [data, *others, low, high], {**attrs, CALIBRATED: layer})
        else:
            made = self._add(op, name, self._as_bytes(inputs[0]), attrs)
        if self._nodes[made]["op"] == op and kind in _SUMS:
            self._watch(layer)
            rounding = {"out_type": "int8", CALIBRATED: layer}
            triple = [(made, i) for i in range(3)]
            made = self._add("_contrib_requantize", f"requantize_{node['name']}", triple, rounding)
        self._bytes[(at, 0)] = ((made, 0), (made, 1), (made, 2))


def set_ranges(qsym: Symbol, ranges: Mapping[str, tuple[float, float]]) -> Symbol:
    """The graph with ranges of the float graph's outputs as parameters of the nodes that round."""
    graph = json.loads(qsym.tojson())
    for node in graph["nodes"]:
        attrs = node.get("attrs", {})
        layer = attrs.get(CALIBRATED)
        if layer in ranges:
            low, high = ranges[layer]
            attrs["min_calib_range"], attrs["max_calib_range"] = repr(float(low)), repr(float(high))
    return load_json(json.dumps(graph))


def quantized_params(
    qsym: Symbol, params: Mapping[str, NDArray], ranges: Mapping[str, tuple[float, float]]
) -> dict[str, NDArray]:
    """What the graph reads: weights and biases that it wants in 8 bits, and the others as they are."""
    made: dict[str, NDArray] = {}
    for name in qsym.list_arguments():
        if name.endswith("_quantize") and name[: -len("_quantize")] in params:
            value = params[name[: -len("_quantize")]]
            low, high = value.min().reshape((1,)), value.max().reshape((1,))
            if float(low.asscalar()) == 0 == float(high.asscalar()):
                low, high = array([-1.0]), array([1.0])  # zeros have any range
            rounded = nd_contrib.quantize(value.astype("float32"), low, high, out_type="int8")
            made[name], made[f"{name}_min"], made[f"{name}_max"] = rounded
        elif name in params:
            made[name] = params[name]
        elif name.endswith(("_min", "_max")) and name not in made and name[:-4] in ranges:
            made[name] = array([ranges[name[:-4]][name.endswith("_max")]])
    return made
