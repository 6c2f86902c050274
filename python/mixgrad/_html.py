"""How arrays, blocks and networks show themselves in notebooks: tables, trees and drawings in HTML."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .gluon.block import Block
    from .ndarray import NDArray
    from .symbol import Symbol

__all__ = ["array_html", "block_html", "symbol_html"]

_ROWS, _COLUMNS = 10, 12  # of a table; of longer ones the ends are shown
_NODES = 600  # of a drawing
_CELL = "style='text-align:right;font-family:monospace'"


def array_html(array: NDArray) -> str:
    """A table of rows and columns, or text where there are no axes or more than two; and what it is."""
    if array.stype != "default" or array.ndim not in (1, 2) or array.size == 0:
        return f"<pre>{escape(repr(array).strip())}</pre>"
    values = array.asnumpy()
    shape = "x".join(str(extent) for extent in array.shape)
    about = f"{type(array).__name__} {shape} {array._dtype_name()} @{array.context}"
    return f"<div>{_table(values.reshape(-1, values.shape[-1]))}<p><code>{escape(about)}</code></p></div>"


def _ends(count: int, limit: int) -> list[int]:
    """Numbers of the first and last rows or columns; -1 stands for those between."""
    if count <= limit:
        return list(range(count))
    half = limit // 2
    return [*range(half), -1, *range(count - half, count)]


def _number(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, np.floating) or value.dtype.kind == "V" else str(value)


def _table(values: np.ndarray) -> str:
    columns = _ends(values.shape[1], _COLUMNS)

    def cells(row: int) -> str:
        texts = ["…" if row < 0 or one < 0 else escape(_number(values[row, one])) for one in columns]
        return "".join(f"<td {_CELL}>{text}</td>" for text in texts)

    head = "".join(f"<th>{one if one >= 0 else '…'}</th>" for one in columns)
    rows = [f"<tr><th>{i if i >= 0 else '…'}</th>{cells(i)}</tr>" for i in _ends(values.shape[0], _ROWS)]
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def block_html(block: Block) -> str:
    """A tree of blocks, which open and close, with their parameters and how many numbers these hold."""
    return f"<div style='font-family:monospace'>{_branch('', block, is_open=True)}</div>"


def _branch(name: str, block: Block, is_open: bool) -> str:
    parameters = list({id(one): one for one in block._collect_params_with_prefix().values()}.values())
    known = [
        math.prod(one.shape) for one in parameters if one.shape is not None and min(one.shape, default=1) > 0
    ]
    count = f"{sum(known):,} parameters"
    if len(known) < len(parameters):
        count += f", {len(parameters) - len(known)} of unknown shape"
    own = type(block).__name__ if block._children else repr(block)
    title = f"{name + ': ' if name else ''}{own}"
    title = (
        f"<b>{escape(title)}</b> <i>{escape(block.name)}</i>: {count}"
        if parameters
        else f"<b>{escape(title)}</b>"
    )
    lines = [f"<li>{escape(key)} {escape(str(one.shape))}</li>" for key, one in block._reg_params.items()]
    lines += [f"<li>{_branch(key, child, is_open=False)}</li>" for key, child in block._children.items()]
    if not lines:
        return title
    return (
        f"<details{' open' if is_open else ''}><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"
    )


def symbol_html(net: Symbol) -> str:
    """The drawing of :func:`mixgrad.viz.plot_network`; of a large network, how much there is."""
    from .symbol.nodes import list_nodes
    from .visualization import plot_network

    nodes = list_nodes(net)
    if len(nodes) > _NODES:
        count = sum(not node.is_variable for node in nodes)
        return f"<pre>{escape(repr(net))}: {count} operators; mx.viz.plot_network draws them</pre>"
    svg = plot_network(net, title=net.name or "network").svg
    return f"<div style='max-height:40em;overflow:auto'>{svg}</div>"
