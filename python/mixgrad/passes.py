"""Switches of the passes that simplify graphs before they run; see docs/graph.md."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from . import _core, _hints

__all__ = ["enabled", "switch", "using"]


def enabled() -> list[str]:
    """Names of the passes that are on for graphs built from now on."""
    names = _core.passes()
    return names.split(",") if names else []


def switch(switches: str) -> None:
    """Turns passes on and off, for graphs built from now on.

    Parameters
    ----------
    switches : str
        Separated by commas and read from left to right: ``"all"``, ``"none"``, ``"-fold"``, ``"+common"``.
        The environment variable ``MIXGRAD_PASSES`` does the same at start.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.passes.switch("-fold")
    >>> "fold" in mx.passes.enabled()
    False
    >>> mx.passes.switch("all")
    """
    if not isinstance(switches, str):
        raise TypeError(f"[passes] got {type(switches).__name__}; expected str")
    _core.set_passes(switches)


@contextmanager
def using(switches: str) -> Iterator[None]:
    """A scope in which passes are switched so.

    >>> import mixgrad as mx
    >>> with mx.passes.using("none"):
    ...     mx.passes.enabled()
    []
    """
    before = ",".join(["none", *enabled()])
    switch(switches)
    try:
        yield
    finally:
        switch(before)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
