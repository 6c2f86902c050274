"""What MXNet keeps in ``mx.contrib``: contributed operators, text, half types, quantisation and others."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .. import _hints

if TYPE_CHECKING:
    from . import amp, autograd, io, ndarray, quantization, svrg_optimization, symbol, tensorboard, text
    from . import ndarray as nd
    from . import symbol as sym

# Modules by the names under which they are found here.
_MODULES = {
    "amp": "amp",
    "autograd": "autograd",
    "io": "io",
    "nd": "ndarray",
    "ndarray": "ndarray",
    "quantization": "quantization",
    "svrg_optimization": "svrg_optimization",
    "sym": "symbol",
    "symbol": "symbol",
    "tensorboard": "tensorboard",
    "text": "text",
}

__all__ = [
    "amp",
    "autograd",
    "io",
    "nd",
    "ndarray",
    "quantization",
    "svrg_optimization",
    "sym",
    "symbol",
    "tensorboard",
    "text",
]

_missing, _listed = _hints.public(__name__)

if not TYPE_CHECKING:
    __dir__ = _listed

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            return _missing(name)
        module = importlib.import_module(f".{_MODULES[name]}", __name__)
        globals()[name] = module
        return module
