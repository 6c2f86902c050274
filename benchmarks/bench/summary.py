"""What the repeats of a row amount to: medians, spreads, ratios, goals, fractions of a ceiling."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

Row = dict[str, Any]  # see bench.session


@dataclass(frozen=True)
class Spread:
    """Median and quartiles."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratio:
    """A peer's median over mixgrad's, of all repeats and, lowest and highest, of single rounds.

    Above 1, mixgrad is faster.
    """

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Bound:
    """The least time that the machine's ceilings allow, and which of them binds."""

    seconds: float
    by: str


def spread_of(rounds: Sequence[Sequence[float]]) -> Optional[Spread]:
    """Over the repeats of all rounds; None without any.

    >>> spread_of([[1.0, 2.0], [3.0]])
    Spread(median=2.0, low=1.5, high=2.5)
    """
    samples = [sample for repeats in rounds for sample in repeats]
    if not samples:
        return None
    if len(samples) == 1:
        return Spread(samples[0], samples[0], samples[0])
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(median, low, high)


def row_spread(row: Row, library: str) -> Optional[Spread]:
    """A library's spread in a row; None if it was not measured."""
    return spread_of(row["libraries"].get(library, {}).get("rounds", []))


def ratio_of(row: Row, peer: str) -> Optional[Ratio]:
    """Of a peer to mixgrad; None unless both were measured."""
    ours, theirs = row_spread(row, "mixgrad"), row_spread(row, peer)
    if ours is None or theirs is None or not ours.median:
        return None
    pairs = zip(row["libraries"]["mixgrad"]["rounds"], row["libraries"][peer]["rounds"])
    single = [statistics.median(b) / statistics.median(a) for a, b in pairs if a and b]
    median = theirs.median / ours.median
    return Ratio(median, min(single, default=median), max(single, default=median))


def judged_peer(row: Row, goal: dict[str, Any]) -> Optional[str]:
    """The fastest of the measured peers that the goal names."""
    spreads = {peer: row_spread(row, peer) for peer in goal["peers"]}
    measured = {peer: spread.median for peer, spread in spreads.items() if spread}
    return min(measured, key=lambda peer: measured[peer]) if measured else None


def verdict(row: Row, goal: dict[str, Any]) -> str:
    """'yes' or 'no' when all rounds say so, 'unclear' when they differ, '' when there is nothing to judge."""
    if goal["limit"] is not None:
        ours = row_spread(row, "mixgrad")
        return "" if ours is None else "yes" if ours.median <= goal["limit"] else "no"
    peer = judged_peer(row, goal)
    ratio = ratio_of(row, peer) if peer else None
    if ratio is None:
        return ""
    if ratio.low >= goal["ratio"]:
        return "yes"
    return "no" if ratio.high < goal["ratio"] else "unclear"


def peak_flops(rows: Sequence[Row], ceilings: dict[str, float]) -> Optional[float]:
    """Operations a second: the fastest repeat of the large matrix product by any library of the run.

    Without one, what multiply-adds in registers reach.
    """
    rates = [
        row["flops"] / min(min(repeats) for repeats in result["rounds"] if repeats)
        for row in rows
        if row["case"] == "dot"
        for result in row["libraries"].values()
        if any(result.get("rounds", []))
    ]
    return max(rates) if rates else ceilings.get("multiply-add float32")


def bandwidth(row: Row, ceilings: dict[str, float]) -> Optional[float]:
    """Bytes a second that the machine reached on about as many bytes as the row's, reading or copying."""
    moved = row["reads"] + row["writes"]
    found: dict[float, float] = {}
    for name, rate in ceilings.items():
        kind, _, size = name.partition(" ")
        if kind in ("read", "copy") and size.endswith(" MB"):
            place = float(size[:-3]) * 1e6
            found[place] = max(rate, found.get(place, 0.0))
    if not found or not moved:
        return None
    return found[min(found, key=lambda place: abs(math.log(place / moved)))]


def bound_of(row: Row, ceilings: dict[str, float], peak: Optional[float]) -> Optional[Bound]:
    """The row's least time, or None if it names no work or nothing was measured to judge it by."""
    rate = bandwidth(row, ceilings)
    bounds = []
    if rate:
        bounds.append(Bound((row["reads"] + row["writes"]) / rate, "memory"))
    if peak and row["flops"]:
        bounds.append(Bound(row["flops"] / peak, "arithmetic"))
    return max(bounds, key=lambda bound: bound.seconds, default=None)


def disagreements(row: Row, tolerance: Optional[float]) -> list[str]:
    """Libraries whose result differs from mixgrad's, with both signatures."""
    signatures = {key: result.get("signature") for key, result in row["libraries"].items()}
    ours = signatures.get("mixgrad")
    if tolerance is None or not ours:
        return []
    return [
        f"{key} computed {theirs}, mixgrad {ours} (size, mean of magnitudes, weighted mean)"
        for key, theirs in signatures.items()
        if theirs and not _agree(ours, theirs, tolerance)
    ]


def _agree(ours: list[float], theirs: list[float], tolerance: float) -> bool:
    """The weighted mean is judged by the magnitudes: it is small itself where signs cancel."""
    least = max(1e-4, tolerance * ours[1])
    means = zip(ours[:2], theirs[:2])
    return abs(ours[2] - theirs[2]) <= least and all(
        math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-4) for a, b in means
    )
