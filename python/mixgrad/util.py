"""Semantics of NumPy, environment variables, devices (``mx.util``)."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union

import numpy as np

from . import _core, _hints, _np_semantics
from ._np_semantics import *  # noqa: F403
from ._np_semantics import _NumpyArrayScope, _NumpyShapeScope  # noqa: F401
from .context import Context, gpu, num_gpus

__all__ = [  # noqa: PLE0604
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "makedirs",
    "np_ufunc_legal_option",
    "set_module",
    "setenv",
    "wrap_np_binary_func",
    "wrap_np_unary_func",
    *_np_semantics.__all__,
]

T = TypeVar("T")


def makedirs(d: Union[str, os.PathLike[str]]) -> None:
    """Make a folder and those above it, unless they are there."""
    os.makedirs(os.path.expanduser(d), exist_ok=True)


def get_gpu_count() -> int:
    """The number of GPUs that can be used."""
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Free bytes of a GPU and all that it has."""
    _core.device_check(gpu(gpu_dev_id).numbers)
    cuda = _cuda()
    free, total, context = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
    device = _device(cuda, gpu_dev_id)
    _check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    try:
        _check(cuda.cuCtxPushCurrent_v2(context), "cuCtxPushCurrent")
        try:
            _check(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)), "cuMemGetInfo")
        finally:
            cuda.cuCtxPopCurrent_v2(ctypes.byref(context))
    finally:
        cuda.cuDevicePrimaryCtxRelease_v2(device)
    return free.value, total.value


def get_cuda_compute_capability(ctx: Context) -> int:
    """The generation of a GPU, such as 70 for ``sm_70``."""
    if getattr(ctx, "device_type", None) != "gpu":
        raise ValueError(
            f"[get_cuda_compute_capability] ctx is {ctx!r:.60}; expected a GPU such as mx.gpu(0)"
        )
    cuda = _cuda()
    device, found = _device(cuda, ctx.device_id), []
    for attribute in (75, 76):  # of a device: major and minor version
        value = ctypes.c_int()
        _check(cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, device), "cuDeviceGetAttribute")
        found.append(value.value)
    return found[0] * 10 + found[1]


def _cuda() -> Any:
    for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OSError("[cuda] NVIDIA's driver (libcuda) cannot be loaded; expected it to be installed")


def _device(cuda: Any, number: int) -> ctypes.c_int:
    device = ctypes.c_int()
    _check(cuda.cuInit(0), "cuInit")
    _check(cuda.cuDeviceGet(ctypes.byref(device), number), "cuDeviceGet")
    return device


def _check(status: int, what: str) -> None:
    if status != 0:
        raise RuntimeError(f"[cuda] {what} failed with error {status} of the driver")


def getenv(name: str) -> Optional[str]:
    """An environment variable, or None."""
    return os.environ.get(name)


def setenv(name: str, value: Optional[str]) -> None:
    """Sets an environment variable, or takes it away for None."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def set_module(module: Optional[str]) -> Callable[[T], T]:
    """A decorator that says to which module a function or class belongs."""

    def decorator(func: T) -> T:
        if module is not None:
            func.__module__ = module
        return func

    return decorator


_UFUNC_DEFAULTS = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}
_UFUNC_DTYPES = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")


def np_ufunc_legal_option(key: str, value: Any) -> bool:
    """Whether NumPy's functions of elements have such an option with such a value.

    >>> np_ufunc_legal_option("casting", "safe"), np_ufunc_legal_option("casting", "maybe")
    (True, False)
    """
    if key == "dtype":
        return any(value is getattr(np, name) or str(value) == name for name in _UFUNC_DTYPES)
    return {
        "where": True,
        "casting": value in ("no", "equiv", "safe", "same_kind", "unsafe"),
        "order": isinstance(value, str),
        "subok": isinstance(value, bool),
    }.get(key, False)


def _check_ufunc_options(func: Callable[..., Any], options: dict[str, Any]) -> None:
    for key, value in options.items():
        if key not in _UFUNC_DEFAULTS:
            _hints.refuse_arguments(func.__name__, {key: value}, [*_UFUNC_DEFAULTS, "out"])
        if value != _UFUNC_DEFAULTS[key]:
            kind = NotImplementedError if np_ufunc_legal_option(key, value) else TypeError
            raise kind(f"[{func.__name__}] {key} is {value!r:.60}; expected {_UFUNC_DEFAULTS[key]!r}")


def wrap_np_unary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one array that takes NumPy's options as long as they have their defaults."""

    @functools.wraps(func)
    def call(x: Any, out: Any = None, **kwargs: Any) -> Any:
        _check_ufunc_options(func, kwargs)
        return func(x, out=out)

    return call


def wrap_np_binary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two arrays that takes NumPy's options as long as they have their defaults."""

    @functools.wraps(func)
    def call(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        _check_ufunc_options(func, kwargs)
        return func(x1, x2, out=out)

    return call


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
