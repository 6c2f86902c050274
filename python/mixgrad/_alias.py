"""The name ``mxnet`` for mixgrad, in this process and in those that multiprocessing starts from it."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Optional

from . import _removed_names

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


class _Spec(importlib.machinery.ModuleSpec):
    """Where a module under its other name comes from: it is loaded already, and has a spec to keep."""

    def __init__(self, name: str, loader: _Aliases, module: ModuleType) -> None:
        super().__init__(name, loader, is_package=hasattr(module, "__path__"))
        self.module, self.own = module, module.__spec__


class _Aliases(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives ``mxnet.a.b`` the very module that ``mixgrad.a.b`` is."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[_Spec]:
        if fullname != _ALIAS and not fullname.startswith(_ALIAS + "."):
            return None
        ours = _OURS + fullname[len(_ALIAS) :]
        try:
            module = importlib.import_module(ours) if fullname != _ALIAS else _Package()
        except ModuleNotFoundError as error:
            if error.name == ours:
                return None  # the import system says it with the name that was asked for
            raise
        return _Spec(fullname, self, module)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        assert isinstance(spec, _Spec)
        return spec.module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the alias's spec on the module.
        spec = module.__spec__
        if isinstance(spec, _Spec) and spec.own is not None:
            module.__spec__ = spec.own


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
