"""What a picture of a network says about a node: text, colour, shape."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..symbol.nodes import Node

__all__ = ["colour", "lines", "shown_nodes", "shown_shape"]

# A calm palette: weights of layers red, normalisation violet, functions yellow, joining blue, shape green.
_COLOURS = {
    "data": "#8dd3c7",
    "layer": "#fb8072",
    "norm": "#bebada",
    "function": "#ffffb3",
    "pool": "#80b1d3",
    "join": "#fdb462",
    "shape": "#b3de69",
    "other": "#fccde5",
}
_KINDS = {
    "Convolution": "layer",
    "Deconvolution": "layer",
    "FullyConnected": "layer",
    "Embedding": "layer",
    "RNN": "layer",
    "BatchNorm": "norm",
    "LayerNorm": "norm",
    "InstanceNorm": "norm",
    "GroupNorm": "norm",
    "LRN": "norm",
    "Activation": "function",
    "LeakyReLU": "function",
    "clip": "function",
    "Pooling": "pool",
    "Concat": "join",
    "elemwise_add": "join",
    "add_n": "join",
    "Flatten": "shape",
    "Reshape": "shape",
    "transpose": "shape",
    "SliceChannel": "shape",
}
_HIDDEN = (
    "_weight",
    "_bias",
    "_gamma",
    "_beta",
    "_moving_var",
    "_moving_mean",
    "_running_var",
    "_running_mean",
)


def colour(node: Node) -> str:
    """Fill of the node's box."""
    return _COLOURS["data" if node.is_variable else _KINDS.get(node.op, "other")]


def _pair(text: str) -> str:
    try:
        extents = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
    return "x".join(map(str, extents)) if isinstance(extents, tuple) else str(extents)


def lines(node: Node) -> tuple[str, ...]:
    """One or two lines of text."""
    attrs = node.attrs
    if node.is_variable:
        return (node.name,)
    if node.op in ("Convolution", "Deconvolution"):
        steps = _pair(attrs.get("stride", "(1,)")).split("x")
        stride = steps[0] if len(set(steps)) == 1 else "x".join(steps)
        return (node.op, f"{_pair(attrs['kernel'])}/{stride}, {attrs['num_filter']}")
    if node.op == "FullyConnected":
        return (node.op, attrs["num_hidden"])
    if node.op in ("Activation", "LeakyReLU"):
        return (node.op, attrs.get("act_type", "leaky"))
    if node.op == "Pooling":
        kind = attrs.get("pool_type", "max")
        if attrs.get("global_pool", "False") in ("True", "true", "1"):
            return (node.op, f"{kind}, global")
        steps = _pair(attrs.get("stride", "(1,)")).split("x")
        return (node.op, f"{kind}, {_pair(attrs['kernel'])}/{steps[0]}")
    return (node.name,)


def shown_shape(node: Node, output: int) -> str:
    """Shape of an output without the batch, as ``64x56x56``; empty where unknown."""
    shape = node.shapes[output]
    return "x".join(str(extent) for extent in shape[1:]) if shape else ""


def shown_nodes(nodes: Sequence[Node], hide_weights: bool) -> list[int]:
    """Numbers of the nodes that are drawn."""
    return [
        i
        for i, node in enumerate(nodes)
        if not (hide_weights and node.is_variable and (node.name.endswith(_HIDDEN) or node.is_state))
    ]
