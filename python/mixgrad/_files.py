"""Files: the library's one way of writing them, and its one way of opening them to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Callable, Optional, Union, cast

from . import _core
from .base import FileError, MissingFileError, NotFoundError

__all__ = ["PathLike", "open_file", "read_file", "together", "write_file"]

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

_FIRST_BYTES = 4096


def write_file(path: PathLike, content: bytes, who: str) -> None:
    """Make ``content`` the whole of the file ``path``, in one step; ``who`` is what messages begin with.

    docs/files.md says what that means for links, devices, permissions and full disks.
    """
    _core.file_write(os.fsencode(path), who, content)


@contextmanager
def together() -> Iterator[None]:
    """The files that this thread writes inside appear together at the end, in order, or none of them does.

    Files behind URIs are not among them.
    """
    _core.files_begin()
    try:
        yield
    except BaseException:
        _core.files_abandon()
        raise
    _core.files_commit()


def open_file(path: PathLike, who: str) -> BinaryIO:
    """Open a regular file; ``MissingFileError`` when there is none, ``FileError`` for anything else."""
    try:
        return cast(BinaryIO, open(_core.file_open(os.fsencode(path), who), "rb"))
    except NotFoundError as error:
        raise MissingFileError(str(error)) from None


def read_file(path: PathLike, who: str, check: Optional[Callable[[bytes], None]] = None) -> bytes:
    """Return the content of a file, as much as it had when it was opened.

    ``check`` gets its first bytes and raises for a file that is not worth reading.
    """
    with open_file(path, who) as file:
        try:
            size = os.fstat(file.fileno()).st_size
            first = file.read(min(size, _FIRST_BYTES))
            if check is not None:
                check(first)
            return first + file.read(size - len(first)) if size > len(first) else first
        except OSError as error:
            name = os.fsdecode(path)
            raise FileError(f"[{who}] cannot read {name!r}: {error.strerror or error}") from None
