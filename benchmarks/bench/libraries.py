"""The libraries that are compared, and the settings with which each is at its best."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Lets glibc keep what a program frees, so that new arrays do not fault their pages in again. mixgrad and
# MXNet have pools of their own and need no such help. 32 MiB is the largest threshold that glibc accepts.
_KEPT = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(4 << 30)}


@dataclass(frozen=True)
class Library:
    """One way of running a library.

    Parameters
    ----------
    title : str
        Its name in reports.
    environment : str
        Which interpreter runs it.
    module : str
        What is imported, for its version.
    variables : mapping
        Environment variables of its processes.
    extra : bool
        Left out by ``--quick``.
    """

    title: str
    environment: str
    module: str
    variables: Mapping[str, str] = field(default_factory=dict)
    extra: bool = False


LIBRARIES: dict[str, Library] = {
    "mixgrad": Library("mixgrad", "mixgrad", "mixgrad"),
    "before": Library("mixgrad before", "mixgrad", "mixgrad"),  # another build, see run.py --before
    "mixgrad_multi": Library("mixgrad, one update call", "mixgrad", "mixgrad"),
    "mixgrad_hybrid": Library("mixgrad, hybridised", "mixgrad", "mixgrad"),
    "mixgrad_nn": Library("mixgrad, modules", "mixgrad", "mixgrad"),
    "mixgrad_nd": Library("mixgrad, mx.nd", "mixgrad", "mixgrad"),
    "mixgrad_executor": Library("mixgrad, executor", "mixgrad", "mixgrad"),
    "mixgrad_onednn": Library("mixgrad with oneDNN", "mixgrad", "mixgrad", {"MIXGRAD_ONEDNN": "1"}),
    "onednn": Library("oneDNN", "mixgrad", ""),
    "python": Library("interpreter alone", "mixgrad", ""),
    "numpy": Library("NumPy", "numpy", "numpy"),
    "torch": Library("PyTorch", "torch", "torch"),
    "torch_kept": Library("PyTorch, malloc keeps memory", "torch", "torch", _KEPT),
    "torch_channels_last": Library("PyTorch, channels_last", "torch", "torch", _KEPT),
    "torch_foreach": Library("PyTorch, foreach update", "torch", "torch"),
    "torch_fused": Library("PyTorch, fused update", "torch", "torch"),
    "torch_compile": Library("PyTorch, compiled", "torch", "torch", _KEPT, extra=True),
    "jax": Library("JAX, jit", "jax", "jax"),
    "ncnn": Library("ncnn", "ncnn", "ncnn"),
    "onnxruntime": Library("ONNX Runtime", "onnxruntime", "onnxruntime"),
    "mxnet": Library("MXNet", "mxnet", "mxnet"),
    "mxnet_naive": Library(
        "MXNet, NaiveEngine", "mxnet", "mxnet", {"MXNET_ENGINE_TYPE": "NaiveEngine"}, extra=True
    ),
}


def thread_variables(threads: int) -> dict[str, str]:
    """What makes every library use so many threads.

    MXNet gets its team from OpenMP as the others do; its own workers stay one per device, because two of them
    would each start a team.
    """
    count = str(threads)
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {**dict.fromkeys(names, count), "MXNET_CPU_WORKER_NTHREADS": "1"}


def prepare(key: str, threads: int) -> str:
    """Import a library in this process, set its threads, and return its version."""
    name = LIBRARIES[key].module
    if not name:
        return ""
    module: Any = importlib.import_module(name)
    if name == "mixgrad":
        module.engine.set_num_threads(threads)
    elif name == "torch":
        module.set_num_threads(threads)
    return str(module.__version__)


def as_numpy(result: Any) -> Any:
    """A library's array as NumPy's; None if it is none."""
    if hasattr(result, "asnumpy"):
        return result.asnumpy()
    if hasattr(result, "detach"):
        return result.detach().numpy()
    if hasattr(result, "elempack"):  # ncnn's, whose channels may lie in packs
        return None
    return result if hasattr(result, "__array__") else None
