"""What is said of a file of data, whatever kind it is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

__all__ = ["Histogram", "Picture", "Report", "Spread", "evenly"]

_CLASSES_SHOWN = 20
_BINS = 10
_BAR = 40
_DAMAGE_NAMED = 5


class Picture(NamedTuple):
    """A picture for a sheet: rows, columns and 3 channels of bytes, or None where it cannot be decoded."""

    caption: str
    pixels: Optional[npt.NDArray[np.uint8]]


def evenly(count: int, most: int) -> list[int]:
    """At most that many of the numbers below ``count``, evenly spread from the first one on.

    >>> evenly(10, 4), evenly(3, 4)
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return list(range(count)) if count <= most else [number * count // most for number in range(most)]


@dataclass
class Spread:
    """Least, middle and greatest of some numbers."""

    least: float
    median: float
    most: float

    @staticmethod
    def of(values: Sequence[float]) -> Spread:
        """Of at least one number."""
        return Spread(min(values), float(np.median(np.asarray(values, np.float64))), max(values))

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least:,}"
        return f"{self.least:,} to {self.most:,}, half of them below {self.median:,.0f}"


class Histogram:
    """How often each label occurs.

    Examples
    --------
    >>> from mixgrad.command.data.report import Histogram
    >>> print("\\n".join(Histogram([0, 1, 1, 1], "all").lines(["cat", "dog"])))
    labels (all): 2 classes, from 1 to 3 each
      0 cat  #############                             1   25.0%
      1 dog  ########################################  3   75.0%
    """

    def __init__(self, labels: Iterable[float], of: str) -> None:
        self.counts = Counter(labels)
        self.of = of

    def described(self) -> dict[str, Any]:
        """For other programs."""
        return {
            "of": self.of,
            "counts": {f"{label:g}": count for label, count in sorted(self.counts.items())},
        }

    def is_classes(self) -> bool:
        """Whether labels are numbers of classes, rather than measures."""
        return all(math.isfinite(label) and label == int(label) for label in self.counts)

    def lines(self, names: Sequence[str]) -> list[str]:
        """For people: each class, or of many the most and the least frequent; bins of measures."""
        if not self.counts:
            return []
        if not self.is_classes():
            return self._bins()
        least, most = min(self.counts.values()), max(self.counts.values())
        each = f"{least:,} each" if least == most else f"from {least:,} to {most:,} each"
        classes = "1 class" if len(self.counts) == 1 else f"{len(self.counts):,} classes"
        rows = [(_named(label, names), count) for label, count in sorted(self.counts.items())]
        left_out = len(rows) - _CLASSES_SHOWN
        if left_out > 0:
            frequent = sorted(self.counts.items(), key=lambda one: (-one[1], one[0]))
            half = _CLASSES_SHOWN // 2
            rows = [(_named(label, names), count) for label, count in frequent[:half]]
            rows += [(f"... {left_out:,} more ...", -1)]
            rows += [(_named(label, names), count) for label, count in frequent[-half:]]
        return [f"labels ({self.of}): {classes}, {each}", *_bars(rows, sum(self.counts.values()))]

    def _bins(self) -> list[str]:
        finite = {label: count for label, count in self.counts.items() if math.isfinite(label)}
        odd = sum(self.counts.values()) - sum(finite.values())
        first = f"labels ({self.of}): {len(self.counts):,} different ones"
        if odd:
            first += f", {odd:,} of them NaN or infinite"
        if not finite:
            return [first]
        values, weights = np.array(list(finite)), np.array(list(finite.values()))
        counts, edges = np.histogram(values, _BINS, weights=weights)
        rows = [(f"{edges[i]:.6g} to {edges[i + 1]:.6g}", int(counts[i])) for i in range(_BINS)]
        return [first, *_bars(rows, sum(finite.values()))]


def _named(label: float, names: Sequence[str]) -> str:
    number = int(label)
    return f"{number} {names[number]}" if 0 <= number < len(names) else f"{number}"


def _bars(rows: list[tuple[str, int]], total: int) -> list[str]:
    most = max(1, *(count for _, count in rows))
    wide = max(len(name) for name, _ in rows)
    digits = max(len(f"{count:,}") for _, count in rows)
    lines = []
    for name, count in rows:
        if count < 0:
            lines.append(f"  {name}")
            continue
        bar = "#" * (max(1, _BAR * count // most) if count else 0)
        lines.append(f"  {name:{wide}}  {bar:{_BAR}}  {count:{digits},}  {100 * count / total:5.1f}%")
    return lines


@dataclass
class Report:
    """What a file holds.

    Attributes
    ----------
    kind : str
        What sort of file it is.
    facts : dict
        Names and values in the order in which they are shown; JSON has them as they are.
    labels : Histogram, optional
        Its labels.
    damaged : int
        How many places are damaged.
    damage : list[str]
        The first of them.
    pictures : callable, optional
        Gives at most so many pictures, for a sheet.
    """

    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    labels: Optional[Histogram] = None
    damaged: int = 0
    damage: list[str] = field(default_factory=list)
    pictures: Optional[Callable[[int], list[Picture]]] = None

    def add_damage(self, text: str, places: int = 1) -> None:
        """Counts what is wrong; the first texts are kept."""
        self.damaged += places
        if len(self.damage) < _DAMAGE_NAMED:
            self.damage.append(text)

    def described(self) -> dict[str, Any]:
        """For other programs."""
        facts = {
            name: vars(value) if isinstance(value, Spread) else value for name, value in self.facts.items()
        }
        return {
            "kind": self.kind,
            **facts,
            "labels": self.labels.described() if self.labels else None,
            "damaged": self.damaged,
            "damage": self.damage,
        }
