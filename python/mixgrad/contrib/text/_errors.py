"""Errors of tokens and vectors."""

from ...base import InvalidArgumentError

__all__ = ["TextError"]


class TextError(InvalidArgumentError, AssertionError):
    """Tokens, vectors or files that do not fit; old code catches it as an ``AssertionError``."""
