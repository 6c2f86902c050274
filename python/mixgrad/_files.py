"""Files: the library's one way of writing them, and its one way of opening them to read."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Callable, Optional, Union, cast

import numpy as np
import numpy.typing as npt

from . import _core
from .base import FileError, MissingFileError, NotFoundError

__all__ = ["PathLike", "map_file", "open_file", "read_file", "together", "write_file"]

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

_FIRST_BYTES = 4096
_MAP_FIXED, _MAP_ALWAYS = 1, 2  # of mg_mapping


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


_ANY_WRITER = 0o222


def map_file(file: BinaryIO) -> Optional[npt.NDArray[Any]]:
    """The bytes of an open file where they lie; None where the file must be read instead.

    A process that looks at what another has cut off a mapped file is ended by the system. So
    ``runtime.set_file_mapping`` says which files are mapped: by default those that nobody may write to.
    """
    info = os.fstat(file.fileno())
    fixed = not info.st_mode & _ANY_WRITER or bool(os.fstatvfs(file.fileno()).f_flag & os.ST_RDONLY)
    mapping = _core.mapping()
    if info.st_size == 0 or not (mapping == _MAP_ALWAYS or (mapping == _MAP_FIXED and fixed)):
        return None
    try:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:  # file systems that map nothing
        return None
    return np.frombuffer(content, np.uint8)
