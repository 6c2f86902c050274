"""The nodes of a symbol with their inferred shapes, for code that looks at whole networks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from ..base import ShapeError
from .symbol import Symbol

__all__ = ["Node", "list_nodes"]


@dataclass
class Node:
    """A variable or one application of an operator.

    Attributes
    ----------
    name : str
        Its name.
    op : str
        The operator; ``'null'`` of a variable.
    attrs : dict of str to str
        Attributes and given parameters.
    inputs : list of (int, int)
        Number of the node and of its output, for each input.
    shapes : list of tuple of int, or None
        Of each output, where they follow.
    is_head : bool
        Whether the symbol has an output of this node.
    is_state : bool
        Whether it is a variable that an operator writes.
    """

    name: str
    op: str
    attrs: dict[str, str]
    inputs: list[tuple[int, int]]
    shapes: list[Optional[tuple[int, ...]]] = field(default_factory=list)
    is_head: bool = False
    is_state: bool = False

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable."""
        return self.op == "null"


def list_nodes(net: Symbol, shapes: Optional[Mapping[str, tuple[int, ...]]] = None) -> list[Node]:
    """Nodes in running order: inputs come before the nodes that read them.

    Parameters
    ----------
    net : Symbol
        The network.
    shapes : dict of str to tuple of int, optional
        Shapes of arguments, as many as the others follow from; without them nodes have no shapes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.symbol.nodes import list_nodes
    >>> nodes = list_nodes(mx.sym.FullyConnected(num_hidden=3, name="fc"), {"fc_data": (2, 5)})
    >>> [(node.name, node.op, node.shapes) for node in nodes][-1]
    ('fc', 'FullyConnected', [(2, 3)])
    """
    if shapes is not None and not isinstance(shapes, Mapping):
        raise TypeError(f"[list_nodes] shapes are {type(shapes).__name__}; expected {{'data': (1, 3)}}")
    graph = json.loads(net.tojson())
    states = set(net.list_auxiliary_states())
    nodes = [
        Node(
            name=text["name"],
            op=text["op"],
            attrs=dict(text.get("attrs", {})),
            inputs=[(entry[0], entry[1]) for entry in text["inputs"]],
            is_state=text["op"] == "null" and text["name"] in states,
        )
        for text in graph["nodes"]
    ]
    for head in graph["heads"]:
        nodes[head[0]].is_head = True
    inner = net.get_internals()
    places = json.loads(inner.tojson())["heads"]
    if shapes is None:
        found: list[Optional[tuple[int, ...]]] = [None] * len(places)
    else:
        inferred = inner.infer_shape(**shapes)[1]
        if inferred is None:
            raise ShapeError(f"[list_nodes] shapes of all nodes do not follow from {dict(shapes)}; give more")
        found = [tuple(shape) for shape in inferred]
    for (node, *_), shape in zip(places, found):
        nodes[node].shapes.append(shape)
    return nodes
