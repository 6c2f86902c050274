"""What a network costs: parameters and multiply-adds."""

from __future__ import annotations

import math
from typing import Optional

from ..base import ShapeError
from ..symbol import Symbol
from ..symbol.nodes import Node, list_nodes

__all__ = ["multiply_adds", "parameters"]

Shape = tuple[int, ...]


def parameters(net: Symbol, **shapes: Shape) -> int:
    """Number of trained numbers: elements of all arguments that are neither given here nor called
    ``..._label``.

    Parameters
    ----------
    net : Symbol
        The network.
    **shapes : tuple of int
        Shapes of its data.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.parameters(mx.models.mlp(), data=(1, 784))
    109386
    """
    found = net.infer_shape(**shapes)[0]
    if found is None:
        raise ShapeError(f"[parameters] shapes do not follow from {shapes}; give more")
    named = zip(net.list_arguments(), found)
    return sum(
        math.prod(shape) for name, shape in named if name not in shapes and not name.endswith("_label")
    )


def multiply_adds(net: Symbol, **shapes: Shape) -> int:
    """Multiplications with an addition of one forward pass: those of convolutions and matrix products.

    Parameters
    ----------
    net : Symbol
        The network.
    **shapes : tuple of int
        Shapes of its data.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.multiply_adds(mx.models.mlp(), data=(1, 784))
    109184
    """
    nodes = list_nodes(net, shapes)
    return sum(_of_node(node, nodes) for node in nodes)


def _of_node(node: Node, nodes: list[Node]) -> int:
    def entered(i: int) -> Shape:
        source, output = node.inputs[i]
        shape: Optional[Shape] = nodes[source].shapes[output]
        return shape or ()

    out = node.shapes[0] or ()
    if node.op in ("Convolution", "FullyConnected"):
        return math.prod(out) * math.prod(entered(1)[1:])
    if node.op == "Deconvolution":
        return math.prod(entered(0)) * math.prod(entered(1)[1:])
    if node.op in ("dot", "batch_dot"):
        transposed = node.attrs.get("transpose_a", "False") in ("True", "true", "1")
        left = entered(0)
        first = 1 if node.op == "batch_dot" else 0
        return math.prod(out) * (left[first] if transposed else left[-1])
    return 0
