"""Where rows come from: blocks of them in the order of a pass, from any row of it on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Optional

import numpy as np
import numpy.typing as npt

from ...base import InvalidArgumentError
from ..order import ShuffledOrder
from .columns import Block, block_rows

__all__ = ["GroupSource", "IndexedSource", "RowSource", "part_of"]

_ORDERED = 4096  # places

Numbers = npt.NDArray[np.int64]


def part_of(rows: int, num_parts: int, part_index: int, who: str) -> range:
    """The rows of one of several parts, which differ in length by one row at most."""
    if not isinstance(num_parts, Integral) or not isinstance(part_index, Integral):
        raise TypeError(
            f"[{who}] part_index={part_index!r:.40} of num_parts={num_parts!r:.40}; expected whole numbers"
        )
    if num_parts < 1 or not 0 <= part_index < num_parts:
        raise InvalidArgumentError(f"[{who}] part_index={part_index} of num_parts={num_parts}")
    return range(rows * part_index // num_parts, rows * (part_index + 1) // num_parts)


class RowSource(ABC):
    """Rows that can be read again from any place; passes are numbered, since their orders may differ."""

    who: str  # what messages begin with
    name: str  # what is read, for messages
    rows: Optional[int]  # in a pass; None where only the end of one tells
    seed: Optional[int] = None  # of the order of its rows; None where it is the source's own

    @abstractmethod
    def blocks(self, epoch: int, first: int) -> Iterator[Block]:
        """Blocks of rows of a pass, from its row ``first`` on."""

    def start(self, epoch: int) -> Iterator[Block]:
        """Blocks from the start of a pass, of which the rows come that fill its last batch."""
        return self.blocks(epoch, 0)

    def sample(self) -> Block:
        """Some rows, whose shapes and types all others have."""
        for block in self.blocks(0, 0):
            return block
        raise InvalidArgumentError(f"[{self.who}] {self.name} holds no rows")


class GroupSource(RowSource):
    """Rows in groups that are read as a whole, as HDF5's chunks and Parquet's row groups are.

    With a seed, a pass has the groups in a random order, and the rows of each group, which is in memory then.
    """

    def __init__(self, groups: Sequence[range], seed: Optional[int]) -> None:
        self.groups = groups  # of each, the rows that belong to this part
        self.rows = sum(len(group) for group in groups)
        self.seed = seed

    @abstractmethod
    def opened(self) -> GroupReader:
        """What reads groups, for one pass."""

    def blocks(self, epoch: int, first: int) -> Iterator[Block]:
        order = np.arange(len(self.groups))
        if self.seed is not None and len(self.groups):
            order = ShuffledOrder(len(self.groups), self.seed, epoch)(order)
        reader = self.opened()
        try:
            for number in order.tolist():
                size = len(self.groups[number])
                if first >= size:
                    first -= size
                    continue
                if self.seed is None:
                    yield from _behind(reader.pieces(number), first, self.who)
                else:
                    block = reader.read(number)
                    inside = ShuffledOrder(size, (self.seed + number + 1) % 2**64, epoch)(np.arange(size))
                    yield {key: array[inside][first:] for key, array in block.items()}
                first = 0
        finally:
            reader.close()


def _behind(pieces: Iterator[Block], first: int, who: str) -> Iterator[Block]:
    """Pieces without the ``first`` rows."""
    for piece in pieces:
        size = block_rows(piece, who)
        if first < size:
            yield {key: array[first:] for key, array in piece.items()} if first else piece
        first = max(0, first - size)


class GroupReader(ABC):
    """Open files of a :class:`GroupSource`."""

    @abstractmethod
    def read(self, number: int) -> Block:
        """The rows of a group that belong to the part."""

    def pieces(self, number: int) -> Iterator[Block]:
        """The same rows in order, in pieces where the reader can do so with less memory."""
        yield self.read(number)

    @abstractmethod
    def close(self) -> None:
        """Close the files."""


class IndexedSource(RowSource):
    """Rows that can be read in any order; with a seed, that of each pass is random."""

    def __init__(self, part: range, block: int, seed: Optional[int]) -> None:
        self._part, self._block, self.seed = part, block, seed
        self.rows = len(part)

    @abstractmethod
    def read(self, numbers: Numbers) -> Block:
        """The rows of these numbers."""

    def blocks(self, epoch: int, first: int) -> Iterator[Block]:
        count = len(self._part)
        order = None if self.seed is None else ShuffledOrder(count, self.seed, epoch)
        several = self._block * max(1, _ORDERED // self._block)  # an order is cheaper for many places at once
        for begin in range(first, count, several):
            places = np.arange(begin, min(begin + several, count))
            numbers = self._part.start + (places if order is None else order(places))
            for at in range(0, len(numbers), self._block):
                yield self.read(numbers[at : at + self._block])
