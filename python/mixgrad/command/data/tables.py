"""Text: lists of pictures, CSV and LibSVM. Lines are counted exactly; of large files samples are parsed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Optional

from ..._files import open_file
from ...base import FileFormatError
from .report import Histogram, Report, Spread

__all__ = ["describe_csv", "describe_libsvm", "describe_list", "looks_like_libsvm"]

_PIECE = 1 << 20
_PIECES = 32  # of a large file that are parsed, evenly spread
_COLUMNS_SHOWN = 8


def _count_lines(file: BinaryIO) -> int:
    """Lines that hold something, as far as empty ones can be told by two ends in a row."""
    file.seek(0)
    lines, last = 0, b"\n"
    while piece := file.read(_PIECE):
        lines += piece.count(b"\n") - piece.count(b"\n\n") - (last == b"\n" and piece[:1] == b"\n")
        last = piece[-1:]
    return lines + (last != b"\n")


def _sampled(file: BinaryIO, size: int, check: bool) -> Iterator[tuple[int, bytes]]:
    """Offset and content of lines: all, or those of pieces that are evenly spread over a large file."""
    if check or size <= _PIECES * _PIECE:
        begins, length = [0], size
    else:
        begins, length = [size // _PIECES * number for number in range(_PIECES)], _PIECE
    for begin in begins:
        file.seek(begin)
        offset = begin + (len(file.readline()) if begin else 0)  # a line that begins before is left out
        while offset < begin + length and (line := file.readline()):
            if line.strip():
                yield offset, line
            offset += len(line)


def _describe(
    path: Path, kind: str, check: bool, parse: Callable[[Report, bytes], None]
) -> tuple[Report, str]:
    """Counts and parses lines; returns the report and of what it is."""
    report = Report(kind)
    parsed = 0
    with open_file(path, "data") as file:
        size = path.stat().st_size
        lines = _count_lines(file)
        for offset, line in _sampled(file, size, check):
            parsed += 1
            try:
                parse(report, line)
            except ValueError as error:
                report.add_damage(f"the line at byte {offset:,}, {line.strip()[:60]!r}: {error}")
    if parsed == 0:
        raise FileFormatError(f"[data] '{path}' holds no lines; expected {kind}")
    of = "all" if parsed >= lines else f"{parsed:,} of {lines:,} lines"
    report.facts["bytes"] = size
    report.facts["lines"] = lines
    if of != "all":
        report.facts["looked at"] = f"{of}; --check reads all"
    return report, of


def describe_list(path: Path, check: bool) -> Report:
    """A list of pictures: key, labels, path."""
    keys: set[int] = set()
    labels: list[float] = []
    widths: list[int] = []
    repeated = 0

    def parse(_: Report, line: bytes) -> None:
        nonlocal repeated
        fields = line.strip(b"\r\n").split(b"\t")
        if len(fields) < 3:
            raise ValueError(f"{len(fields)} fields; expected key, labels and path with tabs between")
        key = int(fields[0])
        values = [float(one) for one in fields[1:-1]]
        repeated += key in keys
        keys.add(key)
        labels.append(values[0])
        widths.append(len(values))

    report, of = _describe(path, "list of pictures", check, parse)
    if keys:
        report.facts["keys"] = f"{min(keys):,} to {max(keys):,}"
    if repeated:
        report.facts["keys that occur again"] = repeated
    if widths and max(widths) > 1:
        report.facts["labels of a picture"] = Spread.of(widths)
    report.labels = Histogram(labels, of)
    return report


def describe_csv(path: Path, check: bool) -> Report:
    """Numbers with commas between; a first line of names is one of its facts."""
    first: Optional[list[str]] = None
    columns: list[list[float]] = []  # least, greatest, sum, count of each

    def parse(report: Report, line: bytes) -> None:
        nonlocal first
        fields = line.decode("utf-8", "replace").strip().rstrip(",").split(",")
        try:
            values = [float(one) for one in fields]
        except ValueError:
            if first is None and not columns:
                first = fields
                report.facts["names"] = ", ".join(fields[:_COLUMNS_SHOWN])
                return
            bad = next(one for one in fields if not _is_number(one))
            raise ValueError(f"{bad[:40]!r} is not a number") from None
        first = first or fields
        if not columns:
            columns.extend([math.inf, -math.inf, 0.0, 0] for _ in values)
        if len(values) != len(columns):
            raise ValueError(f"{len(values)} numbers; expected {len(columns)}")
        for column, value in zip(columns, values):
            if math.isfinite(value):
                column[0], column[1] = min(column[0], value), max(column[1], value)
                column[2] += value
                column[3] += 1

    report, _ = _describe(path, "CSV", check, parse)
    report.facts["columns"] = len(columns)
    for number, (least, most, total, count) in enumerate(columns[:_COLUMNS_SHOWN]):
        if count:
            report.facts[f"column {number}"] = f"{least:g} to {most:g}, mean {total / count:g}"
    return report


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def describe_libsvm(path: Path, check: bool) -> Report:
    """A label and ``index:value`` pairs in each line."""
    labels: list[float] = []
    pairs: list[int] = []
    greatest = -1

    def parse(_: Report, line: bytes) -> None:
        nonlocal greatest
        label, *rest = line.partition(b"#")[0].split()
        value = float(label)
        for pair in rest:
            index, colon, number = pair.partition(b":")
            if not colon:
                raise ValueError(f"{pair[:40]!r} is not index:value")
            float(number)
            greatest = max(greatest, int(index))
        labels.append(value)
        pairs.append(len(rest))

    report, of = _describe(path, "LibSVM", check, parse)
    if pairs:
        report.facts["pairs of a line"] = Spread.of(pairs)
        report.facts["greatest index"] = greatest
    report.labels = Histogram(labels, of)
    return report


def looks_like_libsvm(line: bytes) -> bool:
    """Whether a line is a label and pairs."""
    fields: list[Any] = line.split()
    return len(fields) > 1 and all(b":" in field for field in fields[1:])
