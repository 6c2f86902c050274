"""Scripts that are written as ``import mxnet``: ``python -m mixgrad.mxnet train.py --its-arguments``.

In such a process, and in those that it starts by :mod:`multiprocessing`, ``mxnet`` and its submodules are
other names of mixgrad and its submodules. ``-m package.module`` and ``-c code`` work as for Python itself;
``mixgrad script train.py`` is the same command. A program that is started otherwise calls :func:`install`.
"""

import sys
from typing import TYPE_CHECKING

from . import _hints
from ._alias import install
from ._script import main

__all__ = ["install"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public("mixgrad.mxnet")

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], "python -m mixgrad.mxnet"))
