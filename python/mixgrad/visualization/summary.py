"""The table of a network's layers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Optional

from ..symbol import Symbol
from ..symbol.nodes import Node, list_nodes

__all__ = ["print_summary"]


def print_summary(
    symbol: Symbol,
    shape: Optional[Mapping[str, tuple[int, ...]]] = None,
    line_length: int = 120,
    positions: Sequence[float] = (0.44, 0.64, 0.74, 1.0),
) -> None:
    """Prints a row per layer: name and operator, shape without the batch, trained numbers, layers before.

    Parameters
    ----------
    symbol : Symbol
        The network.
    shape : dict of str to tuple of int, optional
        Shapes of its data; without them, and where the variables do not say theirs, the table has no shapes
        and ``?`` for counts of layers with weights.
    line_length : int
        Characters per line.
    positions : sequence of float
        Where the four columns end, as shares of the line, or in characters.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.viz.print_summary(mx.models.mlp(hidden=()), shape={"data": (1, 4)}, line_length=72)
    ________________________________________________________________________
    Layer (type)                   Output Shape   Param #Previous Layer
    ========================================================================
    data(null)                     4              0
    ________________________________________________________________________
    fc1(FullyConnected)            10             50     data
    ________________________________________________________________________
    softmax(SoftmaxOutput)         10             0      fc1
    ========================================================================
    Total params: 50
    ________________________________________________________________________
    """
    if not isinstance(symbol, Symbol):
        raise TypeError(f"[print_summary] symbol is {type(symbol).__name__}; expected Symbol")
    if len(positions) != 4:
        raise ValueError(f"[print_summary] positions {positions!r}; expected four numbers")
    ends = [int(line_length * p) for p in positions] if positions[-1] <= 1 else [int(p) for p in positions]
    nodes = list_nodes(symbol, _declared(symbol) if shape is None else shape)
    trained = _trained(nodes, set(shape or ()))

    def row(*fields: str) -> str:
        line = ""
        for text, end in zip(fields, ends):
            line = (line + text)[:end].ljust(end)
        return line.rstrip()

    thin, thick = "_" * line_length, "=" * line_length
    lines = [thin, row("Layer (type)", "Output Shape", "Param #", "Previous Layer")]
    rule = thick
    total, unknown = 0, False
    counted: set[int] = set()
    for i, node in enumerate(nodes):
        if node.is_variable and i > 0 and not node.is_head:
            continue
        own = {j for j, _ in node.inputs if j in trained} - counted
        counted |= own
        numbers = [_size(nodes[j]) for j in own]
        count = sum(n for n in numbers if n is not None)
        total += count
        open_count = None in numbers
        unknown = unknown or open_count
        before = [nodes[j].name for j, _ in node.inputs if not nodes[j].is_variable or j == 0]
        known = node.shapes[0]
        shown = "x".join(str(extent) for extent in known[1:]) if known else ""
        lines.append(rule)
        lines.append(
            row(
                f"{node.name}({node.op})",
                shown,
                "?" if open_count else str(count),
                before[0] if before else "",
            )
        )
        lines.extend(row("", "", "", name) for name in before[1:])
        rule = thin
    number = f"?, which shape={{{nodes[0].name!r}: (1, ...)}} gives" if unknown else str(total)
    lines += [thick, f"Total params: {number}", thin]
    print("\n".join(lines))


def _trained(nodes: Sequence[Node], data: set[str]) -> set[int]:
    """Variables that a network learns: neither data, labels nor states."""
    return {
        i
        for i, node in enumerate(nodes)
        if node.is_variable
        and i > 0
        and not node.is_state
        and node.name not in data
        and not node.name.endswith("label")
    }


def _declared(symbol: Symbol) -> Optional[dict[str, tuple[int, ...]]]:
    """No shapes where those of the variables themselves are enough; None elsewhere."""
    known = symbol.infer_shape_partial()[0] or [()]
    return {} if all(shape and 0 not in shape for shape in known) else None


def _size(node: Node) -> Optional[int]:
    known = node.shapes[0]
    return None if known is None or 0 in known else math.prod(known)
