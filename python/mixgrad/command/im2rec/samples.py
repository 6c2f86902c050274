"""What is packed: pictures with their keys, labels and names, and where their bytes lie."""

from __future__ import annotations

import abc
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Union

from ..._files import read_file
from ...base import FileError, InvalidArgumentError, MissingFileError, MXNetError

__all__ = ["Damaged", "Refused", "Sample", "Source", "Span", "content_of", "files_state", "label_texts"]

_MOST_BYTES = (1 << 32) - 1  # what one picture may take: a record of 4 GiB is no picture any more


class Span(NamedTuple):
    """Bytes inside a file."""

    path: str
    offset: int
    size: int


class Sample(NamedTuple):
    """A picture to pack.

    ``key`` is its number in lists and index files, ``name`` what lists and messages call it, and ``where``
    the path of its file, a part of a file, or its bytes.
    """

    key: int
    labels: tuple[float, ...]
    name: str
    where: Union[str, Span, bytes]


class Refused(NamedTuple):
    """A line or an entry that makes no sample, and why."""

    name: str
    reason: str


class Damaged(MXNetError):
    """A picture that cannot be packed; the message says why, without its name."""


class Source(abc.ABC):
    """Samples in the order in which they are packed."""

    name: str
    """What messages call it: a file, or a list."""

    @abc.abstractmethod
    def __iter__(self) -> Iterator[Union[Sample, Refused]]: ...

    @abc.abstractmethod
    def count(self) -> int:
        """How many samples there are, or -1 where only reading everything tells."""

    @abc.abstractmethod
    def fingerprint(self) -> str:
        """A text that differs where the samples do; files are told apart by size and time of change."""


def files_state(paths: Sequence[Path]) -> str:
    """Names, sizes and times of change of files."""
    states = []
    for path in paths:
        try:
            status = path.stat()
        except OSError as error:
            raise FileError(f"[im2rec] cannot read '{path}': {error.strerror or error}") from None
        states.append((str(path.resolve()), status.st_size, status.st_mtime_ns))
    return repr(states)


def content_of(sample: Sample) -> bytes:
    """The bytes of a sample; ``Damaged`` where they cannot be read."""
    where = sample.where
    if isinstance(where, bytes):
        return where
    try:
        if isinstance(where, str):
            return read_file(where, "im2rec")
        if where.size > _MOST_BYTES:
            raise Damaged(f"{where.size:,} bytes; expected at most {_MOST_BYTES:,}")
        with open(where.path, "rb") as file:
            file.seek(where.offset)
            content = file.read(where.size)
    except (FileError, MissingFileError) as error:
        raise Damaged(str(error).partition("] ")[2] or str(error)) from None
    except OSError as error:
        raise Damaged(f"cannot read {where!r}: {error.strerror or error}") from None
    if len(content) != where.size:
        raise Damaged(f"'{where.path}' ends in it: {len(content):,} of {where.size:,} bytes")
    return content


def label_texts(texts: list[str]) -> tuple[float, ...]:
    """Labels written as text; ``InvalidArgumentError`` names what is no number."""
    labels = []
    for text in texts:
        try:
            label = float(text)
        except ValueError:
            label = math.nan
        if math.isnan(label) and text.strip().lower().lstrip("+-") != "nan":
            raise InvalidArgumentError(f"label {text!r} is not a number")
        labels.append(label)
    return tuple(labels)
