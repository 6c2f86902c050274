"""Files behind URIs, read by ranges: retries, time limits, a cache of blocks, reading ahead."""

from __future__ import annotations

import random
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable, Optional

from . import _core, _uri
from ._files import read_file
from .base import FileError, InvalidArgumentError, MissingFileError

__all__ = ["RemoteFile", "RemoteOptions", "open_source", "read_uri"]

_BLOCK_BYTES = 256 * 1024
_LONGEST_PAUSE = 5.0  # seconds


@dataclass(frozen=True)
class RemoteOptions:
    """How a file behind a URI is read.

    Parameters
    ----------
    attempts : int
        How often a request is made before its failure is an error. Between attempts lies a pause that
        doubles, from 0.1 to 5 seconds.
    time_limit : float
        Seconds after which a request that has not answered is given up, and made again if attempts are left.
    request_bytes : int
        The most that one request asks for. In a file that is read from front to back, requests grow up to it
        and are made one at a time, ahead of the reader.
    cache_bytes : int
        Memory for blocks that were read; the least recently used ones go first.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.recordio.RemoteOptions(attempts=3, time_limit=10).time_limit
    10
    """

    attempts: int = 6
    time_limit: float = 30.0
    request_bytes: int = 8 << 20
    cache_bytes: int = 64 << 20

    def __post_init__(self) -> None:
        least = {"attempts": 1, "request_bytes": _BLOCK_BYTES, "cache_bytes": 2 * self.request_bytes}
        for name, smallest in least.items():
            if getattr(self, name) < smallest:
                raise InvalidArgumentError(
                    f"[RemoteOptions] {name} is {getattr(self, name)}; expected at least {smallest}"
                )
        if not self.time_limit > 0:
            raise InvalidArgumentError(
                f"[RemoteOptions] time_limit is {self.time_limit}; expected more than 0 seconds"
            )


class _TimeLimitError(Exception):
    pass


class _Request(threading.Thread):
    """A call that runs beside the program: it may hang, and then nobody waits for it."""

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__(name="mixgrad-remote", daemon=True)
        self._call = call
        self._answer: Any = None
        self._error: Optional[BaseException] = None

    def run(self) -> None:
        try:
            self._answer = self._call()
        except BaseException as error:  # it is raised in the thread that waits
            self._error = error

    def answer(self, seconds: Optional[float] = None) -> Any:
        self.join(seconds)
        if self.is_alive():
            raise _TimeLimitError
        if self._error is not None:
            raise self._error
        return self._answer


def _is_final(error: BaseException) -> bool:
    """Whether asking again cannot help."""
    if isinstance(error, (FileNotFoundError, PermissionError, NotImplementedError, ImportError)):
        return True
    status = getattr(error, "status", None)
    return isinstance(status, int) and 400 <= status < 500 and status not in (408, 425, 429)


class _Requests:
    """What is asked of the file system behind a URI: in time, and again where that may help."""

    def __init__(self, uri: str, who: str, options: Optional[RemoteOptions]) -> None:
        self.uri, self._who = uri, who
        self.options = options if options is not None else RemoteOptions()
        self._filesystem, self._path = _uri._open(uri, who)
        self.answered = 0

    def size(self) -> Optional[int]:
        """Bytes of the file; None where its server does not say."""
        size = self._ask("info", "the size").get("size")
        return None if size is None else int(size)

    def whole(self) -> bytes:
        """The file in one answer."""
        return bytes(self._ask("cat_file", "the content"))

    def part(self, begin: int, end: int, size: int) -> bytes:
        """Bytes [begin, end) of a file of so many."""
        return bytes(self._ask("cat_file", f"bytes {begin} to {end}", size, start=begin, end=end))

    def _ask(self, method: str, what: str, size: int = 0, **arguments: int) -> Any:
        """The file system's answer, asked again where that may help."""
        reason = ""
        attempt = 0
        while attempt < self.options.attempts:
            if attempt > 0:
                pause = min(0.1 * 2 ** (attempt - 1), _LONGEST_PAUSE)
                time.sleep(pause * random.uniform(0.5, 1))
            attempt += 1
            try:
                answer = self._complete(self._in_time(method, arguments), size, **arguments)
            except _TimeLimitError:
                reason = f"no answer within {self.options.time_limit:g} s"
            except FileNotFoundError:
                raise MissingFileError(f"[{self._who}] cannot open {self.uri!r}: no such file") from None
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                if _is_final(error):
                    break
            else:
                self.answered += 1
                return answer
        tried = "1 attempt" if attempt == 1 else f"{attempt} attempts"
        raise FileError(f"[{self._who}] cannot read {what} of {self.uri!r} ({tried}): {reason}")

    def _complete(self, answer: Any, size: int, start: int = 0, end: Optional[int] = None) -> Any:
        """The answer, if it has all bytes that were asked for."""
        if end is None:
            return answer
        if len(answer) == size and end - start < size:  # a server without ranges sends all of it
            answer = answer[start:end]
        if len(answer) != end - start:
            raise OSError(f"{len(answer)} bytes came, and then the end")
        return answer

    def _in_time(self, method: str, arguments: dict[str, int]) -> Any:
        seconds = self.options.time_limit
        filesystem, path = self._filesystem, self._path
        if not (filesystem.async_impl and hasattr(filesystem, "loop")):
            request = _Request(lambda: getattr(filesystem, method)(path, **arguments))
            request.start()
            return request.answer(seconds)
        from fsspec.asyn import FSTimeoutError, sync  # it ends the request, too

        try:
            return sync(
                filesystem.loop, getattr(filesystem, "_" + method), path, timeout=seconds, **arguments
            )
        except FSTimeoutError:
            raise _TimeLimitError from None


