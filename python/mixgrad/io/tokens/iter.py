"""Batches of windows of tokens, for language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ... import ndarray as nd
from ..._files import PathLike
from ...base import InvalidArgumentError
from ...ndarray import NDArray
from ..base import DataDesc, checked_switch, checked_text, refuse_unknown
from ..order import checked_seed
from ..tables.columns import Block, carried_dtype, joined, whole
from ..tables.sources import IndexedSource, Numbers, part_of
from ..tables.table_iter import TableIter
from .file import TokenFile

__all__ = ["TokenIter"]

_WHO = "TokenIter"
_MOST_LENGTH = 2**40  # no file has as many tokens
_PIECE = 1 << 20  # documents whose ends are read at once


class _Windows(IndexedSource):
    """The windows of some files, numbered through."""

    who = _WHO

    def __init__(
        self,
        files: Sequence[TokenFile],
        length: int,
        stride: int,
        by_document: bool,
        fill: tuple[int, int],
        dtype: np.dtype[Any],
        block: int,
        part: tuple[int, int],
        seed: Optional[int],
    ) -> None:
        self._files, self._length, self._stride, self._fill = files, length, stride, fill
        self._dtype = dtype
        self.name = (
            repr(files[0].name) if len(files) == 1 else f"{len(files)} files from {files[0].name!r} on"
        )
        # Of each document, or of each file as a whole: file, first token, tokens; and the number of the first
        # window behind it.
        runs = [self._run_of(number, by_document) for number in range(len(files))]
        counts = [
            np.maximum(
                0, (sizes + stride - 2) // stride if by_document else (sizes - 1 - length) // stride + 1
            )
            for _, sizes in runs
        ]
        self._begins = np.concatenate([begins for begins, _ in runs])
        self._sizes = np.concatenate([sizes for _, sizes in runs])
        self._of_file = np.repeat(np.arange(len(files)), [len(begins) for begins, _ in runs])
        self._behind = np.cumsum(np.concatenate(counts))
        super().__init__(part_of(int(self._behind[-1]) if self._behind.size else 0, *part, _WHO), block, seed)

    def _run_of(self, number: int, by_document: bool) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        file = self._files[number]
        if not by_document:
            return np.zeros(1, np.int64), np.array([len(file)], np.int64)
        pieces = [
            file.ends(first, min(first + _PIECE, file.documents))
            for first in range(0, file.documents, _PIECE)
        ]
        ends = np.concatenate([np.zeros(0, np.int64), *pieces])
        begins = np.concatenate([np.zeros(1, np.int64), ends[:-1]])[: len(ends)]
        return begins, ends - begins

    def read(self, numbers: Numbers) -> Block:
        runs = np.searchsorted(self._behind, numbers, side="right")
        window = numbers - np.where(runs > 0, self._behind[runs - 1], 0)
        at = window * self._stride
        begins = self._begins[runs] + at
        lengths = np.minimum(self._sizes[runs] - at, self._length + 1)
        files = self._of_file[runs]
        data = np.full((len(numbers), self._length), self._fill[0], self._dtype)
        label = np.full((len(numbers), self._length), self._fill[1], self._dtype)
        groups = np.stack([files, lengths], axis=1)
        for file, length in np.unique(groups, axis=0).tolist():
            rows = np.flatnonzero((files == file) & (lengths == length))
            tokens = self._files[file].windows(begins[rows], length)
            data[rows, : length - 1], label[rows, : length - 1] = tokens[:, :-1], tokens[:, 1:]
        return {"data": data, "label": label}


def _filling(value: Any, dtype: np.dtype[Any], what: str) -> int:
    """A number that fills arrays of a dtype up."""
    number = whole(value, _WHO, what, -(2**63), 2**63 - 1)
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max:
        raise InvalidArgumentError(
            f"[{_WHO}] {what} is {number}; {dtype.name} holds {np.iinfo(dtype).min} to {np.iinfo(dtype).max}"
        )
    return number


class TokenIter(TableIter):
    """Batches of windows of tokens, and for every token the next one as label.

    Parameters
    ----------
    files : path, TokenFile, or list of them
        Files of tokens (:class:`TokenFile`).
    batch_size : int
        Windows per batch.
    length : int
        Tokens of a window: data and label have that many.
    stride : int, optional
        Tokens from the start of a window to that of the next; ``length`` by default, so that every token is a
        label once.
    by : {'position', 'document'}
        Whether windows run over the ends of documents, and what is left over at the end of a file, less than
        a window, is left out; or begin anew with each document, and the last ones of each are filled up.
    fill : int
        Fills up data.
    fill_label : int
        Fills up labels; operators such as ``SoftmaxOutput(use_ignore=True)`` leave it out.
    shuffle : bool
        Whether the windows of each pass are in a random order, which follows from ``seed`` and the number of
        the pass. Nothing is kept of it, whatever the number of windows.
    seed : int
        Which orders.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full, as for :class:`~mixgrad.io.NDArrayIter`.
    num_parts, part_index : int
        Read only one of several equal parts of the windows.
    token_dtype, separator : optional
        Of plain files: see :class:`TokenFile`.
    dtype : dtype
        Element type of data and labels.
    layout : {'NT', 'TN'}
        Whether windows are rows or columns.
    data_name, label_name : str
        Names of the two arrays.
    prefetch : int
        Batches that a thread reads ahead; 0: none.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "train.bin")
    >>> np.arange(10, dtype="uint16").tofile(path)
    >>> it = mx.io.TokenIter(path, batch_size=2, length=4, token_dtype="uint16")
    >>> batch = it.next()
    >>> batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()
    ([[0, 1, 2, 3], [4, 5, 6, 7]], [[1, 2, 3, 4], [5, 6, 7, 8]])
    """

    def __init__(
        self,
        files: Union[PathLike, TokenFile, Sequence[Union[PathLike, TokenFile]]],
        batch_size: int,
        length: int,
        stride: Optional[int] = None,
        by: str = "position",
        fill: int = 0,
        fill_label: int = -1,
        shuffle: bool = False,
        seed: int = 0,
        last_batch_handle: str = "pad",
        num_parts: int = 1,
        part_index: int = 0,
        token_dtype: Any = None,
        separator: Optional[int] = None,
        dtype: Any = "int32",
        layout: str = "NT",
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch: int = 1,
        **unknown: Any,
    ) -> None:
        refuse_unknown(TokenIter, unknown)
        checked_text(by, _WHO, "by", ("position", "document"))
        checked_text(layout, _WHO, "layout", ("NT", "TN"))
        for what, text in (("data_name", data_name), ("label_name", label_name)):
            checked_text(text, _WHO, what)
        shuffle = checked_switch(shuffle, _WHO, "shuffle")
        listed: list[Any] = list(files) if isinstance(files, (list, tuple)) else [files]
        if not listed:
            raise InvalidArgumentError(f"[{_WHO}] files is an empty list; expected a file")
        length = whole(length, _WHO, "length", 1, _MOST_LENGTH)
        stride = length if stride is None else whole(stride, _WHO, "stride", 1, 2**62)
        self._layout, self._dtype = layout, carried_dtype(dtype, _WHO, data_name)
        source = _Windows(
            [one if isinstance(one, TokenFile) else TokenFile(one, token_dtype, separator) for one in listed],
            length,
            stride,
            by == "document",
            (_filling(fill, self._dtype, "fill"), _filling(fill_label, self._dtype, "fill_label")),
            self._dtype,
            whole(batch_size, _WHO, "batch_size", 1),
            (num_parts, part_index),
            checked_seed(seed, _WHO) if shuffle else None,
        )
        if source.rows == 0 and num_parts == 1:
            raise InvalidArgumentError(
                f"[{_WHO}] {source.name} has no window of {length} tokens and the one behind them"
            )
        self._length, self._stride, self._by = length, stride, by
        super().__init__(
            source,
            {data_name: "data"},
            {label_name: "label"},
            batch_size,
            last_batch_handle,
            dtype,
            prefetch,
            None,
        )

    def _described(
        self, named: Sequence[tuple[str, Any]], sample: Block, dtype: Any
    ) -> list[tuple[Any, DataDesc]]:
        shape = (self.batch_size, sample["data"].shape[1])
        across = shape if self._layout == "NT" else shape[::-1]
        return [(key, DataDesc(name, across, self._dtype, self._layout)) for name, key in named]

    def _arrays(self, named: Sequence[tuple[Any, DataDesc]], pieces: Sequence[Block]) -> list[NDArray]:
        out = []
        for key, _ in named:
            array = joined(pieces, key, _WHO)
            across = array if self._layout == "NT" else array.T
            out.append(nd.array(np.ascontiguousarray(across, self._dtype), dtype=self._dtype.name))
        return out

    def _same(self) -> dict[str, Any]:
        return {**super()._same(), "length": self._length, "stride": self._stride, "by": self._by}
