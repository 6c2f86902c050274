"""Batches from files: CSV, LibSVM, MNIST."""

from __future__ import annotations

import gzip
import io
import math
import os
import re
import sys
import warnings
import zlib
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from .. import _core
from .. import ndarray as nd
from .._files import PathLike, read_file
from .._hints import refuse_arguments
from .._repr import option_names
from ..base import (
    FileError,
    FileFormatError,
    InvalidArgumentError,
    OutOfMemoryError,
    ShapeError,
    dtype_number,
    extents,
)
from ..context import cpu
from ..ndarray import NDArray
from .base import DataBatch, DataDesc, DataIter, checked_batch_size, checked_switch, checked_text
from .state import checked_state, state_count, state_list

__all__ = ["CSVIter", "LibSVMIter", "MNISTIter", "MXDataIter"]


class _CsrRows:
    """The rows of a csr matrix on the host, of which batches take some."""

    def __init__(self, matrix: Any, part: slice, dtype: Any = None) -> None:
        rows, self.columns = matrix.shape
        first, last, _ = part.indices(rows)
        starts = matrix.indptr.asnumpy()[first : last + 1]
        kept = slice(int(starts[0]), int(starts[-1]))
        values = matrix.data if dtype is None else matrix.data.astype(dtype)
        self.values, self.dtype = values.asnumpy()[kept], values.dtype
        self.indices = matrix.indices.asnumpy()[kept]
        self.starts = starts - starts[0]
        self.shape = (last - first, self.columns)

    def take(self, index: npt.NDArray[Any]) -> NDArray:
        """A csr matrix of these rows."""
        begins = self.starts[index]
        counts = self.starts[index + 1] - begins
        starts = np.concatenate([[0], np.cumsum(counts)])
        places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], counts)
        parts = self.values[places], self.indices[places], starts
        return nd.sparse.csr_matrix(parts, shape=(len(index), self.columns), ctx=cpu(), dtype=self.dtype)


def _taken(rows: Union[NDArray, _CsrRows], index: npt.NDArray[Any], in_a_row: bool) -> NDArray:
    """Those rows; ``in_a_row``: each follows the one before."""
    if isinstance(rows, _CsrRows):
        return rows.take(index)
    if in_a_row:
        return nd.slice_axis(rows, axis=0, begin=int(index[0]), end=int(index[-1]) + 1)
    return nd.take(rows, nd.array(index, dtype="int64"))


