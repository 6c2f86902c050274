"""Memory shared with other libraries: DLPack both ways, and what is refused."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class DLManagedTensor(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = (("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER))
_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Tensor:
    """A tensor of a library that does not exist; counts how often it was freed."""

    def __init__(self, values: np.ndarray, **changes: Any) -> None:
        self.values, self.freed = values, 0
        n = values.ndim
        self.shape = (ctypes.c_int64 * max(n, 1))(*changes.pop("shape", values.shape))
        strides = changes.pop("strides", None)
        self.strides = (ctypes.c_int64 * max(n, 1))(*strides) if strides else None
        code = {"f": 2, "i": 0, "u": 1, "b": 6}[values.dtype.kind]
        tensor = DLTensor(
            values.ctypes.data, 1, 0, n, code, values.dtype.itemsize * 8, 1, self.shape, self.strides, 0
        )
        for name, value in changes.items():
            setattr(tensor, name, value)
        self.deleter = DELETER(self.free)
        self.managed = DLManagedTensor(tensor, None, self.deleter)

    def free(self, _: Any) -> None:
        self.freed += 1

    def __dlpack__(self) -> Any:
        return _api.PyCapsule_New(ctypes.addressof(self.managed), b"dltensor", None)


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "int8", "int32", "int64", "uint8", "bool"]
)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2), (1, 1)])
def test_with_numpy_both_ways(dtype: str, shape: tuple[int, ...]) -> None:
    a = np.ones(shape, dtype)
    x = mx.nd.from_dlpack(a)
    assert x.shape == shape and np.dtype(x.dtype) == dtype
    x[...] = 0
    x.wait_to_read()
    np.testing.assert_array_equal(a, 0)
    b = np.from_dlpack(mx.nd.ones(shape, dtype=dtype))
    assert b.shape == shape and b.dtype == dtype
    np.testing.assert_array_equal(b, 1)


def test_exported_memory_is_the_array() -> None:
    x = mx.nd.zeros((4,))
    a = np.from_dlpack(x)
    x += 5
    x.wait_to_read()
    assert a.tolist() == [5] * 4
    part = np.from_dlpack(x[1:3])
    x[1] = 7
    x.wait_to_read()
    assert part.tolist() == [7, 5]
    del x
    gc.collect()
    assert a.tolist() == [5, 7, 5, 5]


def test_capsules_free_what_they_hold_once() -> None:
    before = mx.memory_info(mx.cpu(0)).in_use
    x = mx.nd.zeros((100_000,))
    x.wait_to_read()
    unused, used = x.to_dlpack_for_read(), x.to_dlpack_for_write()
    y = mx.nd.from_dlpack(used)
    assert y._shares_memory(x) or y.size == x.size
    with pytest.raises(ValueError, match="unused"):
        mx.nd.from_dlpack(used)
    del x, unused, used
    gc.collect()
    assert mx.memory_info(mx.cpu(0)).in_use > before
    del y
    gc.collect()
    assert mx.memory_info(mx.cpu(0)).in_use <= before


def test_imports_free_their_tensor_once() -> None:
    tensor = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x = mx.nd.from_dlpack(tensor)
    y = x * 2
    view = x[1]
    del x
    gc.collect()
    assert tensor.freed == 0 and view.asnumpy().tolist() == [3, 4, 5]
    del view
    y.wait_to_read()
    mx.nd.waitall()
    gc.collect()
    assert tensor.freed == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"device_type": 2}, "device type 2"),
        ({"code": 5}, "code 5"),
        ({"bits": 128}, "128 bits"),
        ({"lanes": 2}, "dtype"),
        ({"strides": (1, 2)}, "not contiguous"),
        ({"shape": (-2, 3)}, "negative"),
        ({"shape": (2**62, 2**62)}, "64 bits"),
        ({"ndim": -1}, "axes"),
        ({"ndim": 1000}, "axes"),
        ({"data": None}, "NULL"),
    ],
)
def test_refused_tensors_stay_their_owners(changes: dict[str, Any], message: str) -> None:
    tensor = Tensor(np.zeros((2, 3), dtype=np.float32), **changes)
    with pytest.raises((ValueError, BufferError), match=message):
        mx.nd.from_dlpack(tensor)
    gc.collect()
    assert tensor.freed == 0


@pytest.mark.parametrize("strides", [(3, 1), (99, 1)])
def test_strides_of_contiguous_tensors(strides: tuple[int, int]) -> None:
    shape = (2, 3) if strides == (3, 1) else (1, 3)
    x = mx.nd.from_dlpack(Tensor(np.zeros(shape, dtype=np.float32), strides=strides))
    assert x.shape == shape
    empty = mx.nd.from_dlpack(Tensor(np.zeros((0, 3), dtype=np.float32), strides=(1, 1)))
    assert empty.asnumpy().shape == (0, 3)


def test_byte_offset() -> None:
    tensor = Tensor(np.arange(4, dtype=np.float32), byte_offset=8, shape=(2,))
    assert mx.nd.from_dlpack(tensor).asnumpy().tolist() == [2, 3]


@pytest.mark.parametrize("source", [None, 3, [1, 2], "text", object()])
def test_what_is_no_tensor(source: Any) -> None:
    with pytest.raises(TypeError):
        mx.nd.from_dlpack(source)


def test_from_numpy() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    shared, copied = mx.nd.from_numpy(a), mx.nd.from_numpy(a, zero_copy=False)
    shared[0, 0] = 9
    shared.wait_to_read()
    assert a[0, 0] == 9 and copied.asnumpy()[0, 0] == 0
    assert mx.nd.from_numpy(np.arange(3), zero_copy=False).dtype is np.int64
    with pytest.raises(ValueError, match="contiguous"):
        mx.nd.from_numpy(a.T)
    np.testing.assert_array_equal(mx.nd.from_numpy(a.T, zero_copy=False).asnumpy(), a.T)


def test_shared_memory_keeps_numpy_alive() -> None:
    x = mx.nd.from_numpy(np.full(1000, 7.0))
    gc.collect()
    y = x + 1
    del x
    gc.collect()
    assert y.asnumpy().min() == 8


def test_numpy_copies_when_it_asks_for_it():
    x = mx.nd.zeros(3)
    view, copied = np.from_dlpack(x), x.__dlpack__(copy=True)
    copied = mx.nd.from_dlpack(copied)
    x[:] = 9
    x.wait_to_read()
    assert view.tolist() == [9, 9, 9] and copied.asnumpy().tolist() == [0, 0, 0]
    with pytest.raises(BufferError, match="dl_device is \\(99, 0\\)"):
        x.__dlpack__(dl_device=(99, 0))
    with pytest.raises(BufferError, match="stream is 'x'"):
        x.__dlpack__(stream="x")
