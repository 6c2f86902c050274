"""Batches from datasets of Ray Data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

import numpy as np

from ..base import InvalidArgumentError
from ..io.tables.columns import Block, Columns, block_rows, chosen_keys, stacked, whole
from ..io.tables.sources import RowSource
from ..io.tables.table_iter import TableIter

__all__ = ["DatasetIter"]

_WHO = "ray.DatasetIter"


class _Blocks(RowSource):
    """Rows of a dataset in the order in which it gives them; to go to a row, what comes before is read."""

    who = _WHO
    rows = None

    def __init__(self, dataset: Any, keys: Optional[list[Any]], block: int) -> None:
        self.name = f"a {type(dataset).__module__}.{type(dataset).__name__}"
        self._dataset, self._keys, self._block = dataset, keys, block
        self._first: Optional[Block] = None  # the first rows, which also fill a last batch
        self._begun: Optional[Iterator[Any]] = None  # the pass that they were read from

    def _batches(self) -> Iterator[Any]:
        return iter(
            self._dataset.iter_batches(
                batch_size=self._block, batch_format="numpy", prefetch_batches=1, drop_last=False
            )
        )

    def _block_of(self, batch: Any, first: int) -> Block:
        keys = [key for key in batch if self._keys is None or key in self._keys]
        # Where none of those asked for is there, the iterator says which are.
        return {key: _numbers(batch[key], key, first) for key in keys} or dict(batch)

    def sample(self) -> Block:
        """The first rows. Other workers may take part in a pass, so the one that is begun here goes on."""
        if self._first is None:
            self._begun = self._batches()
            batch = next(self._begun, None)
            if batch is None:
                raise InvalidArgumentError(f"[{_WHO}] {self.name} holds no rows")
            self._first = self._block_of(batch, 0)
        return self._first

    def start(self, epoch: int) -> Iterator[Block]:
        yield self.sample()

    def blocks(self, epoch: int, first: int) -> Iterator[Block]:
        batches, self._begun = self._begun, None
        begin = 0
        if batches is None:
            batches = self._batches()
        else:
            begin = block_rows(self.sample(), _WHO)
            if first < begin:
                yield {key: array[first:] for key, array in self.sample().items()}
        for batch in batches:
            block = self._block_of(batch, begin)
            size = block_rows(block, _WHO)
            if first < begin + size:
                skipped = max(0, first - begin)
                yield {key: array[skipped:] for key, array in block.items()}
            begin += size


def _numbers(values: Any, key: Any, first: int) -> Any:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values
    return stacked(list(values), key, _WHO, first)


class DatasetIter(TableIter):
    """Batches from a dataset of Ray Data, or from a worker's part of one.

    Parameters
    ----------
    dataset : ray.data.Dataset or ray.data.DataIterator
        What has ``iter_batches``. A part of a dataset for each worker comes from ``dataset.split(num_workers,
        equal=True)``, whose parts each worker can begin anew by itself; in Ray Train from
        ``ray.train.get_dataset_shard``.
    data, label : str, list of str, or dict
        Columns, or columns by the names that their arrays shall have. Without ``data``: all that are not
        labels.
    batch_size : int
        Examples per batch.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full, as for :class:`~mixgrad.io.NDArrayIter`.
    dtype : dtype, optional
        Element type of the data; by default that of the columns.
    prefetch : int
        How many times ``block`` rows a thread reads ahead.
    block : int, optional
        Rows that are asked for at once; by default those of a batch.
    timeout : float, optional
        Seconds after which a dataset that gives nothing is a ``TimeoutError``.

    Notes
    -----
    Each pass is a new pass of the dataset; the order is the dataset's. Rows come in the order of its blocks
    only where Ray is asked for it (``DataContext.execution_options.preserve_order``); positions
    (``state_dict``) count rows, and mean the same ones only then.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> class Pairs:  # what a dataset of Ray has
    ...     def iter_batches(self, batch_size, **options):
    ...         for first in range(0, 5, batch_size):
    ...             x = np.arange(first, min(5, first + batch_size))
    ...             yield {"x": x, "y": x * x}
    >>> it = mx.ray.DatasetIter(Pairs(), data="x", label={"softmax_label": "y"}, batch_size=2)
    >>> [(batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist(), batch.pad) for batch in it]
    [([0, 1], [0, 1], 0), ([2, 3], [4, 9], 0), ([4, 0], [16, 0], 1)]
    """

    def __init__(
        self,
        dataset: Any,
        data: Optional[Columns] = None,
        label: Optional[Columns] = None,
        batch_size: int = 1,
        last_batch_handle: str = "pad",
        dtype: Any = None,
        prefetch: int = 1,
        block: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> None:
        if not callable(getattr(dataset, "iter_batches", None)):
            raise TypeError(
                f"[{_WHO}] dataset is {type(dataset).__name__}; expected one of Ray Data, which has "
                "iter_batches"
            )
        keys = None
        if data is not None:
            keys = [*chosen_keys(data, _WHO, "data"), *chosen_keys(label, _WHO, "label")]
        step = whole(
            batch_size if block is None else block, _WHO, "batch_size" if block is None else "block", 1
        )
        rows = _Blocks(dataset, keys, step)
        super().__init__(rows, data, label, batch_size, last_batch_handle, dtype, prefetch, timeout)