class MXDataIter(DataIter):
    """Base of the iterators that read files: the content lies in memory as two arrays of rows.

    With ``round_batch`` a last batch that is not full is filled from the start, and the next pass begins
    behind those examples, so that none is seen twice; otherwise the places left over keep the rows of the
    batch before.
    """

    def __init__(
        self,
        data: Union[NDArray, _CsrRows],
        label: Union[NDArray, _CsrRows],
        batch_size: int,
        round_batch: bool,
        keep_last: bool,
        data_name: str,
        label_name: str,
    ) -> None:
        who = type(self).__name__
        for what, text in (("data_name", data_name), ("label_name", label_name)):
            checked_text(text, who, what)
        super().__init__(checked_batch_size(batch_size, int(data.shape[0]), who))
        if data.shape[0] != label.shape[0]:
            raise ShapeError(f"[{who}] {data.shape[0]} rows of data and {label.shape[0]} of labels")
        if data.shape[0] == 0:
            raise InvalidArgumentError(f"[{who}] the files hold no rows")
        self._data, self._label = data, label
        self._rows = int(data.shape[0])
        self._round, self._keep_last = checked_switch(round_batch, who, "round_batch"), keep_last
        # Of the rows and their order: what a position must have in common with the iterator that takes it.
        self._order: dict[str, Any] = {}
        self._at = 0  # the first row not yet read in this pass
        self._overflow = 0  # rows of the next pass that the last batch took
        self._batch: Optional[DataBatch] = None
        self.provide_data = [DataDesc(data_name, (self.batch_size, *data.shape[1:]), data.dtype)]
        self.provide_label = [DataDesc(label_name, (self.batch_size, *label.shape[1:]), label.dtype)]

    def reset(self) -> None:
        """Start the next pass."""
        self._at = self._overflow
        self._overflow = 0

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end of the pass."""
        begin, end = self._at, self._at + self.batch_size
        if begin >= self._rows or (end > self._rows and not self._keep_last):
            self._at = self._rows
            return False
        index = np.arange(begin, min(end, self._rows))
        pad = max(0, end - self._rows)
        self._at = min(end, self._rows)
        if pad and self._round:
            index = np.concatenate([index, np.arange(pad) % self._rows])
            self._overflow = pad % self._rows
        elif pad:
            before = self._batch.index[len(index) :] if self._batch is not None else np.zeros(pad)
            index = np.concatenate([index, before.astype(index.dtype)])
        self._batch = self._batch_of(index, pad)
        return True

    def _batch_of(self, index: npt.NDArray[Any], pad: int) -> DataBatch:
        in_a_row = bool(index[-1] - index[0] == self.batch_size - 1 and not pad)
        data, label = (_taken(rows, index, in_a_row) for rows in (self._data, self._label))
        return DataBatch([data], [label], pad, index.astype(np.uint64))

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator stands."""
        batch = self._batch
        return {
            "iterator": type(self).__name__,
            **self._same(),
            "at": self._at,
            "overflow": self._overflow,
            "index": [] if batch is None else batch.index.tolist(),  # of the current batch
            "pad": 0 if batch is None else int(batch.pad or 0),
        }

    def _same(self) -> dict[str, Any]:
        return {
            "examples": self._rows,
            "batch_size": self.batch_size,
            "round_batch": self._round,
            **self._order,
        }

    def load_state_dict(self, state: Any) -> None:
        """Go to where another iterator over the same files, made with the same options, stood."""
        who = type(self).__name__
        state = checked_state(state, who, self._same())
        at, overflow = (state_count(state, key, who, 0, self._rows) for key in ("at", "overflow"))
        index = state_list(state, "index", who, self._rows)
        pad = state_count(state, "pad", who, 0, self.batch_size)
        if len(index) not in (0, self.batch_size):
            raise InvalidArgumentError(
                f"[{who}] the state has index of {len(index)} examples; expected {self.batch_size} or none"
            )
        self._at, self._overflow = at, overflow
        self._batch = self._batch_of(np.asarray(index), pad) if index else None

    def next(self) -> DataBatch:
        """Return the next batch."""
        if not self.iter_next():
            raise StopIteration
        return self._current()

    def _current(self) -> DataBatch:
        if self._batch is None:
            self.iter_next()
            self._at = 0
        assert self._batch is not None
        return self._batch

    def getdata(self) -> NDArray:
        """Return the data of the current batch."""
        data: NDArray = self._current().data[0]
        return data

    def getlabel(self) -> NDArray:
        """Return the labels of the current batch."""
        label: NDArray = self._current().label[0]
        return label

    def getindex(self) -> Any:
        """Return the row numbers of the current batch."""
        return self._current().index

    def getpad(self) -> Optional[int]:
        """Return how many examples of the current batch only fill it."""
        return self._current().pad


_GZIP = b"\x1f\x8b"
_FIRST_BYTES = 4096  # of what a gzip file holds, looked at before the rest


def _content(
    path: PathLike,
    who: str,
    check: Callable[[bytes], None],
    most: Callable[[bytes], int] = lambda first: -1,
) -> bytes:
    """Bytes of a file; ``.gz`` is unpacked.

    ``check`` is as of ``read_file``; of a gzip file it gets what the file holds. ``most`` gets the same and
    says how many bytes of a gzip file are unpacked, which may hold a thousand times its size; -1: all.
    """
    name = os.fsdecode(path)
    content = read_file(name, who, lambda first: None if first[:2] == _GZIP else check(first))
    if content[:2] != _GZIP:
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            first = file.read(_FIRST_BYTES)
            check(first)
            limit = most(first)
            return first + file.read() if limit < 0 else first[:limit] + file.read(max(0, limit - len(first)))
    except (OSError, EOFError, zlib.error) as error:
        raise FileFormatError(f"[{who}] {name!r} is damaged: {error}") from None
    except MemoryError:
        raise OutOfMemoryError(
            f"[{who}] {name!r} holds more than there is memory for, packed in {len(content)} bytes"
        ) from None


