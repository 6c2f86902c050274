"""A picture of a memory plan: nodes in running order against bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Optional

from ..base import InvalidArgumentError
from ..executor import Executor
from .svg import document

__all__ = ["Arena", "Buffer", "plot_memory_plan", "read_plan"]

_ARENA = re.compile(r"arena (\S+): (\d+) bytes, at least (\d+) .*?, (\d+) without sharing")
_BUFFER = re.compile(r"  \[(\d+), (\d+)\) nodes (\d+) to (\d+): (.*)")
_BACKWARD = "-- backward --"  # what debug_str writes between the two parts
# What a piece holds, and two colours that neighbours take in turn.
_KINDS = {
    "kept for the backward part": ("#6baed6", "#9ecae1"),
    "forward part only": ("#bdbdbd", "#d9d9d9"),
    "backward part": ("#74c476", "#a1d99b"),
    "computed again": ("#fd8d3c", "#fdae6b"),
}
_LEFT, _RIGHT, _TOP, _BOTTOM = 80.0, 20.0, 94.0, 44.0  # pixels around the plot
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


@dataclass(frozen=True)
class Buffer:
    """A place in an arena: bytes ``begin`` to ``end``, taken from node ``first`` to node ``last``."""

    begin: int
    end: int
    first: int
    last: int
    values: str


@dataclass(frozen=True)
class Arena:
    """The working memory of one device: planned bytes, the most alive at once, bytes without sharing."""

    device: str
    planned: int
    alive: int
    unshared: int
    buffers: tuple[Buffer, ...]
    backward: Optional[int] = None  # the first node of the backward part; None in predictions


def read_plan(text: str) -> list[Arena]:
    """The arenas in what :meth:`Executor.debug_str` says.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.visualization.memory import read_plan
    >>> executor = mx.models.mlp().simple_bind(mx.cpu(), data=(32, 784))
    >>> [arena.device for arena in read_plan(executor.debug_str())]
    ['cpu(0)']
    """
    found: list[tuple[str, tuple[int, int, int], list[Buffer]]] = []
    backward = None
    for number, line in enumerate(text.splitlines()):
        if line == _BACKWARD:
            backward = number
        elif arena := _ARENA.match(line):
            found.append((arena[1], (int(arena[2]), int(arena[3]), int(arena[4])), []))
        elif found and (buffer := _BUFFER.match(line)):
            begin, end, first, last = (int(buffer[i]) for i in (1, 2, 3, 4))
            found[-1][2].append(Buffer(begin, end, first, last, buffer[5]))
    return [Arena(name, *sizes, tuple(buffers), backward) for name, sizes, buffers in found]


def plot_memory_plan(
    executor: Executor,
    title: str = "memory plan",
    device: Optional[str] = None,
    size: tuple[int, int] = (900, 480),
) -> str:
    """An SVG in which every rectangle is a piece of memory: when it is taken (across), and where it lies
    (up).

    Colours tell what the backward part finds there, what it makes itself, and what it computes again
    (:func:`mixgrad.executor.set_recompute`). A line shows how much is taken at each node. Pointing at a
    rectangle names its values.

    Parameters
    ----------
    executor : Executor
        The bound graph; its plan is that of the mode in which it is bound.
    title : str
        Heading.
    device : str, optional
        Whose arena, such as ``'cpu(0)'``; by default the first.
    size : (int, int)
        Width and height in pixels.

    Returns
    -------
    str
        The picture, which needs no other file.

    Examples
    --------
    >>> import mixgrad as mx
    >>> executor = mx.models.mlp().simple_bind(mx.cpu(), data=(32, 784))
    >>> mx.viz.plot_memory_plan(executor)[:4]
    '<svg'
    """
    if not isinstance(executor, Executor):
        raise TypeError(f"[plot_memory_plan] executor is {type(executor).__name__}; expected Executor")
    arenas = read_plan(executor.debug_str())
    chosen = [arena for arena in arenas if device in (None, arena.device)]
    if not chosen:
        known = ", ".join(arena.device for arena in arenas) or "none: this graph needs no working memory"
        raise InvalidArgumentError(f"[plot_memory_plan] no arena of device {device!r}; there are {known}")
    return _draw(chosen[0], title, *size)


def _shown_bytes(count: float) -> str:
    for unit, name in _UNITS:
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return "0"


def _draw(arena: Arena, title: str, width: int, height: int) -> str:
    nodes = max(buffer.last for buffer in arena.buffers) + 1 if arena.buffers else 1
    across = (width - _LEFT - _RIGHT) / nodes
    up = (height - _TOP - _BOTTOM) / max(arena.planned, 1)
    floor = height - _BOTTOM
    parts = [
        f"<text x='{_LEFT:.0f}' y='24' font-size='15' fill='#222'>{escape(title)}</text>",
        f"<text x='{_LEFT:.0f}' y='44' font-size='11' fill='#555'>{escape(arena.device)}: "
        f"{_shown_bytes(arena.planned)} planned, at least {_shown_bytes(arena.alive)} alive at once, "
        f"{_shown_bytes(arena.unshared)} without sharing</text>",
    ]
    kinds = [_kind(buffer, arena.backward) for buffer in arena.buffers]
    parts += _legend([kind for kind in _KINDS if kind in kinds])
    parts += _axes(arena, nodes, across, up, floor, width)
    for i, (kind, buffer) in enumerate(zip(kinds, arena.buffers)):
        x, y = _LEFT + buffer.first * across, floor - buffer.end * up
        w, h = (buffer.last - buffer.first + 1) * across, (buffer.end - buffer.begin) * up
        lifetime = f"nodes {buffer.first} to {buffer.last}"
        tip = f"{buffer.values}\n{_shown_bytes(buffer.end - buffer.begin)}, {lifetime}"
        edge = " stroke='white' stroke-width='0.5'" if min(w, h) > 2 else ""
        parts.append(
            f"<g><title>{escape(tip)}</title><rect x='{x:.2f}' y='{y:.2f}' width='{w:.2f}' height='{h:.2f}' "
            f"fill='{_KINDS[kind][i % 2]}'{edge}/>"
            f"{_inscription(buffer.values, x, y, w, h)}</g>"
        )
    parts.append(_taken_line(arena, nodes, across, up, floor))
    if arena.backward is not None:
        parts += _border(_LEFT + arena.backward * across, floor)
    return document(width, height, parts, title)


def _kind(buffer: Buffer, backward: Optional[int]) -> str:
    if backward is None or buffer.last < backward:
        return "forward part only"
    if buffer.first < backward:
        return "kept for the backward part"
    return "computed again" if re.search(r"_again(:\d+)? \(", buffer.values) else "backward part"


def _legend(kinds: list[str]) -> list[str]:
    parts, x = [], _LEFT
    for kind in kinds:
        parts.append(
            f"<circle cx='{x + 5:.0f}' cy='60' r='5' fill='{_KINDS[kind][0]}'/>"
            f"<text x='{x + 14:.0f}' y='64' font-size='11' fill='#222'>{kind}</text>"
        )
        x += 28 + 6.2 * len(kind)
    parts.append(
        f"<line x1='{x:.0f}' y1='60' x2='{x + 16:.0f}' y2='60' stroke='#222' stroke-width='1.5'/>"
        f"<text x='{x + 21:.0f}' y='64' font-size='11' fill='#222'>taken in all</text>"
    )
    return parts


def _border(x: float, floor: float) -> list[str]:
    """Where the backward part begins."""
    note = "font-size='10' fill='#555'"
    return [
        f"<line x1='{x:.1f}' y1='{_TOP - 18:.0f}' x2='{x:.1f}' y2='{floor:.1f}' stroke='#777' "
        "stroke-dasharray='4 3'/>",
        f"<text x='{x - 5:.1f}' y='{_TOP - 8:.0f}' {note} text-anchor='end'>forward</text>",
        f"<text x='{x + 5:.1f}' y='{_TOP - 8:.0f}' {note}>backward</text>",
    ]


def _inscription(values: str, x: float, y: float, w: float, h: float) -> str:
    """Names of the values where the rectangle has room for them."""
    names = re.sub(r" ?\([^)]*\)", "", values)
    fitting = int((w - 6) / 6.3)
    if h < 14 or fitting < 3:
        return ""
    text = names if len(names) <= fitting else names[: fitting - 1] + "…"
    return f"<text x='{x + 3:.1f}' y='{y + h / 2 + 3.5:.1f}' font-size='10' fill='#222'>{escape(text)}</text>"


def _taken_line(arena: Arena, nodes: int, across: float, up: float, floor: float) -> str:
    change = [0] * (nodes + 1)
    for buffer in arena.buffers:
        change[buffer.first] += buffer.end - buffer.begin
        change[buffer.last + 1] -= buffer.end - buffer.begin
    points, taken = [], 0
    for node, step in enumerate(change[:-1]):
        taken += step
        y = floor - taken * up
        points += [f"{_LEFT + node * across:.1f},{y:.1f}", f"{_LEFT + (node + 1) * across:.1f},{y:.1f}"]
    return f"<polyline points='{' '.join(points)}' fill='none' stroke='#222' stroke-width='1.2'/>"


def _axes(arena: Arena, nodes: int, across: float, up: float, floor: float, width: int) -> list[str]:
    parts = []
    for i in range(5):
        count = arena.planned * i / 4
        y = floor - count * up
        parts.append(
            f"<line x1='{_LEFT:.0f}' y1='{y:.1f}' x2='{width - _RIGHT:.0f}' y2='{y:.1f}' stroke='#ddd'/>"
            f"<text x='{_LEFT - 6:.0f}' y='{y + 4:.1f}' font-size='10' text-anchor='end' fill='#555'>"
            f"{_shown_bytes(count)}</text>"
        )
    step = max(1, round(nodes / 10))
    for node in range(0, nodes, step):
        x = _LEFT + (node + 0.5) * across
        parts.append(
            f"<text x='{x:.1f}' y='{floor + 16:.1f}' font-size='10' text-anchor='middle' fill='#555'>"
            f"{node}</text>"
        )
    middle = (_LEFT + width - _RIGHT) / 2
    parts.append(
        f"<text x='{middle:.0f}' y='{floor + 34:.0f}' font-size='11' text-anchor='middle' fill='#555'>"
        "node, in running order</text>"
    )
    return parts
