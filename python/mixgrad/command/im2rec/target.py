"""The files that grow while pictures are packed, and the journal from which a run that ended goes on.

Beside ``x.rec`` lie ``x.rec.partial``, ``x.idx.partial`` (for archives ``x.lst.partial``, too) and
``x.rec.journal``. A line of the journal is written once everything it speaks of is on the disk, so what lies
behind it is cut off at the next start. The finished files appear by renaming; the journal says when, so that
a run that ends in between is completed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from ..._files import open_file
from ...base import FileError
from .workers import Part

__all__ = ["Target"]

_SECONDS = 1.0  # between lines of the journal
_COPIED = 1 << 20


class Target:
    """A record file, its index and perhaps its list, in the making.

    Parameters
    ----------
    record : Path
        The record file that appears at the end.
    fingerprint : str
        What the content follows from; a journal with another one is not gone on with.
    with_list : bool
        Whether a list is written, too.

    Attributes
    ----------
    taken : int
        How many samples are done with, packed or not; a run goes on behind them.
    packed : int
        How many records are written.
    damaged : list[list[str]]
        Name and reason of each sample that was left out.
    finished : bool
        Whether all files have their names.
    history : str
        What was found of an earlier run, for people; empty where there was none.
    """

    def __init__(self, record: Path, fingerprint: str, with_list: bool) -> None:
        self.record = record
        endings = [".rec", ".idx", *([".lst"] if with_list else [])]
        self._finals = [record.with_suffix(ending) for ending in endings]
        self._partials = [path.with_name(f"{path.name}.partial") for path in self._finals]
        self._journal_path = record.with_name(f"{record.name}.journal")
        self.parts = record.with_name(f"{record.name}.parts")
        self._fingerprint = hashlib.sha256(fingerprint.encode("utf-8", "surrogateescape")).hexdigest()
        self._files: list[BinaryIO] = []
        self._noted = 0.0  # when, by the monotonic clock; the first part is noted at once
        self.taken = self.packed = 0
        self.damaged: list[list[str]] = []
        self._new_damaged: list[list[str]] = []
        self.finished = False
        self.history = ""
        self._journal = self._locked()
        try:
            self._resume(self._last_note())
        except BaseException:
            self.close()
            raise

    def _locked(self) -> BinaryIO:
        try:
            journal = open(self._journal_path, "a+b")  # noqa: SIM115
        except OSError as error:
            raise FileError(f"[im2rec] cannot write '{self._journal_path}': {error.strerror}") from None
        alone = True
        try:
            fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = os.path.samestat(os.fstat(journal.fileno()), os.stat(self._journal_path))
        except (BlockingIOError, FileNotFoundError):  # the other run has it, or has just removed it
            alone = False
        except OSError:
            pass  # a file system without locks: nobody can be told apart
        if not alone:
            journal.close()
            raise FileError(f"[im2rec] another run is packing '{self.record}'; expected one at a time")
        return journal

    def _last_note(self) -> dict[str, Any]:
        """The journal's newest line whose files are there; damage of all lines is gathered."""
        self._journal.seek(0)
        last: dict[str, Any] = {}
        damaged: list[list[str]] = []
        for number, line in enumerate(self._journal.read().split(b"\n")):
            try:
                note = json.loads(line)
            except ValueError:  # the end of a journal whose writer was killed
                break
            if not isinstance(note, dict):
                break
            if number == 0:
                if note.get("fingerprint") != self._fingerprint:
                    self.history = "an earlier run had other options or pictures; packing from the start"
                    return {}
                continue
            damaged += note["damaged"]
            last = note
        if not last:
            return {}
        if not last["finished"]:
            for path, size in zip(self._partials, last["bytes"]):
                if not path.exists() or path.stat().st_size < size:
                    return {}
        last["damaged"] = damaged
        return last

    def _resume(self, note: dict[str, Any]) -> None:
        shutil.rmtree(self.parts, ignore_errors=True)
        if note:
            self.taken, self.packed, self.damaged = note["taken"], note["packed"], note["damaged"]
            self.history = f"going on behind {self.taken:,} of an earlier run"
        if note.get("finished"):
            self._rename()
            self.history = "an earlier run has packed it"
            return
        for number, path in enumerate(self._partials):
            self._files.append(_opened(path, note["bytes"][number] if note else 0))
        if not note:
            self._journal.truncate(0)
            self._write({"fingerprint": self._fingerprint})
        self.parts.mkdir()

    def append(self, part: Part) -> None:
        """Takes what a worker has packed; its file goes away."""
        record, index, *lists = self._files
        begin = record.tell()
        try:
            if part.entries:
                with open_file(part.path, "im2rec") as file:
                    shutil.copyfileobj(file, record, _COPIED)
            index.write("".join(f"{key}\t{begin + offset}\n" for key, offset, _ in part.entries).encode())
            for file in lists:
                file.write(os.fsencode("".join(line + "\n" for _, _, line in part.entries)))
        except OSError as error:
            raise FileError(f"[im2rec] cannot write '{self.record}': {error.strerror or error}") from None
        part.path.unlink(missing_ok=True)
        self.taken += part.taken
        self.packed += len(part.entries)
        self._leave_out(part.damaged)
        if time.monotonic() >= self._noted + _SECONDS:
            self.note()

    def _leave_out(self, damaged: Sequence[Sequence[str]]) -> None:
        """Notes samples that could not be packed."""
        self._new_damaged += [list(one) for one in damaged]

    def left_out(self) -> list[list[str]]:
        """Name and reason of all that could not be packed."""
        return self.damaged + self._new_damaged

    def bytes(self) -> int:
        """How large the record file is so far."""
        return self.record.stat().st_size if self.finished else self._files[0].tell()

    def note(self, finished: bool = False) -> None:
        """Brings everything to the disk, then says so in the journal."""
        for file in self._files:
            file.flush()
            os.fsync(file.fileno())
        self._write(
            {
                "taken": self.taken,
                "packed": self.packed,
                "bytes": [file.tell() for file in self._files],
                "damaged": self._new_damaged,
                "finished": finished,
            }
        )
        self.damaged += self._new_damaged
        self._new_damaged = []
        self._noted = time.monotonic()

    def _write(self, line: dict[str, Any]) -> None:
        self._journal.seek(0, os.SEEK_END)
        self._journal.write(json.dumps(line).encode() + b"\n")
        self._journal.flush()
        os.fsync(self._journal.fileno())

    def finish(self) -> None:
        """Everything is packed: the files get their names. The journal stays until ``forget``."""
        self.note(finished=True)
        for file in self._files:
            file.close()
        self._rename()
        shutil.rmtree(self.parts, ignore_errors=True)

    def _rename(self) -> None:
        # The record file is last: where it is, so are the others.
        for partial, final in reversed(list(zip(self._partials, self._finals))):
            try:
                if partial.exists():
                    os.replace(partial, final)
            except OSError as error:
                raise FileError(f"[im2rec] cannot make '{final}': {error.strerror or error}") from None
        folder = os.open(self.record.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self.finished = True

    def forget(self) -> None:
        """Removes the journal: the next run with the same options packs anew."""
        self._journal_path.unlink(missing_ok=True)
        self.close()

    def abandon(self) -> None:
        """Removes everything that is not finished."""
        self._remove()
        self.close()

    def _remove(self) -> None:
        for path in (*self._partials, self._journal_path):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.parts, ignore_errors=True)

    def close(self) -> None:
        """Lets go of the files; a later run goes on from the journal, where anything was packed."""
        if not self.finished and not self._journal.closed and self.taken == 0:
            self._remove()
        for file in (*self._files, self._journal):
            file.close()


def _opened(path: Path, size: int) -> BinaryIO:
    """A file to append to, cut off behind ``size`` bytes."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        file = open(descriptor, "r+b")  # noqa: SIM115
        file.truncate(size)
        file.seek(size)
    except OSError as error:
        raise FileError(f"[im2rec] cannot write '{path}': {error.strerror or error}") from None
    return file
