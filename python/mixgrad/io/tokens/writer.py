"""Writing files of tokens."""

from __future__ import annotations

import os
import zlib
from array import array
from types import TracebackType
from typing import Any, Optional

import numpy as np

from ... import _core
from ..._files import PathLike
from ...base import InvalidArgumentError
from .layout import Footer, footer_bytes, header_bytes, index_offset, token_dtype

__all__ = ["TokenWriter"]

_WHO = "TokenWriter"


class TokenWriter:
    """Writes a file of tokens, document by document; the file appears when it is complete.

    Until :meth:`close` the tokens lie in a temporary file in the same folder, which is then renamed, so they
    are written once and memory holds 8 bytes per document only. Leaving the ``with`` by an error writes
    nothing.

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
        self._process = os.getpid()
        self._file: Optional[_core.FileWriter] = _core.FileWriter(os.fsencode(path), _WHO)
        self._file.write(header_bytes(self._dtype))

    def append(self, tokens: Any) -> None:
        """Write one document.

        Parameters
        ----------
        tokens : sequence of int, or array of one axis
            Its tokens; none is a document, too.
        """
        if self._file is None:
            raise ValueError(f"[{_WHO}] {self._path!r} is closed")
        if self._process != os.getpid():
            raise ValueError(f"[{_WHO}] {self._path!r} is written by another process, which was forked")
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
            self._file.write(content)
        except BaseException:
            self._file = None
            raise
        self._checksum = zlib.crc32(content, self._checksum)
        self._tokens += len(values)
        self._ends.append(self._tokens)

    def close(self) -> None:
        """Put the file in its place; in a forked child it does nothing."""
        file, self._file = self._file, None
        if file is None or self._process != os.getpid():
            return
        index = np.asarray(self._ends, "<u8").tobytes()
        size = self._dtype.itemsize
        at = index_offset(0, size) + self._tokens * size
        file.write(b"\0" * (index_offset(self._tokens, size) - at))
        file.write(index)
        file.write(footer_bytes(Footer(self._tokens, len(self._ends), self._checksum, zlib.crc32(index))))
        file.commit()

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
            self._file = None
