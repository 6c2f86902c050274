"""What a device's memory pool holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from . import _core, _hints
from .context import Context, chosen_context

__all__ = ["MemoryInfo", "memory_info", "reset_peak_memory"]


class MemoryInfo(NamedTuple):
    """Statistics of one device; sizes in bytes."""

    in_use: int
    peak: int
    reserved: int
    pooled: int
    external: int
    blocks: int
    allocations: int
    cache_hits: int


def memory_info(ctx: Optional[Context] = None) -> MemoryInfo:
    """Statistics of a device's memory.

    Parameters
    ----------
    ctx : Context, optional
        The device; the current one by default.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.ones((256, 256), ctx=mx.cpu(7))
    >>> x.wait_to_read()
    >>> mx.memory_info(mx.cpu(7)).in_use >= x.nbytes
    True
    """
    return MemoryInfo(**_core.memory_info(chosen_context(ctx, "memory_info").numbers))


def reset_peak_memory(ctx: Optional[Context] = None) -> None:
    """Starts the peak again from what is in use now."""
    _core.memory_reset_peak(chosen_context(ctx, "reset_peak_memory").numbers)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
