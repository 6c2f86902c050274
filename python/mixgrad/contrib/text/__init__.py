"""Tokens of text: counting, indices, vectors (``mx.contrib.text``)."""

from typing import TYPE_CHECKING

from ... import _hints
from . import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
