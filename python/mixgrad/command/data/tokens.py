"""Files of tokens: how many, in how many documents, the most frequent ones of a sample."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...base import FileFormatError
from ...io.tokens import TokenFile
from ...io.tokens.layout import MAGIC as TOKENS
from .report import Report, Spread, evenly

__all__ = ["TOKENS", "describe_tokens"]

_PIECE = 1 << 16  # tokens, and documents, that are looked at together
_PIECES = 64
_FREQUENT = 8


def describe_tokens(path: Path, check: bool) -> Report:
    """A file of ``mixgrad.io.TokenWriter``; with ``check`` all of it is read and its checksums compared."""
    report = Report("tokens")
    with TokenFile(path) as file:
        count, documents = len(file), file.documents
        report.facts["bytes"] = path.stat().st_size
        report.facts["tokens"] = count
        report.facts["dtype"] = file.dtype.name
        report.facts["documents"] = documents
        if documents:
            lengths: list[int] = []
            try:
                for first in _begins(documents, check):
                    ends = file.ends(max(0, first - 1), min(first + _PIECE, documents))
                    lengths += np.diff(ends, prepend=[0] if first == 0 else []).tolist()
                report.facts["tokens of a document"] = Spread.of(lengths)
            except FileFormatError as error:
                report.add_damage(str(error))
        if count:
            counts = np.zeros(np.iinfo(np.uint16).max + 1, np.int64)
            most, seen = 0, 0
            for first in _begins(count, check):
                tokens = file.window(first, min(_PIECE, count - first))
                most, seen = max(most, int(tokens.max())), seen + len(tokens)
                counts += np.bincount(tokens[tokens < len(counts)], minlength=len(counts))
            report.facts["greatest token"] = most
            frequent = np.argsort(-counts, kind="stable")[:_FREQUENT]
            report.facts["most frequent tokens"] = ", ".join(
                f"{token} ({100 * counts[token] / seen:.1f}%)" for token in frequent if counts[token]
            )
            if seen < count:
                report.facts["looked at"] = f"{seen:,} of {count:,} tokens; --check reads all"
        if check:
            try:
                file.verify()
            except FileFormatError as error:
                report.add_damage(str(error))
    return report


def _begins(count: int, check: bool) -> list[int]:
    """Where pieces begin: all of them, or some that are evenly spread."""
    pieces = -(-count // _PIECE)
    return [_PIECE * number for number in (range(pieces) if check else evenly(pieces, _PIECES))]
