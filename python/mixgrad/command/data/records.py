"""Record files: counts from the index, sizes and labels from headers, pictures from samples."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ... import _core, recordio
from ..._files import read_file
from ...base import MXNetError
from ..console import Pace, Progress
from .report import Histogram, Picture, Report, Spread, evenly
from .thumbnails import decoded, picture_facts

__all__ = ["describe_records"]

_MAGIC = 0xCED7230A
_LENGTH_BITS = 29
_PART, _HEADER = struct.Struct("<II"), struct.Struct("<IfQQ")
_MOST_LABELS = 1 << 16  # of one record; more are no labels but something else
_HEADS = 200_000  # records whose sizes and labels are looked at, unless all are
_PROBED = 500  # pictures of which format and size are looked at


class _Head(NamedTuple):
    """What stands before a picture: bytes of the record (its first part), key, first label, their number."""

    size: int
    key: int
    label: float
    labels: int


def describe_records(path: Path, check: bool) -> Report:
    """A record file with its index, if there is one.

    ``check`` reads all of it and decodes each picture; otherwise large files are sampled, and damage between
    the samples remains unseen.
    """
    report = Report("record file")
    source = _core.Source.open(str(path), "data")
    index = path.with_suffix(".idx")
    indexed = _indexed(index, source.bytes, report) if index.is_file() else None
    offsets = _scanned(source, report) if check or indexed is None else indexed
    report.facts["bytes"] = source.bytes
    report.facts["records"] = len(offsets)
    if indexed is not None:
        report.facts["index"] = index.name
        if check and sorted(indexed) != offsets:
            missing = len(set(offsets) - set(indexed))
            report.add_damage(
                f"{index.name} names {len(indexed):,} records; {missing:,} of the file are not among them, "
                f"and {len(set(indexed) - set(offsets)):,} are none"
            )
    if not offsets:
        return report
    chosen = offsets if check else [offsets[place] for place in evenly(len(offsets), _HEADS)]
    heads, bad = _heads(source, chosen, report)
    sampled = len(chosen) < len(offsets)
    _add_heads(report, heads, f"{len(chosen):,} of {len(offsets):,} records" if sampled else "all")
    looked_at = offsets if check else _some(offsets, _PROBED)
    _add_pictures(report, source, [offset for offset in looked_at if offset not in bad], check)
    report.pictures = lambda most: _pictures(source, _some(offsets, most))
    return report


def _some(offsets: Sequence[int], most: int) -> list[int]:
    return [offsets[place] for place in evenly(len(offsets), most)]


def _indexed(path: Path, size: int, report: Report) -> list[int]:
    """The offsets that an index file names; lines that name none are damage."""
    offsets = []
    behind = 0
    for number, line in enumerate(read_file(path, "data").splitlines(), 1):
        fields = line.split(b"\t")
        if len(fields) != 2 or not fields[1].strip().isdigit():
            if line.strip():
                report.add_damage(f"{path.name}, line {number}: {line[:60]!r} is not a key and an offset")
            continue
        offset = int(fields[1])
        if offset >= size:
            behind += 1
        else:
            offsets.append(offset)
    if behind:
        report.add_damage(f"{path.name} names {behind:,} records behind the end of the file", behind)
    return offsets


def _scanned(source: Any, report: Report) -> list[int]:
    """The offsets of all records, by one pass over the headers."""
    reader = _core.RecordReader(source, "data", True, 0, 1, None)
    offsets = reader.scan()
    places, lost, first = reader.skipped()
    if places:
        report.add_damage(f"{lost:,} bytes in {places:,} places are no records; the first: {first}", places)
    return offsets


def _heads(source: Any, offsets: Sequence[int], report: Report) -> tuple[list[_Head], set[int]]:
    """What stands in front of records; also the offsets at which no whole record is."""
    heads: list[_Head] = []
    bad: set[int] = set()
    size = source.bytes
    for offset in offsets:
        first = source.read(offset, min(_PART.size + _HEADER.size + 4, size - offset))
        if len(first) < _PART.size or _PART.unpack_from(first)[0] != _MAGIC:
            report.add_damage(f"no record begins at byte {offset:,}")
            bad.add(offset)
            continue
        length = _PART.unpack_from(first)[1] & ((1 << _LENGTH_BITS) - 1)
        if offset + _PART.size + length > size:
            report.add_damage(f"the record at byte {offset:,} goes on behind the end of the file")
            bad.add(offset)
            continue
        if length < _HEADER.size or len(first) < _PART.size + _HEADER.size:
            heads.append(_Head(length, -1, 0.0, -1))
            continue
        flag, label, key, _ = _HEADER.unpack_from(first, _PART.size)
        if flag > _MOST_LABELS or length < _HEADER.size + 4 * flag:
            heads.append(_Head(length, -1, 0.0, -1))
            continue
        if flag and len(first) >= _PART.size + _HEADER.size + 4:
            label = struct.unpack_from("<f", first, _PART.size + _HEADER.size)[0]
        heads.append(_Head(length, key, label, max(flag, 1)))
    return heads, bad


def _add_heads(report: Report, heads: Sequence[_Head], of: str) -> None:
    if not heads:
        return
    sizes = Spread.of([head.size for head in heads])
    report.facts["record bytes"] = sizes
    with_labels = [head for head in heads if head.labels > 0]
    if len(with_labels) < len(heads):
        report.facts["without a picture's header"] = len(heads) - len(with_labels)
    if with_labels:
        several = Spread.of([head.labels for head in with_labels])
        if several.most > 1:
            report.facts["labels of a record"] = several
        report.labels = Histogram((head.label for head in with_labels), of)


def _add_pictures(report: Report, source: Any, offsets: Sequence[int], check: bool) -> None:
    """Formats and sizes; where some records hold pictures, those that hold none are damaged."""
    reader = _core.RecordReader(source, "data", False, 0, 1, None)
    found: list[tuple[str, int, int, int]] = []
    bad: list[str] = []
    progress = Progress("pictures", 10.0 if check else float("inf"))
    pace = Pace("pictures", len(offsets))
    for number, offset in enumerate(offsets):
        try:
            _, content = recordio.unpack(reader.read_at(offset))
            found.append(picture_facts(content, whole=check))
        except (MXNetError, ValueError, struct.error) as error:
            bad.append(f"the picture at byte {offset:,} is damaged: {error}")
        progress.at(pace.share(number + 1), pace.note(number + 1))
    progress.end()
    of = "all" if check else f"{len(offsets):,} sampled"
    if not found:
        report.facts[f"pictures ({of})"] = "none"
        return
    for text in bad:
        report.add_damage(text)
    formats = Counter(kind for kind, _, _, _ in found)
    report.facts[f"pictures ({of})"] = ", ".join(f"{count:,} {kind}" for kind, count in formats.most_common())
    report.facts["width"] = Spread.of([one[1] for one in found])
    report.facts["height"] = Spread.of([one[2] for one in found])
    report.facts["channels"] = Spread.of([one[3] for one in found])


def _pictures(source: Any, offsets: Sequence[int]) -> list[Picture]:
    reader = _core.RecordReader(source, "data", False, 0, 1, None)
    pictures = []
    for offset in offsets:
        caption, pixels = f"byte {offset:,}", None
        try:
            header, content = recordio.unpack(reader.read_at(offset))
            caption = f"{header.id}: {_label_text(header.label)}"
            pixels = decoded(content)
        except (MXNetError, ValueError, struct.error):
            pass  # the sheet shows that it is damaged; the report has counted it
        pictures.append(Picture(caption, pixels))
    return pictures


def _label_text(label: Any) -> str:
    if isinstance(label, (int, float)):
        return f"{label:g}"
    shown = " ".join(f"{one:g}" for one in label[:3])
    return shown + (" ..." if len(label) > 3 else "")
