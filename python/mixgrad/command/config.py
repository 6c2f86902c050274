"""Print what a compiler needs to build C and C++ programs on this installation."""

from __future__ import annotations

import argparse
import os
import shlex

from .._installed import get_cmake_dir, get_include, get_library, get_pkgconfig_dir
from .console import show_json

__all__ = ["act", "add_arguments"]


def _cflags() -> str:
    return shlex.join([f"-I{get_include()}"])


def _libs() -> str:
    folder = os.path.dirname(get_library())
    return shlex.join([f"-L{folder}", f"-Wl,-rpath,{folder}", "-lmixgrad"])


_PARTS = {
    "cflags": ("--cflags", "options to compile", _cflags),
    "libs": ("--libs", "options to link", _libs),
    "include": ("--include", "folder of the headers", get_include),
    "library": ("--library", "the shared library", get_library),
    "cmakedir": ("--cmakedir", "folder for find_package(mixgrad), as mixgrad_DIR", get_cmake_dir),
    "pkgconfigdir": ("--pkgconfigdir", "folder of mixgrad.pc, for PKG_CONFIG_PATH", get_pkgconfig_dir),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    for name, (option, text, _) in _PARTS.items():
        parser.add_argument(option, dest="parts", action="append_const", const=name, help=text)


def act(given: argparse.Namespace) -> None:
    """Prints what was asked for on one line, or everything with its name."""
    if given.json:
        show_json({name: _PARTS[name][2]() for name in given.parts or _PARTS})
    elif given.parts:
        print(*(_PARTS[name][2]() for name in given.parts))
    else:
        for name, (_, _, part) in _PARTS.items():
            print(f"{name:12} {part()}")
