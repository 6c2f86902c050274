"""Arrays that store a part of their elements (``mx.nd.sparse``): all others are zero.

``row_sparse`` stores some rows, ``csr`` some elements of each row. Operators that leave zeros zero work on
what is stored; others work on dense copies, which a warning says once per operator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Optional, TypeVar, Union, cast

import numpy as np

from .. import _core, _hints
from .. import ops as _ops
from .._quick import quick as _quick
from ..base import (
    DTypeLike,
    MXIndexError,
    ShapeError,
    UnsupportedError,
    dtype_number,
    extents,
    storage_number,
)
from ..context import Context, chosen_context
from . import ndarray as _dense
from .ndarray import NDArray

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "add",
    "array",
    "csr_matrix",
    "divide",
    "empty",
    "multiply",
    "row_sparse_array",
    "subtract",
    "zeros",
]

_ROW_SPARSE, _CSR = 1, 2
_VALUES, _INDICES, _STARTS = 0, 1, 2


S = TypeVar("S", bound="BaseSparseNDArray")


class BaseSparseNDArray(NDArray):
    """What the arrays that store a part of their elements have in common."""

    __slots__ = ()

    @property
    def data(self) -> NDArray:
        """A copy of the stored values: rows of a row_sparse array, elements of a csr matrix."""
        return self._part(_VALUES).copy()

    @property
    def indices(self) -> NDArray:
        """A copy of the numbers of the stored rows, or of the column of each stored element: int64."""
        return self._part(_INDICES).copy()

    def asnumpy(self) -> np.ndarray:
        """A dense NumPy copy; blocks until the values are computed."""
        return self.tostype("default").asnumpy()

    def astype(self, dtype: DTypeLike, copy: bool = True) -> NDArray:
        """A copy of another dtype, stored alike; with ``copy=False`` the array itself if it has that."""
        number = dtype_number(dtype)
        if number == self._dtype_number and not copy:
            return self
        return self._like(self._part(_VALUES).astype(dtype))

    def _like(self, values: NDArray) -> NDArray:
        """Another array that stores these values where this one does."""
        starts = self._part(_STARTS) if self._storage == _CSR else None
        return _core.create_sparse(
            self._storage,
            self.shape,
            values._dtype_number,
            self._device,
            values,
            self._part(_INDICES),
            starts,
        )

    def copyto(self, other: Union[NDArray, Context]) -> NDArray:
        """Copies to another array, whose storage type stays, or to a device."""
        if isinstance(other, Context):
            target = _core.create_sparse(self._storage, self.shape, self._dtype_number, other.numbers)
            self._copy_into(target)
            return target
        return super().copyto(other)

    def copy(self) -> NDArray:
        """Another array of the same elements, storage type and device."""
        return self.copyto(self.context)

    def check_format(self, full_check: bool = True) -> None:
        """Raises where the indices do not fit the shape or one another.

        Parameters
        ----------
        full_check : bool
            Reads the indices, which blocks; without it only shapes and dtypes count, which always fit.
        """
        if full_check:
            self._check_sparse()

    def __getitem__(self, key: Any) -> NDArray:
        if isinstance(key, slice) and key == slice(None):
            return self
        return self._get(key)

    def _get(self, key: Any) -> NDArray:
        raise UnsupportedError(
            f"[{type(self).__name__}] an index other than [:] is not supported; "
            "tostype('default') makes a dense array"
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            raise UnsupportedError(f"[{type(self).__name__}] only [:] can be assigned, the whole array")
        if isinstance(value, (int, float, np.generic)):
            if self._storage == _CSR:
                raise UnsupportedError("[CSRNDArray] a number cannot be assigned; expected an array")
            value = _dense.array(np.full(self.shape, value), ctx=self.context, dtype=self.dtype)
        elif not isinstance(value, NDArray):
            value = array(value, ctx=self.context, dtype=self.dtype)
        if value is not self:
            value._copy_into(self)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"\n<{type(self).__name__} {shape} @{self.context}>"

    def __add__(self, other: Any) -> NDArray:
        return add(self, other)

    def __sub__(self, other: Any) -> NDArray:
        return subtract(self, other)

    def __mul__(self, other: Any) -> NDArray:
        return multiply(self, other)

    def __truediv__(self, other: Any) -> NDArray:
        return divide(self, other)

    # In place the storage type stays.

    def __iadd__(self, other: Any) -> NDArray:
        self[:] = self + other
        return self

    def __isub__(self, other: Any) -> NDArray:
        self[:] = self - other
        return self

    def __imul__(self, other: Any) -> NDArray:
        self[:] = self * other
        return self

    def __itruediv__(self, other: Any) -> NDArray:
        self[:] = self / other
        return self

    def _held(self: S) -> S:
        """What is stored now: another thread may write the array between two readings of its parts."""
        return cast(S, self.copy())

    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Not of sparse arrays: an error."""
        raise UnsupportedError(
            f"[reshape] a {self.stype} array keeps its shape; tostype('default') makes a dense one"
        )

    def _at(self, *_: Any) -> NoReturn:
        self._get(None)
        raise AssertionError

    _slice = _at


