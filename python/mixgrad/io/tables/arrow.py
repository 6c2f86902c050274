"""Columns of Arrow as NumPy arrays."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ...base import InvalidArgumentError, ShapeError, UnsupportedError

__all__ = ["column_array"]


def column_array(
    column: Any, pa: Any, key: Any, who: str, where: str, null: Optional[float]
) -> npt.NDArray[Any]:
    """One column of a table: numbers, or lists of one length, which become further axes.

    ``null`` takes the place of values that are missing; without it they are an error.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # no chunk at all, or extension types of old versions
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if isinstance(column, pa.ExtensionArray):
        if hasattr(column, "to_numpy_ndarray"):
            return np.ascontiguousarray(column.to_numpy_ndarray())
        column = column.storage
    kind = column.type
    if pa.types.is_dictionary(kind):
        return column_array(column.dictionary_decode(), pa, key, who, where, null)
    if column.null_count:
        if null is None or pa.types.is_nested(kind):
            raise InvalidArgumentError(
                f"[{who}] column {key!r:.80} misses {column.null_count} values in {where}; expected "
                "none, or null=: a number for them"
            )
        column = column.fill_null(pa.scalar(null).cast(kind))
    if pa.types.is_fixed_size_list(kind):
        inner = column_array(column.flatten(), pa, key, who, where, null)
        return inner.reshape((len(column), kind.list_size, *inner.shape[1:]))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lengths = np.diff(column.offsets.to_numpy())
        if lengths.size and (lengths != lengths[0]).any():
            odd = int(np.flatnonzero(lengths != lengths[0])[0])
            raise ShapeError(
                f"[{who}] column {key!r:.80} has a list of {lengths[odd]} values in row {odd} of "
                f"{where}, and one of {lengths[0]} in its first row; expected one length"
            )
        inner = column_array(column.flatten(), pa, key, who, where, null)
        return inner.reshape((len(column), int(lengths[0]) if lengths.size else 0, *inner.shape[1:]))
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        raise UnsupportedError(
            f"[{who}] column {key!r:.80} is of type {kind}; expected numbers, or lists of them: leave "
            "the column out"
        )
    return np.asarray(column.to_numpy(zero_copy_only=False))
