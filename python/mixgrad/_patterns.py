"""Regular expressions that callers give."""

from __future__ import annotations

import re

__all__ = ["compiled"]


def compiled(pattern: object, who: str) -> re.Pattern[str]:
    """The pattern, or an error that names ``who`` and what is wrong with it.

    >>> compiled("fc.*", "Monitor").match("fc1_weight") is not None
    True
    """
    if not isinstance(pattern, (str, re.Pattern)):
        raise TypeError(f"[{who}] the pattern is {type(pattern).__name__}; expected text")
    try:
        return re.compile(pattern)
    except (re.error, RecursionError) as error:
        shown = f"{pattern!r:.200}"
        raise ValueError(f"[{who}] the pattern {shown} is no regular expression: {error}") from None