class CSRNDArray(BaseSparseNDArray):
    """A matrix that stores some elements of each row: compressed sparse rows.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a = mx.nd.sparse.csr_matrix(([5, 7], [2, 0], [0, 1, 1, 2]), shape=(3, 4))
    >>> a[2].asnumpy()
    array([[7., 0., 0., 0.]], dtype=float32)
    """

    __slots__ = ()

    @property
    def indptr(self) -> NDArray:
        """A copy of the row starts: of each row the number of its first stored element, and after them how
        many there are; int64.
        """
        return self._part(_STARTS).copy()

    def check_format(self, full_check: bool = True) -> None:
        """Raises where the indices do not fit the shape or one another, or the columns of a row do not grow.

        Parameters
        ----------
        full_check : bool
            Reads the indices, which blocks; without it only shapes and dtypes count, which always fit.
        """
        super().check_format(full_check)
        if not full_check:
            return
        held = self._held()
        columns, starts = held.indices.asnumpy(), held.indptr.asnumpy()
        follows = np.ones(columns.size, bool)  # another element of its row
        follows[starts[:-1][starts[:-1] < columns.size]] = False
        wrong = np.flatnonzero(follows[1:] & (columns[1:] <= columns[:-1]))
        if wrong.size:
            at = int(wrong[0])
            row = int(np.searchsorted(starts, at, side="right")) - 1
            raise MXIndexError(
                f"[csr] column {columns[at + 1]} follows {columns[at]} in row {row}; expected growing columns"
            )

    def _get(self, key: Any) -> NDArray:
        if isinstance(key, tuple):
            if len(key) > 2:
                raise IndexError(f"[CSRNDArray] {len(key)} indices for 2 axes")
            return self._cut(*key)
        return self._cut(key)

    def _cut(self, rows: Any, columns: Any = slice(None)) -> NDArray:
        begin, end = [], []
        for axis, at in enumerate((rows, columns)):
            if isinstance(at, (int, np.integer)):
                if not -self.shape[axis] <= at < self.shape[axis]:
                    raise MXIndexError(
                        f"[CSRNDArray] index {at} is out of bounds of axis {axis}, of {self.shape[axis]}"
                    )
                first = int(at) % self.shape[axis]
                begin.append(first)
                end.append(first + 1)
            elif isinstance(at, slice):
                if at.step not in (None, 1):
                    raise UnsupportedError(f"[CSRNDArray] a slice in steps of {at.step}; expected steps of 1")
                first, last, _ = at.indices(self.shape[axis])
                begin.append(first)
                end.append(max(first, last))
            else:
                raise UnsupportedError(
                    f"[CSRNDArray] an index of type {type(at).__name__}; expected int or slice"
                )
        result: NDArray = _ops.slice(self, begin=begin, end=end)
        return result

    def asscipy(self) -> Any:
        """A ``scipy.sparse.csr_matrix`` of the same elements; needs SciPy."""
        import scipy.sparse

        held = self._held()
        parts = held.data.asnumpy(), held.indices.asnumpy(), held.indptr.asnumpy()
        return scipy.sparse.csr_matrix(parts, shape=self.shape, dtype=self.dtype)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        held = self._held()
        parts = held.data.asnumpy(), held.indices.asnumpy(), held.indptr.asnumpy()
        return _unpickled, (csr_matrix, parts, self.shape, str(np.dtype(self.dtype)))


class RowSparseNDArray(BaseSparseNDArray):
    """An array that stores some of its rows.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a = mx.nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 4]), shape=(6, 2))
    >>> a.retain(mx.nd.array([4, 5])).data.asnumpy()
    array([[3., 4.],
           [0., 0.]], dtype=float32)
    """

    __slots__ = ()

    def retain(self, *args: Any, **kwargs: Any) -> NDArray:
        """The rows that an array names, which are zero where they were not stored, and no others."""
        result: NDArray = _ops._sparse_retain(self, *args, **kwargs)
        return result

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        held = self._held()
        parts = held.data.asnumpy(), held.indices.asnumpy()
        return _unpickled, (row_sparse_array, parts, self.shape, str(np.dtype(self.dtype)))


