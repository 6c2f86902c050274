"""Writing files of tokens."""

from __future__ import annotations

import mmap
import os
import tempfile
import zlib
from array import array
from types import TracebackType
from typing import Any, Optional

import numpy as np

from ..._files import PathLike, write_file
from ...base import FileError, InvalidArgumentError
from .layout import Footer, footer_bytes, header_bytes, index_offset, token_dtype

__all__ = ["TokenWriter"]

_WHO = "TokenWriter"


class TokenWriter:
    """Writes a file of tokens, document by document; the file appears when it is complete.

    Until :meth:`close` the tokens lie in a nameless file in the same folder, so memory holds 8 bytes per
    document only. Leaving the ``with`` by an error writes nothing.

    Parameters
    ----------
    path : path
        The file; an old one is replaced.
    dtype : {'uint16', 'uint32'}
        Type of the tokens.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "corpus.tokens")
    >>> with mx.io.TokenWriter(path) as writer:
    ...     writer.append([5, 6, 7])
    ...     writer.append([8, 9])
    >>> with mx.io.TokenFile(path) as file:
    ...     len(file), file.documents, file.document(1).tolist()
    (5, 2, [8, 9])
    """

    def __init__(self, path: PathLike, dtype: Any = "uint16") -> None:
        self._path = os.fsdecode(path)
        self._dtype = token_dtype(dtype, _WHO)
        self._ends = array("Q")
        self._tokens = self._checksum = 0
        folder = os.path.dirname(os.path.realpath(self._path))
        try:
            self._scratch: Any = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (closed by _abandon)
            self._scratch.write(header_bytes(self._dtype))
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> FileError:
        return FileError(f"[{_WHO}] cannot write {self._path!r}: {error.strerror or error}")

    def append(self, tokens: Any) -> None:
        """Write one document.

        Parameters
        ----------
        tokens : sequence of int, or array of one axis
            Its tokens; none is a document, too.
        """
        if self._scratch is None:
            raise ValueError(f"[{_WHO}] {self._path!r} is closed")
        values = np.asarray(tokens.asnumpy() if hasattr(tokens, "asnumpy") else tokens)
        if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
            raise TypeError(
                f"[{_WHO}] document {len(self._ends)} is {type(tokens).__name__} of shape {values.shape} "
                f"and type {values.dtype}; expected one row of whole numbers"
            )
        most = np.iinfo(self._dtype).max
        if values.size and (values.min() < 0 or values.max() > most):
            odd = int(values.min() if values.min() < 0 else values.max())
            raise InvalidArgumentError(
                f"[{_WHO}] document {len(self._ends)} has the token {odd}; {self._dtype.name} holds 0 to "
                f"{most}"
            )
        content = values.astype(self._dtype).tobytes()
        try:
            self._scratch.write(content)
        except OSError as error:
            self._abandon()
            raise self._failed(error) from None
        self._checksum = zlib.crc32(content, self._checksum)
        self._tokens += len(values)
        self._ends.append(self._tokens)

    def close(self) -> None:
        """Put the file in its place."""
        if self._scratch is None:
            return
        try:
            index = np.asarray(self._ends, "<u8").tobytes()
            at = self._scratch.tell()
            self._scratch.write(b"\0" * (index_offset(self._tokens, self._dtype.itemsize) - at))
            self._scratch.write(index)
            footer = Footer(self._tokens, len(self._ends), self._checksum, zlib.crc32(index))
            self._scratch.write(footer_bytes(footer))
            self._scratch.flush()
            # Nobody else can open the nameless file, so it may be mapped.
            with mmap.mmap(self._scratch.fileno(), 0, access=mmap.ACCESS_READ) as content:
                write_file(self._path, content, _WHO)  # type: ignore[arg-type]
        except OSError as error:
            if isinstance(error, FileError):
                raise
            raise self._failed(error) from None
        finally:
            self._abandon()

    def _abandon(self) -> None:
        scratch, self._scratch = self._scratch, None
        if scratch is not None:
            scratch.close()

    def __enter__(self) -> TokenWriter:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._abandon()
