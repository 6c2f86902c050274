"""Batches of rows from any source of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, Optional

import numpy as np

from ... import ndarray as nd
from ...base import InvalidArgumentError
from ...ndarray import NDArray
from ..base import DataBatch, DataDesc, DataIter, checked_batch_size, checked_text
from ..state import checked_state, state_count
from .columns import Block, Columns, block_rows, carried_dtype, joined, named_columns, whole
from .read_ahead import ReadAhead
from .sources import RowSource

__all__ = ["TableIter"]

_LAST = ("pad", "discard", "roll_over")
_MOST_SECONDS = 1e8  # three years
Span = tuple[int, int, int]  # rows of a pass: its number, the first row, how many


class TableIter(DataIter):
    """Base of the iterators over tables: rows come in blocks from a source and leave as batches.

    A pass over the rows has a number, the epoch; the rows and their order follow from it. So the position is
    a pair of numbers, and the source is opened again at any of them.
    """

    def __init__(
        self,
        source: RowSource,
        data: Optional[Columns],
        label: Optional[Columns],
        batch_size: int,
        last_batch_handle: str,
        dtype: Any,
        prefetch: int,
        timeout: Optional[float],
    ) -> None:
        who = type(self).__name__
        checked_text(last_batch_handle, who, "last_batch_handle", _LAST)
        if timeout is not None and not (isinstance(timeout, Real) and 0 < timeout <= _MOST_SECONDS):
            raise InvalidArgumentError(f"[{who}] timeout is {timeout!r:.60}; expected seconds, or None")
        super().__init__(checked_batch_size(batch_size, source.rows or 0, who))
        self._source, self.last_batch_handle = source, last_batch_handle
        self._prefetch, self._timeout = whole(prefetch, who, "prefetch", 0), timeout
        if source.rows == 0:
            raise InvalidArgumentError(f"[{who}] {source.name} holds no rows")
        sample = source.sample()
        labels = named_columns(label if label is not None else (), sample, "softmax_label", who)
        inputs = named_columns(data, sample, "data", who, [key for _, key in labels])
        if not inputs:
            raise InvalidArgumentError(f"[{who}] no column of {source.name} is left for the data")
        self._data = self._described(inputs, sample, dtype)
        self._labels = self._described(labels, sample, None)
        self.provide_data = [desc for _, desc in self._data]
        self.provide_label = [desc for _, desc in self._labels]
        self._epoch = self._at = 0  # the pass, and its first row that was not taken yet
        self._over = False
        self._kept: list[Block] = []  # rows that 'roll_over' keeps for the next pass, and which they are
        self._spans: list[Span] = []
        self._blocks: Optional[Iterator[Block]] = None
        self._process = os.getpid()
        self._rest: Optional[Block] = None  # of the block that was begun
        self._batch: Optional[DataBatch] = None

    def _described(
        self, named: Sequence[tuple[str, Any]], sample: Block, dtype: Any
    ) -> list[tuple[Any, DataDesc]]:
        who = type(self).__name__
        out = []
        for name, key in named:
            kind = carried_dtype(sample[key].dtype if dtype is None else dtype, who, key)
            out.append((key, DataDesc(name, (self.batch_size, *sample[key].shape[1:]), kind)))
        return out

    # Rows.

    def _open(self, epoch: int, first: int) -> Iterator[Block]:
        blocks = self._source.blocks(epoch, first)
        if self._prefetch == 0:
            return blocks
        source = self._source
        return ReadAhead(blocks, self._prefetch, source.who, source.name, self._timeout)

    def _close_blocks(self) -> None:
        blocks: Any = self._blocks
        self._blocks = self._rest = None
        if blocks is not None and self._process == os.getpid():
            blocks.close()

    def _next_block(self) -> Optional[Block]:
        if self._process != os.getpid():  # a forked child has no thread: it opens the source again
            self._blocks, self._process = None, os.getpid()
        if self._blocks is None:
            self._blocks = self._open(self._epoch, self._at)
        return next(self._blocks, None)

    def _take(self, count: int) -> list[Block]:
        """The next rows of the pass, ``count`` of them or what is left."""
        pieces = []
        while count > 0:
            block, self._rest = (self._next_block() if self._rest is None else self._rest), None
            if block is None:
                break
            size = block_rows(block, self._source.who)
            used = min(size, count)
            if used < size:
                self._rest = {key: array[used:] for key, array in block.items()}
                block = {key: array[:used] for key, array in block.items()}
            pieces.append(block)
            self._at += used
            count -= used
        return pieces

    def _rows_at(self, epoch: int, first: int, count: int) -> list[Block]:
        """Rows of any pass, read beside what is being read; fewer where it ends."""
        source = self._source
        pieces: list[Block] = []
        blocks: Any = source.blocks(epoch, first) if first else source.start(epoch)
        try:
            for block in blocks:
                size = block_rows(block, self._source.who)
                pieces.append({key: array[:count] for key, array in block.items()})
                count -= min(size, count)
                if count == 0:
                    break
        finally:
            blocks.close()
        return pieces

    def _count(self, pieces: Sequence[Block]) -> int:
        return sum(block_rows(piece, self._source.who) for piece in pieces)

    # Batches.

    def reset(self) -> None:
        """Start the next pass."""
        self._close_blocks()
        if not self._over:
            self._kept, self._spans = [], []
        self._epoch, self._at, self._over = self._epoch + 1, 0, False

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end of the pass."""
        if self._over:
            return False
        carried = self._count(self._kept)
        begin = self._at
        new = self._take(self.batch_size - carried)
        pieces, rows = [*self._kept, *new], carried + self._count(new)
        pad = carried
        if rows < self.batch_size:
            self._over = True
            self._close_blocks()
            if self.last_batch_handle == "roll_over":
                if self._at > begin:
                    self._spans.append((self._epoch, begin, self._at - begin))
                self._kept = pieces
                return False
            if rows == 0 or self.last_batch_handle == "discard":
                return False
            pad = self.batch_size - rows
            pieces += self._from_start(pad)
        self._kept, self._spans = [], []
        self._batch = DataBatch(self._arrays(self._data, pieces), self._arrays(self._labels, pieces), pad)
        return True

    def _from_start(self, count: int) -> list[Block]:
        """That many rows from the start of the pass, again and again where it is shorter."""
        pieces: list[Block] = []
        while count > 0:
            more = self._rows_at(self._epoch, 0, count)
            taken = self._count(more)
            if taken == 0:
                raise InvalidArgumentError(
                    f"[{self._source.who}] {self._source.name} gave no rows at its start"
                )
            pieces += more
            count -= taken
        return pieces

    def _arrays(self, named: Sequence[tuple[Any, DataDesc]], pieces: Sequence[Block]) -> list[NDArray]:
        out = []
        for key, desc in named:
            array = joined(pieces, key, self._source.who)
            if array.shape[1:] != desc.shape[1:]:
                raise InvalidArgumentError(
                    f"[{self._source.who}] column {key!r:.80} has an example of shape {array.shape[1:]}; the "
                    f"first ones have {desc.shape[1:]}"
                )
            out.append(nd.array(array.astype(desc.dtype, copy=False), dtype=np.dtype(desc.dtype).name))
        return out

    def next(self) -> DataBatch:
        """Return the next batch."""
        if not self.iter_next():
            raise StopIteration
        return self._current()

    def _current(self) -> DataBatch:
        if self._batch is None:
            raise ValueError(f"[{type(self).__name__}] no batch yet; call next or iter_next")
        return self._batch

    def getdata(self) -> Any:
        """Return the data of the current batch."""
        return self._current().data

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return self._current().label

    def getpad(self) -> Optional[int]:
        """Return how many examples of the current batch come from elsewhere than its place."""
        return self._current().pad

    # Position.

    def _same(self) -> dict[str, Any]:
        """What a state must have in common with the iterator that takes it."""
        return {
            "batch_size": self.batch_size,
            "rows": self._source.rows,
            "seed": self._source.seed,
            "last_batch_handle": self.last_batch_handle,
        }

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator stands."""
        return {
            "iterator": type(self).__name__,
            **self._same(),
            "epoch": self._epoch,
            "at": self._at,
            "over": int(self._over),
            "kept": [list(span) for span in self._spans],
        }

    def load_state_dict(self, state: Any) -> None:
        """Go to where another iterator over the same rows stood."""
        who = type(self).__name__
        state = checked_state(state, who, self._same())
        epoch, at, over = (state_count(state, key, who) for key in ("epoch", "at", "over"))
        spans = state.get("kept")
        if not isinstance(spans, (list, tuple)) or not all(
            len(span) == 3 and all(isinstance(one, int) and one >= 0 for one in span) for span in spans
        ):
            raise InvalidArgumentError(
                f"[{who}] the state has kept {spans!r:.60}; expected triples of numbers"
            )
        kept: list[Block] = []
        for one in spans:
            rows = self._rows_at(*one)
            if self._count(rows) != one[2]:
                raise InvalidArgumentError(
                    f"[{who}] {self._source.name} ends before the rows that the state names"
                )
            kept += rows
        self._close_blocks()
        self._epoch, self._at, self._over = epoch, at, bool(over)
        self._kept, self._spans, self._batch = kept, [tuple(span) for span in spans], None

    def close(self) -> None:
        """End the thread that reads ahead and close its files; the next batch opens them again."""
        self._close_blocks()
