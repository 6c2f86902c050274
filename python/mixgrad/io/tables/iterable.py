"""Batches from anything that gives examples: Hugging Face datasets, lists, generators."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ...base import InvalidArgumentError, ShapeError
from ..base import checked_switch, refuse_unknown
from ..order import checked_seed
from .columns import Block, Columns, chosen_keys, named_columns, stacked, whole
from .sources import IndexedSource, Numbers, RowSource, part_of
from .table_iter import TableIter

__all__ = ["IterableIter"]

_WHO = "IterableIter"


def _fields(example: Any) -> dict[Hashable, Any]:
    """The parts of an example: those of a mapping, of a tuple by number, or the one that it is."""
    if isinstance(example, Mapping):
        return dict(example)
    if isinstance(example, (tuple, list)):
        return dict(enumerate(example))
    return {0: example}


def _stacked(examples: Sequence[Any], keys: Optional[Sequence[Any]], first: int) -> Block:
    """Examples as one array per column."""
    fields = [_fields(example) for example in examples]
    chosen = list(fields[0]) if keys is None else [key for _, key in named_columns(keys, fields[0], "", _WHO)]
    for i, one in enumerate(fields):
        missing = [key for key in chosen if key not in one]
        if missing:
            raise ShapeError(
                f"[{_WHO}] example {first + i} has no {missing[0]!r:.80}; it has {list(one)!s:.200}"
            )
    return {key: stacked([one[key] for one in fields], key, _WHO, first) for key in chosen}


def _described(source: Any) -> str:
    return f"a {type(source).__module__}.{type(source).__name__}"


class _Indexed(IndexedSource):
    """Examples by number: what has ``__len__`` and ``__getitem__``."""

    who = _WHO

    def __init__(
        self, source: Any, keys: Optional[list[Any]], block: int, part: tuple[int, int], seed: Optional[int]
    ) -> None:
        self.name = _described(source)
        self._keys = keys
        self._in_columns = hasattr(source, "with_format") and hasattr(source, "column_names")
        if self._in_columns:  # a dataset of Hugging Face, whose columns come as arrays
            if keys is not None:
                named_columns(keys, source.column_names, "", _WHO)
                source = source.select_columns(list(dict.fromkeys(keys)))
            if getattr(source, "format", {}).get("type") is None:
                source = source.with_format("numpy")
        self._source = source
        super().__init__(part_of(len(source), *part, _WHO), block, seed)

    def read(self, numbers: Numbers) -> Block:
        if not self._in_columns:
            return _stacked([self._source[int(n)] for n in numbers], self._keys, int(numbers[0]))
        columns = self._source[numbers.tolist()]
        return {key: _column(values, key, int(numbers[0])) for key, values in columns.items()}


def _column(values: Any, key: Any, first: int) -> npt.NDArray[Any]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values
    return stacked(list(values), key, _WHO, first)


class _Stream(RowSource):
    """Examples one after the other: each pass begins anew and leaves out what comes before its place."""

    who = _WHO
    rows = None

    def __init__(self, source: Any, keys: Optional[list[Any]], block: int, part: tuple[int, int]) -> None:
        part_of(0, *part, _WHO)
        self.name = _described(source)
        self._source, self._keys, self._block = source, keys, block
        self._num_parts, self._part_index = part
        self._sample: Optional[list[Any]] = None

    def _begun(self, epoch: int) -> Iterator[Any]:
        """The examples of a pass."""
        source = self._source
        if callable(source) and not hasattr(source, "__iter__"):
            source = source()
        if hasattr(source, "set_epoch"):
            source.set_epoch(epoch)
        if not hasattr(source, "__iter__"):
            raise TypeError(
                f"[{_WHO}] {self.name} gives {type(source).__name__}, which is no iterable of examples"
            )
        return iter(source)

    def blocks(self, epoch: int, first: int) -> Iterator[Block]:
        begin = self._part_index + first * self._num_parts
        mine = itertools.islice(self._begun(epoch), begin, None, self._num_parts)
        number = first
        while True:
            block = list(itertools.islice(mine, self._block))
            if not block:
                return
            yield _stacked(block, self._keys, number)
            number += len(block)


class IterableIter(TableIter):
    """Batches from examples that anything gives: a Hugging Face dataset or stream, a list, a generator.

    An example is a mapping of names to values, a tuple of values, or one value; values are numbers or arrays
    of one shape. What has ``__len__`` and ``__getitem__`` is read by number; all else from its beginning in
    each pass, by ``iter``.

    Parameters
    ----------
    source : iterable, or function that returns one
        Where examples come from. A generator serves for one pass; a function that makes generators for any
        number. Its ``set_epoch``, where it has one, is called with the number of the pass.
    data, label : str, int, list of them, or dict
        Parts of the examples: names, or numbers of tuples' entries, or either by the name that their arrays
        shall have. Without ``data``: all that are not labels.
    batch_size : int
        Examples per batch.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full, as for :class:`~mixgrad.io.NDArrayIter`.
    shuffle : bool
        Whether each pass has the examples in a random order, which follows from ``seed`` and the number of
        the pass; of what is read by number only.
    seed : int
        Which orders.
    num_parts, part_index : int
        Read only one of several parts: of what is read by number an equal run, else every ``num_parts``-th.
    dtype : dtype, optional
        Element type of the data; by default that of the examples (float32 for numbers of Python that are no
        integers), or the next wider one that arrays have.
    prefetch : int
        How many times ``block`` examples a thread reads ahead; 0: none, and ``source`` is used by the
        caller's thread alone.
    block : int, optional
        Examples that are read at once; by default those of a batch.
    timeout : float, optional
        Seconds after which a source that gives nothing is a ``TimeoutError``.

    Notes
    -----
    The position counts examples. To go to one, what is read by number begins there; all else is read up to
    it.

    Examples
    --------
    >>> import mixgrad as mx
    >>> it = mx.io.IterableIter([(i, i * i) for i in range(5)], data=0, label=1, batch_size=2)
    >>> [(batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist(), batch.pad) for batch in it]
    [([0, 1], [0, 1], 0), ([2, 3], [4, 9], 0), ([4, 0], [16, 0], 1)]
    >>> def squares():
    ...     for i in range(3):
    ...         yield {"x": [i, i], "y": i * i}
    >>> it = mx.io.IterableIter(squares, data="x", label={"softmax_label": "y"}, batch_size=3)
    >>> it.provide_data[0].shape, it.next().label[0].asnumpy().tolist()
    ((3, 2), [0, 1, 4])
    """

    def __init__(
        self,
        source: Any,
        data: Optional[Columns] = None,
        label: Optional[Columns] = None,
        batch_size: int = 1,
        last_batch_handle: str = "pad",
        shuffle: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        dtype: Any = None,
        prefetch: int = 1,
        block: Optional[int] = None,
        timeout: Optional[float] = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(IterableIter, unknown)
        shuffle = checked_switch(shuffle, "IterableIter", "shuffle")
        keys = (
            None if data is None else [*chosen_keys(data, _WHO, "data"), *chosen_keys(label, _WHO, "label")]
        )
        step = whole(
            batch_size if block is None else block, _WHO, "batch_size" if block is None else "block", 1
        )
        checked = checked_seed(seed, _WHO) if shuffle else None
        part = num_parts, part_index
        rows: RowSource
        if isinstance(source, (Mapping, str, bytes)):
            raise TypeError(
                f"[{_WHO}] source is {type(source).__name__}; expected an iterable of examples "
                "(NDArrayIter takes dicts of arrays)"
            )
        if hasattr(source, "__len__") and hasattr(source, "__getitem__"):
            rows = _Indexed(source, keys, step, part, checked)
        elif not hasattr(source, "__iter__") and not callable(source):
            raise TypeError(
                f"[{_WHO}] source is {type(source).__name__}; expected an iterable, or a function"
            )
        elif shuffle:
            raise InvalidArgumentError(
                f"[{_WHO}] shuffle=True of {_described(source)}, which has no examples by number; "
                "shuffle the source itself"
            )
        else:
            # What has __next__ is an iterator, which can be gone through once.
            kind = _Once if hasattr(source, "__next__") else _Stream
            rows = kind(source, keys, max(step, batch_size) if kind is _Once else step, part)
        super().__init__(rows, data, label, batch_size, last_batch_handle, dtype, prefetch, timeout)


class _Once(_Stream):
    """Examples of an iterator, which cannot begin again; its first ones are kept to fill the last batch."""

    def __init__(self, source: Any, keys: Optional[list[Any]], block: int, part: tuple[int, int]) -> None:
        super().__init__(source, keys, block, part)
        self._first = list(itertools.islice(source, block * self._num_parts))
        self._begun_before = False

    def _begun(self, epoch: int) -> Iterator[Any]:
        if self._begun_before or epoch:
            raise InvalidArgumentError(
                f"[{_WHO}] {self.name} can be gone through only once; expected a list, or a function "
                "that makes such iterators, for further passes and positions"
            )
        self._begun_before = True
        return itertools.chain(self._first, self._source)

    def start(self, epoch: int) -> Iterator[Block]:
        mine = self._first[self._part_index :: self._num_parts]
        if mine:
            yield _stacked(mine, self._keys, 0)

    def sample(self) -> Block:
        for block in self.start(0):
            return block
        raise InvalidArgumentError(f"[{_WHO}] {self.name} holds no examples")
