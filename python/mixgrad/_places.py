"""Modules that MXNet 1.9.1 has where mixgrad has none: each is another name of a module here.

Both ``import mixgrad.numpy.multiarray`` and the attribute ``mx.np.multiarray`` give :mod:`mixgrad.numpy`.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Optional

__all__ = ["Elsewhere", "install", "module_at"]

_NUMPY = ("arrayprint", "function_base", "io", "multiarray", "stride_tricks", "utils")

# Ours by MXNet's; modules inside follow.
PLACES = {
    "contrib.quant": "contrib.quantization",
    "io.io": "io",
    "io.utils": "io",
    "ndarray.np": "numpy",
    "ndarray.npx": "numpy_extension",
    "ndarray.numpy": "numpy",
    "ndarray.numpy_extension": "numpy_extension",
    "ndarray.op": "ndarray.ops",
    "ndarray.utils": "ndarray",
    **{f"numpy.{name}": "numpy" for name in _NUMPY},
    "numpy_extension.utils": "numpy_extension",
    "optimizer.optimizer": "optimizer",
}
_OURS = (__package__ or "mixgrad") + "."


class _Spec(importlib.machinery.ModuleSpec):
    """Where a module under its other name comes from: it is loaded already, and has a spec to keep."""

    def __init__(self, name: str, loader: Any, module: ModuleType) -> None:
        super().__init__(name, loader, is_package=hasattr(module, "__path__"))
        self.module, self.own = module, module.__spec__


class Elsewhere:
    """Finds modules that have another name, under which they are imported, and gives the very module."""

    def other_name(self, fullname: str) -> Optional[str]:
        """Under which name a module is imported; None for those that have one name only."""
        if not fullname.startswith(_OURS):
            return None
        head, tail = fullname.removeprefix(_OURS), ""
        while head:
            if head in PLACES:
                return _OURS + PLACES[head] + tail
            head, dot, last = head.rpartition(".")
            tail = dot + last + tail
        return None

    def module(self, name: str) -> ModuleType:
        """The module, imported by its own name."""
        return importlib.import_module(name)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[_Spec]:
        name = self.other_name(fullname)
        if name is None:
            return None
        try:
            return _Spec(fullname, self, self.module(name))
        except ModuleNotFoundError as error:
            if error.name == name:
                return None  # the import system says it with the name that was asked for
            raise

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        assert isinstance(spec, _Spec)
        return spec.module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the other name's spec on the module.
        spec = module.__spec__
        if isinstance(spec, _Spec) and spec.own is not None:
            module.__spec__ = spec.own


def module_at(package: str, name: str) -> Optional[ModuleType]:
    """The module that MXNet has by this name in a package of ours, where it lies elsewhere here."""
    path = f"{package}.{name}"
    return importlib.import_module(path) if path.removeprefix(_OURS) in PLACES else None


def install() -> None:
    """Has modules found at MXNet's places; before other finders, which would load their files again."""
    sys.meta_path.insert(0, Elsewhere())
