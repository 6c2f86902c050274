"""What reads and writes a file of records: local or behind a URI, with its index and its checksums."""

from __future__ import annotations

import os
import uuid
import warnings
import weakref
from collections.abc import Callable
from typing import Any, Optional, Union

from . import _core, _uri
from ._files import read_file, together, write_file
from ._remote import RemoteOptions, open_source, read_uri
from .base import (
    FileError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    NotFoundError,
    UnsupportedError,
)

__all__ = ["Reading", "Writing", "file_name"]

_told_of_damage = False


def file_name(name: Union[str, os.PathLike[str]], who: str) -> str:
    """The path or URI as text."""
    if not isinstance(name, (str, os.PathLike)):
        raise InvalidArgumentError(
            f"[{who}] got {type(name).__name__} as a file's name; expected str or PathLike"
        )
    return os.fspath(name)


def _local(name: str, who: str) -> Optional[str]:
    """The path of a local file; None of one behind a URI."""
    if not _uri.is_uri(name):
        return name
    filesystem, path = _uri._open(name, who)
    return path if _uri._is_local(filesystem) else None


def _read(name: str, who: str) -> bytes:
    return read_uri(name, who) if _uri.is_uri(name) else read_file(name, who)


def _write(name: str, content: bytes, who: str) -> None:
    if _uri.is_uri(name):
        _uri.write_uri(name, content, who)
    else:
        write_file(name, content, who)


class _RemoteOutput:
    """A file behind a URI, written beside its name and renamed."""

    def __init__(self, uri: str, who: str) -> None:
        self._filesystem, self._path = _uri._open(uri, who)
        self._temporary = f"{self._path}.tmp-{uuid.uuid4().hex}"
        try:
            self._file = self._filesystem.open(self._temporary, "wb")
        except NotImplementedError:
            raise UnsupportedError(f"[{who}] {uri!r}: files of this kind can be read, not written") from None
        except OSError as error:
            raise FileError(f"[{who}] {uri!r} cannot be written: {error or type(error).__name__}") from None

    def write(self, content: bytes) -> None:
        self._file.write(content)

    def flush(self) -> None:
        raise InvalidArgumentError("[flush] a file behind a URI appears when it is closed")

    def commit(self) -> None:
        self._file.close()
        self._filesystem.mv(self._temporary, self._path)

    def discard(self) -> None:
        self._file.close()
        if self._filesystem.exists(self._temporary):
            self._filesystem.rm(self._temporary)


