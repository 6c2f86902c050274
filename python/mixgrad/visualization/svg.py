"""Drawings in SVG that need no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..symbol.nodes import Node
from . import labels
from .layout import Edge, Layout

__all__ = ["FONT", "document", "draw_network"]

FONT = "font-family='Helvetica, Arial, DejaVu Sans, sans-serif'"
_BOX = (140.0, 40.0)  # pixels
_STEP = (164.0, 78.0)  # pixels from column to column, from row to row
_MARGIN = 20.0
_TITLE = 30.0
_FITTING = 22  # characters of 11 px in a box


def document(width: float, height: float, parts: Sequence[str], title: str) -> str:
    """An SVG file of a size in pixels on white ground."""
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
            f"viewBox='0 0 {width:.0f} {height:.0f}' {FONT}>",
            f"<title>{escape(title)}</title>",
            "<rect width='100%' height='100%' fill='white'/>",
            *parts,
            "</svg>",
            "",
        ]
    )


def draw_network(
    title: str, nodes: Sequence[Node], shown: Sequence[int], edges: Sequence[Edge], layout: Layout
) -> str:
    """A network from data at the top to outputs at the bottom; outputs have a thick frame."""
    columns = [column for column, _ in layout.place.values()]
    columns += [column for route in layout.route.values() for column, _ in route]
    rows = max((row for _, row in layout.place.values()), default=0)
    width = _MARGIN * 2 + _BOX[0] + _STEP[0] * max(columns, default=0.0)
    height = _MARGIN * 2 + _TITLE + _BOX[1] + _STEP[1] * rows
    parts = [
        "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' "
        "orient='auto'><path d='M0,0.5 L8,4 L0,7.5 z' fill='#555'/></marker></defs>",
        f"<text x='{_MARGIN:.0f}' y='{_MARGIN + 8:.0f}' font-size='15' fill='#222'>{escape(title)}</text>",
    ]
    for edge in edges:
        parts.append(_line(layout.route[edge]))
    parts.extend(_labels(edges, layout))
    for i in shown:
        parts.extend(_node(nodes[i], *layout.place[i]))
    return document(max(width, 200.0), height, parts, title)


def _centre(column: float, row: int) -> tuple[float, float]:
    return _MARGIN + _BOX[0] / 2 + column * _STEP[0], _MARGIN + _TITLE + _BOX[1] / 2 + row * _STEP[1]


def _node(node: Node, column: float, row: int) -> list[str]:
    x, y = _centre(column, row)
    w, h = _BOX
    frame = "stroke='#222' stroke-width='2'" if node.is_head else "stroke='#777' stroke-width='1'"
    round_off = h / 2 if node.is_variable else 5
    text = labels.lines(node)
    tip = f"{node.name} ({node.op})" if not node.is_variable else node.name
    parts = [
        f"<g><title>{escape(tip)}</title><rect x='{x - w / 2:.1f}' y='{y - h / 2:.1f}' width='{w:.0f}' "
        f"height='{h:.0f}' rx='{round_off:.0f}' fill='{labels.colour(node)}' {frame}/>"
    ]
    tops = (y + 4,) if len(text) == 1 else (y - 3, y + 12)
    for words, top in zip(text, tops):
        parts.append(
            f"<text x='{x:.1f}' y='{top:.1f}' font-size='11' text-anchor='middle' fill='#111'>"
            f"{escape(_shortened(words))}</text>"
        )
    return [*parts, "</g>"]


def _shortened(text: str) -> str:
    half = _FITTING // 2
    return text if len(text) <= _FITTING else f"{text[: half - 1]}…{text[-half:]}"


def _line(route: list[tuple[float, int]]) -> str:
    """A curve that leaves and enters boxes upright and runs straight down where it passes a row."""
    x, y = _centre(*route[0])
    y += _BOX[1] / 2
    path = [f"M{x:.1f},{y:.1f}"]
    for i, place in enumerate(route[1:], 1):
        to_x, centre = _centre(*place)
        top = centre - _BOX[1] / 2 - (3 if i == len(route) - 1 else 0)
        bend = (top - y) / 2
        path.append(f"C{x:.1f},{y + bend:.1f} {to_x:.1f},{top - bend:.1f} {to_x:.1f},{top:.1f}")
        x, y = to_x, top
        if i < len(route) - 1:
            y = centre + _BOX[1] / 2
            path.append(f"L{x:.1f},{y:.1f}")
    return f"<path d='{' '.join(path)}' fill='none' stroke='#888' marker-end='url(#tip)'/>"


def _labels(edges: Sequence[Edge], layout: Layout) -> list[str]:
    """What each array's lines carry, once, beside the box they leave."""
    parts = []
    for source, label in dict.fromkeys((edge.source, edge.label) for edge in edges if edge.label):
        x, y = _centre(*layout.place[source])
        parts.append(
            f"<text x='{x + 6:.1f}' y='{y + _BOX[1] / 2 + 21:.1f}' font-size='10' fill='#555' stroke='white' "
            f"stroke-width='3' paint-order='stroke'>{escape(label)}</text>"
        )
    return parts
