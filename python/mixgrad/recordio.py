"""Record files (``mx.recordio``): MXNet's RecordIO, written and read byte for byte; pictures with labels in
records.

docs/recordio.md describes the format, damage, parts of a file and files behind URIs.
"""

from __future__ import annotations

import numbers
import os
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from . import _hints, _pictures
from ._record_file import Reading, Writing, file_name
from ._remote import RemoteOptions
from .base import FileFormatError, InvalidArgumentError, MXNetError, NotFoundError

__all__ = [
    "IRHeader",
    "MXIndexedRecordIO",
    "MXRecordIO",
    "RemoteOptions",
    "pack",
    "pack_img",
    "unpack",
    "unpack_img",
]


_process = os.getpid()


def _note_process() -> None:
    global _process
    _process = os.getpid()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_process)


class MXRecordIO:
    """A file of records, written or read from front to back.

    A file that is written appears, or replaces another one, when it is closed; a ``with`` block that ends by
    an
    exception leaves what was there before. Follows ``mx.recordio.MXRecordIO``; what stands behind ``flag`` is
    mixgrad's own.

    Parameters
    ----------
    uri : str or PathLike
        A path, or a URI that fsspec knows (``s3://``, ``gs://``, ``hdfs://``, ``https://``, ``hf://``, ``memory://``).
    flag : str
        'w' to write or 'r' to read.
    damaged : str
        While reading: 'raise' for an error at each damaged place, which names file and offset and after
        which reading
        may go on; 'skip' to leave damaged places out and count them (``skipped``, ``skipped_bytes``).
    part_index, num_parts : int
        Reads one of several parts of about as many bytes, cut as MXNet cuts them: together they give each
        record once.
    checksums : bool
        Writing: also make ``<uri>.crc``, with a checksum of each record. Reading: look at them; a record
        without its checksum is a damaged place.
    in_place : bool
        Writing: change the file itself at once, for scripts that read it (after ``flush``) while it is
        written.
    remote : RemoteOptions, optional
        How a file behind a URI is read.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "words.rec")
    >>> with mx.recordio.MXRecordIO(path, "w") as record:
    ...     for word in [b"one", b"two"]:
    ...         record.write(word)
    >>> record = mx.recordio.MXRecordIO(path, "r")
    >>> record.read(), record.read(), record.read()
    (b'one', b'two', None)
    """

    def __init__(
        self,
        uri: Union[str, os.PathLike[str]],
        flag: str,
        *,
        damaged: str = "raise",
        part_index: int = 0,
        num_parts: int = 1,
        checksums: bool = False,
        in_place: bool = False,
        remote: Optional[RemoteOptions] = None,
    ) -> None:
        self.is_open = False
        self.uri = file_name(uri, type(self).__name__)
        self.flag = flag
        self.pid: Optional[int] = None
        self._reading: Optional[Reading] = None
        self._writing: Optional[Writing] = None
        self._options = {"damaged": damaged, "part_index": part_index, "num_parts": num_parts}
        self._checksums, self._in_place, self._remote = checksums, in_place, remote
        if not isinstance(damaged, str) or damaged not in ("raise", "skip"):
            raise InvalidArgumentError(f"[{self._who}] damaged is {damaged!r}; expected 'raise' or 'skip'")
        for name, value, least in (("part_index", part_index, 0), ("num_parts", num_parts, 1)):
            if not isinstance(value, numbers.Integral) or not least <= value < 2**31:
                raise InvalidArgumentError(
                    f"[{self._who}] {name} is {value!r:.40}; expected a whole number from {least} to 2**31-1"
                )
        if not isinstance(remote, (RemoteOptions, type(None))):
            raise InvalidArgumentError(f"[{self._who}] remote is {remote!r:.60}; expected RemoteOptions")
        self.open()

    @property
    def _who(self) -> str:
        return type(self).__name__

    def open(self) -> None:
        """Open the file; writing begins it anew."""
        if self.flag not in ("r", "w"):
            raise InvalidArgumentError(f"[{self._who}] Invalid flag {self.flag}; expected 'r' or 'w'")
        self.writable = self.flag == "w"
        if self.writable:
            self._writing = Writing(self.uri, self._index_path(), self._who, self._checksums, self._in_place)
            self._writing.close_with(self)
        else:
            self._reading = Reading(self.uri, self._who, self._options, self._checksums, self._remote)
        self.pid = _process
        self.is_open = True

    def _index_path(self) -> Optional[str]:
        return None

    def close(self) -> None:
        """Close the file: one that was written appears now, whole; in a forked child nothing is written."""
        if not self.is_open:
            return
        self.is_open = False
        self.pid = None
        writing, self._writing, self._reading = self._writing, None, None
        if writing is not None:
            writing.close()

    def flush(self) -> None:
        """Bring what was written so far to a file that is written in place."""
        self._written("flush").flush()

    def reset(self) -> None:
        """Go back to the first record; a file that is written begins anew."""
        self.close()
        self.open()

    def __enter__(self) -> MXRecordIO:
        return self

    def __exit__(self, kind: Optional[type], *error: object) -> None:
        if kind is not None and self._writing is not None:
            self._writing.discard()
            self._writing = None
        self.close()

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        """The file's name and whether it is open, not the place in it. A file that is written is closed."""
        state = dict(self.__dict__)
        if self.flag == "w":
            self.close()
        for name in ("_reading", "_writing", "pid"):
            state[name] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.is_open:
            self.is_open = False
            self.open()

    def _check_pid(self, allow_reset: bool = False) -> None:
        if self.pid == _process:
            return
        if not allow_reset:
            state = (
                "the file is closed"
                if self.pid is None
                else "it was opened in another process; reset() it here"
            )
            raise MXNetError(
                f"[{self._who}] Forbidden operation in multiple processes: {state} ({self.uri!r})"
            )
        self.reset()

    def _written(self, method: str) -> Writing:
        if not self.writable:
            raise InvalidArgumentError(
                f"[{self._who}.{method}] {self.uri!r} is open for reading; expected flag 'w'"
            )
        self._check_pid()
        assert self._writing is not None
        return self._writing

    def _read(self, method: str, allow_reset: bool = False) -> Reading:
        if self.writable:
            raise InvalidArgumentError(
                f"[{self._who}.{method}] {self.uri!r} is open for writing; expected flag 'r'"
            )
        if self.pid != _process:
            self._check_pid(allow_reset)
        assert self._reading is not None
        return self._reading

    def write(self, buf: Any) -> None:
        """Append a record: bytes, or anything with a buffer of them."""
        self._written("write").write(buf)

    def read(self) -> Optional[bytes]:
        """Return the next record, or None at the end of the file."""
        return self._read("read").next()

    def tell(self) -> int:
        """Return where in the file the next record will be written, or read."""
        return (self._written if self.writable else self._read)("tell").tell()

    @property
    def skipped(self) -> int:
        """Records that were left out as damaged: at least one for each damaged place."""
        return self._read("skipped").skipped()[0]

    @property
    def skipped_bytes(self) -> int:
        """Bytes of the file that were left out as damaged, while it was read in order."""
        return self._read("skipped_bytes").skipped()[1]


