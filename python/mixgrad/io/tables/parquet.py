"""Batches from Parquet and Arrow files, through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Optional, Union

from ..._files import PathLike, open_file
from ...base import FileFormatError, MXNetError, NotFoundError, UnsupportedError
from ..base import checked_switch, refuse_unknown
from ..files import _checked_path, _files_of
from ..order import checked_seed
from .arrow import column_array
from .columns import Block, Columns, chosen_keys
from .sources import GroupReader, GroupSource, part_of
from .table_iter import TableIter

__all__ = ["ParquetIter"]

_ARROW = b"ARROW1"
_PARQUET = b"PAR1"
_PIECE_ROWS, _PIECE_BYTES = 65536, 8 << 20  # of what is in memory at a time
_MOST_GROUP_BYTES = 2 << 30  # of a row group that is in memory as a whole


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            "[ParquetIter] needs pyarrow, which is not installed: pip install 'mixgrad[parquet]'"
        ) from None
    return pyarrow


class _File:
    """An open Parquet or Arrow file: groups of rows."""

    def __init__(self, path: str, columns: Optional[list[str]]) -> None:
        self._pa = _pyarrow()
        with ExitStack() as closing:
            self._file = closing.enter_context(open_file(path, "ParquetIter"))
            first = self._file.read(len(_ARROW))
            self._file.seek(0)
            with _errors(self._pa, path):
                if first[:4] == _PARQUET:
                    self._parquet, self._arrow = self._pa.parquet.ParquetFile(self._file), None
                    self.names = list(self._parquet.schema_arrow.names)
                elif first == _ARROW:
                    self._parquet, self._arrow = None, self._pa.ipc.open_file(self._file)
                    self.names = list(self._arrow.schema.names)
                else:
                    raise FileFormatError(
                        f"[ParquetIter] {path!r} begins with {first.hex(' ') or 'nothing'}; expected a "
                        "Parquet file (PAR1) or an Arrow file (ARROW1)"
                    )
            self.columns = self.names if columns is None else columns
            for key in self.columns:
                if key not in self.names:
                    there = ", ".join(repr(name) for name in self.names[:20]) or "none"
                    raise NotFoundError(
                        f"[ParquetIter] {path!r} has no column {key!r:.80}; there are {there:.500}"
                    )
            if self._arrow is not None and columns is not None:
                self._file.seek(0)
                places = [self.names.index(key) for key in columns]
                with _errors(self._pa, path):
                    options = self._pa.ipc.IpcReadOptions(included_fields=places)
                    self._arrow = self._pa.ipc.open_file(self._file, options=options)
            self._closing = closing.pop_all()

    def counts(self) -> list[int]:
        """Rows of each group."""
        if self._parquet is not None:
            meta = self._parquet.metadata
            return [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
        assert self._arrow is not None
        return [self._batch(i).num_rows for i in range(self._arrow.num_record_batches)]

    def bytes_of(self, group: int) -> int:
        """Of a group's columns in memory, as far as the file says."""
        if self._parquet is None:
            return 0
        meta = self._parquet.metadata.row_group(group)
        columns = [meta.column(i) for i in range(meta.num_columns)]
        return sum(
            int(one.total_uncompressed_size)
            for one in columns
            if one.path_in_schema.split(".")[0] in self.columns
        )

    def pieces(self, group: int) -> Iterator[Any]:
        """A group's rows in tables of a few MiB."""
        if self._parquet is None:
            yield self._batch(group)
            return
        rows = max(1, self._parquet.metadata.row_group(group).num_rows)
        step = max(1, min(_PIECE_ROWS, rows * _PIECE_BYTES // max(1, self.bytes_of(group))))
        yield from self._parquet.iter_batches(
            step, row_groups=[group], columns=self.columns, use_threads=False
        )

    def read(self, group: int) -> Any:
        if self._parquet is not None:
            return self._parquet.read_row_group(group, columns=self.columns, use_threads=False)
        return self._batch(group)

    def _batch(self, group: int) -> Any:
        """A record batch whose lengths and offsets fit: pyarrow ends the process where it cuts others."""
        assert self._arrow is not None
        batch = self._arrow.get_batch(group)
        batch.validate(full=True)
        return batch

    def close(self) -> None:
        self._closing.close()


@contextmanager
def _errors(pa: Any, path: str) -> Iterator[None]:
    """What pyarrow says of a file, as an error that names it."""
    try:
        yield
    except MXNetError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FileFormatError(f"[ParquetIter] {path!r} is damaged: {error!s:.300}") from None


class _Reader(GroupReader):
    def __init__(self, source: _Source) -> None:
        self._source = source
        self._path = ""
        self._file: Optional[_File] = None

    def read(self, number: int) -> Block:
        source = self._source
        path, group, begin = source.places[number]
        rows = len(source.groups[number])
        with _errors(_pyarrow(), path):
            table = self._opened(path).read(group)
            self._expect(number, table.num_rows)
            table = table.slice(begin, rows)
        return self._block(number, table)

    def pieces(self, number: int) -> Iterator[Block]:
        path, group, begin = self._source.places[number]
        end = begin + len(self._source.groups[number])
        at = 0  # rows of the group before this piece
        with _errors(_pyarrow(), path):
            tables = iter(self._opened(path).pieces(group))
        while at < end:
            with _errors(_pyarrow(), path):
                table = next(tables, None)
                if table is None:
                    self._expect(number, at)
                    return
                first, size = max(0, begin - at), min(table.num_rows, end - at)
                at += table.num_rows
                table = table.slice(first, size - first) if first < size else None
            if table is not None:
                yield self._block(number, table)

    def _opened(self, path: str) -> _File:
        if path != self._path or self._file is None:
            self.close()
            self._path, self._file = path, _File(path, self._source.columns)
        return self._file

    def _where(self, number: int) -> str:
        path, group, _ = self._source.places[number]
        return f"row group {group} of {path!r}"

    def _expect(self, number: int, rows: int) -> None:
        """Refuse a group with fewer rows than the file says."""
        end = self._source.places[number][2] + len(self._source.groups[number])
        if rows < end:
            raise FileFormatError(
                f"[ParquetIter] {self._where(number)} has {rows} rows; expected {end} or more"
            )

    def _block(self, number: int, table: Any) -> Block:
        where, null = self._where(number), self._source.null
        return {
            key: column_array(table.column(i), _pyarrow(), key, "ParquetIter", where, null)
            for i, key in enumerate(table.schema.names)
        }

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None


def _expect_fit(path: str, columns: Optional[list[str]], counted: _File) -> None:
    """Refuse row groups that are too large to be in memory as a whole."""
    file = counted if columns is None else _File(path, columns)
    try:
        for group, _ in enumerate(file.counts()):
            size = file.bytes_of(group)
            if size > _MOST_GROUP_BYTES:
                raise UnsupportedError(
                    f"[ParquetIter] row group {group} of {path!r} has {size} bytes; with shuffle=True, which "
                    f"has a group in memory, at most {_MOST_GROUP_BYTES} are read: expected shuffle=False, "
                    "fewer columns, or a file of smaller row groups"
                )
    finally:
        if file is not counted:
            file.close()


class _Source(GroupSource):
    who = "ParquetIter"

    def __init__(
        self,
        paths: Sequence[str],
        columns: Optional[list[str]],
        part: tuple[int, int],
        seed: Optional[int],
        null: Optional[float],
    ) -> None:
        self.columns, self.null = columns, null
        self.name = repr(paths[0]) if len(paths) == 1 else f"{len(paths)} files from {paths[0]!r} on"
        counts = []
        for path in paths:
            file = _File(path, columns[:1] if columns else None)  # one column tells the rows
            try:
                if self.columns is None:
                    self.columns = file.names
                with _errors(_pyarrow(), path):
                    counts += [(path, group, rows) for group, rows in enumerate(file.counts())]
                if seed is not None:
                    _expect_fit(path, columns, file)
                least = min((rows for _, _, rows in counts), default=0)
                if least < 0:
                    raise FileFormatError(
                        f"[ParquetIter] {path!r} is damaged: it has a group of {least} rows"
                    )
            finally:
                file.close()
        mine = part_of(sum(rows for _, _, rows in counts), *part, "ParquetIter")
        groups: list[range] = []
        self.places: list[tuple[str, int, int]] = []  # file, row group, its first row of this part
        begin = 0
        for path, group, rows in counts:
            first, last = max(begin, mine.start), min(begin + rows, mine.stop)
            if last > first:
                groups.append(range(first, last))
                self.places.append((path, group, first - begin))
            begin += rows
        super().__init__(groups, seed)

    def opened(self) -> GroupReader:
        return _Reader(self)


class ParquetIter(TableIter):
    """Batches from the rows of Parquet or Arrow files; needs pyarrow (``pip install mixgrad[parquet]``).

    The files may be larger than memory: about 8 MiB of a row group are read at a time, all of it (up to
    2 GiB) with ``shuffle``; of an Arrow file a record batch.

    Parameters
    ----------
    path : path or list of paths
        Files, read one after the other, or a folder of them, in order of name.
    data, label : str, list of str, or dict
        Columns: by name, or by the name that their arrays shall have. Numbers make vectors; lists, which all
        must have one length, and tensors make further axes. Without ``data``: all that are not labels.
    batch_size : int
        Examples per batch.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full, as for :class:`~mixgrad.io.NDArrayIter`.
    shuffle : bool
        Whether each pass has the row groups, and the rows of each of them, in a random order, which follows
        from ``seed`` and the number of the pass.
    seed : int
        Which orders.
    num_parts, part_index : int
        Read only one of several equal parts of the rows.
    null : float, optional
        A number for missing values, which otherwise are an error.
    dtype : dtype, optional
        Element type of the data; by default that of the columns, or the next wider one that arrays have.
    prefetch : int
        Row groups that a thread reads ahead; 0: none.
    timeout : float, optional
        Seconds after which a source that gives nothing is a ``TimeoutError``.

    Raises
    ------
    FileFormatError
        When a file is neither Parquet nor Arrow, or damaged.
    NotFoundError
        When a column is not there; the message names those that are.

    Examples
    --------
    >>> import mixgrad as mx, os, pyarrow, pyarrow.parquet, tempfile  # doctest: +SKIP
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.parquet")  # doctest: +SKIP
    >>> table = pyarrow.table({"x": [[0.0, 1.0], [2.0, 3.0]], "y": [7, 8]})  # doctest: +SKIP
    >>> pyarrow.parquet.write_table(table, path)  # doctest: +SKIP
    >>> batch = mx.io.ParquetIter(path, data="x", label="y", batch_size=2).next()  # doctest: +SKIP
    >>> batch.data[0].shape, batch.label[0].asnumpy().tolist()  # doctest: +SKIP
    ((2, 2), [7, 8])
    """

    def __init__(
        self,
        path: Union[PathLike, Sequence[PathLike]],
        data: Optional[Columns] = None,
        label: Optional[Columns] = None,
        batch_size: int = 1,
        last_batch_handle: str = "pad",
        shuffle: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        null: Optional[float] = None,
        dtype: Any = None,
        prefetch: int = 1,
        timeout: Optional[float] = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(ParquetIter, unknown)
        shuffle = checked_switch(shuffle, "ParquetIter", "shuffle")
        _pyarrow()
        listed: list[Any] = list(path) if isinstance(path, (list, tuple)) else [path]
        paths = [
            file
            for one in listed
            for file in _files_of(_checked_path(one, "ParquetIter", "path"), "ParquetIter")
        ]
        if not paths:
            raise ValueError("[ParquetIter] path is an empty list; expected a file")
        source = _Source(
            paths,
            None
            if data is None
            else [*chosen_keys(data, "ParquetIter", "data"), *chosen_keys(label, "ParquetIter", "label")],
            (num_parts, part_index),
            checked_seed(seed, "ParquetIter") if shuffle else None,
            null,
        )
        super().__init__(source, data, label, batch_size, last_batch_handle, dtype, prefetch, timeout)
