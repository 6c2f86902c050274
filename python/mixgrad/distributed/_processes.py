"""Processes that belong together: started in groups of their own, and ended with all that they started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

__all__ = ["GRACE_SECONDS", "MARK", "Process", "adopting", "code_of", "end", "end_strays", "serving_command"]

GRACE_SECONDS = 5.0  # between SIGTERM and SIGKILL
MARK = "MIXGRAD_LAUNCH"  # in the environment of all that a launcher started, whatever they started
_CHILD_SUBREAPER, _GET_CHILD_SUBREAPER = 36, 37  # of prctl
_IS_LINUX = sys.platform == "linux"


def serving_command() -> list[str]:
    """The command of servers and the scheduler."""
    return [sys.executable, "-m", "mixgrad.kvstore_server"]


def code_of(status: int) -> int:
    """What shells report for Popen's exit status.

    >>> from mixgrad.distributed._processes import code_of
    >>> code_of(3), code_of(-9)
    (3, 137)
    """
    return 128 - status if status < 0 else status


class Process:
    """A process that leads a group, and may be started again.

    It outlives this process where that is killed, but for a `Keeper` that knows its group.
    One that ended stays a zombie until its group is ended, too: so its number cannot name another group.
    """

    def __init__(
        self, name: str, command: Sequence[str], environment: dict[str, str], text: str | None = None
    ) -> None:
        self.name, self.command, self.environment = name, list(command), environment
        self._text = text  # for its standard input, which then stays open
        self.code: int | None = None
        self.start()

    @property
    def is_worker(self) -> bool:
        return self.name.startswith("worker")

    def start(self) -> None:
        self.code = None
        # A session of its own: signals of the terminal come through who started it.
        self.running = subprocess.Popen(
            self.command,
            env=self.environment,
            start_new_session=True,
            stdin=None if self._text is None else subprocess.PIPE,
        )
        if self._text is not None:
            self._write(self._text)

    def _write(self, text: str) -> None:
        assert self.running.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which its code says
            self.running.stdin.write(text.encode())
            self.running.stdin.flush()

    def restart(self) -> None:
        """Start it again, when what is left of its group is gone."""
        self.reap()
        self.start()

    def poll(self) -> int | None:
        """The exit code as shells have it, once it has ended."""
        if self.code is None:
            if _IS_LINUX and self.running.returncode is None:
                ended = os.waitid(os.P_PID, self.running.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None:
                    by_itself = ended.si_code == os.CLD_EXITED
                    self.code = ended.si_status if by_itself else 128 + ended.si_status
            else:
                status = self.running.poll()
                self.code = None if status is None else code_of(status)
        return self.code

    def send(self, number: int) -> None:
        """To the process and those that it started, also when it has ended itself."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.running.pid, number)

    def ask(self, number: int) -> None:
        """Send a signal; through its standard input where that leads to another machine."""
        if self._text is None:
            self.send(number)
        else:
            self._write(f"{int(number)}\n")

    def reap(self) -> None:
        """End what is left of the group, for good."""
        if self.running.returncode is None:
            self.send(signal.SIGKILL)
        if self.running.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.running.stdin.close()
        self.poll()
        self.running.wait()
        self._reap_adopted()

    def _reap_adopted(self) -> None:
        """Orphans of the group, which are dead, and children of this process while it is `adopting`."""
        limit = time.monotonic() + 1
        with contextlib.suppress(ChildProcessError):
            while time.monotonic() < limit:
                if os.waitpid(-self.running.pid, os.WNOHANG) == (0, 0):
                    time.sleep(0.005)


def _table() -> Iterator[tuple[int, int, int, bool]]:
    """Number, parent and group of every process, and whether it is a zombie; nothing but on Linux."""
    if not _IS_LINUX:
        return
    for word in os.listdir("/proc"):
        if not word.isdigit():
            continue
        try:
            with open(f"/proc/{word}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # ended meanwhile
            continue
        yield int(word), int(fields[1]), int(fields[2]), fields[0] in (b"Z", b"X")


def _is_over(processes: Sequence[Process]) -> bool:
    if any(process.poll() is None for process in processes):
        return False
    groups = {process.running.pid for process in processes if process.running.returncode is None}
    return not any(group in groups and not is_dead for _, _, group, is_dead in _table())


def end(processes: Sequence[Process], number: int, hurry: Callable[[], bool] = lambda: False) -> None:
    """Ends processes and their groups: by the signal, then for good after a while, or once ``hurry()``."""
    for process in processes:
        process.ask(number)
    limit = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < limit and not hurry() and not _is_over(processes):
        time.sleep(0.02)
    for process in processes:
        process.reap()


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """While it lasts, orphans of what this process started become its children, on Linux."""
    if not _IS_LINUX:
        yield
        return
    prctl = ctypes.CDLL(None).prctl
    before = ctypes.c_int(0)
    prctl(_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_CHILD_SUBREAPER, before.value, 0, 0, 0)


def _strays(mark: str) -> list[int]:
    """Children of this process that carry the mark: orphans that left their groups."""
    found = []
    wanted = f"{MARK}={mark}".encode()
    for pid, parent, _, is_dead in _table():
        if parent != os.getpid() or is_dead:
            continue
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if wanted in file.read().split(b"\0"):
                found.append(pid)
    return found


def end_strays(mark: str) -> None:
    """Ends what the processes with this mark left behind in other groups; call it after :func:`end`."""
    limit = time.monotonic() + GRACE_SECONDS
    told: set[int] = set()
    while strays := _strays(mark):
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                if time.monotonic() >= limit:
                    os.kill(pid, signal.SIGKILL)
                elif pid not in told:
                    os.kill(pid, signal.SIGTERM)
            told.add(pid)
        time.sleep(0.02)
    for pid in told:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
