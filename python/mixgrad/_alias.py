"""The name ``mxnet`` for mixgrad, in this process and in those that multiprocessing starts from it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Optional

from . import _places, _removed_names

__all__ = ["install", "package_in_use"]

_OURS, _ALIAS = __package__ or "mixgrad", "mxnet"
_VERSION = "1.9.1"  # of MXNet, whose scripts run


class _Package(ModuleType):
    """The package under its other name: the same but for the version, which scripts compare with '1.x'."""

    def __init__(self) -> None:
        super().__init__(_ALIAS, _package().__doc__)
        own = vars(self)
        own.update(__path__=_package().__path__, __file__=_package().__file__, __version__=_VERSION)

    def __getattr__(self, name: str) -> Any:
        return getattr(_package(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        holder = super() if name.startswith("__") else _package()
        holder.__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_package(), name)

    def __dir__(self) -> list[str]:
        return dir(_package())


def _package() -> ModuleType:
    return sys.modules[_OURS]


def package_in_use() -> Any:
    """The package, under the other name where the program has imported that."""
    found = sys.modules.get(_ALIAS)
    return found if isinstance(found, _Package) else _package()


class _Aliases(_places.Elsewhere):
    """Gives ``mxnet.a.b`` the very module that ``mixgrad.a.b`` is."""

    def other_name(self, fullname: str) -> Optional[str]:
        package, dot, rest = fullname.partition(".")
        return _OURS + dot + rest if package == _ALIAS else None

    def module(self, name: str) -> ModuleType:
        return _Package() if name == _OURS else super().module(name)


class _Token:
    """Installs the alias where it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return install, ()


def _tell_children() -> None:
    """Has the processes that multiprocessing spawns install the alias before they import the script."""
    from multiprocessing import set_forkserver_preload, spawn

    original = spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        return {"mxnet": _Token(), **original(name)}  # pickled, and read before the rest is acted on

    spawn.get_preparation_data = get_preparation_data
    # The server that forks children would import the script itself, without the alias.
    set_forkserver_preload([])


def install() -> None:
    """From now on ``import mxnet`` gives mixgrad in this process; a second call changes nothing.

    Modules have one identity under both names. Processes that :mod:`multiprocessing` starts inherit it, with
    every start method; other programs do not. A NumPy name that newer releases lack is refused with the line
    that uses it and what to write instead.
    """
    if any(isinstance(finder, _Aliases) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _Aliases())
    _tell_children()
    _removed_names.explain()