class MXIndexedRecordIO(MXRecordIO):
    """A file of records with an index: records by key, in any order.

    Follows ``mx.recordio.MXIndexedRecordIO``. Record file and index appear together when they are closed.
    Options as of `MXRecordIO`.

    Parameters
    ----------
    idx_path : str, PathLike or None
        The index: lines of a key, a tab and an offset. None while reading: the keys are the numbers of the
        records, found by one pass over their headers.
    uri : str or PathLike
        The record file.
    flag : str
        'w' to write or 'r' to read.
    key_type : type
        What makes a key of its text.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "words")
    >>> with mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w") as record:
    ...     for key, word in enumerate([b"one", b"two", b"three"]):
    ...         record.write_idx(key, word)
    >>> record = mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "r")
    >>> record.keys, record.read_idx(2), record.read_batch([1, 0])
    ([0, 1, 2], b'three', [b'two', b'one'])
    """

    def __init__(
        self,
        idx_path: Optional[Union[str, os.PathLike[str]]],
        uri: Union[str, os.PathLike[str]],
        flag: str,
        key_type: type = int,
        **options: Any,
    ) -> None:
        self.idx_path = None if idx_path is None else file_name(idx_path, type(self).__name__)
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.key_type = key_type
        self.fidx = None
        if idx_path is None and flag == "w":
            raise InvalidArgumentError(
                f"[{type(self).__name__}] idx_path is None; expected the index's name to write"
            )
        if self.idx_path is not None and self.idx_path == file_name(uri, type(self).__name__):
            raise InvalidArgumentError(
                f"[{type(self).__name__}] {self.idx_path!r} as index and as record file; expected two names"
            )
        super().__init__(uri, flag, **options)

    def open(self) -> None:
        """Open record file and index."""
        self.idx = {}
        self.keys = []
        super().open()
        if self._reading is not None:
            pairs = self._reading.index(self.idx_path, self.key_type)
            self.keys = [key for key, _ in pairs]
            self.idx = dict(pairs)

    def _index_path(self) -> Optional[str]:
        return self.idx_path

    def _offset(self, key: Any, method: str) -> int:
        try:
            return self.idx[key]
        except (KeyError, TypeError):  # no key, or nothing that may be one
            raise NotFoundError(
                f"[{self._who}.{method}] {self.uri!r} has no record of key {key!r:.60}; "
                f"it has {len(self.idx)} keys"
            ) from None

    def seek(self, idx: Any) -> None:
        """Go to the record of that key, which `read` gives next."""
        self._read("seek", allow_reset=True).seek(self._offset(idx, "seek"))

    def read_idx(self, idx: Any) -> Optional[bytes]:
        """Return the record of that key; None for a damaged one where damage is skipped."""
        try:
            if self._reading is not None:
                record = self._reading.read_key(self.idx, idx)
                if record is not None:
                    return record
            reading = self._read("read_idx", allow_reset=True)
            return reading.read_at(self._offset(idx, "read_idx"))
        except FileFormatError as error:
            raise FileFormatError(f"[{self._who}.read_idx] key {idx!r}: {error}") from None

    def read_batch(self, keys: Any) -> list[Optional[bytes]]:
        """Return the records of these keys, read by several threads; mixgrad's own.

        A damaged record is an error that names its key, or None where damage is skipped.
        """
        reading = self._read("read_batch", allow_reset=True)
        if not isinstance(keys, Iterable):
            raise TypeError(f"[{self._who}.read_batch] keys is {keys!r:.60}; expected several keys")
        wanted = list(keys)
        try:
            return reading.read_batch([self._offset(key, "read_batch") for key in wanted])
        except FileFormatError:
            for key in wanted:
                self.read_idx(key)
            raise

    def write_idx(self, idx: Any, buf: Any) -> None:
        """Append a record under that key."""
        try:
            key = self.key_type(idx)
        except (TypeError, ValueError, OverflowError):
            raise InvalidArgumentError(
                f"[{self._who}.write_idx] the key is {idx!r:.60}; expected one of type "
                f"{getattr(self.key_type, '__name__', self.key_type)}"
            ) from None
        text = str(key)
        if not text or text != text.strip() or "\t" in text or text.splitlines() != [text]:
            raise InvalidArgumentError(
                f"[{self._who}.write_idx] the key is {text!r:.60}, which a line of the index cannot "
                "hold; expected text without tabs, ends of lines, and spaces around it"
            )
        offset = self._written("write_idx").write_keyed(key, buf)
        self.idx[key] = offset
        self.keys.append(key)