# Arguments that MXNet's iterators take or ignore: how files are read, ...
_HOW = ["device_id", "input_shape", "label_width", "preprocess_threads", "silent", "verbose"]
# ... and what they contain, where leaving it out changes what a program sees.
_WHAT = ["dtype", "flat", "label_shape", "num_parts", "part_index", "round_batch", "seed", "shuffle"]


def _ignore(kind: type, words: dict[str, Any]) -> None:
    """Takes arguments of other iterators, as MXNet does, with a warning where they would matter."""
    who = kind.__name__
    for word in words:
        if word in _WHAT:
            warnings.warn(f"[{who}] {word} has no effect, as in MXNet", stacklevel=3)
        elif word not in _HOW:
            own = option_names(kind, kind)
            refuse_arguments(who, {word: words[word]}, own)


def _checked_path(path: Any, who: str, what: str) -> PathLike:
    """A path as it came; ``TypeError`` that names the argument for anything else."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(
            f"[{who}] {what} is {type(path).__name__}; expected a path as text, bytes or os.PathLike"
        )
    return path


def _files_of(path: PathLike, who: str) -> list[str]:
    """The file, or all files of a folder in order of name."""
    name = os.fsdecode(path)
    if not os.path.isdir(name):
        return [name]
    try:
        entries = [os.path.join(name, entry) for entry in sorted(os.listdir(name))]
    except OSError as error:
        raise FileError(f"[{who}] cannot read the folder {name!r}: {error.strerror or error}") from None
    files = [entry for entry in entries if os.path.isfile(entry)]
    if not files:
        raise FileError(
            f"[{who}] {name!r} is a folder with {len(entries)} entries, none of them a regular file; "
            "expected a file, or a folder of files"
        )
    return files


def _parsed(path: PathLike, who: str, what: str, parse: Callable[[bytes, bytes], Any]) -> Any:
    """What ``parse`` makes of the text of a file, or of a folder's files; its errors name the file."""
    files = _files_of(_checked_path(path, who, what), who)
    try:
        return parse(b"\n".join(_text(file, who) for file in files), os.fsencode(path))
    except FileFormatError:
        if len(files) == 1:
            raise
        for file in files:  # line numbers of the file at fault instead of those of all together
            parse(_text(file, who), os.fsencode(file))
        raise


def _text(name: str, who: str) -> bytes:
    """Text of a file."""

    def check(first: bytes) -> None:
        if first and not first.strip(b"\0"):  # a hole, which may be larger than memory
            raise FileFormatError(f"[{who}] {name!r} begins with {len(first)} zero bytes; expected text")

    return _content(name, who, check)


def _extents(shape: Any, who: str) -> tuple[int, ...]:
    """A shape; also one as text, ``(3,4)``, as MXNet takes it."""
    if isinstance(shape, str) and re.fullmatch(r"[(\[]?[\d\s,]+[)\]]?", shape):
        shape = tuple(int(part) for part in re.findall(r"\d+", shape))
    return extents(shape, who)


def _columns(shape: tuple[int, ...], who: str) -> int:
    if not shape or any(extent < 1 for extent in shape):
        raise ShapeError(f"[{who}] shape {shape} of one example; expected extents of at least 1")
    columns = math.prod(shape)
    if columns >= 2**63:
        raise ShapeError(f"[{who}] shape {shape} of one example; expected fewer values than 2**63")
    return columns


