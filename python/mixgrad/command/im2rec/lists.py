"""Lists of pictures (``.lst``): made of a folder, written and read as MXNet's im2rec does.

A line is ``key, label[, label ...], path`` with tabs between; paths are relative to the root.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Union

import numpy as np

from ..._files import read_file, write_file
from ...base import FileError, FileFormatError, InvalidArgumentError
from .samples import Refused, Sample, Source, label_texts

__all__ = ["ListSource", "Listing", "Pictures", "find_pictures", "list_line", "lists_of", "write_lists"]

_SEED = 100  # of the order of lists, so that a folder always gives the same one


@dataclass(frozen=True)
class Listing:
    """How a folder becomes lists: the options of ``im2rec --list``."""

    recursive: bool = False
    extensions: tuple[str, ...] = (".jpeg", ".jpg", ".png")
    shuffle: bool = True
    chunks: int = 1
    train_ratio: float = 1.0
    test_ratio: float = 0.0

    def __post_init__(self) -> None:
        train, test = self.train_ratio, self.test_ratio
        if not (0 <= train <= 1 and 0 <= test <= 1 and train + test <= 1 + 1e-9):
            raise InvalidArgumentError(
                f"[im2rec] --train-ratio is {train} and --test-ratio {test}; expected shares of at most 1"
            )


class Pictures(NamedTuple):
    """The pictures of a folder, each with its path below the root and its class, and the classes' folders."""

    items: list[tuple[str, int]]
    classes: list[str]


def find_pictures(root: Path, listing: Listing) -> Pictures:
    """The pictures of a folder, by name; with ``recursive`` those below it, each folder a class.

    Classes are numbered as folders with pictures are met: a folder, then what is below it, by name.
    """
    if not root.is_dir():
        raise FileError(f"[im2rec] '{root}' is not a folder; expected one with pictures")
    endings = {ending.lower() for ending in listing.extensions}
    if not listing.recursive:
        return Pictures([(name, 0) for name in _names(root, endings)], [])
    items: list[tuple[str, int]] = []
    classes: list[str] = []
    for folder in _folders(root, ()):
        below = os.path.relpath(folder, root)
        names = _names(folder, endings)
        items += [(os.path.normpath(os.path.join(below, name)), len(classes)) for name in names]
        classes += [below] if names else []
    return Pictures(items, classes)


def _names(folder: Path, endings: set[str]) -> list[str]:
    try:
        found = sorted(os.listdir(folder))
    except OSError as error:
        raise FileError(f"[im2rec] cannot list '{folder}': {error.strerror or error}") from None
    return [
        name
        for name in found
        if os.path.splitext(name)[1].lower() in endings and os.path.isfile(os.path.join(folder, name))
    ]


def _folders(folder: Path, above: tuple[tuple[int, int], ...]) -> Iterator[Path]:
    """A folder and those below it; a link to a folder that it lies in is left out."""
    status = folder.stat()
    self = (status.st_dev, status.st_ino)
    if self in above:
        return
    yield folder
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError as error:
        raise FileError(f"[im2rec] cannot list '{folder}': {error.strerror or error}") from None
    for name in names:
        yield from _folders(folder / name, (*above, self))


def list_line(key: int, labels: Iterable[float], name: str) -> str:
    """A line of a list, without its end; refuses a name that would not come back."""
    if name != name.strip() or any(one in name for one in "\t\n\r"):
        raise InvalidArgumentError(
            f"[im2rec] the name {name!r} has white space where a list cannot hold it; expected none at the "
            "ends, no tab and no line break"
        )
    return "\t".join([str(key), *(f"{label:f}" for label in labels), name])