class HEADER(NamedTuple):
    """What stands before a picture in a record.

    ``flag``: free to use where ``label`` is a number, else the number of labels. ``label``: a number or an
    array of float32. ``id`` and ``id2``: numbers of the record, from 0 to 2**64 - 1.
    """

    flag: int
    label: Any
    id: int
    id2: int


IRHeader = HEADER

_FORMAT = "<IfQQ"
_BYTES = struct.calcsize(_FORMAT)


def pack(header: Any, s: Any) -> bytes:
    """Put a header before bytes; follows ``mx.recordio.pack``.

    Parameters
    ----------
    header : IRHeader
        Its label is a number, or an array, whose size then becomes the flag. (With a number, the flag
        becomes 0.)
    s : bytes
        Usually an encoded picture.

    Examples
    --------
    >>> import mixgrad as mx
    >>> record = mx.recordio.pack(mx.recordio.IRHeader(0, [1.0, 2.5], 7, 0), b"picture")
    >>> header, content = mx.recordio.unpack(record)
    >>> header.flag, header.label.tolist(), header.id, content
    (2, [1.0, 2.5], 7, b'picture')
    """
    _check_bytes(s, "pack")
    try:
        header = IRHeader(*header)
    except TypeError:
        raise InvalidArgumentError(
            f"[pack] the header is {header!r:.60}; expected IRHeader(flag, label, id, id2)"
        ) from None
    if isinstance(header.label, numbers.Number):
        header, labels = header._replace(flag=0), b""
    else:
        try:
            label = np.asarray(header.label, dtype=np.float32)
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"[pack] the label is {header.label!r:.60}; expected a number or several"
            ) from None
        header, labels = header._replace(flag=label.size, label=0), label.tobytes()
    try:
        front = struct.pack(_FORMAT, *header)
    except (struct.error, OverflowError, TypeError) as error:
        raise InvalidArgumentError(
            f"[pack] {header!r}: {error}; expected a flag below 2**32, a number as label, "
            "and id and id2 below 2**64"
        ) from None
    return b"".join((front, labels, s))