def _labels(values: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Labels of shape (1,) are a vector, all others keep their shape."""
    return values.reshape((values.shape[0],) if shape == (1,) else (values.shape[0], *shape))


def _part(rows: int, num_parts: int, part_index: int, who: str) -> slice:
    if not isinstance(num_parts, Integral) or not isinstance(part_index, Integral):
        raise TypeError(
            f"[{who}] part_index={part_index!r:.40} of num_parts={num_parts!r:.40}; expected whole numbers"
        )
    if num_parts < 1 or not 0 <= part_index < num_parts:
        raise InvalidArgumentError(f"[{who}] part_index={part_index} of num_parts={num_parts}")
    return slice(rows * part_index // num_parts, rows * (part_index + 1) // num_parts)


class CSVIter(MXDataIter):
    """Batches from files of numbers parted by commas.

    Parameters
    ----------
    data_csv : path
        A file with one example per line, a folder of such files, or such a file packed by gzip.
    data_shape : tuple of int
        Shape of one example.
    batch_size : int
        Examples per batch.
    label_csv : path, optional
        The labels; all 0 without it.
    label_shape : tuple of int
        Shape of one label.
    round_batch : bool
        Fill the last batch from the start, and begin the next pass behind that.
    dtype : {'float32', 'float64', 'int32', 'int64'}, optional
        Element type of data and labels.
    data_name, label_name : str
        Names of the two arrays.
    prefetch_buffer, ctx, ... : optional
        Accepted for MXNet's sake, as are other arguments of MXNet's iterators: the files are read at once, on
        the host.

    Raises
    ------
    FileFormatError
        When a line has another number of values or one that is no number; the message names it.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "data.csv")
    >>> _ = open(path, "w").write("1,2\\n3,4\\n5,6\\n")
    >>> it = mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=2)
    >>> [(batch.data[0].asnumpy().tolist(), batch.pad) for batch in it]
    [([[1.0, 2.0], [3.0, 4.0]], 0), ([[5.0, 6.0], [1.0, 2.0]], 1)]
    """

    def __init__(
        self,
        *,
        data_csv: PathLike,
        data_shape: Sequence[int],
        batch_size: int,
        label_csv: Optional[PathLike] = None,
        label_shape: Sequence[int] = (1,),
        round_batch: bool = True,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch_buffer: int = 4,
        ctx: str = "cpu",
        **ignored: Any,
    ) -> None:
        _ignore(type(self), ignored)
        number = dtype_number(dtype)

        def table(path: PathLike, what: str, shape: tuple[int, ...]) -> NDArray:
            columns = _columns(shape, "CSVIter")
            table: NDArray = _parsed(
                path, "CSVIter", what, lambda text, name: _core.parse_csv(text, name, columns, number)
            )
            return table

        shape, label_of = _extents(data_shape, "CSVIter"), _extents(label_shape, "CSVIter")
        rows = table(data_csv, "data_csv", shape)
        data = rows.reshape((rows.shape[0], *shape))
        if label_csv is None or (isinstance(label_csv, str) and label_csv == "NULL"):
            label = nd.zeros((data.shape[0], _columns(label_of, "CSVIter")), dtype=data.dtype)
        else:
            label = table(label_csv, "label_csv", label_of)
        super().__init__(data, _labels(label, label_of), batch_size, round_batch, True, data_name, label_name)


class LibSVMIter(MXDataIter):
    """Batches from files in LibSVM's format: a label, then ``index:value`` pairs, indices from 0.

    The data of a batch is of storage type ``csr``; labels are a vector, or ``csr`` where they come from a
    file of their own.

    Parameters
    ----------
    data_libsvm : path
        File, folder of files, or file packed by gzip.
    data_shape : tuple of int
        ``(columns,)``.
    batch_size : int
        Examples per batch.
    label_libsvm : path, optional
        A second file whose pairs are the labels; what stands first in its lines, and the labels in the data
        file, are left out.
    label_shape : tuple of int
        ``(columns,)`` of that file; ``(1,)``: its labels are a vector.
    num_parts, part_index : int
        Read only one of several equal parts of the rows.
    round_batch : bool
        Only True, as in MXNet.
    dtype : optional
        Element type of the data, float32 by default.
    data_name, label_name : str
        Names of the two arrays.
    prefetch_buffer, ctx, ... : optional
        Accepted for MXNet's sake, as are other arguments of MXNet's iterators.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "data.t")
    >>> _ = open(path, "w").write("1 0:0.5 2:1\\n-1\\n")
    >>> batch = mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=2).next()
    >>> batch.data[0], batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()
    (
    <CSRNDArray 2x3 @cpu(0)>, [[0.5, 0.0, 1.0], [0.0, 0.0, 0.0]], [1.0, -1.0])
    """

    def __init__(
        self,
        *,
        data_libsvm: PathLike,
        data_shape: Sequence[int],
        batch_size: int,
        label_libsvm: Optional[PathLike] = None,
        label_shape: Sequence[int] = (1,),
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch_buffer: int = 4,
        ctx: str = "cpu",
        **ignored: Any,
    ) -> None:
        _ignore(type(self), ignored)
        if not checked_switch(round_batch, "LibSVMIter", "round_batch"):
            raise InvalidArgumentError("[LibSVMIter] round_batch=False; only True is offered, as in MXNet")

        def table(path: PathLike, what: str, shape: tuple[int, ...]) -> tuple[Any, NDArray]:
            if len(shape) != 1:
                raise ShapeError(f"[LibSVMIter] shape {shape} of one example; expected one extent")
            columns = _columns(shape, "LibSVMIter")
            values, first = _parsed(
                path, "LibSVMIter", what, lambda text, name: _core.parse_libsvm(text, name, columns)
            )
            return values, first

        data, label = table(data_libsvm, "data_libsvm", _extents(data_shape, "LibSVMIter"))
        part = _part(data.shape[0], num_parts, part_index, "LibSVMIter")
        labels: Union[NDArray, _CsrRows] = label[part]
        if label_libsvm is not None and not (isinstance(label_libsvm, str) and label_libsvm == "NULL"):
            label_of = _extents(label_shape, "LibSVMIter")
            own = table(label_libsvm, "label_libsvm", label_of)[0]
            if own.shape[0] != data.shape[0]:
                raise ShapeError(f"[LibSVMIter] {data.shape[0]} rows of data and {own.shape[0]} of labels")
            labels = own.tostype("default")[part].reshape((-1,)) if label_of == (1,) else _CsrRows(own, part)
        super().__init__(_CsrRows(data, part, dtype), labels, batch_size, True, True, data_name, label_name)
        self._order = {"part": [int(part_index), int(num_parts)]}


def idx_array(path: PathLike, axes: int, what: str, who: str = "MNISTIter") -> npt.NDArray[np.uint8]:
    """The bytes of an idx file of unsigned bytes, after checking what it claims."""
    name = os.fsdecode(path)
    start = 4 + 4 * axes
    wanted = bytes([0, 0, 8, axes])

    def check(first: bytes) -> None:
        if first[:4] != wanted:
            raise FileFormatError(
                f"[{who}] {name!r} begins with {first[:4].hex(' ')}; {what} begin with {wanted.hex(' ')}"
            )

    def claimed(first: bytes) -> tuple[int, ...]:
        return tuple(int.from_bytes(first[4 + 4 * i : 8 + 4 * i], "big") for i in range(axes))

    def most(first: bytes) -> int:
        return min(start + math.prod(claimed(first)) + 1, sys.maxsize)

    content = _content(path, who, check, most)
    if len(content) < start:
        raise FileFormatError(f"[{who}] {name!r} is cut short: {len(content)} bytes")
    shape = claimed(content)
    if len(content) - start != math.prod(shape):
        more = "at least " if len(content) - start == math.prod(shape) + 1 else ""
        raise FileFormatError(
            f"[{who}] {name!r} claims shape {shape}, which is {math.prod(shape)} bytes; it holds "
            f"{more}{len(content) - start}"
        )
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)


class MNISTIter(MXDataIter):
    """Batches of the MNIST digits, or of other files in the same idx format, packed by gzip or not.

    Pixels are divided by 256. A last batch that is not full is left out.

    Parameters
    ----------
    image, label : path
        The two idx files; without such a file, the name with ``.gz`` is tried.
    batch_size : int
        Examples per batch.
    shuffle : bool
        Mix the examples once, by ``seed``.
    flat : bool
        Give rows of pixels instead of shape ``(1, height, width)``.
    seed : int
        Which order ``shuffle`` gives.
    silent : bool
        Accepted for MXNet's sake: nothing is printed.
    num_parts, part_index : int
        Read only one of several equal parts.
    dtype : optional
        Element type of the data, float32 by default.
    data_name, label_name : str
        Names of the two arrays.
    input_shape, data_shape, prefetch_buffer, ctx, ... : optional
        Accepted for MXNet's sake, as are other arguments of MXNet's iterators; images have the size that the
        file says.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> images, labels = os.path.join(folder, "images"), os.path.join(folder, "labels")
    >>> _ = open(images, "wb").write(bytes([0, 0, 8, 3, *[0, 0, 0, 2] * 3, *range(8)]))
    >>> _ = open(labels, "wb").write(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 3]))
    >>> batch = mx.io.MNISTIter(image=images, label=labels, batch_size=2, shuffle=False).next()
    >>> batch.data[0].shape, batch.label[0].asnumpy().tolist()
    ((2, 1, 2, 2), [7.0, 3.0])
    """

    def __init__(
        self,
        *,
        image: PathLike = "./train-images-idx3-ubyte",
        label: PathLike = "./train-labels-idx1-ubyte",
        batch_size: int = 128,
        shuffle: bool = True,
        flat: bool = False,
        seed: int = 0,
        silent: bool = False,
        num_parts: int = 1,
        part_index: int = 0,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        input_shape: Optional[Sequence[int]] = None,
        data_shape: Optional[Sequence[int]] = None,
        prefetch_buffer: int = 4,
        ctx: str = "cpu",
        **ignored: Any,
    ) -> None:
        _ignore(type(self), ignored)
        images, labels = (
            idx_array(_packed(image, "image"), 3, "images", "MNISTIter"),
            idx_array(_packed(label, "label"), 1, "labels", "MNISTIter"),
        )
        if len(images) != len(labels):
            raise ShapeError(f"[MNISTIter] {len(images)} images and {len(labels)} labels")
        part = _part(len(images), num_parts, part_index, "MNISTIter")
        images, labels = images[part], labels[part]
        shuffle, flat = (
            checked_switch(shuffle, "MNISTIter", "shuffle"),
            checked_switch(flat, "MNISTIter", "flat"),
        )
        if shuffle:
            if not isinstance(seed, Integral) or not 0 <= seed < 2**32:
                raise InvalidArgumentError(f"[MNISTIter] seed is {seed!r:.60}; expected 0 to 2**32 - 1")
            order = np.random.RandomState(seed).permutation(len(images))
            images, labels = images[order], labels[order]
        count, height, width = images.shape
        shape = (count, height * width) if flat else (count, 1, height, width)
        pixels = nd.array(images.reshape(shape), dtype="uint8").astype("float32") / 256
        data = pixels if dtype is None else pixels.astype(dtype)
        if count < checked_batch_size(batch_size, count, "MNISTIter"):
            raise InvalidArgumentError(f"[MNISTIter] {count} examples do not fill a batch of {batch_size}")
        super().__init__(data, nd.array(labels), batch_size, False, False, data_name, label_name)
        self._order = {
            "part": [int(part_index), int(num_parts)],
            "shuffle": shuffle,
            "seed": int(seed) if shuffle else None,
        }


def _packed(path: PathLike, what: str) -> str:
    name = os.fsdecode(_checked_path(path, "MNISTIter", what))
    return name + ".gz" if not os.path.exists(name) and os.path.exists(name + ".gz") else name
