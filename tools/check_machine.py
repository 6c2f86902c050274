"""Say what this machine lacks for building mixgrad, and the command that installs it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig


def missing_packages() -> list[tuple[str, str]]:
    """Pairs of what is missing and the Debian package that holds it."""
    missing: list[tuple[str, str]] = []
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        missing.append(("Python's venv and ensurepip modules", "python3-venv"))
    if not os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h")):
        missing.append(("Python's C headers (Python.h)", "python3-dev"))
    if shutil.which(os.environ.get("CXX", "c++")) is None:
        missing.append(("a C++17 compiler (c++)", "g++"))
    return missing


if __name__ == "__main__":
    if sys.version_info < (3, 9):  # noqa: UP036 - this file runs before pip has checked the version
        sys.exit(f"mixgrad needs Python 3.9 or newer; {sys.executable} is {sys.version.split()[0]}")
    lacking = missing_packages()
    if lacking:
        for what, _ in lacking:
            print(f"mixgrad needs {what}", file=sys.stderr)
        sys.exit("Install with:  apt-get install " + " ".join(package for _, package in lacking))
