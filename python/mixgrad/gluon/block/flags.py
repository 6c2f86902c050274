"""Flags of ``hybridize`` that no block knows, such as misspelt ones."""

from __future__ import annotations

import inspect
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ... import _hints
from ...base import UnsupportedError

if TYPE_CHECKING:
    from .block import Block

__all__ = ["check_backend", "children_told", "known_flags"]

_PLANNER = ("static_alloc", "static_shape", "inline_limit", "forward_bulk_size", "backward_bulk_size")
_KNOWN = ("active", "backend", "clear", *_PLANNER)


_nesting = threading.local()


@contextmanager
def children_told() -> Iterator[None]:
    """A scope in which children get what the block around them got: their flags have been looked at."""
    before = getattr(_nesting, "inside", False)
    _nesting.inside = True
    try:
        yield
    finally:
        _nesting.inside = before


def known_flags(block: Block, flags: dict[str, Any]) -> dict[str, Any]:
    """Those that a block, or one inside it, knows; a warning names the others, which change nothing in MXNet.

    Parameters
    ----------
    block : Block
        The block that was called.
    flags : dict
        Keywords of the call.
    """
    odd = [name for name in flags if name not in _KNOWN]
    if not odd or getattr(_nesting, "inside", False):
        return flags
    own: set[str] = set()  # of classes that define hybridize themselves

    def look(one: Block) -> None:
        own.update(inspect.signature(one.hybridize).parameters)

    block.apply(look)
    odd = [name for name in odd if name not in own]
    for name in odd:
        warnings.warn(
            f"[hybridize] {name!r:.60} is no flag and changes nothing{_hints.near(name, _KNOWN)}; "
            f"known: {', '.join(_KNOWN)}",
            stacklevel=_depth_of_caller(),
        )
    return {name: value for name, value in flags.items() if name not in odd}


def _depth_of_caller() -> int:
    """How many frames up the program's own line is, above methods called ``hybridize``."""
    depth = 2  # known_flags
    while sys._getframe(depth).f_code.co_name == "hybridize":
        depth += 1
    return depth


_BACKENDS = ("MKLDNN", "MKLDNN_QUANTIZE", "NONE", "default")


def check_backend(backend: Any, who: str) -> None:
    """Refuse what is no name of a backend of MXNet's."""
    if not isinstance(backend, str):
        raise TypeError(f"[{who}] backend is {type(backend).__name__}; expected a name")
    if backend not in _BACKENDS:
        raise UnsupportedError(
            f"[{who}] no backend is called {backend!r:.60}; known are {', '.join(_BACKENDS)}, whose fusions "
            "the planner makes itself"
        )
