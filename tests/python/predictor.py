"""MXNet's predict functions of a library or a single file, called through ctypes."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

import mixgrad as mx


def predict(lib: ctypes.CDLL, json: Optional[str], params: bytes, data: np.ndarray, threads: int = 0) -> Any:
    """What MXPredCreate's predictor (or the last of several) answers."""
    handles = (ctypes.c_void_p * max(threads, 1))()
    keys = (ctypes.c_char_p * 1)(b"data")
    starts = (ctypes.c_uint32 * 2)(0, data.ndim)
    extents = (ctypes.c_uint32 * data.ndim)(*data.shape)
    text = json.encode() if json is not None else None
    create = lib.MXPredCreateMultiThread if threads else lib.MXPredCreate
    extra = (threads,) if threads else ()
    status = create(text, params, len(params), 1, 0, 1, keys, starts, extents, *extra, handles)
    if status != 0:
        raise mx.MXNetError(lib.MXGetLastError().decode())
    handle = ctypes.c_void_p(handles[-1])
    pointer = np.ascontiguousarray(data, np.float32).ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    assert lib.MXPredSetInput(handle, b"data", pointer, data.size) == 0
    assert lib.MXPredForward(handle) == 0
    shape, ndim = ctypes.POINTER(ctypes.c_uint32)(), ctypes.c_uint32()
    assert lib.MXPredGetOutputShape(handle, 0, ctypes.byref(shape), ctypes.byref(ndim)) == 0
    out = np.empty([shape[i] for i in range(ndim.value)], np.float32)
    pointer = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    assert lib.MXPredGetOutput(handle, 0, pointer, out.size) == 0
    for one in handles:
        lib.MXPredFree(ctypes.c_void_p(one))
    return out