def write_lists(prefix: Path, items: list[tuple[str, int]], listing: Listing) -> list[tuple[Path, int]]:
    """Writes ``prefix[_chunk][_train|_val|_test].lst``; returns each file with its number of lines."""
    numbered = [(key, name, label) for key, (name, label) in enumerate(items)]
    if listing.shuffle:
        random.Random(_SEED).shuffle(numbered)
    size = -(-len(numbered) // listing.chunks)
    train, test = int(size * listing.train_ratio), int(size * listing.test_ratio)
    written = []
    for number in range(listing.chunks):
        chunk = numbered[number * size : (number + 1) * size]
        parts = {"": chunk}
        if listing.train_ratio != 1.0:
            parts = {"_train": chunk[test : test + train]}
            if listing.test_ratio:
                parts["_test"] = chunk[:test]
            if listing.train_ratio + listing.test_ratio < 1.0:
                parts["_val"] = chunk[test + train :]
        middle = f"_{number}" if listing.chunks > 1 else ""
        for ending, part in parts.items():
            path = prefix.with_name(f"{prefix.name}{middle}{ending}.lst")
            lines = [list_line(key, (label,), name) + "\n" for key, name, label in part]
            write_file(path, os.fsencode("".join(lines)), "im2rec")
            written.append((path, len(part)))
    return written


def lists_of(prefix: Path) -> list[Path]:
    """The lists whose names begin with a prefix; a folder means all that lie in it."""
    folder, start = (prefix, "") if prefix.is_dir() else (prefix.parent, prefix.name)
    if not folder.is_dir():
        raise FileError(f"[im2rec] there is no folder '{folder}' for '{prefix}'")
    return sorted(
        path
        for path in folder.iterdir()
        if path.name.startswith(start) and path.suffix == ".lst" and path.is_file()
    )


class ListSource(Source):
    """The pictures that a list names, below a root."""

    def __init__(self, path: Path, root: Path) -> None:
        self.name = str(path)
        self._root = str(root)
        self._content = read_file(path, "im2rec")
        self._refuse_repeated_keys()

    def __iter__(self) -> Iterator[Union[Sample, Refused]]:
        for number, line in enumerate(self._lines(), 1):
            yield _parsed(os.fsdecode(line), self._root, number)

    def _refuse_repeated_keys(self) -> None:
        """An index finds one record by a key: of two, one would be lost."""
        keys, lines = [], []
        for number, line in enumerate(self._lines(), 1):
            text = line.split(b"\t", 1)[0].strip()
            if text.isdigit() and len(text) < 20 and int(text) < 1 << 64:
                keys.append(int(text))
                lines.append(number)
        known = np.array(keys, np.uint64)
        order = np.argsort(known, kind="stable")
        again = np.flatnonzero(known[order][1:] == known[order][:-1])
        if again.size:
            place = again[np.argmin(order[again + 1])]
            first, second = order[place], order[place + 1]
            raise FileFormatError(
                f"[im2rec] '{self.name}' has the key {keys[second]} in line {lines[second]}, as in line "
                f"{lines[first]}{f', and {again.size - 1:,} more such lines' if again.size > 1 else ''}; "
                "expected each key once"
            )

    def _lines(self) -> list[bytes]:
        return [line for line in self._content.split(b"\n") if line.strip()]

    def count(self) -> int:
        """How many lines hold something."""
        return len(self._lines())

    def fingerprint(self) -> str:
        """Follows from the list and the root; pictures that change under way are not noticed."""
        return f"{hashlib.sha256(self._content).hexdigest()} {os.path.abspath(self._root)}"


def _parsed(line: str, root: str, number: int) -> Union[Sample, Refused]:
    fields = [field.strip() for field in line.strip().split("\t")]
    where = f"line {number}"
    if len(fields) < 3:
        return Refused(where, f"{line.strip()!r} has {len(fields)} fields; expected key, labels and path")
    try:
        key = int(fields[0])
    except ValueError:
        key = -1
    if not 0 <= key < 1 << 64:
        return Refused(where, f"the key {fields[0]!r} is not a whole number from 0 and below 2^64")
    try:
        labels = label_texts(fields[1:-1])
    except InvalidArgumentError as error:
        return Refused(where, str(error))
    return Sample(key, labels, fields[-1], os.path.join(root, fields[-1]))
