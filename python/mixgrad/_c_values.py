"""Values for functions of C by ctypes, under MXNet's names (``mx.base``), and what stands for its C library.

No function of mixgrad takes them: ``mixgrad/mixgrad.h`` describes the C functions that there are.
"""

from __future__ import annotations

import array
import ctypes
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, Union

import numpy as np

__all__ = [
    "CachedOpHandle",
    "CudaKernelHandle",
    "CudaModuleHandle",
    "DLPackHandle",
    "DataIterCreatorHandle",
    "DataIterHandle",
    "ExecutorHandle",
    "FunctionHandle",
    "KVStoreHandle",
    "MXCallbackList",
    "NDArrayHandle",
    "OpHandle",
    "ProfileHandle",
    "RecordIOHandle",
    "RtcHandle",
    "SymbolHandle",
    "c_array",
    "c_array_buf",
    "c_handle_array",
    "c_str",
    "c_str_array",
    "ctypes2buffer",
    "ctypes2numpy_shared",
    "mx_float",
    "mx_float_p",
    "mx_int",
    "mx_int64",
    "mx_uint",
    "py_str",
]

mx_int = ctypes.c_int
mx_uint = ctypes.c_uint
mx_int64 = ctypes.c_int64
mx_float = ctypes.c_float
mx_float_p = ctypes.POINTER(ctypes.c_float)

CachedOpHandle = CudaKernelHandle = CudaModuleHandle = DLPackHandle = ctypes.c_void_p
DataIterCreatorHandle = DataIterHandle = ExecutorHandle = FunctionHandle = ctypes.c_void_p
KVStoreHandle = NDArrayHandle = OpHandle = ProfileHandle = ctypes.c_void_p
RecordIOHandle = RtcHandle = SymbolHandle = ctypes.c_void_p


class MXCallbackList(ctypes.Structure):
    """Functions of C with what each is called with."""

    _fields_ = (
        ("num_callbacks", ctypes.c_int),
        ("callbacks", ctypes.POINTER(ctypes.CFUNCTYPE(ctypes.c_int))),
        ("contexts", ctypes.POINTER(ctypes.c_void_p)),
    )


class CText(str):
    """Text where MXNet's C library gives bytes, for callbacks that decode it."""

    __slots__ = ()

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The text itself."""
        return str(self)


def py_str(x: Union[bytes, str]) -> str:
    """Text of bytes that C gave; text stays what it is."""
    return x.decode("utf-8") if isinstance(x, bytes) else str(x)


def c_str(string: str) -> ctypes.c_char_p:
    """Text as C takes it."""
    return ctypes.c_char_p(string.encode("utf-8"))


def c_str_array(strings: Sequence[str]) -> Any:
    """Texts as an array of C."""
    return (ctypes.c_char_p * len(strings))(*(string.encode("utf-8") for string in strings))


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Values as an array of C, of a type of ctypes.

    >>> c_array(mx_int, [2, 3])[1]
    3
    """
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: array.array[Any]) -> Any:
    """The memory of an :class:`array.array`, as an array of C."""
    return (ctype * len(buf)).from_buffer(buf)


def c_handle_array(objs: Iterable[Any]) -> Any:
    """The handles of objects, as an array of C."""
    handles = [one.handle for one in objs]
    return (ctypes.c_void_p * len(handles))(*handles)


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """A copy of memory that C points to.

    Parameters
    ----------
    cptr : ctypes.POINTER(ctypes.c_char)
        Where it begins.
    length : int
        Its size in bytes.
    """
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise TypeError(f"[ctypes2buffer] cptr is {type(cptr).__name__}; expected a pointer to c_char")
    return bytearray(ctypes.string_at(cptr, length))


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> Any:
    """The float32 numbers that C points to, as a NumPy array of the same memory."""
    if not isinstance(cptr, mx_float_p):
        raise RuntimeError(f"[ctypes2numpy_shared] cptr is {type(cptr).__name__}; expected a mx_float_p")
    return np.ctypeslib.as_array(cptr, tuple(shape))


class NoLibrary:
    """Stands where MXNet has its C library: using it is an error that says so."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def __getattr__(self, name: str) -> NoReturn:
        raise self._error(
            f"[_LIB] MXNet's C library is not there, and so is no {name}; what mixgrad offers to C is in "
            "mixgrad/mixgrad.h (mx.get_include() says where), and its Python functions need no handles"
        )

    def __repr__(self) -> str:
        return "<no C library of MXNet>"
