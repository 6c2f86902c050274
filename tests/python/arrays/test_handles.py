"""Arrays as scripts of MXNet's kind pass them on: handles of ctypes, and the state of pickles."""

from __future__ import annotations

import ctypes
import pickle
import struct
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.base import NDArrayHandle, py_str


def test_a_callback_makes_arrays_of_handles() -> None:
    seen: list[tuple[str, float]] = []

    def watch(name: Any, array: Any) -> None:
        array = mx.nd.NDArray(ctypes.cast(array, NDArrayHandle), writable=False)
        assert name.decode("utf-8") == py_str(name) == name
        seen.append((py_str(name), array.min().asscalar()))

    net = mx.sym.relu(mx.sym.var("data"), name="act")
    exe = net.bind(mx.cpu(), {"data": mx.nd.array([-2, 3])})
    exe.set_monitor_callback(watch, monitor_all=True)
    exe.forward()
    mx.nd.waitall()
    assert seen[-1] == ("act_output", 0) and ("data", -2) in seen
    assert py_str(b"bytes") == "bytes"


def test_handles_of_other_things() -> None:
    x = mx.nd.array([1, 2])
    same = mx.nd.NDArray(x.handle)
    same[:] = 5
    assert x.asnumpy().tolist() == [5, 5]
    assert mx.nd.NDArray(handle=ctypes.cast(x, NDArrayHandle)).asnumpy().tolist() == [5, 5]
    gone = ctypes.cast(mx.nd.ones((1,)), NDArrayHandle)
    for wrong in (gone, NDArrayHandle(), NDArrayHandle(12345), 0):
        with pytest.raises(ValueError, match="expected an NDArray, or a handle"):
            mx.nd.NDArray(wrong)
    for kind in ("text", [1, 2], 1.5):
        with pytest.raises(TypeError, match="expected an NDArray, or a handle"):
            mx.nd.NDArray(kind)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8"])
def test_the_state_of_mxnets_pickles(dtype: str) -> None:
    x = mx.nd.array(np.arange(6).reshape(2, 3), dtype=dtype)
    state = x.__getstate__()
    made = mx.nd.zeros((1,))
    made.__setstate__({"handle": bytes(state["handle"])})
    assert made.dtype == x.dtype and made.asnumpy().tolist() == x.asnumpy().tolist()
    assert pickle.loads(pickle.dumps(x)).asnumpy().tolist() == x.asnumpy().tolist()


def test_a_pickle_of_a_gpu_comes_to_the_host() -> None:
    # Mark of version 2, dense, one axis of extent 1, device 2 (a GPU) number 0, float32, the value.
    record = struct.pack("<IiIqiiif", 0xF993FAC9, 0, 1, 1, 2, 0, 0, 7.0)
    made = mx.nd.zeros((3,))
    made.__setstate__({"handle": bytearray(record)})
    assert (made.shape, made.context, made.asscalar()) == ((1,), mx.cpu(), 7)


def test_states_that_hold_no_array() -> None:
    x = mx.nd.ones((2,))
    for state in ({}, {"handle": None}, {"handle": b""}, {"handle": b"abc"}, None, [1]):
        with pytest.raises(mx.MXNetError):
            x.__setstate__(state)  # type: ignore[arg-type]
    assert x.asnumpy().tolist() == [1, 1]