def _unpickled(make: Any, parts: Any, shape: tuple[int, ...], dtype: str) -> NDArray:
    result: NDArray = make(parts, shape=shape, dtype=dtype)
    return result


def _device_numbers(ctx: Optional[Context], who: str) -> tuple[int, int]:
    numbers: tuple[int, int] = chosen_context(ctx, who).numbers
    return numbers


def _values(source: Any, dtype: Optional[DTypeLike], ctx: Optional[Context]) -> NDArray:
    """The stored values: of their own dtype where they have one, else float32."""
    if dtype is None:
        dtype = getattr(source, "dtype", "float32")
    return _dense.array(source, ctx=ctx, dtype=dtype)


def _numbers(source: Any, ctx: Optional[Context]) -> NDArray:
    if isinstance(source, NDArray):
        source = source.asnumpy()
    return _dense.array(np.asarray(source).astype(np.int64), ctx=ctx, dtype="int64")


def _is_shape(source: Any) -> bool:
    return isinstance(source, tuple) and all(isinstance(extent, (int, np.integer)) for extent in source)


def _converted(source: Any, stype: str, shape: Any, ctx: Optional[Context], dtype: Any) -> NDArray:
    """What mx.nd.array takes, in that storage type; NumPy's arrays keep their dtype."""
    if dtype is None and isinstance(source, np.ndarray):
        dtype = source.dtype
    made = array(source, ctx=ctx, dtype=dtype).tostype(stype)
    if shape is not None and tuple(shape) != made.shape:
        raise ShapeError(f"[{stype}] shape {tuple(shape)} is given for an array of shape {made.shape}")
    return made


def csr_matrix(
    arg1: Any,
    shape: Optional[Sequence[int]] = None,
    ctx: Optional[Context] = None,
    dtype: Optional[DTypeLike] = None,
) -> NDArray:
    """A matrix in compressed sparse rows.

    Parameters
    ----------
    arg1 : array_like, SciPy's csr_matrix, (data, indices, indptr), (data, (row, col)) or (rows, columns)
        An array; the parts of a csr matrix; the elements and their places, where those that meet are summed;
        or a shape, of a matrix without elements.
    shape : tuple of int, optional
        Of the matrix; by default as large as the indices need.
    ctx : Context, optional
        Device; the current one by default.
    dtype : dtype, optional
        Of the elements; by default theirs, or float32.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.sparse.csr_matrix(([1, 2], ([0, 1], [1, 0]))).asnumpy()
    array([[0., 1.],
           [2., 0.]], dtype=float32)
    """
    if not isinstance(arg1, tuple):
        return _converted(arg1, "csr", shape, ctx, dtype)
    if _is_shape(arg1) and len(arg1) == 2:
        if shape is not None and tuple(shape) != arg1:
            raise ShapeError(f"[csr_matrix] shape {tuple(shape)} is given for an array of shape {arg1}")
        return empty("csr", arg1, ctx, dtype)
    if len(arg1) == 2 and isinstance(arg1[1], (tuple, list)) and len(arg1[1]) == 2:
        return _from_places(arg1[0], arg1[1][0], arg1[1][1], shape, ctx, dtype)
    if len(arg1) != 3:
        raise ValueError(
            f"[csr_matrix] a tuple of {len(arg1)}; expected (data, indices, indptr), (data, (row, col)) or a "
            "shape"
        )
    values, indices, starts = _values(arg1[0], dtype, ctx), _numbers(arg1[1], ctx), _numbers(arg1[2], ctx)
    if shape is None:
        if indices.size == 0:
            raise ValueError(
                "[csr_matrix] without elements the shape does not follow; expected shape=(rows, columns)"
            )
        shape = (starts.size - 1, int(indices.asnumpy().max()) + 1)
    return _core.create_sparse(
        _CSR,
        extents(shape, "csr_matrix"),
        values._dtype_number,
        _device_numbers(ctx, "csr_matrix"),
        values,
        indices,
        starts,
    )


