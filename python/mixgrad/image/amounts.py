"""Numbers that augmenters are made with."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Optional

from ..base import InvalidArgumentError

__all__ = ["amount"]


def amount(
    value: Any, who: str, what: str, least: Optional[float] = None, most: Optional[float] = None
) -> Any:
    """The value, once it is a finite number in its range; it stays of its type."""
    if not isinstance(value, Real) and getattr(value, "shape", None) != ():
        raise TypeError(f"[{who}] {what} is {type(value).__name__}: {value!r:.60}; expected a number")
    try:
        fits = math.isfinite(value) and (least is None or value >= least) and (most is None or value <= most)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        low, high = (
            "" if least is None else f" of at least {least:g}",
            "" if most is None else f" of at most {most:g}",
        )
        raise InvalidArgumentError(
            f"[{who}] {what} is {value!r:.60}; expected a finite number"
            f"{low}{' and' if low and high else ''}{high}"
        )
    return value
