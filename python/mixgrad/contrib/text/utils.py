"""Counting of tokens."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Optional

from ... import _hints

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: Optional[Counter[str]] = None,
) -> Counter[str]:
    r"""Count how often each token occurs.

    Parameters
    ----------
    source_str : str
        The text.
    token_delim, seq_delim : str
        Regular expressions of what stands between tokens and between sequences of them.
    to_lower : bool
        Whether capitals count as small letters.
    counter_to_update : Counter, optional
        Counts to add to; a new counter by default.

    Examples
    --------
    >>> import mixgrad as mx
    >>> counts = mx.contrib.text.utils.count_tokens_from_str("a rose\nA Rose b", to_lower=True)
    >>> sorted(counts.items())
    [('a', 2), ('b', 1), ('rose', 2)]
    """
    counter: Counter[str] = Counter() if counter_to_update is None else counter_to_update
    tokens = [token for token in re.split(f"{token_delim}|{seq_delim}", source_str) if token]
    counter.update(token.lower() for token in tokens) if to_lower else counter.update(tokens)
    return counter


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
