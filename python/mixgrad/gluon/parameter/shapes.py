"""Shapes of parameters, of which some extents may be unknown: 0, or -1 inside :func:`mixgrad.np_shape`."""

from __future__ import annotations

from typing import Any, Optional

from ..._np_semantics import is_np_shape
from ...base import extents

__all__ = ["Shape", "given_shape", "shown_shape"]

Shape = tuple[int, ...]


def given_shape(shape: Any) -> Optional[Shape]:
    """A shape as it was given, a whole number standing for one axis.

    >>> given_shape(3), given_shape([2, 0])
    ((3,), (2, 0))
    """
    return None if shape is None else extents(shape, "Parameter")


def shown_shape(shape: Optional[Shape]) -> Optional[Shape]:
    """The shape with unknown extents as the mode in force has them."""
    if shape is None or not is_np_shape():
        return shape
    return tuple(extent or -1 for extent in shape)
