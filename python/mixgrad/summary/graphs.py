"""Networks as TensorBoard's graphs: of symbols, and of blocks, whose children become groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from .. import symbol as sym
from ..gluon.block import Block, HybridBlock
from ..gluon.parameter.parameter import in_force
from ..symbol import Symbol
from ..symbol.nodes import list_nodes
from . import messages

__all__ = ["graph_of"]

_Shapes = Mapping[str, tuple[int, ...]]


def graph_of(net: Any, inputs: tuple[Any, ...], shapes: Optional[_Shapes]) -> bytes:
    """The graph of a symbol, or of a block that is called with some arrays."""
    if isinstance(net, Symbol):
        if inputs:
            raise TypeError("[add_graph] a symbol takes shapes by names, not arrays; expected shapes=")
        return _message(net, shapes, {})
    if not isinstance(net, HybridBlock):
        raise TypeError(f"[add_graph] net is {type(net).__name__}; expected a Symbol or a HybridBlock")
    names = ["data"] if len(inputs) == 1 else [f"data{i}" for i in range(len(inputs))]
    if not inputs:
        raise TypeError("[add_graph] a block needs its inputs; expected arrays behind it")
    outputs = net(*(in_force(sym.var(name)) for name in names))
    flat = _flat(outputs)
    whole = flat[0] if len(flat) == 1 else sym.Group(flat)
    return _message(whole, {name: x.shape for name, x in zip(names, inputs)}, _groups(net))


def _flat(outputs: Any) -> list[Symbol]:
    return [outputs] if isinstance(outputs, Symbol) else [one for part in outputs for one in _flat(part)]


def _groups(net: Block) -> dict[str, str]:
    """Beginnings of names, which blocks give, as paths of groups."""
    found = {net.prefix: net.name + "/"}

    def walk(block: Block, path: str) -> None:
        for child in block._children.values():
            own = child.prefix
            if own.startswith(block.prefix):
                own = own[len(block.prefix) :]
            found.setdefault(child.prefix, f"{path}{own.rstrip('_')}/")
            walk(child, found[child.prefix])

    walk(net, found[net.prefix])
    return {prefix: path for prefix, path in found.items() if prefix}


def _message(net: Symbol, shapes: Optional[_Shapes], groups: Mapping[str, str]) -> bytes:
    def path(name: str) -> str:
        prefix = max((one for one in groups if name.startswith(one)), key=len, default="")
        return groups[prefix] + name[len(prefix) :] if prefix else name

    nodes = list_nodes(net, shapes)
    names: list[str] = []
    taken: set[str] = set()
    for number, node in enumerate(nodes):
        name = path(node.name) or f"node{number}"
        name = f"{name}.{number}" if name in taken else name
        taken.add(name)
        names.append(name)
    return messages.graph(
        messages.node(
            name,
            "Variable" if node.is_variable else node.op,
            [names[i] + (f":{output}" if output else "") for i, output in node.inputs],
            node.attrs,
            node.shapes,
        )
        for name, node in zip(names, nodes)
    )
