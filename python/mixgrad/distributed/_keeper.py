"""Ends the groups of a process that is killed: whoever it started outlives it otherwise."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import weakref
from typing import Any

__all__ = ["Keeper"]

# A process with nothing but the standard library, so that it is there soon and small. Its input has a group
# on each line, and "over" on the last; an end without that is the end of whoever started it.
_PROGRAM = """
import os, signal, sys, time
groups = []
for line in sys.stdin:
    if line == "over\\n":
        sys.exit()
    groups.append(int(line))
def send(number):
    left = []
    for group in groups:
        try:
            os.killpg(group, number)
            left.append(group)
        except (ProcessLookupError, PermissionError):
            pass
    return left
groups = send(signal.SIGTERM)
limit = time.monotonic() + {seconds}
while groups and time.monotonic() < limit:
    time.sleep(0.05)
    groups = send(0)
send(signal.SIGKILL)
"""


_inputs: weakref.WeakSet[Any] = weakref.WeakSet()  # of the keepers of this process


def _close_inputs() -> None:
    """In a fork, which may live longer: a keeper's input ends with the process that made the keeper."""
    for one in list(_inputs):
        one.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inputs)


class Keeper:
    """A process that watches this one, and ends the groups it was told of when this one is killed."""

    def __init__(self, seconds: float) -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM.format(seconds=seconds)],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _inputs.add(self._running.stdin)

    def _tell(self, line: str) -> None:
        assert self._running.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # somebody killed it; this process goes on without
            os.write(self._running.stdin.fileno(), f"{line}\n".encode())

    def add(self, group: int) -> None:
        """Have it end this group, too."""
        self._tell(str(group))

    def close(self) -> None:
        """All groups have ended."""
        self._tell("over")
        assert self._running.stdin is not None
        self._running.stdin.close()
        self._running.wait()
