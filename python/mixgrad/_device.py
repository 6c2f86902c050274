"""Where operators without inputs make their arrays."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from .context import Context, several


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
    if not isinstance(ctx, str):
        raise TypeError(f"[ctx] got {type(ctx).__name__}; expected a Context such as mx.cpu(0){several(ctx)}")
    if ctx == "":
        return nullcontext()
    kind, _, rest = ctx.partition("(")
    number = rest.rstrip(")") or "0"
    if not number.isdecimal():
        raise ValueError(f"[ctx] got {ctx!r:.60}; expected text such as 'cpu(0)'")
    return Context(kind, int(number))
