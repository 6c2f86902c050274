"""What slices on all axes select: shape, place in memory, whether it is one piece."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Union

__all__ = ["BasicIndexing"]

Shape = tuple[int, ...]


def _ranges(key: Sequence[slice], shape: Shape) -> list[range]:
    if len(key) != len(shape):
        raise ValueError(f"[indexing] {len(key)} slices and the shape {shape}; expected one per axis")
    return [range(*part.indices(extent)) for part, extent in zip(key, shape)]


def _flat(place: Sequence[int], shape: Shape) -> int:
    flat = 0
    for at, extent in zip(place, shape):
        flat = flat * extent + at
    return flat


class BasicIndexing:
    """Functions of the array class that take a slice for each axis, and the shape."""

    __slots__ = ()

    @staticmethod
    def _basic_indexing_key_int_to_slice(key: Sequence[Union[int, slice]]) -> tuple[tuple[slice, ...], Shape]:
        """Integers as slices of one element, and the axes where they stood."""
        parts: list[slice] = []
        axes: list[int] = []
        for axis, part in enumerate(key):
            if isinstance(part, slice):
                parts.append(part)
                continue
            parts.append(slice(part, None if part == -1 else part + 1))
            axes.append(axis)
        return tuple(parts), tuple(axes)

    @staticmethod
    def _basic_indexing_sliced_shape(slc_key: Sequence[slice], shape: Shape) -> Shape:
        """How many elements each slice selects.

        >>> import mixgrad as mx
        >>> mx.nd.NDArray._basic_indexing_sliced_shape((slice(1, 3), slice(None)), (4, 5))
        (2, 5)
        """
        return tuple(len(part) for part in _ranges(slc_key, shape))

    @staticmethod
    def _basic_indexing_slice_is_contiguous(slc_key: Sequence[slice], shape: Shape) -> bool:
        """Whether what is selected lies in one piece, in order.

        >>> import mixgrad as mx
        >>> mx.nd.NDArray._basic_indexing_slice_is_contiguous((slice(1, 3), slice(None)), (4, 5))
        True
        >>> mx.nd.NDArray._basic_indexing_slice_is_contiguous((slice(None), slice(1, 3)), (4, 5))
        False
        """
        parts = _ranges(slc_key, shape)
        if prod(len(part) for part in parts) <= 1:
            return True
        within = False  # whether an axis further right is not selected as a whole
        for part, extent in zip(reversed(parts), reversed(shape)):
            if len(part) > 1 and (within or part.step != 1):
                return False
            within = within or len(part) < extent
        return True

    @staticmethod
    def _basic_indexing_contiguous_flat_begin_end(slc_key: Sequence[slice], shape: Shape) -> tuple[int, int]:
        """The first element of one piece, and the one behind its last, counted through the array.

        >>> import mixgrad as mx
        >>> mx.nd.NDArray._basic_indexing_contiguous_flat_begin_end((slice(1, 3), slice(None)), (4, 5))
        (5, 15)
        """
        parts: list[Any] = _ranges(slc_key, shape)
        if not all(parts):
            begin = _flat([part.start for part in parts], shape)
            return begin, begin
        return _flat([part[0] for part in parts], shape), _flat([part[-1] for part in parts], shape) + 1
