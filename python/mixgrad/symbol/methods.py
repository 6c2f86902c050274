"""Operators as methods of symbols: those of arrays, and what only MXNet's symbols have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from .._np_semantics import check_copies
from ._methods import GeneratedMethods
from .functions import internal

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["SymbolMethods", "split_v2", "tile"]


def split_v2(
    ary: Symbol,
    indices_or_sections: Union[int, Sequence[int]],
    axis: int = 0,
    squeeze_axis: bool = False,
) -> Symbol:
    """Splits along an axis, into equal sections or at given places; the result has one output per part."""
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise ValueError(f"[split_v2] indices_or_sections is {indices_or_sections}; expected at least 1")
        return internal("_split_v2")(
            ary, indices=(), axis=axis, squeeze_axis=squeeze_axis, sections=indices_or_sections
        )
    places = (0, *indices_or_sections)
    return internal("_split_v2")(ary, indices=places, axis=axis, squeeze_axis=squeeze_axis)


def tile(data: Symbol, reps: Union[int, Sequence[int]], **kwargs: Any) -> Symbol:
    """Lays copies side by side along axes, as :func:`mixgrad.nd.tile`."""
    check_copies(reps)
    return internal("tile")(data, reps=reps, **kwargs)


class SymbolMethods(GeneratedMethods):
    """Operators as methods of symbols."""

    __slots__ = ()

    def astype(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.cast`."""
        return internal("cast")(self, *args, **kwargs)

    def reshape(self: Any, *shape: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.reshape`; the shape is one tuple or several numbers."""
        if len(shape) == 1 and not hasattr(shape[0], "__index__"):
            kwargs["shape"] = shape[0]
        elif shape:
            kwargs["shape"] = shape
        return internal("reshape")(self, **kwargs)

    split_v2 = split_v2
    tile = tile
