"""Shifts of the bits of integers, made of products and quotients."""

from __future__ import annotations

from typing import Any

import numpy as onp

from .mixed import integers
from .operands import dtype_of, is_number

__all__ = ["left_shift", "right_shift"]


def _operands(x: Any, places: Any, who: str) -> tuple[Any, Any, int]:
    """The two, truth values as integers, and the bits of an element."""
    kinds = [dtype_of(x), type(places).__name__ if is_number(places) else dtype_of(places)]
    if any("float" in kind for kind in kinds):
        raise TypeError(f"[{who}] got {' and '.join(kinds)}; expected integers")
    if is_number(places):
        if places < 0:
            raise ValueError(f"[{who}] places is {places}; expected a number from 0 on")
        x, places = integers(x, "int64"), int(places)
    else:
        x, places = integers(x, "int8"), integers(places, "int8")
    return x, places, onp.dtype(x.dtype).itemsize * 8


def left_shift(x: Any, places: Any) -> Any:
    """``x * 2**places``; bits that fall out of the dtype are lost.

    Parameters
    ----------
    x : ndarray
    places : ndarray of the same dtype, or int
        From 0 on.
    """
    from .elementwise import minimum

    x, places, bits = _operands(x, places, "left_shift")
    # 2 to the number of bits does not fit into the dtype, so the way has two halves.
    places = min(places, bits) if is_number(places) else minimum(places, bits)
    half = places // 2
    return x * 2**half * 2 ** (places - half)


def right_shift(x: Any, places: Any) -> Any:
    """``x // 2**places``, rounded down; of more places than there are bits, 0 or -1.

    Parameters
    ----------
    x : ndarray
    places : ndarray of the same dtype, or int
        From 0 on.
    """
    from .elementwise import floor_divide, minimum

    x, places, bits = _operands(x, places, "right_shift")
    places = min(places, bits) if is_number(places) else minimum(places, bits)
    half = places // 2
    return floor_divide(floor_divide(x, 2**half), 2 ** (places - half))
