"""Learning curves as drawings that need no other package."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Union

from .._files import write_file
from .svg import document

__all__ = ["CurvesPlot", "plot_curves"]

_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 40.0, 48.0  # pixels around the curves
_LINE = 18.0  # pixels of a line of the legend
_Points = list[tuple[float, float]]


class CurvesPlot:
    """A drawing of curves, as :func:`plot_curves` returns it. Notebooks show it.

    Attributes
    ----------
    svg : str
        The drawing.
    """

    def __init__(self, title: str, svg: str) -> None:
        self.title, self.svg = title, svg

    def __repr__(self) -> str:
        return f"<CurvesPlot {self.title!r}: svg is the drawing, save() writes it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, filename: Union[str, Path]) -> str:
        """Writes the drawing to a file, whose name should end with ``.svg``; returns the path."""
        path = Path(filename)
        write_file(path, self.svg.encode(), "plot_curves")
        return str(path)


def plot_curves(
    curves: Mapping[str, Any],
    title: str = "learning curves",
    x_label: str = "",
    y_label: str = "",
    log: bool = False,
    size: tuple[int, int] = (640, 400),
) -> CurvesPlot:
    """Draws how values go.

    Parameters
    ----------
    curves : dict of str to sequence
        For each name its values, at 0, 1, 2, ..., or pairs of where and value. What is not finite is a gap.
    title, x_label, y_label : str
        What stands above, below and at the left.
    log : bool
        Whether the axis of values is logarithmic; values that are not positive are gaps then.
    size : (int, int)
        Width and height in pixels.

    Returns
    -------
    CurvesPlot
        With ``svg`` and ``save``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> plot = mx.viz.plot_curves({"training": [0.9, 0.5, 0.4], "held out": [(0, 1.0), (2, 0.6)]})
    >>> plot.svg.count("<path")
    2
    """
    points = {str(name): _points(name, values) for name, values in dict(curves).items()}
    shown = [(x, y) for one in points.values() for x, y in one if _is_shown(y, log)]
    xs = _ticks(min((x for x, _ in shown), default=0.0), max((x for x, _ in shown), default=1.0))
    lowest, highest = min((y for _, y in shown), default=0.1), max((y for _, y in shown), default=1.0)
    ys = _decades(lowest, highest) if log else _ticks(lowest, highest)
    width, height = size
    across, upwards = width - _LEFT - _RIGHT, height - _TOP - _BOTTOM - _LINE * len(points)

    def place(x: float, y: float) -> str:
        first, last, value = (math.log10(v) for v in (ys[0], ys[-1], y)) if log else (ys[0], ys[-1], y)
        left = _LEFT + across * (x - xs[0]) / (xs[-1] - xs[0])
        return f"{left:.1f},{_TOP + upwards * (1 - (value - first) / (last - first)):.1f}"

    parts = [f"<text x='{_LEFT:.0f}' y='24' font-size='15' fill='#222'>{escape(title)}</text>"]
    for x in xs:
        left, bottom = place(x, ys[0]).split(",")
        parts.append(_text(float(left), float(bottom) + 16, f"{x:g}", "middle"))
    for y in ys:
        left, level = place(xs[0], y).split(",")
        parts.append(f"<line x1='{left}' x2='{_LEFT + across:.1f}' y1='{level}' y2='{level}' stroke='#ddd'/>")
        parts.append(_text(float(left) - 6, float(level) + 4, f"{y:g}", "end"))
    parts.append(_text(_LEFT + across / 2, _TOP + upwards + 34, x_label, "middle"))
    middle = _TOP + upwards / 2
    parts.append(
        f"<g transform='rotate(-90 14 {middle:.0f})'>{_text(14, middle, y_label, 'middle')}</g>"
        if y_label
        else ""
    )
    for i, (name, one) in enumerate(points.items()):
        colour = _COLOURS[i % len(_COLOURS)]
        parts.extend(_curve(one, colour, place, log))
        below = _TOP + upwards + _BOTTOM + _LINE * i
        parts.append(f"<rect x='{_LEFT:.0f}' y='{below - 4:.0f}' width='16' height='3' fill='{colour}'/>")
        parts.append(_text(_LEFT + 24, below + 1, name + _last(one), "start"))
    return CurvesPlot(title, document(width, height, [part for part in parts if part], title))


def _points(name: Any, values: Any) -> _Points:
    try:
        given = values.asnumpy().tolist() if hasattr(values, "asnumpy") else values
        pairs = [(i, one) if not isinstance(one, (tuple, list)) else one for i, one in enumerate(given)]
        return [(float(x), float(y)) for x, y in pairs]
    except (TypeError, ValueError):
        raise TypeError(
            f"[plot_curves] {name!r} is {type(values).__name__}: {values!r:.60}; expected numbers, or pairs "
            "of where and value"
        ) from None


def _is_shown(y: float, log: bool) -> bool:
    return math.isfinite(y) and (y > 0 or not log)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from below ``low`` to above ``high``."""
    if low == high:
        low, high = low - (abs(low) / 2 or 0.5), high + (abs(high) / 2 or 0.5)
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough * 0.999)
    return [step * k for k in range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)]


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten from below ``low`` to above ``high``, at most about seven."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, -(-(last - first) // 6))
    return [10.0**k for k in range(first, max(last, first + 1) + step, step)]


def _curve(points: _Points, colour: str, place: Any, log: bool) -> list[str]:
    """A path with gaps, and a dot where a value stands alone."""
    pieces: list[_Points] = [[]]
    for x, y in points:
        if _is_shown(y, log):
            pieces[-1].append((x, y))
        elif pieces[-1]:
            pieces.append([])
    parts = []
    lines = ["M" + " L".join(place(x, y) for x, y in piece) for piece in pieces if len(piece) > 1]
    if lines:
        parts.append(f"<path d='{' '.join(lines)}' fill='none' stroke='{colour}' stroke-width='1.6'/>")
    for piece in pieces:
        if len(piece) == 1:
            x, y = place(*piece[0]).split(",")
            parts.append(f"<circle cx='{x}' cy='{y}' r='2.5' fill='{colour}'/>")
    return parts


def _last(points: Sequence[tuple[float, float]]) -> str:
    return f": {points[-1][1]:.4g} at last" if points else ": no values"


def _text(x: float, y: float, words: str, anchor: str) -> str:
    place = f"x='{x:.1f}' y='{y:.1f}' font-size='11' text-anchor='{anchor}' fill='#333'"
    return f"<text {place}>{escape(words)}</text>" if words else ""