class _OutputInPlace:
    """A local file that is changed while it is written."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb")  # noqa: SIM115

    def write(self, content: bytes) -> None:
        self._file.write(content)

    def flush(self) -> None:
        self._file.flush()

    def commit(self) -> None:
        self._file.close()

    def discard(self) -> None:
        self._file.close()


class Writing:
    """A file of records that is written, with its index: nothing appears before `close`, unless in place."""

    def __init__(self, uri: str, index: Optional[str], who: str, checksums: bool, in_place: bool) -> None:
        self._uri, self._index, self._who, self._checksums = uri, index, who, checksums
        self._lines: list[str] = []
        self._pid = os.getpid()
        self._output: Union[_RemoteOutput, _OutputInPlace, None] = None
        self._finalizer: Any = None
        path = _local(uri, who)
        if path is not None and not in_place:
            self._writer: Optional[_core.RecordWriter] = _core.RecordWriter.open(os.fsencode(path), who)
        else:
            self._output = _OutputInPlace(path) if path is not None else _RemoteOutput(uri, who)
            self._writer = _core.RecordWriter.of_function(self._output.write, who)
        if checksums:
            self._writer.keep_checksums()

    def close_with(self, owner: object) -> None:
        """Closes when the owner goes, or the interpreter before it."""
        self._finalizer = weakref.finalize(owner, self.close)

    def write(self, data: Any) -> None:
        assert self._writer is not None
        self._writer.write(data)

    def write_keyed(self, key: Any, data: Any) -> int:
        assert self._writer is not None
        offset = self._writer.write(data)
        self._lines.append(f"{key}\t{offset}\n")
        return offset

    def tell(self) -> int:
        assert self._writer is not None
        return self._writer.tell()

    def flush(self) -> None:
        assert self._writer is not None
        if not isinstance(self._output, _OutputInPlace):
            raise InvalidArgumentError(
                f"[{self._who}] {self._uri!r} appears when it is closed; expected in_place=True to flush"
            )
        self._writer.flush()
        self._output.flush()
        if self._index is not None:
            _write(self._index, "".join(self._lines).encode(), self._who)

    def close(self) -> None:
        """Puts record file, index and checksums into their places; in a forked child it does nothing."""
        writer, self._writer = self._writer, None
        if self._finalizer is not None:
            self._finalizer.detach()
        if writer is None or self._pid != os.getpid():
            return
        with together():
            writer.commit()
            if self._output is not None:
                self._output.commit()
            if self._index is not None:
                _write(self._index, "".join(self._lines).encode(), self._who)
            if self._checksums:
                _write(self._uri + ".crc", writer.checksums(), self._who)

    def discard(self) -> None:
        """Leaves what was there before."""
        self._writer = None
        if self._output is not None and self._pid == os.getpid():
            self._output.discard()


def _offset_of(text: str) -> int:
    offset = int(text)
    if not 0 <= offset < 2**64:
        raise ValueError(offset)
    return offset


def _no_record(index: dict[Any, int], key: Any) -> Optional[bytes]:
    return None


class Reading:
    """A file of records that is being read."""

    def __init__(
        self, uri: str, who: str, options: dict[str, Any], checksums: bool, remote: Optional[RemoteOptions]
    ) -> None:
        self._uri, self._who = uri, who
        self._skips = options["damaged"] == "skip"
        path = _local(uri, who)
        if path is not None:
            try:
                self._source = _core.Source.open(os.fsencode(path), who)
            except NotFoundError as error:
                raise MissingFileError(str(error)) from None
        else:
            self._source = open_source(uri, who, remote)
        sums = _read(uri + ".crc", who) if checksums else None
        part = (options["part_index"], options["num_parts"])
        self._reader = _core.RecordReader(self._source, who, self._skips, *part, sums)
        self.tell, self.seek = self._reader.tell, self._reader.seek
        # read_key(offsets by key, key): None where a longer way must be taken
        self.read_key: Callable[[dict[Any, int], Any], Optional[bytes]] = (
            self._reader.read_key if not self._skips else _no_record
        )

    def next(self) -> Optional[bytes]:
        record = self._reader.next()
        if self._skips:
            self._tell_of_damage()
        return record

    def read_at(self, offset: int) -> Optional[bytes]:
        if not self._skips:
            return self._reader.read_at(offset)
        return self.read_batch([offset])[0]

    def read_batch(self, offsets: list[int]) -> list[Optional[bytes]]:
        records = self._reader.read_batch(offsets)
        if self._skips:
            self._tell_of_damage()
        return records

    def index(self, path: Optional[str], key_type: Any) -> list[tuple[Any, int]]:
        """Pairs of key and offset: of an index file, or of the records' numbers."""
        if path is None:
            return list(enumerate(self._reader.scan()))
        pairs = []
        for number, line in enumerate(
            _read(path, self._who).decode(errors="surrogateescape").splitlines(), 1
        ):
            key, _, offset = line.strip().partition("\t")
            try:
                pairs.append((key_type(key), _offset_of(offset.split("\t")[0])))
            except (TypeError, ValueError):
                raise FileFormatError(
                    f"[{self._who}] {path!r} line {number} is {line[:40]!r}; expected a key of type "
                    f"{getattr(key_type, '__name__', key_type)}, a tab and an offset"
                ) from None
        return pairs

    def skipped(self) -> tuple[int, int]:
        records, byte_count, _ = self._reader.skipped()
        return records, byte_count

    def _tell_of_damage(self) -> None:
        """One warning in a process, which names the first damaged place."""
        global _told_of_damage
        records, _, first = self._reader.skipped()
        if records > 0 and not _told_of_damage:
            _told_of_damage = True
            warnings.warn(
                f"[{self._who}] {self._uri!r} is damaged and read without that: {first}", stacklevel=4
            )
