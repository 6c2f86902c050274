"""Contributed operators of symbols (``mx.contrib.sym``), which are those of ``mx.sym.contrib``."""

from typing import TYPE_CHECKING

from ..symbol import contrib as _contrib
from ..symbol.contrib import *  # noqa: F403

if not TYPE_CHECKING:
    __getattr__, __dir__ = _contrib.__getattr__, _contrib.__dir__