def _check_bytes(content: Any, who: str) -> None:
    try:
        with memoryview(content) as view:
            if view.contiguous:
                return
    except TypeError:
        pass
    raise TypeError(f"[{who}] got {type(content).__name__}; expected bytes")


def unpack(s: Any) -> tuple[HEADER, Any]:
    """Part a record into its header and the bytes behind it; follows ``mx.recordio.unpack``.

    The label of a header whose flag is above 0 is an array of that many float32, which cannot be written.
    """
    if not isinstance(s, bytes):
        _check_bytes(s, "unpack")
        s = bytes(s)
    if len(s) < _BYTES:
        raise FileFormatError(
            f"[unpack] a record of {len(s)} bytes; expected at least the {_BYTES} of its header"
        )
    header = IRHeader(*struct.unpack(_FORMAT, s[:_BYTES]))
    s = s[_BYTES:]
    if header.flag > 0:
        if header.flag > len(s) // 4:
            raise FileFormatError(
                f"[unpack] the header says that {header.flag} labels follow, "
                f"but the record has {len(s)} bytes more"
            )
        header = header._replace(label=np.frombuffer(s, np.float32, header.flag))
        s = s[header.flag * 4 :]
    return header, s


def unpack_img(s: Any, iscolor: int = -1) -> tuple[HEADER, Optional[np.ndarray]]:
    """Part a record into its header and its picture; follows ``mx.recordio.unpack_img``.

    Parameters
    ----------
    s : bytes
        A record.
    iscolor : int
        -1: the picture as it is; 0: grey; 1: colour; 2 and 4: as it is in depth and in channels.

    Returns
    -------
    header : IRHeader
    img : numpy.ndarray
        Of shape (height, width) or (height, width, channels), channels in the order blue, green, red; None
        where the bytes are no picture.
    """
    header, content = unpack(s)
    return header, _pictures.decode(content, iscolor, "unpack_img")


def pack_img(header: Any, img: Any, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """Encode a picture and put a header before it; follows ``mx.recordio.pack_img``.

    Parameters
    ----------
    header : IRHeader
        As of `pack`.
    img : numpy.ndarray
        Of shape (height, width) or (height, width, channels), channels in the order blue, green, red.
    quality : int
        Of JPEG, from 1 to 100; of PNG how hard it is compressed, from 0 to 9.
    img_fmt : str
        '.jpg', '.png' or the extension of another kind that Pillow writes.
    """
    return pack(header, _pictures.encode(img, quality, img_fmt, "pack_img"))


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
