"""Files of tokens for language models: writing, reading at any place, batches of windows."""

from typing import TYPE_CHECKING

from ... import _hints
from .file import TokenFile
from .iter import TokenIter
from .writer import TokenWriter

__all__ = ["TokenFile", "TokenIter", "TokenWriter"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