def _from_places(
    data: Any, row: Any, col: Any, shape: Any, ctx: Optional[Context], dtype: Optional[DTypeLike]
) -> NDArray:
    values = _values(data, dtype, ctx)
    places = [
        np.asarray(p.asnumpy() if isinstance(p, NDArray) else p).astype(np.int64).ravel() for p in (row, col)
    ]
    if not places[0].size == places[1].size == values.size:
        raise ShapeError(
            f"[csr_matrix] {values.size} elements, {places[0].size} rows and {places[1].size} columns; "
            "expected as many of each"
        )
    if shape is None:
        if values.size == 0:
            raise ValueError(
                "[csr_matrix] without elements the shape does not follow; expected shape=(rows, columns)"
            )
        shape = tuple(int(p.max()) + 1 for p in places)
    rows, columns = extents(shape, "csr_matrix")
    for place, extent, what in zip(places, (rows, columns), ("row", "column")):
        if place.size and not (place.min() >= 0 and place.max() < extent):
            raise IndexError(f"[csr_matrix] a {what} lies outside of shape {(rows, columns)}")
    keys, where = np.unique(places[0] * columns + places[1], return_inverse=True)
    summed = np.zeros(keys.size, values.asnumpy().dtype)
    np.add.at(summed, where, values.asnumpy())
    starts = np.searchsorted(keys, np.arange(rows + 1) * columns)
    parts = (
        _dense.array(summed, ctx=ctx, dtype=values.dtype),
        _numbers(keys % max(columns, 1), ctx),
        _numbers(starts, ctx),
    )
    return _core.create_sparse(
        _CSR, (rows, columns), values._dtype_number, _device_numbers(ctx, "csr_matrix"), *parts
    )


def row_sparse_array(
    arg1: Any,
    shape: Optional[Sequence[int]] = None,
    ctx: Optional[Context] = None,
    dtype: Optional[DTypeLike] = None,
) -> NDArray:
    """An array that stores some of its rows.

    Parameters
    ----------
    arg1 : array_like, (data, indices) or (extent, extent, ...)
        An array; the rows and their numbers, which grow; or a shape, of an array without rows.
    shape : tuple of int, optional
        Of the array; by default as large as the indices need.
    ctx : Context, optional
        Device; the current one by default.
    dtype : dtype, optional
        Of the elements; by default theirs, or float32.
    """
    if not isinstance(arg1, tuple):
        return _converted(arg1, "row_sparse", shape, ctx, dtype)
    if _is_shape(arg1) and len(arg1) > 1:
        if shape is not None and tuple(shape) != arg1:
            raise ShapeError(f"[row_sparse_array] shape {tuple(shape)} is given for an array of shape {arg1}")
        return empty("row_sparse", arg1, ctx, dtype)
    if len(arg1) != 2:
        raise ValueError(f"[row_sparse_array] a tuple of {len(arg1)}; expected (data, indices) or a shape")
    values, indices = _values(arg1[0], dtype, ctx), _numbers(arg1[1], ctx)
    if shape is None:
        if indices.size == 0:
            raise ValueError(
                "[row_sparse_array] without rows the shape does not follow; expected shape=(rows, ...)"
            )
        shape = (int(indices.asnumpy().max()) + 1, *values.shape[1:])
    return _core.create_sparse(
        _ROW_SPARSE,
        extents(shape, "row_sparse_array"),
        values._dtype_number,
        _device_numbers(ctx, "row_sparse_array"),
        values,
        indices,
    )


def empty(
    stype: str,
    shape: Union[int, Sequence[int]],
    ctx: Optional[Context] = None,
    dtype: Optional[DTypeLike] = None,
) -> NDArray:
    """An array of that storage type: dense with whatever its memory holds, else one that stores nothing."""
    number = storage_number(stype, "empty")
    kind = dtype_number("float32" if dtype is None else dtype)
    where = _device_numbers(ctx, "empty")
    if number == 0:
        return _core.create(extents(shape, "empty"), kind, where)
    return _core.create_sparse(number, extents(shape, "empty"), kind, where)


