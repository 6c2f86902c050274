"""Lists of pictures: files of ``im2rec``, and lists of the program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from .._files import PathLike, read_file
from ..base import FileFormatError, InvalidArgumentError
from ..ndarray import NDArray, array

__all__ = ["given_list", "read_list"]

LABEL_DTYPES = ("int32", "float32", "int64", "float64")

# Label and file of each picture by its key.
Listed = dict[Any, tuple[NDArray, str]]


def read_list(path: PathLike, dtype: str, who: str) -> tuple[Listed, list[int]]:
    """A ``.lst`` file: per line a key, the label's numbers and the picture's file, parted by tabs.

    Returns what is listed by key, and the keys in the file's order.
    """
    listed: Listed = {}
    keys = []
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"[{who}] path_imglist is {path!r:.60}; expected a path")
    text = read_file(path, who).decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.strip().split("\t")
        try:
            if len(parts) < 3:
                raise ValueError("fewer than three columns")
            key = int(parts[0])
            label = np.array([float(part) for part in parts[1:-1]])
        except ValueError:
            raise FileFormatError(
                f"[{who}] line {number} of {os.fsdecode(path)!r} is {line!r:.80}; expected a whole number, "
                "the label's numbers and a file, parted by tabs"
            ) from None
        if key in listed:
            raise FileFormatError(
                f"[{who}] line {number} of {os.fsdecode(path)!r} has the key {key}, as a line before it; "
                "expected each key once"
            )
        listed[key] = (array(label, dtype=dtype), parts[-1])
        keys.append(key)
    return listed, keys


def given_list(items: Sequence[Any], dtype: str, who: str) -> tuple[Listed, list[str]]:
    """A list of ``[label, file]``, or ``[number, number, ..., file]``; keys are "1", "2" and so on."""
    listed: Listed = {}
    for key, item in enumerate(items, 1):
        if not isinstance(item, (list, tuple)) or len(item) < 2:
            raise InvalidArgumentError(f"[{who}] imglist holds {item!r:.80}; expected [label, file]")
        label = item[:-1] if len(item) > 2 else [item[0]] if isinstance(item[0], Number) else item[0]
        try:
            listed[str(key)] = (array(label, dtype=dtype), os.fspath(item[-1]))
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"[{who}] imglist holds {item!r:.80}; expected numbers and the name of a file"
            ) from None
    return listed, list(listed)