class RemoteFile:
    """Bytes of a file behind a URI. Any thread may read, several at a time; a forked child needs one of its
    own.

    Blocks of 256 KiB are kept. What is missing is asked for by ranges: as much as a read needs, and twice as
    much as the last time while reading goes on from front to back.
    """

    def __init__(self, uri: str, who: str, options: Optional[RemoteOptions] = None) -> None:
        self._requests = _Requests(uri, who, options)
        self._options = self._requests.options
        size = self._requests.size()
        if size is None:
            raise FileError(f"[{who}] cannot read {uri!r} by ranges: its server does not say how long it is")
        self.bytes = size
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._asked: dict[int, _Request] = {}  # by block
        self._last = -1  # block that was read last
        self._run = 0  # blocks that were read one after another

    @property
    def requests(self) -> int:
        """Requests that were answered."""
        return self._requests.answered

    def read(self, offset: int, count: int) -> bytes:
        """Exactly these bytes, which must be within the file."""
        first, last = offset // _BLOCK_BYTES, (offset + count - 1) // _BLOCK_BYTES
        pieces = [self._block(number, last) for number in range(first, last + 1)]
        if len(pieces) == 1:
            return pieces[0][offset - first * _BLOCK_BYTES :][:count]
        pieces[0] = pieces[0][offset - first * _BLOCK_BYTES :]
        return b"".join(pieces)[:count]

    def _block(self, number: int, needed: int) -> bytes:
        """A block, of which those up to ``needed`` are wanted next."""
        while True:
            with self._lock:
                block = self._blocks.get(number)
                if block is not None:
                    self._blocks.move_to_end(number)
                    self._note(number)
                    self._read_ahead(number)
                    return block
                request = self._asked.get(number)
                if request is None:
                    goes_on = number in (self._last, self._last + 1)
                    request = self._request(number, max(needed - number + 1, self._ahead() if goes_on else 1))
            request.answer()

    def _note(self, number: int) -> None:
        if number == self._last + 1:
            self._run += 1
        elif number != self._last:
            self._run = 0
        self._last = number

    def _ahead(self) -> int:
        return min(2 << min(self._run, 20), self._options.request_bytes // _BLOCK_BYTES)

    def _read_ahead(self, number: int) -> None:
        """Asks for what comes next, one request at a time."""
        if self._run < 2 or self._asked:
            return
        ahead = self._ahead()
        for following in range(number + 1, number + 1 + ahead):
            if following * _BLOCK_BYTES >= self.bytes:
                return
            if following not in self._blocks:
                self._request(following, ahead)
                return

    def _request(self, first: int, count: int) -> _Request:
        """Asks for up to ``count`` blocks that are neither there nor asked for."""
        count = min(count, self._options.request_bytes // _BLOCK_BYTES)
        end = first + 1
        while (
            end < first + count
            and end * _BLOCK_BYTES < self.bytes
            and end not in self._blocks
            and end not in self._asked
        ):
            end += 1
        begin, stop = first * _BLOCK_BYTES, min(end * _BLOCK_BYTES, self.bytes)

        def fetch() -> None:
            try:
                content = self._requests.part(begin, stop, self.bytes)
                with self._lock:
                    for at in range(first, end):
                        here = (at - first) * _BLOCK_BYTES
                        self._blocks[at] = content[here : here + _BLOCK_BYTES]
                    while len(self._blocks) * _BLOCK_BYTES > self._options.cache_bytes:
                        self._blocks.popitem(last=False)
            finally:
                with self._lock:
                    for at in range(first, end):
                        self._asked.pop(at, None)

        request = _Request(fetch)
        for at in range(first, end):
            self._asked[at] = request
        request.start()
        return request


def read_uri(uri: str, who: str = "load") -> bytes:
    """What the file behind a URI holds."""
    filesystem, path = _uri._open(uri, who)
    if _uri._is_local(filesystem):
        return read_file(path, who)
    requests = _Requests(uri, who, None)
    size = requests.size()
    if size is None:
        return requests.whole()
    step = requests.options.request_bytes
    return b"".join(requests.part(at, min(at + step, size), size) for at in range(0, size, step))


def open_source(uri: str, who: str, options: Optional[RemoteOptions]) -> _core.Source:
    """A source over a file behind a URI."""
    file = RemoteFile(uri, who, options)
    return _core.Source.of_function(file.read, file.bytes, uri, who)
