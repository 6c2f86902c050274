"""mixgrad: deep learning that mixes imperative arrays and declarative graphs on one asynchronous engine.

>>> import mixgrad as mx
>>> x = mx.nd.array([[1, 2], [3, 4]])
>>> x.attach_grad()
>>> with mx.autograd.record():
...     y = (x * x).sum()
>>> y.backward()
>>> x.grad.asnumpy()
array([[2., 4.],
       [6., 8.]], dtype=float32)
"""

from __future__ import annotations

import importlib
import logging as _logging  # before _core: what is registered last runs first when a program forks
import os
from typing import TYPE_CHECKING, Any

from ._installed import explain, get_cmake_dir, get_include, get_library, get_pkgconfig_dir

try:
    from . import _core
except ImportError as failure:
    raise ImportError(explain(failure), name=failure.name, path=failure.path) from failure

from . import (
    _hints,
    _np_semantics,
    _places,
    attribute,
    autograd,
    base,
    context,
    engine,
    name,
    ndarray,
    random,
)
from . import ndarray as nd
from ._np_semantics import (
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)
from .attribute import AttrScope
from .autograd import no_grad
from .base import MXNetError, bfloat16
from .context import (
    Context,
    Device,
    cpu,
    cpu_pinned,
    cpu_shared,
    current_context,
    current_device,
    gpu,
    num_gpus,
)
from .memory import MemoryInfo, memory_info, reset_peak_memory
from .ndarray import NDArray, waitall
from .reproducible import deterministic, is_deterministic

if TYPE_CHECKING:
    from . import (
        callback,
        contrib,
        distributed,
        error,
        executor,
        executor_manager,
        gluon,
        image,
        initializer,
        io,
        kvstore,
        kvstore_server,
        libinfo,
        log,
        lr_scheduler,
        metric,
        misc,
        model,
        models,
        module,
        monitor,
        nn,
        numpy,
        numpy_extension,
        operator,
        optim,
        optimizer,
        passes,
        processes,
        profiler,
        ray,
        recordio,
        registry,
        rnn,
        rtc,
        runtime,
        summary,
        symbol,
        test_utils,
        util,
        visualization,
    )
    from . import image as img
    from . import initializer as init
    from . import kvstore as kv
    from . import module as mod
    from . import monitor as mon
    from . import numpy as np
    from . import numpy_extension as npx
    from . import optimizer as opt
    from . import random as rnd
    from . import symbol as sym
    from . import visualization as viz
    from .compiled import jit
    from .symbol import Symbol

__version__: str = _core.version()

# Modules that take time to import and that not every program uses.
_LAZY = {
    "callback": "callback",
    "contrib": "contrib",
    "distributed": "distributed",
    "executor": "executor",
    "executor_manager": "executor_manager",
    "util": "util",
    "rtc": "rtc",
    "misc": "misc",
    "libinfo": "libinfo",
    "error": "error",
    "gluon": "gluon",
    "image": "image",
    "img": "image",
    "init": "initializer",
    "initializer": "initializer",
    "np": "numpy",
    "numpy": "numpy",
    "npx": "numpy_extension",
    "numpy_extension": "numpy_extension",
    "numpy_dispatch_protocol": "numpy_dispatch_protocol",
    "numpy_op_signature": "numpy_op_signature",
    "io": "io",
    "kv": "kvstore",
    "kvstore": "kvstore",
    "kvstore_server": "kvstore_server",
    "lr_scheduler": "lr_scheduler",
    "metric": "metric",
    "model": "model",
    "mod": "module",
    "module": "module",
    "models": "models",
    "mon": "monitor",
    "monitor": "monitor",
    "nn": "nn",
    "operator": "operator",
    "opt": "optimizer",
    "optim": "optim",
    "optimizer": "optimizer",
    "passes": "passes",
    "processes": "processes",
    "profiler": "profiler",
    "log": "log",
    "ray": "ray",
    "recordio": "recordio",
    "registry": "registry",
    "rnd": "random",
    "rnn": "rnn",
    "runtime": "runtime",
    "summary": "summary",
    "sym": "symbol",
    "symbol": "symbol",
    "test_utils": "test_utils",
    "visualization": "visualization",
    "viz": "visualization",
}


if "MIXGRAD_ONEDNN" in os.environ:
    importlib.import_module(".runtime", __name__)._follow_environment()


__all__ = [
    "AttrScope",
    "Context",
    "Device",
    "MXNetError",
    "MemoryInfo",
    "NDArray",
    "Symbol",
    "attribute",
    "autograd",
    "base",
    "bfloat16",
    "callback",
    "context",
    "contrib",
    "cpu",
    "cpu_pinned",
    "cpu_shared",
    "current_context",
    "current_device",
    "deterministic",
    "distributed",
    "engine",
    "error",
    "executor",
    "executor_manager",
    "gluon",
    "gpu",
    "image",
    "img",
    "init",
    "initializer",
    "io",
    "is_deterministic",
    "is_np_array",
    "is_np_shape",
    "jit",
    "kv",
    "kvstore",
    "kvstore_server",
    "libinfo",
    "log",
    "lr_scheduler",
    "memory_info",
    "metric",
    "misc",
    "mod",
    "model",
    "models",
    "module",
    "mon",
    "monitor",
    "name",
    "nd",
    "ndarray",
    "nn",
    "no_grad",
    "np",
    "np_array",
    "np_shape",
    "npx",
    "num_gpus",
    "numpy",
    "numpy_extension",
    "operator",
    "opt",
    "optim",
    "optimizer",
    "passes",
    "processes",
    "profiler",
    "random",
    "ray",
    "recordio",
    "registry",
    "reset_peak_memory",
    "rnd",
    "rnn",
    "rtc",
    "runtime",
    "set_np_shape",
    "summary",
    "sym",
    "symbol",
    "test_utils",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "util",
    "visualization",
    "viz",
    "waitall",
]

_missing, _listed = _hints.public(__name__)

if not TYPE_CHECKING:
    __dir__ = _listed

    def __getattr__(name: str) -> Any:
        if name == "jit":
            return importlib.import_module(".compiled", __name__).jit
        if name == "Symbol":
            return importlib.import_module(".symbol", __name__).Symbol
        if name in _LAZY:
            module = importlib.import_module(f".{_LAZY[name]}", __name__)
            globals()[name] = module
            return module
        return _missing(name)


_places.install()
_hints.watch_imports()

if os.environ.get("DMLC_ROLE") in ("server", "scheduler"):
    importlib.import_module(".kvstore.kvstore_server", __name__)._become_server()
