"""Batches from HDF5 files, through h5py."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Optional

import numpy as np

from ..._files import PathLike, open_file
from ...base import FileFormatError, MXNetError, NotFoundError, OutOfMemoryError, ShapeError
from ..base import checked_switch, refuse_unknown
from ..files import _checked_path
from ..order import checked_seed
from .columns import Block, Columns, carried_dtype, chosen_keys, whole
from .sources import GroupReader, GroupSource, part_of
from .table_iter import TableIter

__all__ = ["HDF5Iter"]

_GROUP_BYTES = 4 << 20  # of a row of all columns times the rows of a group, about
_MOST_LISTED = 1000


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise ImportError(
            "[HDF5Iter] needs h5py, which is not installed: pip install 'mixgrad[hdf5]'"
        ) from None
    return h5py


@contextmanager
def _errors(name: str, where: str = "") -> Iterator[None]:
    """What h5py says of a file, as an error that names it."""
    try:
        yield
    except MXNetError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(
            f"[HDF5Iter] {name} holds more than there is memory for{where}: {error}"
        ) from None
    except (OSError, RuntimeError, ValueError, TypeError, KeyError, OverflowError) as error:
        raise FileFormatError(f"[HDF5Iter] {name} is damaged{where}: {error!s:.300}") from None


class _Reader(GroupReader):
    def __init__(self, source: _Source) -> None:
        self._source, self._file = source, source.open()
        with _errors(source.name):
            self._sets = {key: self._file[key] for key in source.columns}

    def read(self, number: int) -> Block:
        rows = self._source.groups[number]
        with _errors(self._source.name, f" in rows {rows.start} to {rows.stop - 1}"):
            return {key: np.asarray(one[rows.start : rows.stop]) for key, one in self._sets.items()}

    def close(self) -> None:
        self._file.close()


class _Source(GroupSource):
    who = "HDF5Iter"

    def __init__(
        self,
        path: PathLike,
        columns: Optional[list[Any]],
        block_rows: Optional[int],
        part: tuple[int, int],
        seed: Optional[int],
    ) -> None:
        self.path = os.fsdecode(path)
        self.name = repr(self.path)
        with self.open() as file, _errors(self.name):
            self.columns = self._found(file) if columns is None else columns
            sets = [self._checked(file, key) for key in self.columns]
            rows = {key: len(one) for key, one in zip(self.columns, sets)}
            if len(set(rows.values())) > 1:
                raise ShapeError(f"[HDF5Iter] datasets of {self.name} have different lengths: {rows!s:.300}")
            mine = part_of(next(iter(rows.values()), 0), *part, "HDF5Iter")
            step = block_rows or self._step(sets)
        # Groups begin where chunks do, so that no chunk is read twice in a pass.
        edges = [mine.start, *range((mine.start // step + 1) * step, mine.stop, step), mine.stop]
        super().__init__([range(a, b) for a, b in zip(edges, edges[1:]) if b > a], seed)

    def opened(self) -> GroupReader:
        return _Reader(self)

    def open(self) -> Any:
        open_file(self.path, "HDF5Iter").close()  # regular files only
        try:
            return _h5py().File(self.path, "r")
        except OSError as error:
            raise FileFormatError(f"[HDF5Iter] {self.name} cannot be read as HDF5: {error}") from None

    def _found(self, file: Any) -> list[str]:
        names: list[str] = []

        def visit(name: str, item: Any) -> Optional[bool]:
            if isinstance(item, _h5py().Dataset):
                names.append(name)
            return True if len(names) >= _MOST_LISTED else None

        file.visititems(visit)
        return names

    def _checked(self, file: Any, key: Any) -> Any:
        one = file.get(key) if isinstance(key, str) else None
        if not isinstance(one, _h5py().Dataset):
            there = ", ".join(repr(name) for name in self._found(file)[:20]) or "none"
            raise NotFoundError(f"[HDF5Iter] {self.name} has no dataset {key!r:.80}; there are {there:.500}")
        if not one.shape:
            raise ShapeError(
                f"[HDF5Iter] dataset {key!r} of {self.name} has shape {one.shape}; expected rows"
            )
        carried_dtype(one.dtype, "HDF5Iter", key)
        return one

    @staticmethod
    def _step(sets: Sequence[Any]) -> int:
        """Rows of a group: whole chunks of the set with the largest ones, of a few MiB together."""
        row = sum(max(1, math.prod(one.shape[1:])) * one.dtype.itemsize for one in sets)
        chunk = max((one.chunks[0] for one in sets if one.chunks), default=1)
        most = max(1, 16 * _GROUP_BYTES // row)  # a chunk may claim any size
        return int(min(chunk * max(1, round(_GROUP_BYTES / (chunk * row))), most))


class HDF5Iter(TableIter):
    """Batches from datasets of an HDF5 file, read in turn; needs h5py (``pip install mixgrad[hdf5]``).

    The file may be larger than memory: a few MiB of it are read at a time.

    Parameters
    ----------
    path : path
        The file.
    data, label : str, list of str, or dict
        Datasets of the file, whose first axis is that of the examples: by name, or by the name that their
        arrays shall have. Without ``data``: all that are not labels.
    batch_size : int
        Examples per batch.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full, as for :class:`~mixgrad.io.NDArrayIter`.
    shuffle : bool
        Whether each pass has blocks of rows, and the rows of each block, in a random order, which follows
        from ``seed`` and the number of the pass.
    seed : int
        Which orders.
    block_rows : int, optional
        Rows that are read at once; by default whole chunks of about 4 MiB.
    num_parts, part_index : int
        Read only one of several equal parts of the rows.
    dtype : dtype, optional
        Element type of the data; by default that of the datasets, or the next wider one that arrays have.
    prefetch : int
        Blocks that a thread reads ahead; 0: none.
    timeout : float, optional
        Seconds after which a source that gives nothing is a ``TimeoutError``.

    Raises
    ------
    FileFormatError
        When the file is no HDF5, or damaged.
    NotFoundError
        When a dataset is not there; the message names those that are.

    Examples
    --------
    >>> import mixgrad as mx, h5py, numpy as np, os, tempfile  # doctest: +SKIP
    >>> path = os.path.join(tempfile.mkdtemp(), "digits.h5")  # doctest: +SKIP
    >>> with h5py.File(path, "w") as file:  # doctest: +SKIP
    ...     file["x"], file["y"] = np.zeros((5, 2), "float32"), np.arange(5)
    >>> it = mx.io.HDF5Iter(path, data="x", label={"softmax_label": "y"}, batch_size=2)  # doctest: +SKIP
    >>> [(batch.label[0].asnumpy().tolist(), batch.pad) for batch in it]  # doctest: +SKIP
    [([0, 1], 0), ([2, 3], 0), ([4, 0], 1)]
    """

    def __init__(
        self,
        path: PathLike,
        data: Optional[Columns] = None,
        label: Optional[Columns] = None,
        batch_size: int = 1,
        last_batch_handle: str = "pad",
        shuffle: bool = False,
        seed: int = 0,
        block_rows: Optional[int] = None,
        num_parts: int = 1,
        part_index: int = 0,
        dtype: Any = None,
        prefetch: int = 1,
        timeout: Optional[float] = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(HDF5Iter, unknown)
        shuffle = checked_switch(shuffle, "HDF5Iter", "shuffle")
        source = _Source(
            _checked_path(path, "HDF5Iter", "path"),
            None
            if data is None
            else [*chosen_keys(data, "HDF5Iter", "data"), *chosen_keys(label, "HDF5Iter", "label")],
            None if block_rows is None else whole(block_rows, "HDF5Iter", "block_rows", 1),
            (num_parts, part_index),
            checked_seed(seed, "HDF5Iter") if shuffle else None,
        )
        super().__init__(source, data, label, batch_size, last_batch_handle, dtype, prefetch, timeout)
