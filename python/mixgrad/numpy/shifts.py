"""Shifts of the bits of integers, made of products and quotients."""

from __future__ import annotations

from typing import Any

import numpy as onp

__all__ = ["left_shift", "right_shift"]


def _power(places: Any) -> Any:
    return 2**places


def left_shift(x: Any, places: Any) -> Any:
    """``x * 2**places``; bits that fall out of the dtype are lost.

    Parameters
    ----------
    x : ndarray
    places : ndarray of the same dtype, or int
        From 0 on.
    """
    return x * _power(places)


def right_shift(x: Any, places: Any) -> Any:
    """``x // 2**places``, rounded down; of more places than there are bits, 0 or -1.

    Parameters
    ----------
    x : ndarray
    places : ndarray of the same dtype, or int
        From 0 on.
    """
    # 2 to the number of bits does not fit into the dtype, so the way has two halves.
    bits = onp.dtype(x.dtype).itemsize * 8 - (onp.dtype(x.dtype).kind == "i")
    from .elementwise import floor_divide, minimum

    places = minimum(places, bits)
    half = floor_divide(places, 2)
    return floor_divide(floor_divide(x, _power(half)), _power(places - half))
