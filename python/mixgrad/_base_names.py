"""Names of ``mx.base`` that scripts import: tuples of types, the folder of data, docstrings."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = [
    "add_fileline_to_docstring",
    "basestring",
    "build_param_doc",
    "data_dir",
    "data_dir_default",
    "integer_types",
    "long",
    "mx_real_t",
    "numeric_types",
    "string_types",
]

long, basestring = int, str  # what Python 2 had
integer_types = (int, np.int32, np.int64)
numeric_types = (float, int, np.generic)
string_types = (str,)
mx_real_t = np.float32


class _NullType:
    """Stands for a parameter that was not given."""

    def __repr__(self) -> str:
        return "_Null"


_Null = _NullType()


def data_dir_default() -> str:
    """The folder of downloaded data where ``MXNET_HOME`` names none."""
    if os.name == "nt":
        return os.path.join(os.environ.get("APPDATA", os.path.expanduser("~")), "mxnet")
    return os.path.join(os.path.expanduser("~"), ".mxnet")


def data_dir() -> str:
    """The folder of downloaded data: the environment variable ``MXNET_HOME``, else ``~/.mxnet``."""
    return os.environ.get("MXNET_HOME") or data_dir_default()


def _as_list(obj: Any) -> Any:
    """Lists and tuples as they are, anything else as a list of one."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


def build_param_doc(
    arg_names: Sequence[str], arg_types: Sequence[str], arg_descs: Sequence[str], remove_dup: bool = True
) -> str:
    """The part of a docstring that lists parameters.

    >>> print(build_param_doc(["axis"], ["int"], ["The axis."]))
    Parameters
    ----------
    axis : int
        The axis.
    <BLANKLINE>
    """
    lines, seen = ["Parameters", "----------"], {"num_args"}
    for name, kind, text in zip(arg_names, arg_types, arg_descs):
        if name == "num_args" or (remove_dup and name in seen):
            continue
        seen.add(name)
        lines += [f"{name} : {kind}", f"    {text}"] if text else [f"{name} : {kind}"]
    return "\n".join(lines) + "\n"


def add_fileline_to_docstring(module: Any, incursive: bool = True) -> None:
    """Have the docstrings of a module's functions end with the place where each is written.

    Parameters
    ----------
    module : module or str
        It, or the name under which it was imported.
    incursive : bool
        Whether methods of its classes count, too.
    """
    module = sys.modules[module] if isinstance(module, str) else module

    def note(holder: Any, inside: bool) -> None:
        for one in list(vars(holder).values()):
            if getattr(one, "__module__", None) != module.__name__ or not getattr(one, "__doc__", None):
                continue
            if inspect.isclass(one) and inside:
                note(one, False)
            code = getattr(one, "__code__", None)
            if code is not None and "\n\nFrom:" not in one.__doc__:
                one.__doc__ += f"\n\nFrom:{code.co_filename}:{code.co_firstlineno}"

    note(module, incursive)