def zeros(
    stype: str,
    shape: Union[int, Sequence[int]],
    ctx: Optional[Context] = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> NDArray:
    """An array of zeros in that storage type; a sparse one stores nothing."""
    made = empty(stype, shape, ctx, dtype)
    if stype == "default":
        made[:] = 0
    return made


@_quick("array")
def array(source_array: Any, ctx: Optional[Context] = None, dtype: Optional[DTypeLike] = None) -> NDArray:
    """An array with the values of ``source_array``: sparse if that is, else dense.

    Parameters
    ----------
    source_array : array_like
        NDArray, NumPy array, buffer, number, nested lists of numbers, or a sparse matrix of SciPy, which
        becomes csr; its elements that meet are summed.
    ctx : Context, optional
        Device; the current one by default.
    dtype : dtype, optional
        By default that of an NDArray or a sparse matrix, and float32 for everything else, NumPy arrays
        included (as in MXNet).

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.array([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if isinstance(source_array, BaseSparseNDArray):
        moved = source_array.copyto(chosen_context(ctx, "array"))
        return moved if dtype is None else moved.astype(dtype, copy=False)
    if hasattr(source_array, "tocsr") and hasattr(source_array, "nnz"):
        matrix = source_array.tocsr().copy()
        matrix.sum_duplicates()
        parts = matrix.data, matrix.indices, matrix.indptr
        return csr_matrix(parts, shape=matrix.shape, ctx=ctx, dtype=matrix.dtype if dtype is None else dtype)
    return _dense.array(source_array, ctx, dtype)


def _arithmetic(lhs: Any, rhs: Any, equal: Any, spread: Any, number: Any, reverse: Any) -> NDArray:
    if isinstance(lhs, NDArray) and isinstance(rhs, NDArray):
        result: NDArray = equal(lhs, rhs) if lhs.shape == rhs.shape else spread(lhs, rhs)
        return result
    if isinstance(lhs, NDArray):
        return number(lhs, rhs)  # type: ignore[no-any-return]
    if isinstance(rhs, NDArray):
        return reverse(rhs, lhs)  # type: ignore[no-any-return]
    raise TypeError(f"[sparse] {type(lhs).__name__} and {type(rhs).__name__}; expected an array among them")


def add(lhs: Any, rhs: Any) -> NDArray:
    """Sum of two arrays, or of an array and a number; sparse where both arrays are, in the same way."""
    plus = _ops._plus_scalar
    return _arithmetic(lhs, rhs, _ops.elemwise_add, _ops.broadcast_add, plus, plus)


def subtract(lhs: Any, rhs: Any) -> NDArray:
    """Difference of two arrays, or of an array and a number."""
    return _arithmetic(
        lhs, rhs, _ops.elemwise_sub, _ops.broadcast_sub, _ops._minus_scalar, _ops._rminus_scalar
    )


def multiply(lhs: Any, rhs: Any) -> NDArray:
    """Product of two arrays, or of an array and a number; sparse where one of the arrays is."""
    times = _ops._mul_scalar
    return _arithmetic(lhs, rhs, _ops.elemwise_mul, _ops.broadcast_mul, times, times)


def divide(lhs: Any, rhs: Any) -> NDArray:
    """Quotient of two arrays, or of an array and a number."""
    return _arithmetic(lhs, rhs, _ops.elemwise_div, _ops.broadcast_div, _ops._div_scalar, _ops._rdiv_scalar)


_core.set_sparse_classes(RowSparseNDArray, CSRNDArray)

# Of this module and mx.sym.sparse.
OWN_NAMES = {"adagrad_update": "_sparse_adagrad_update", "retain": "_sparse_retain"}
OPERATORS = (
    "ElementWiseSum",
    "Embedding",
    "FullyConnected",
    "LinearRegressionOutput",
    "LogisticRegressionOutput",
    "MAERegressionOutput",
    "_contrib_round_ste",
    "_contrib_sign_ste",
    "abs",
    "adagrad_update",
    "adam_update",
    "add_n",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "broadcast_add",
    "broadcast_div",
    "broadcast_minus",
    "broadcast_mul",
    "broadcast_plus",
    "broadcast_sub",
    "cast_storage",
    "cbrt",
    "ceil",
    "clip",
    "concat",
    "cos",
    "cosh",
    "degrees",
    "dot",
    "elemwise_add",
    "elemwise_div",
    "elemwise_mul",
    "elemwise_sub",
    "exp",
    "expm1",
    "fix",
    "floor",
    "ftrl_update",
    "gamma",
    "gammaln",
    "log",
    "log10",
    "log1p",
    "log2",
    "make_loss",
    "mean",
    "negative",
    "norm",
    "radians",
    "relu",
    "retain",
    "rint",
    "round",
    "rsqrt",
    "sgd_mom_update",
    "sgd_update",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "slice",
    "sqrt",
    "square",
    "stop_gradient",
    "sum",
    "tan",
    "tanh",
    "trunc",
    "where",
    "zeros_like",
)
_missing, __dir__ = _hints.public(__name__, OPERATORS)


def __getattr__(name: str) -> Any:
    if name in OPERATORS:
        return getattr(_ops, OWN_NAMES.get(name, name))
    return _missing(name)
