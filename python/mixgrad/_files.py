"""Whole files of bytes: written at once or not at all, read with a clear error."""

from __future__ import annotations

import os
import uuid
from typing import Union

from .base import FileError, MissingFileError

__all__ = ["PathLike", "read_file", "write_file"]

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def write_file(path: PathLike, content: bytes, who: str) -> None:
    """Make ``content`` the whole of the file ``path``, in one step.

    The bytes are written beside the file, brought to the disk, and renamed over it: a process that is killed
    at any moment leaves the old file or the new one. A symbolic link is followed, and a file that is replaced
    keeps its permissions.
    """
    name = os.path.realpath(os.fsdecode(path))
    folder, base = os.path.split(name)
    try:
        temporary = os.path.join(folder, f".{base}.{uuid.uuid4().hex}.tmp")
        try:
            with open(temporary, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(name):
                os.chmod(temporary, os.stat(name).st_mode & 0o7777)
            os.replace(temporary, name)
        except BaseException:
            if os.path.exists(temporary):
                os.remove(temporary)
            raise
    except OSError as error:
        raise FileError(f"[{who}] cannot write {name!r}: {error.strerror or error}") from None


def read_file(path: PathLike, who: str) -> bytes:
    """Return the content of a file; ``MissingFileError`` when there is none."""
    name = os.fsdecode(path)
    try:
        with open(name, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise MissingFileError(f"[{who}] cannot open {name!r}: no such file") from None
    except OSError as error:
        raise FileError(f"[{who}] cannot read {name!r}: {error.strerror or error}") from None
