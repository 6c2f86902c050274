"""Where operators of ``mx.np`` and ``mx.npx`` have their functions (``mx.numpy_op_signature``)."""

from __future__ import annotations

from typing import Any

from . import numpy, numpy_extension

__all__: list[str] = []


def _get_builtin_op(op_name: str) -> Any:
    """The function for an operator by its registered name, such as ``_np_sum``; None where there is none."""
    for prefix, module in (("_np_", numpy), ("_npx_", numpy_extension)):
        if op_name.startswith(prefix):
            found: Any = module
            for part in op_name.removeprefix(prefix).lstrip("_").split("."):
                found = getattr(found, part, None)
            return found
    return None
