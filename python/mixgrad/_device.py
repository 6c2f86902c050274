"""Where operators without inputs make their arrays."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from .context import Context


def on_device(ctx: Any) -> AbstractContextManager[Any]:
    """A scope in which new arrays go to ``ctx``: a Context, text such as 'cpu(1)', or None (the current
    device).

    >>> with on_device("cpu(1)") as device:
    ...     device
    cpu(1)
    """
    if ctx is None or ctx == "":
        return nullcontext()
    if isinstance(ctx, Context):
        return Context(ctx)
    kind, _, rest = str(ctx).partition("(")
    return Context(kind, int(rest.rstrip(")") or 0))
