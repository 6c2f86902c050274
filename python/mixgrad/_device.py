"""Where operators without inputs make their arrays."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from .context import Context, context_of


def on_device(ctx: Any) -> AbstractContextManager[Any]:
    """A scope in which new arrays go to ``ctx``: a Context, text such as 'cpu(1)', or None (the current
    device).

    >>> with on_device("cpu(1)") as device:
    ...     device
    cpu(1)
    """
    if ctx is None:
        return nullcontext()
    if isinstance(ctx, Context):
        return Context(ctx)
    return nullcontext() if isinstance(ctx, str) and not ctx else context_of(ctx, "ctx")
