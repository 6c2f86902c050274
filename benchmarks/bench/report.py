"""Results as Markdown, and putting them into a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from .summary import Ratio, Row, Spread, bound_of, judged_peer, peak_flops, ratio_of, row_spread, verdict

BEGIN = "<!-- figures: begin (written by benchmarks/run.py) -->"
END = "<!-- figures: end -->"
BUSY = 0.1  # cores; with more taken by others, figures are not to be kept


def number(value: float) -> str:
    """Three digits.

    >>> number(1.2345), number(123.4), number(12345.0)
    ('1.23', '123', '12345')
    """
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def scale_of(value: float, unit: str) -> tuple[float, str]:
    """Divisor and unit that suit a value; unit '' is seconds."""
    if unit == "B":
        return (1e6, "MB") if value >= 1e6 else (1e3, "kB")
    for size, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= size:
            return size, name
    return 1e-9, "ns"


def quantity(value: float, unit: str = "") -> str:
    size, name = scale_of(value, unit)
    return f"{number(value / size)} {name}"


def spread_text(spread: Optional[Spread], unit: str = "") -> str:
    if spread is None:
        return "failed"
    size, name = scale_of(spread.median, unit)
    text = f"{number(spread.median / size)} {name}"
    if spread.low == spread.high:
        return text
    return f"{text} ({number(spread.low / size)} to {number(spread.high / size)})"


def ratio_text(ratio: Optional[Ratio]) -> str:
    if ratio is None:
        return ""
    if ratio.low == ratio.high:
        return f"{ratio.median:.2f}"
    return f"{ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f})"


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def row_lines(row: Row) -> list[list[str]]:
    """A line for each peer, the fastest first; a goal stands beside the peer that it is judged by."""
    unit = "B" if row["unit"] == "B" else ""
    spreads = {key: row_spread(row, key) for key in row["libraries"] if key != "mixgrad"}
    peers = sorted(spreads, key=lambda key: getattr(spreads[key], "median", float("inf")))
    first = [row["title"], spread_text(row_spread(row, "mixgrad"), unit)]
    lines: list[list[str]] = []
    for peer in peers or [""]:
        cells = ["", "", ""]
        if peer:
            cells = [
                row["libraries"][peer]["title"],
                spread_text(spreads[peer], unit),
                ratio_text(ratio_of(row, peer)),
            ]
        wanted = []
        for goal in row["goals"]:
            said = verdict(row, goal) or "not measured"
            if goal["limit"] is not None and not lines:
                wanted.append(f"at most {quantity(goal['limit'], unit)}: {said}")
            elif peer and peer == judged_peer(row, goal):
                wanted.append(f"{goal['ratio']:g} or more: {said}")
        lines.append([*first, *cells, "; ".join(wanted)])
        first = ["", ""]
    return lines


def ceiling_lines(rows: Sequence[Row], ceilings: dict[str, float]) -> list[list[str]]:
    peak = peak_flops(rows, ceilings)
    lines = []
    for row in rows:
        bound, ours = bound_of(row, ceilings, peak), row_spread(row, "mixgrad")
        if bound is None or ours is None:
            continue
        judged = [row_spread(row, judged_peer(row, goal) or "") for goal in row["goals"]]
        theirs = min((spread for spread in judged if spread), key=lambda spread: spread.median, default=None)
        lines.append(
            [
                row["title"],
                f"{number((row['reads'] + row['writes']) / 1e6)} MB",
                f"{number(row['flops'] / 1e6)} M" if row["flops"] else "",
                f"{quantity(bound.seconds)}, {bound.by}",
                f"{bound.seconds / ours.median:.0%}",
                f"{bound.seconds / theirs.median:.0%}" if theirs else "",
            ]
        )
    return lines


def preface(result: dict[str, Any]) -> str:
    machine, settings = result["machine"], result["settings"]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(result["versions"].items()))
    lines = [
        f"Measured {machine['date']} at commit {machine['commit']} on {machine['processor']}, "
        f"{machine['cores']} cores, {number(machine['memory'] / 2**30)} GiB, {machine['system']}; "
        f"{settings['threads']} threads, {settings['rounds']} rounds of {settings['seconds']:g} s for each "
        f"library and case. Versions: {versions}."
    ]
    if result["ceilings"]:
        memory = {
            name: rate for name, rate in result["ceilings"].items() if name.startswith(("read", "copy"))
        }
        listed = ", ".join(f"{name} {number(rate / 1e9)}" for name, rate in memory.items())
        peak = peak_flops(result["rows"], result["ceilings"])
        lines.append(
            f"Ceilings of this run: memory in GB/s: {listed}"
            + (f"; float32 arithmetic {number(peak / 1e9)} GFLOP/s." if peak else ".")
        )
    others = result["other_cores"]
    if others is not None and others > BUSY:
        lines.append(
            f"**Other processes kept {others:.1f} cores busy meanwhile: do not rely on these figures.**"
        )
    if settings["quick"] or settings["rounds"] < 3:
        lines.append("**A short run: enough to see that the cases work, not to compare.**")
    if result["interrupted"]:
        lines.append("**The run was interrupted; cases are missing.**")
    return "\n\n".join(lines)


def markdown(result: dict[str, Any]) -> str:
    """The report of one run."""
    rows = result["rows"]
    parts = [
        preface(result),
        table(
            ("case", "mixgrad", "peer", "peer's figure", "ratio", "goal"),
            [line for row in rows for line in row_lines(row)],
        ),
    ]
    ceilings = ceiling_lines(rows, result["ceilings"])
    if ceilings:
        parts.append(
            "What must be moved and computed, the least time for that here, and the fraction reached:"
        )
        head = ("case", "moves", "operations", "least time, bound by", "mixgrad", "fastest judged peer")
        parts.append(table(head, ceilings))
    problems = [f"- {row['case']}: {problem}" for row in rows for problem in row["problems"]]
    problems += [f"- not measured: {reason}" for reason in result.get("missing", {}).values()]
    if problems:
        parts.append("Problems:\n\n" + "\n".join(problems))
    return "\n\n".join(parts) + "\n"


def write_page(path: Path, text: str) -> None:
    """Replace what stands between the two markers of a page, or make a page that has them."""
    block = f"{BEGIN}\n\n{text}\n{END}\n"
    if not path.exists():
        path.write_text(block, encoding="utf-8")
        return
    page = path.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(f"{END}\n")
    if not begin or not end:
        raise ValueError(f"[report] {path} lacks the lines {BEGIN!r} and {END!r}, between which figures go")
    path.write_text(before + block + after, encoding="utf-8")
