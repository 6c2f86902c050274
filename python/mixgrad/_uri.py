"""Files behind URIs such as ``s3://bucket/key``, through fsspec.

Local files behind URIs are read and written as those behind paths.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any

from ._files import write_file
from .base import FileError, MissingFileError


def is_uri(name: str) -> bool:
    """Whether a name is a URI rather than a local path."""
    return "://" in name


def _open(name: str, function: str) -> tuple[Any, str]:
    """The file system of a URI, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"[{function}] {name!r} is a URI: pip install fsspec to use it") from None
    try:
        filesystem, path = fsspec.core.url_to_fs(name)
    except (ImportError, ValueError) as error:  # what serves the URI is not installed, or nothing does
        raise type(error)(f"[{function}] cannot reach {name!r}: {error}") from None
    except OSError as error:  # such as a client that lacks a library of the system's
        raise FileError(f"[{function}] cannot reach {name!r}: {error}") from None
    return filesystem, path


def _is_local(filesystem: Any) -> bool:
    protocols = filesystem.protocol
    return "file" in ((protocols,) if isinstance(protocols, str) else protocols)


def write_uri(name: str, content: bytes, function: str = "save") -> None:
    """Writes beside the file and renames, so that it appears complete or not at all."""
    filesystem, path = _open(name, function)
    if _is_local(filesystem):
        write_file(path, content, function)
        return
    temporary = f"{path}.tmp-{uuid.uuid4().hex}"
    try:
        with filesystem.open(temporary, "wb") as file:
            file.write(content)
        filesystem.mv(temporary, path)
    except BaseException as error:
        with suppress(OSError):  # what went wrong first is told
            if filesystem.exists(temporary):
                filesystem.rm(temporary)
        if isinstance(error, FileNotFoundError):
            raise MissingFileError(f"[{function}] cannot write {name!r}: {error}") from error
        if isinstance(error, OSError):
            raise FileError(f"[{function}] cannot write {name!r}: {error}") from error
        raise
