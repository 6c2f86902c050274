"""Exceptions, and how further ones are filed under their names (``mx.error``)."""

from typing import TYPE_CHECKING

from . import _hints
from .base import InternalError, MXNetError, register_error

__all__ = ["InternalError", "MXNetError", "register", "register_error"]

register = register_error


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
