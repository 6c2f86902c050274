"""NumPy's dispatch protocols: which of its functions arrays of ``mx.np`` answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .numpy.protocol import FUNCTIONS, UFUNCS

__all__ = ["with_array_function_protocol", "with_array_ufunc_protocol"]

F = TypeVar("F", bound=Callable[..., object])

_NUMPY_ARRAY_FUNCTION_LIST = FUNCTIONS
_NUMPY_ARRAY_UFUNC_LIST = UFUNCS


def with_array_function_protocol(func: F) -> F:
    """The function: NumPy's protocol of functions is in force everywhere."""
    return func


def with_array_ufunc_protocol(func: F) -> F:
    """The function: NumPy's protocol of ufuncs is in force everywhere."""
    return func
