"""What the functions of the namespace do with their arguments: arrays, Python's numbers, devices, axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Union

import numpy as onp

from ..context import Context, context_of
from ..numpy.fallback import through_numpy
from ..numpy.ndarray import ndarray
from ..numpy.operands import alike

__all__ = ["Axes", "array_of", "arrays_of", "computed_by_numpy", "device_context", "pair", "whole_axis"]

Axes = Union[int, tuple[int, ...], None]


def array_of(x: Any, who: str) -> ndarray:
    """``x``, which must be an array of ``mx.np``."""
    if not isinstance(x, ndarray):
        raise TypeError(f"[{who}] got {type(x).__name__}; expected an array of mx.np")
    if not isinstance(x.dtype, onp.dtype):
        raise TypeError(f"[{who}] the array is of {x.dtype.__name__}; expected a dtype of NumPy's")
    return x


def arrays_of(xs: Any, who: str) -> list[ndarray]:
    """A list or tuple of arrays, one at least, in one dtype."""
    if not isinstance(xs, (list, tuple)) or not xs:
        raise TypeError(f"[{who}] got {xs!r:.40}; expected a list or tuple of arrays, one at least")
    return alike([array_of(x, who) for x in xs])


def pair(x1: Any, x2: Any, who: str) -> list[ndarray]:
    """Two arrays in one dtype; one may be a number of Python's, which takes the dtype of the array.

    A float beside an array of integers makes both float32, as in the rest of ``mx.np``.
    """
    if isinstance(x1, ndarray) and isinstance(x2, ndarray):
        return alike([array_of(x1, who), array_of(x2, who)])
    like = array_of(x1 if isinstance(x1, ndarray) else x2, who)
    number = x2 if like is x1 else x1
    if not isinstance(number, (bool, int, float)):
        raise TypeError(f"[{who}] got {type(number).__name__}; expected an array of mx.np or a real number")
    from .creation import asarray

    kind = onp.dtype("float32") if isinstance(number, float) and like.dtype.kind != "f" else like.dtype
    other = asarray(number, dtype=kind, device=like.context)
    return alike([like, other] if like is x1 else [other, like])


def device_context(device: Union[Context, str, None], who: str) -> Optional[Context]:
    """A device given as an object or by name, such as ``'cpu'``."""
    return context_of(device, who) if isinstance(device, str) else device


def computed_by_numpy(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function of NumPy gives for copies of the values, with arrays also where NumPy gives scalars."""

    def whole(*a: Any, **k: Any) -> Any:
        result = function(*a, **k)
        if isinstance(result, tuple):
            return tuple(onp.asarray(one) for one in result)
        return onp.asarray(result)

    whole.__name__ = function.__name__
    return through_numpy(whole, args, kwargs)


def whole_axis(axis: int, ndim: int, who: str) -> int:
    """An axis counted from 0."""
    if not -ndim <= axis < ndim:
        raise IndexError(f"[{who}] axis is {axis}; expected {-ndim} to {ndim - 1}")
    return axis % ndim
