"""Where training reports: through logging, or on standard error where nobody has set logging up.

On a terminal, a bar of tqdm's, where that is installed, shows how far an epoch is; it leaves nothing behind.

MXNet's scripts report through the functions of the module ``logging``. Without a handler these show nothing
of level INFO, and add a handler that changes what later calls show; so they are called only where they are
heard.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Any, Optional

__all__ = ["Bar", "EpochReport", "is_unheard", "note", "show", "tell", "warn"]


def is_unheard(logger: Any) -> bool:
    """Whether a program has set up no logging at all, so that progress is shown on standard error."""
    root = logging.getLogger()
    if logger is not logging and logger is not root:
        return False
    return (
        not root.handlers
        and not root.isEnabledFor(logging.INFO)
        and logging.root.manager.disable < logging.INFO
        and sys.stderr is not None
    )


def show(line: str) -> None:
    """A line on standard error, above the bars of tqdm's that are there.

    It is written whole, so that lines of several workers do not run into each other.
    """
    tqdm = getattr(sys.modules.get("tqdm"), "tqdm", None)
    if tqdm is not None:
        tqdm.write(line + "\n", file=sys.stderr, end="")
    else:
        print(line + "\n", end="", file=sys.stderr, flush=True)


class Bar:
    """How many batches of an epoch are done, on a terminal; elsewhere, or without tqdm, nothing."""

    def __init__(self, data: Any, text: str) -> None:
        self._bar: Any = None
        if sys.stderr is None or not sys.stderr.isatty():
            return
        try:
            from tqdm import tqdm
        except ImportError:
            return
        self._bar = tqdm(desc=text, total=_length(data), unit="batch", leave=False, file=sys.stderr)

    def count(self, values: Callable[[], str] = str) -> None:
        """One batch more; ``values`` are asked for only when the bar is drawn."""
        if self._bar is not None and self._bar.update():
            self._bar.set_postfix_str(values(), refresh=False)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _length(data: Any) -> Optional[int]:
    """Batches of an epoch, where a loader or an iterator knows."""
    if hasattr(data, "__len__"):
        return len(data)
    examples, size = getattr(data, "num_data", None), getattr(data, "batch_size", None)
    return -(-examples // size) if isinstance(examples, int) and isinstance(size, int) and size else None


def tell(logger: Any, text: str, *args: Any) -> None:
    """What a user asked for, such as the speed: logged at level INFO, or shown."""
    if is_unheard(logger):
        show((text % args).rstrip("\r"))
    else:
        logger.info(text, *args)


def note(logger: Any, text: str, *args: Any) -> None:
    """What is worth logging at level INFO, and not worth a line of its own."""
    if not is_unheard(logger):
        logger.info(text, *args)


def warn(logger: Any, text: str, *args: Any) -> None:
    """A warning, without the handler that ``logging.warning`` adds."""
    (logging.getLogger() if logger is logging else logger).warning(text, *args)


class EpochReport:
    """What a training loop says of one epoch: a record each in the log, or one line on standard error."""

    def __init__(self, logger: Any, epoch: int) -> None:
        self._logger, self._epoch = logger, epoch
        self._parts: list[str] = []
        self._begun = time.time()
        self._examples = 0
        self._bar: Optional[Bar] = None

    def count(self, data: Any, batch: Any) -> None:
        """One batch of an iterator; examples that only fill it up are not counted."""
        size, pad = getattr(data, "batch_size", None), getattr(batch, "pad", None)
        if isinstance(size, int):
            self._examples += max(0, size - (pad if isinstance(pad, int) else 0))
        if is_unheard(self._logger):
            self._bar = self._bar or Bar(data, f"Epoch[{self._epoch}]")
            self._bar.count()

    def add(self, text: str, *args: Any) -> None:
        """One value, such as ``"Train-%s=%f"``."""
        self.add_if_shown(text, *args)
        if not is_unheard(self._logger):
            self._logger.info("Epoch[%d] " + text, self._epoch, *args)

    def add_if_shown(self, text: str, *args: Any) -> None:
        """A value for the line, which the log has or gets from elsewhere."""
        if is_unheard(self._logger):
            self._parts.append(text % args)

    def add_time(self) -> None:
        """How long the epoch took, and for the line the speed, where the size of batches is known."""
        if self._bar is not None:
            self._bar.close()
        seconds = time.time() - self._begun
        self.add("Time cost=%.3f", seconds)
        if self._examples and seconds > 0:
            self.add_if_shown("Speed=%.1f samples/s", self._examples / seconds)

    def close(self) -> None:
        """The end of the epoch."""
        if self._parts:
            show(f"Epoch[{self._epoch}] {' '.join(self._parts)}")
