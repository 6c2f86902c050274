"""Reading files of tokens, at any place."""

from __future__ import annotations

import os
import zlib
from operator import index
from types import TracebackType
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ..._files import PathLike, map_file, open_file
from ...base import FileError, FileFormatError, InvalidArgumentError
from ..tables.columns import whole
from .layout import FOOTER_BYTES, HEADER_BYTES, MAGIC, index_offset, read_footer, read_header, token_dtype

__all__ = ["TokenFile"]

_WHO = "TokenFile"
_PIECE = 1 << 22  # tokens that are read at once where a whole file is read

Tokens = npt.NDArray[Any]


class TokenFile:
    """A file of tokens, of which any window can be read; the file may be larger than memory.

    It is mapped into memory where :func:`mixgrad.runtime.set_file_mapping` allows that (by default files that
    nobody may write to), and else read piece by piece, so that a file which somebody cuts off is an error.
    An object may be used by several threads, and in processes that were forked.

    Parameters
    ----------
    path : path
        A file of :class:`TokenWriter`, or a plain one that has nothing but tokens (a ``.bin`` file).
    dtype : {'uint16', 'uint32'}, optional
        Type of the tokens of a plain file, little-endian; it must be named.
    separator : int, optional
        The token that ends each document of a plain file; the file is read once to find them. Without it a
        plain file is one document.

    Attributes
    ----------
    dtype : numpy.dtype
        Type of the tokens.
    documents : int
        How many documents there are.

    Raises
    ------
    FileFormatError
        When the file is cut short or damaged.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "train.bin")
    >>> np.array([1, 2, 0, 3, 4, 5, 0], "uint16").tofile(path)
    >>> file = mx.io.TokenFile(path, dtype="uint16", separator=0)
    >>> len(file), file.documents, file.window(1, 3).tolist(), file.document(1).tolist()
    (7, 2, [2, 0, 3], [3, 4, 5, 0])
    >>> file.close()
    """

    def __init__(self, path: PathLike, dtype: Any = None, separator: Optional[int] = None) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"[{_WHO}] path is {type(path).__name__}; expected a path")
        if separator is not None:
            separator = whole(separator, _WHO, "separator", 0)
        self.name = os.fsdecode(path)
        self._file = open_file(path, _WHO)
        try:
            self._size = os.fstat(self._file.fileno()).st_size
            self._map = map_file(self._file)
            self._own = self._bytes(0, min(len(MAGIC), self._size)).tobytes() == MAGIC
            self._ends: Optional[Tokens] = None
            if self._own:
                self._open_own(dtype, separator)
            else:
                self._open_plain(dtype, separator)
        except BaseException:
            self.close()
            raise

    def _open_own(self, dtype: Any, separator: Optional[int]) -> None:
        self.dtype = read_header(self._bytes(0, min(HEADER_BYTES, self._size)).tobytes(), self.name, _WHO)
        if dtype is not None and token_dtype(dtype, _WHO) != self.dtype:
            raise InvalidArgumentError(
                f"[{_WHO}] {self.name!r} has tokens of {self.dtype.name}, not of {dtype}"
            )
        if separator is not None:
            raise InvalidArgumentError(
                f"[{_WHO}] {self.name!r} has an index of its documents; expected no separator"
            )
        end = self._bytes(max(0, self._size - FOOTER_BYTES), min(FOOTER_BYTES, self._size)).tobytes()
        footer = read_footer(end, self._size, self.dtype.itemsize, self.name, _WHO)
        self._footer, self._begin = footer, HEADER_BYTES
        self._count, self.documents = footer.tokens, footer.documents

    def _open_plain(self, dtype: Any, separator: Optional[int]) -> None:
        if dtype is None:
            raise InvalidArgumentError(
                f"[{_WHO}] {self.name!r} is a plain file (it does not begin with {MAGIC.decode()}); "
                "expected dtype: 'uint16' or 'uint32'"
            )
        self.dtype = token_dtype(dtype, _WHO)
        if self._size % self.dtype.itemsize:
            raise FileFormatError(
                f"[{_WHO}] {self.name!r} has {self._size} bytes, which are no whole tokens of "
                f"{self.dtype.itemsize}"
            )
        self._begin, self._count = 0, self._size // self.dtype.itemsize
        if separator is None:
            self._ends = np.array([self._count][: self._count], np.int64)
        else:
            ends = [
                begin + 1 + np.flatnonzero(self.window(begin, min(_PIECE, self._count - begin)) == separator)
                for begin in range(0, self._count, _PIECE)
            ]
            if self._count and (not ends[-1].size or ends[-1][-1] != self._count):
                ends.append(np.array([self._count]))  # the last document is not ended
            self._ends = np.concatenate([np.zeros(0, np.int64), *ends])
        self.documents = len(self._ends)

    # Bytes.

    def _bytes(self, offset: int, count: int) -> npt.NDArray[np.uint8]:
        """Bytes of the file, exactly so many."""
        out = np.empty(count, np.uint8)
        self._read_into(out, offset)
        return out

    def _read_into(self, out: npt.NDArray[np.uint8], offset: int) -> None:
        if self._file.closed:
            raise ValueError(f"[{_WHO}] {self.name!r} is closed")
        if self._map is not None:
            out[:] = self._map[offset : offset + len(out)]
            return
        view, done = memoryview(out.data), 0
        while done < len(out):
            try:
                got = os.preadv(self._file.fileno(), [view[done:]], offset + done)
            except OSError as error:
                raise FileError(
                    f"[{_WHO}] cannot read {self.name!r} at byte {offset + done}: {error.strerror or error}"
                ) from None
            if got == 0:
                raise FileFormatError(
                    f"[{_WHO}] {self.name!r} was cut off while it was open: it had {self._size} bytes "
                    f"and ends at {offset + done}"
                )
            done += got

    # Tokens.

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return (
            f"<TokenFile {self.name!r}: {self._count} tokens ({self.dtype.name}), {self.documents} documents>"
        )

    def window(self, begin: int, length: int) -> Tokens:
        """Return the tokens from ``begin`` on, ``length`` of them.

        Parameters
        ----------
        begin, length : int
            All of the window must lie in the file.
        """
        begin, length = index(begin), index(length)
        if length < 0 or not 0 <= begin <= self._count - length:
            raise IndexError(
                f"[{_WHO}] window of {length} tokens from {begin} on; {self.name!r} has {self._count} tokens"
            )
        return self._window(begin, length)

    def _window(self, begin: int, length: int) -> Tokens:
        out = np.empty(length, self.dtype)
        self._read_into(out.view(np.uint8), self._begin + begin * self.dtype.itemsize)
        return out

    def windows(self, begins: Any, length: int) -> Tokens:
        """Return several windows of one length as the rows of an array, shape ``(len(begins), length)``."""
        places = np.asarray(begins, np.int64)
        length = index(length)
        if places.ndim != 1 or length < 0:
            raise InvalidArgumentError(f"[{_WHO}] windows of {length} tokens from {begins!s:.60} on")
        if places.size and (places.min() < 0 or places.max() > self._count - length):
            raise IndexError(
                f"[{_WHO}] windows of {length} tokens from {places.min()} to {places.max()} on; "
                f"{self.name!r} has {self._count} tokens"
            )
        out = np.empty((len(places), length), self.dtype)
        width, rows = self.dtype.itemsize, out.view(np.uint8).reshape((len(places), -1))
        for row, place in zip(rows, places.tolist()):
            self._read_into(row, self._begin + place * width)
        return out

    def span(self, document: int) -> tuple[int, int]:
        """Return the places of the first token of a document and of the first one behind it."""
        number = index(document)
        if not 0 <= number < self.documents:
            raise IndexError(f"[{_WHO}] document {number}; {self.name!r} has {self.documents}")
        begin, end = (
            self.ends(max(0, number - 1), number + 1)[-2:].tolist() if number else (0, *self.ends(0, 1))
        )
        return int(begin), int(end)

    def ends(self, first: int, last: int) -> npt.NDArray[np.int64]:
        """Return the places behind the last tokens of the documents from ``first`` on, before ``last``."""
        if self._ends is not None:
            return self._ends[first:last]
        offset = index_offset(self._count, self.dtype.itemsize) + 8 * first
        ends = self._bytes(offset, 8 * (last - first)).view("<u8").astype(np.int64)
        if ends.size and (ends[0] < 0 or ends[-1] > self._count or (np.diff(ends) < 0).any()):
            raise FileFormatError(
                f"[{_WHO}] {self.name!r} is damaged: ends of documents {first} to {last - 1}"
            )
        return ends

    def document(self, document: int, at: int = 0, length: Optional[int] = None) -> Tokens:
        """Return tokens of a document.

        Parameters
        ----------
        document : int
            Its number.
        at : int
            The first token, counted from the start of the document.
        length : int, optional
            How many tokens; all the others of the document by default.
        """
        begin, end = self.span(document)
        at, count = index(at), end - begin - index(at) if length is None else index(length)
        if count < 0 or not 0 <= at <= end - begin - count:
            raise IndexError(
                f"[{_WHO}] window of {count} tokens from {at} on; document {document} has {end - begin} "
                "tokens"
            )
        return self._window(begin + at, count)

    def verify(self) -> None:
        """Read all of the file and compare it with its checksums; plain files have none.

        Raises
        ------
        FileFormatError
            When they differ.
        """
        if not self._own:
            return
        checksum = 0
        for begin in range(0, self._count, _PIECE):
            tokens = self._window(begin, min(_PIECE, self._count - begin))
            checksum = zlib.crc32(tokens.tobytes(), checksum)
        place = index_offset(self._count, self.dtype.itemsize)
        of_index = zlib.crc32(self._bytes(place, 8 * self.documents).tobytes())
        for what, now, then in (
            ("tokens", checksum, self._footer.tokens_checksum),
            ("index", of_index, self._footer.index_checksum),
        ):
            if now != then:
                raise FileFormatError(
                    f"[{_WHO}] {self.name!r} is damaged: the checksum of its {what} is {now:08x}; "
                    f"expected {then:08x}"
                )

    def close(self) -> None:
        """Close the file."""
        self._map = None
        self._file.close()

    def __enter__(self) -> TokenFile:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
