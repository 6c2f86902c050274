"""What the command shows: text without control characters, headings in bold on a terminal, progress."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from typing import Any, Callable

__all__ = ["Progress", "at_least", "heading", "positive", "show", "show_json"]


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
    encoding = sys.stdout.encoding or "utf-8"
    print(plain(text).encode(encoding, "backslashreplace").decode(encoding))


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


def at_least(least: int) -> Callable[[str], int]:
    """A type of arguments: whole numbers from `least`."""

    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of at least {least}")
        return value

    return whole


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
    """A line on stderr that grows with the work, where stderr is a terminal; else nothing.

    Parameters
    ----------
    what : str
        What is done.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._next = 0.0

    def at(self, share: float) -> None:
        """Shows how much is done, ten times a second at most."""
        now = time.perf_counter()
        if self._shown and now >= self._next:
            self._next = now + 0.1
            done = round(30 * min(1.0, share))
            sys.stderr.write(
                f"\r{self._what} [{'#' * done}{'.' * (30 - done)}] {100 * min(1.0, share):3.0f}%"
            )
            sys.stderr.flush()

    def end(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
