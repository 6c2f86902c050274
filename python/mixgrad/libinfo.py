"""Where the library and the headers of this installation lie (``mx.libinfo``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core, _hints
from ._installed import get_include, get_library
from .base import MissingFileError

__all__ = ["find_conf_path", "find_include_path", "find_lib_path"]

__version__: str = _core.version()


def find_lib_path(prefix: str = "libmixgrad") -> list[str]:
    """The paths of the shared library that C and C++ programs link.

    Parameters
    ----------
    prefix : str
        What its name begins with; MXNet's ``"libmxnet"`` means this library, too.
    """
    if prefix not in ("libmixgrad", "libmxnet"):
        raise MissingFileError(f"[find_lib_path] no library is called {prefix!r:.60}; expected 'libmixgrad'")
    return [get_library()]


def find_include_path() -> str:
    """The folder of the headers."""
    return get_include()


def find_conf_path(prefix: str = "tvmop") -> list[str]:
    """Paths of settings of operators that a compiler makes; mixgrad has no such files."""
    raise MissingFileError(f"[find_conf_path] there is no {prefix!r:.60}.conf; operators need no settings")


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
