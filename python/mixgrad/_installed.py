"""Where the parts of this installation lie, and what is wrong when they cannot be loaded."""

from __future__ import annotations

import importlib
import os
import sys
from importlib import machinery

__all__ = ["explain", "get_cmake_dir", "get_include", "get_library", "get_pkgconfig_dir"]

_LIBRARY = {"darwin": "libmixgrad.dylib", "win32": "mixgrad.dll"}.get(sys.platform, "libmixgrad.so")

_AGAIN = "install mixgrad again (pip install --force-reinstall)"


def _refuse_subinterpreters() -> None:
    """The extension belongs to the main interpreter; in another one its import would not end."""
    try:
        module = importlib.import_module(
            "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
        )
    except ImportError:
        return  # no way to make others
    if module.get_current() != module.get_main():
        raise ImportError(
            "[mixgrad] this is a subinterpreter; expected the main interpreter of the process "
            "(mod_wsgi: WSGIApplicationGroup %{GLOBAL})"
        )


def _part(*names: str) -> str:
    """A part of the wheel. It lies beside the extension: in an editable install this file is elsewhere."""
    from . import _core

    path = os.path.join(os.path.dirname(os.path.abspath(_core.__file__)), *names)
    if not os.path.exists(path):
        raise FileNotFoundError(f"[mixgrad] {path} is missing; {_AGAIN}")
    return path


def get_include() -> str:
    """Return the folder of the headers for C (``mixgrad/mixgrad.h``) and C++ (``mixgrad.hpp``).

    Examples
    --------
    >>> import mixgrad as mx, os
    >>> os.path.isfile(os.path.join(mx.get_include(), "mixgrad", "mixgrad.h"))
    True
    """
    return _part("include")


def get_library() -> str:
    """Return the path of the shared library that C and C++ programs link: libmixgrad."""
    return _part(_LIBRARY)


def get_cmake_dir() -> str:
    """Return the folder that CMake's ``find_package(mixgrad)`` takes as ``mixgrad_DIR``."""
    return _part("cmake")


def get_pkgconfig_dir() -> str:
    """Return the folder of ``mixgrad.pc``, for ``PKG_CONFIG_PATH``."""
    return _part("pkgconfig")


def _advice(folder: str, tried: list[str]) -> str:
    """Why the extension may not load, and what to do."""
    if not os.path.isdir(folder):
        return "that is inside an archive, and libraries load from files only: unpack it, or install with pip"
    there = sorted(name for name in os.listdir(folder) if name.startswith("_core."))
    there = [name for name in there if not name.endswith(".pyi")]
    if not there:
        return (
            "these are the sources, which hold no compiled part: run `pip install .` at the top of the "
            "repository, and start Python elsewhere"
        )
    if not set(there) & set(tried):
        return (
            f"what is there ({', '.join(there)}) is for another Python; install mixgrad with "
            f"`{sys.executable} -m pip install`"
        )
    if not os.path.exists(os.path.join(folder, _LIBRARY)):
        return f"{_LIBRARY} is missing there; {_AGAIN}"
    return f"{there[0]} and {_LIBRARY} are there, but do not fit this system: build mixgrad on it"


def explain(error: ImportError) -> str:
    """Return what was tried when the extension did not load, why it may be, and what to do."""
    folder = os.path.dirname(os.path.abspath(__file__))
    tried = [f"_core{suffix}" for suffix in machinery.EXTENSION_SUFFIXES]
    return (
        f"[mixgrad] cannot load its extension: {error}\n  tried {', '.join(tried)} in {folder}\n"
        f"  {_advice(folder, tried)}"
    )


_refuse_subinterpreters()
