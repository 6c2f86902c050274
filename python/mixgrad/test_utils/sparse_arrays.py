"""Random arrays of storage types row_sparse and csr."""

# Tests seed NumPy's global generator (np.random.seed), so the helpers draw from it.
# ruff: noqa: NPY002

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

from ..base import RefusedValueError, storage_number
from ..context import Context
from ..ndarray import sparse
from .environment import default_context
from .matrices import assign_each

__all__ = [
    "create_sparse_array",
    "create_sparse_array_zd",
    "rand_sparse_ndarray",
    "shuffle_csr_column_indices",
]

Array = npt.NDArray[Any]
Modifier = Optional[Callable[..., Any]]


def shuffle_csr_column_indices(csr: Any) -> None:
    """Puts the elements of each row of a SciPy csr matrix in a random order, where they lie."""
    for begin, end in zip(csr.indptr[:-1], csr.indptr[1:]):
        order = begin + np.random.permutation(end - begin)
        csr.indices[begin:end], csr.data[begin:end] = csr.indices[order], csr.data[order]


def rand_sparse_ndarray(
    shape: Sequence[int],
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[Any, tuple[Any, ...]]:
    """Return a random sparse array, and what it stores.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    stype : {'row_sparse', 'csr'}
        Its storage type.
    density : float, optional
        The share of rows, or of elements of a csr matrix, that are stored; random by default.
    dtype : dtype, optional
        float32 by default.
    distribution : {'uniform', 'powerlaw'}, optional
        Where the elements of a csr matrix lie: anywhere; or two in the first row, and in each row that
        follows twice as many as in the one before, as long as there are any, but at least one. Then there
        must be two for each row.
    data_init : float, optional
        The value of all elements; by default they are uniform in ``[0, 1)``.
    rsp_indices : list of int, optional
        Which rows of a row_sparse array are stored, instead of random ones.
    modifier_func : function, optional
        Applied to each value.
    shuffle_csr_indices : bool
        Whether the elements of a row may lie in any order.
    ctx : Context, optional
        Device.

    Returns
    -------
    RowSparseNDArray or CSRNDArray, tuple
        The tuple holds the values and the rows of a row_sparse array as NumPy arrays; the row starts, columns
        and values of a csr matrix.

    Examples
    --------
    >>> import mixgrad as mx
    >>> array, (values, rows) = mx.test_utils.rand_sparse_ndarray((4, 3), "row_sparse", density=1)
    >>> values.shape, rows.tolist()
    ((4, 3), [0, 1, 2, 3])
    """
    kind = storage_number(stype, "rand_sparse_ndarray")
    if kind == 0:
        raise ValueError("[rand_sparse_ndarray] stype is 'default'; expected 'row_sparse' or 'csr'")
    share = float(np.random.rand()) if density is None else density
    options: dict[str, Any] = {
        "ctx": ctx or default_context(),
        "dtype": np.float32 if dtype is None else dtype,
    }
    if stype == "row_sparse":
        if distribution not in (None, "uniform"):
            raise ValueError(
                f"[rand_sparse_ndarray] distribution {distribution!r} of a row_sparse array; expected "
                "'uniform'"
            )
        rows = _rows(shape, share, rsp_indices)
        values = _values((len(rows), *shape[1:]), data_init, modifier_func).astype(options["dtype"])
        if not len(rows):
            return sparse.zeros(stype, shape, **options), (values, rows)
        return sparse.row_sparse_array((values, rows), shape=tuple(shape), **options), (values, rows)
    starts, columns = _places(shape, share, distribution or "uniform")
    if shuffle_csr_indices:
        for begin, end in zip(starts[:-1], starts[1:]):
            columns[begin:end] = np.random.permutation(columns[begin:end])
    values = _values((len(columns),), data_init, modifier_func)
    made: Any = sparse.csr_matrix((values, columns, starts), shape=tuple(shape), **options)
    return made, (made.indptr, made.indices, made.data)


def _rows(shape: Sequence[int], density: float, given: Any) -> Array:
    if given is None:
        return np.flatnonzero(np.random.rand(shape[0]) < density)
    rows = np.sort(np.asarray(given, np.int64))
    if len(rows) > shape[0]:
        raise ValueError(f"[rand_sparse_ndarray] {len(rows)} rsp_indices for the shape {tuple(shape)}")
    return rows


def _values(shape: tuple[int, ...], init: float | None, modifier: Modifier) -> Array:
    values = np.random.rand(*shape) if init is None else np.full(shape, init, np.float64)
    return values if modifier is None or not values.size else assign_each(values, modifier)


def _places(shape: Sequence[int], density: float, distribution: str) -> tuple[Array, Array]:
    """Row starts and columns of a matrix."""
    if len(shape) != 2:
        raise ValueError(f"[rand_sparse_ndarray] a csr matrix of shape {tuple(shape)}; expected two axes")
    rows, columns = shape
    if distribution == "uniform":
        size = rows * columns
        chosen = np.sort(np.random.choice(size, round(density * size), replace=False))
        counts = np.bincount(chosen // max(columns, 1), minlength=rows)
        return np.concatenate([[0], np.cumsum(counts)]), chosen % max(columns, 1)
    if distribution != "powerlaw":
        raise RefusedValueError(
            f"[rand_sparse_ndarray] distribution is {distribution!r}; expected 'uniform' or 'powerlaw'"
        )
    total = int(rows * columns * density)
    if total < 2 * rows:
        raise ValueError(
            f"[rand_sparse_ndarray] {total} elements (density {density}) for {rows} rows; expected at least "
            "two for each row"
        )
    counts, spare = np.ones(rows, np.int64), total - rows
    for row in range(rows):
        more = min(2 ** min(row + 1, 62), columns) - 1
        counts[row] += min(more, spare)
        spare -= min(more, spare)
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate([np.arange(count) for count in counts])


def create_sparse_array(
    shape: Sequence[int],
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """Return a random sparse array; see :func:`rand_sparse_ndarray`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.create_sparse_array((3, 2), "row_sparse", data_init=2, rsp_indices=[2]).asnumpy()
    array([[0., 0.],
           [0., 0.],
           [2., 2.]], dtype=float32)
    """
    return rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        data_init=data_init,
        rsp_indices=rsp_indices if stype == "row_sparse" else None,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )[0]


def create_sparse_array_zd(
    shape: Sequence[int],
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """As :func:`create_sparse_array`; a row_sparse array stores the rows given, or none."""
    if stype == "row_sparse":
        density = 0.0
    return create_sparse_array(
        shape,
        stype,
        data_init=data_init,
        rsp_indices=rsp_indices,
        dtype=dtype,
        modifier_func=modifier_func,
        density=density,
        shuffle_csr_indices=shuffle_csr_indices,
    )
