"""Modules (``mx.mod``): a network bound to devices, with its parameters and an optimiser.

A module goes through three states: ``bind`` gives it shapes and memory, ``init_params`` values, and
``init_optimizer`` a rule to change them; ``fit`` does all three and trains. :class:`Module` runs one graph,
:class:`BucketingModule` one per length of input, :class:`SequentialModule` several modules in a row, and
:class:`PythonModule` is a base for modules written in Python.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .base_module import BaseModule
from .bucketing_module import BucketingModule
from .executor_group import DataParallelExecutorGroup
from .memory_plan import WorkerMemory
from .module import Module
from .python_module import PythonLossModule, PythonModule
from .sequential_module import SequentialModule

__all__ = [
    "BaseModule",
    "BucketingModule",
    "DataParallelExecutorGroup",
    "Module",
    "PythonLossModule",
    "PythonModule",
    "SequentialModule",
    "WorkerMemory",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
