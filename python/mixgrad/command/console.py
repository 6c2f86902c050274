"""What the command shows: text without control characters, headings in bold on a terminal, progress."""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import sys
import time
from typing import Any, Callable, Optional

__all__ = [
    "Pace",
    "Progress",
    "at_least",
    "heading",
    "plain",
    "port_number",
    "positive",
    "printable",
    "process_count",
    "server_count",
    "show",
    "show_json",
]


def plain(text: str) -> str:
    """The text with characters that a terminal would act on written as escapes.

    Examples
    --------
    >>> from mixgrad.command.console import plain
    >>> plain("conv" + chr(27) + "[31m")
    'conv\\\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode() for one in text
    )


def show(text: str) -> None:
    """Prints text that may come from a file."""
    print(printable(plain(text)))


def printable(text: str) -> str:
    """The text with what the output's encoding lacks written as escapes."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def show_json(value: Any) -> None:
    """Prints a value for other programs; NaN and infinity, which JSON does not have, are null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def heading(text: str) -> None:
    """Prints a line, in bold where somebody looks at a terminal and has not set NO_COLOR."""
    bold = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if bold:
        sys.stdout.write("\x1b[1m")
    show(text)
    if bold:
        sys.stdout.write("\x1b[0m")


def at_least(least: int, most: Optional[int] = None) -> Callable[[str], int]:
    """A type of arguments: whole numbers from `least` up to `most`."""

    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            limit = "" if most is None else f" and at most {most}"
            raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of at least {least}{limit}")
        return value

    return whole


port_number = at_least(1, 65535)
process_count = at_least(1, 4095)  # servers or workers that a store can number
server_count = at_least(0, 4095)  # 0: a store without servers


def positive(text: str) -> float:
    """A type of arguments: seconds, more than none and at most a day."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number above 0 and at most 86400")
    return value


class Progress:
    """A line on stderr that grows with the work, on a terminal; elsewhere a line now and then, or nothing.

    Parameters
    ----------
    what : str
        What is done.
    every : float
        Seconds between lines where stderr is no terminal; without end by default, which shows none.
    """

    def __init__(self, what: str, every: float = math.inf) -> None:
        self._what = what
        self._bar = sys.stderr is not None and sys.stderr.isatty()
        self._every = 0.1 if self._bar else every
        self._next = 0.0 if self._bar else time.perf_counter() + every

    def at(self, share: Optional[float], note: str = "") -> None:
        """Shows how much is done, where it is known, and a note: ten times a second at most."""
        now = time.perf_counter()
        if now < self._next or sys.stderr is None:
            return
        self._next = now + self._every
        done = 0.0 if share is None else min(1.0, share)
        percent = "" if share is None else f"{100 * done:3.0f}%"
        if self._bar:
            marks = round(30 * done)
            bar = "" if share is None else f"[{'#' * marks}{'.' * (30 - marks)}] "
            line = f"{self._what} {bar}{percent} {note}".rstrip()
            columns = shutil.get_terminal_size().columns
            sys.stderr.write(f"\r{plain(line)[: max(columns - 1, 1)]}\x1b[K")
        else:
            sys.stderr.write(f"{plain(' '.join(f'{self._what}: {percent} {note}'.split()))}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Takes the line away."""
        if self._bar:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Pace:
    """How fast things go, from when it is made: for notes beside bars and for reports.

    Parameters
    ----------
    unit : str
        What is counted, such as ``"pictures"``.
    total : int
        How many there are, or -1 where nobody knows.
    begin : int
        How many were done before.

    Examples
    --------
    >>> from mixgrad.command.console import Pace
    >>> Pace("pictures", 200).note(50, seconds=2)
    '50 of 200, 25.0 pictures/s, 6 s left'
    """

    def __init__(self, unit: str, total: int = -1, begin: int = 0) -> None:
        self._unit, self._total, self._begin = unit, total, begin
        self._started = time.perf_counter()

    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self._started

    def share(self, done: int) -> Optional[float]:
        """How much of all is done, where it is known."""
        return None if self._total < 0 else done / max(self._total, 1)

    def rate(self, done: int, seconds: Optional[float] = None) -> float:
        """How many a second, of those done since it was made."""
        return (done - self._begin) / max(self.seconds() if seconds is None else seconds, 1e-9)

    def note(self, done: int, seconds: Optional[float] = None) -> str:
        """Count, rate and the time that is left."""
        rate = self.rate(done, seconds)
        shown = f"{rate:,.1f}" if rate < 100 else f"{rate:,.0f}"
        if self._total < 0:
            return f"{done:,}, {shown} {self._unit}/s"
        left = f", {_span((self._total - done) / rate)} left" if rate > 0 else ""
        return f"{done:,} of {self._total:,}, {shown} {self._unit}/s{left}"


def _span(seconds: float) -> str:
    whole = math.ceil(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02d} min" if minutes < 100 else f"{minutes // 60}:{minutes % 60:02d} h"
