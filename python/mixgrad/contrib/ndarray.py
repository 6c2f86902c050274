"""Contributed operators of arrays (``mx.contrib.nd``), which are those of ``mx.nd.contrib``."""

from typing import TYPE_CHECKING

from ..ndarray import contrib as _contrib
from ..ndarray.contrib import *  # noqa: F403

if not TYPE_CHECKING:
    __getattr__, __dir__ = _contrib.__getattr__, _contrib.__dir__
