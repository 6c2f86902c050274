"""A step length along a direction that fulfils the strong Wolfe conditions (Nocedal and Wright 2006, 3.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Point", "strong_wolfe"]

# The loss falls by this share of the slope at least, and the slope is this share of the first one at most.
DECREASE, CURVATURE = 1e-4, 0.9


class Point(NamedTuple):
    """A place on the line: how far it is, and what the function is there."""

    step: float
    loss: float
    grad: Any
    slope: float


def strong_wolfe(
    at: Callable[[float], Point], start: Point, step: float, length: float, most: int, tolerance: float
) -> tuple[Point, int]:
    """Bracket a good step, then narrow the bracket.

    Parameters
    ----------
    at : function
        Evaluates the function at a step.
    start : Point
        Step 0, where the slope is negative.
    step : float
        The first one that is tried.
    length : float
        The largest element of the direction; a bracket narrower than ``tolerance`` along it is not narrowed.
    most : int
        How many steps are tried after the first one.

    Returns
    -------
    tuple
        The best point, and how often the function was evaluated.
    """

    def is_high(point: Point) -> bool:
        return point.loss > start.loss + DECREASE * point.step * start.slope

    def is_flat(point: Point) -> bool:
        return abs(point.slope) <= -CURVATURE * start.slope

    last, new, tried = start, at(step), 0
    while tried < most:
        if is_high(new) or (tried > 1 and new.loss >= last.loss):
            break
        if is_flat(new):
            return new, tried + 1
        if new.slope >= 0:
            break
        further = lowest(last, new, new.step + 0.01 * (new.step - last.step), new.step * 10)
        last, new, tried = new, at(further), tried + 1
    else:
        last = start
    ends = [last, new]
    low = int(not last.loss <= new.loss)
    is_stuck = False
    while tried < most:
        left, right = sorted(end.step for end in ends)
        if (right - left) * length < tolerance:
            break
        step, is_stuck = _within(lowest(ends[0], ends[1], left, right), left, right, is_stuck)
        new, tried = at(step), tried + 1
        if is_high(new) or new.loss >= ends[low].loss:
            ends[1 - low] = new
            low = int(not ends[0].loss <= ends[1].loss)
            continue
        if is_flat(new):
            return new, tried + 1
        if new.slope * (ends[1 - low].step - ends[low].step) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = new
    return ends[low], tried + 1


def _within(step: float, left: float, right: float, was_stuck: bool) -> tuple[float, bool]:
    """The step, or one a tenth inside where the last one was near an end, too; whether it is near one."""
    margin = 0.1 * (right - left)
    if not min(right - step, step - left) < margin:
        return step, False
    if was_stuck or step >= right or step <= left:
        return (right - margin if abs(step - right) < abs(step - left) else left + margin), False
    return step, True


def lowest(one: Point, other: Point, least: float, most: float) -> float:
    """Where the cubic through two points with their slopes is lowest, within limits (equation 3.59)."""
    first, last = (one, other) if one.step <= other.step else (other, one)
    width = last.step - first.step
    middle = (least + most) / 2
    if width == 0:
        return middle
    bend = first.slope + last.slope - 3 * (last.loss - first.loss) / width
    square = bend * bend - first.slope * last.slope
    if not square >= 0:
        return middle
    root = math.sqrt(square)
    slope = last.slope - first.slope + 2 * root
    if slope == 0:
        return middle
    return min(max(last.step - width * ((last.slope + root - bend) / slope), least), most)
