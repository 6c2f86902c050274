"""Tokens and their indices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ... import _hints
from ._errors import TextError

__all__ = ["Vocabulary"]

UNKNOWN = 0  # the index of all tokens that a vocabulary lacks


class Vocabulary:
    """An index for each token: 0 for unknown ones, then the reserved ones, then by how often each occurs.

    Tokens of one count are in their own order.

    Parameters
    ----------
    counter : Counter, optional
        How often each token occurs; without it there are the unknown and the reserved tokens alone.
    most_freq_count : int, optional
        How many tokens of the counter get an index at most.
    min_freq : int
        How often a token occurs at least.
    unknown_token : hashable
        Stands for tokens that have no index.
    reserved_tokens : list, optional
        Tokens that always have an index.

    Examples
    --------
    >>> import collections, mixgrad as mx
    >>> counter = collections.Counter(["a", "b", "b", "c"])
    >>> vocabulary = mx.contrib.text.vocab.Vocabulary(counter, most_freq_count=2, reserved_tokens=["<pad>"])
    >>> vocabulary.idx_to_token
    ['<unk>', '<pad>', 'b', 'a']
    >>> vocabulary.to_indices(["b", "nowhere"])
    [2, 0]
    """

    def __init__(
        self,
        counter: Optional[Counter[Any]] = None,
        most_freq_count: Optional[int] = None,
        min_freq: int = 1,
        unknown_token: Hashable = "<unk>",
        reserved_tokens: Optional[Sequence[Any]] = None,
    ) -> None:
        if min_freq < 1:
            raise TextError(f"[Vocabulary] min_freq is {min_freq}; expected 1 or more")
        reserved = list(reserved_tokens or [])
        if unknown_token in reserved or len(set(reserved)) < len(reserved):
            raise TextError(
                f"[Vocabulary] reserved_tokens are {reserved!r:.200}; expected each once, and without the "
                f"unknown token {unknown_token!r}"
            )
        if counter is not None and not isinstance(counter, Counter):
            raise TextError(f"[Vocabulary] counter is {type(counter).__name__}; expected collections.Counter")
        self._unknown_token: Any = unknown_token
        self._reserved_tokens = None if reserved_tokens is None else reserved
        self._idx_to_token: list[Any] = [unknown_token, *reserved]
        known = set(self._idx_to_token)
        room = len(counter or ()) if most_freq_count is None else most_freq_count
        for token in sorted(sorted(counter or ()), key=lambda one: -counter[one] if counter else 0):
            if room <= 0 or counter is None or counter[token] < min_freq:
                break
            if token not in known:
                self._idx_to_token.append(token)
                room -= 1
        self._token_to_idx = {token: index for index, token in enumerate(self._idx_to_token)}

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[Any, int]:
        """The index of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[Any]:
        """The tokens in the order of their indices."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Any:
        """What stands for tokens that have no index."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> Optional[list[Any]]:
        """Tokens that always have an index."""
        return self._reserved_tokens

    def to_indices(self, tokens: Any) -> Any:
        """The index of a token, or a list of them for a list; 0 for unknown ones."""
        if isinstance(tokens, list):
            return [self._token_to_idx.get(token, UNKNOWN) for token in tokens]
        return self._token_to_idx.get(tokens, UNKNOWN)

    def to_tokens(self, indices: Any) -> Any:
        """The token of an index, or a list of them for a list."""
        several = isinstance(indices, list)
        for index in indices if several else [indices]:
            if not isinstance(index, int) or not 0 <= index < len(self):
                raise ValueError(f"[to_tokens] {index!r:.60} is no index; expected 0 to {len(self) - 1}")
        return [self._idx_to_token[i] for i in indices] if several else self._idx_to_token[indices]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
