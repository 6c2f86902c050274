"""``mx.np.ndarray``: an array with the shapes, indices and methods of NumPy's."""

# mypy: disable-error-code="override, no-any-return"
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as onp

from .. import _core, _hints, _words
from ..base import DTYPE_NAMES, DTypeLike, bfloat16, dtype_number, numpy_type
from ..context import Context
from ..ndarray import NDArray
from ..ndarray.ndarray import _rebuild
from . import operands
from .mixed import mixed
from .operands import delivered, dtype_name, is_number, tensor
from .operators import operators as _ops
from .torch_methods import TorchMethods

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["ndarray"]

_DTYPES: dict[int, Any] = {
    number: bfloat16 if numpy_type(number) is bfloat16 else onp.dtype(numpy_type(number))
    for number in DTYPE_NAMES
}


class ndarray(TorchMethods):
    """An n-dimensional array with NumPy's semantics, on a device, computed in the background.

    Shapes may be ``()`` and have extents of 0; indexing, reductions, broadcasting and methods follow NumPy.
    Arrays are made by :func:`mixgrad.np.array`, :func:`~mixgrad.np.zeros` and the like, float32 unless a
    dtype is said.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.np.array([[1, 2], [3, 4]])
    >>> x[x > 1].sum()
    array(9.)
    >>> x[0, 0].shape
    ()
    """

    __slots__ = ()
    _is_np = True

    # What it is.

    @property
    def dtype(self) -> Any:
        """Element type as ``numpy.dtype``."""
        return _DTYPES[self._dtype_number]

    @property
    def T(self) -> ndarray:
        """The array with its axes in reverse order (a copy)."""
        return _ops._np_transpose(self)

    def as_np_ndarray(self) -> ndarray:
        """The array itself."""
        return self

    def as_nd_ndarray(self) -> NDArray:
        """The same array as one of ``mx.nd``; gradients flow through."""
        return self._as(NDArray)

    # Values.

    def item(self, *args: Any) -> Any:
        """One element as a Python number; blocks.

        Parameters
        ----------
        *args : int, or a tuple of int
            Which: its place counted through the array, or on each axis. None for an array of one element.
        """
        if args:
            return self.asnumpy().item(*args)
        if self.size != 1:
            raise ValueError(f"[item] shape {self.shape}; expected an array of one element, or a place")
        return super().item()

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("[iter] iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        values = onp.array2string(self.asnumpy(), separator=", ", prefix="array(")
        if self.size == 0 and self.shape != (0,):
            values += f", shape={self.shape}"
        kind = DTYPE_NAMES[self._dtype_number]
        note = "" if kind in ("float32", "bool") else f", dtype={kind}"
        place = "" if self.context.device_type == "cpu" else f", ctx={self.context}"
        return f"array({values}{note}{place})"

    def __str__(self) -> str:
        place = "" if self.context.device_type == "cpu" else f" @{self.context}"
        return str(self.asnumpy()) + place

    def __format__(self, spec: str) -> str:
        if self.ndim == 0:
            return format(self.item(), spec)
        if not spec:
            return str(self)
        raise TypeError(
            f"[format] {spec!r} and an array of shape {self.shape}; expected no axes, or no format"
        )

    def _beside(self, other: Any) -> ndarray:
        return tensor(other, self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from .protocol import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        from .protocol import apply_function

        return apply_function(func, args, kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = super().__reduce__()
        del rebuild
        return _rebuild_np, (*arguments, self.shape)

    # Operators that are no slots of the array type.

    def __matmul__(self, other: Any) -> ndarray:
        return _product(self, other) if _is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> ndarray:
        return _product(other, self) if _is_operand(other) else NotImplemented

    def __imatmul__(self, other: Any) -> Self:
        delivered(_product(self, other), self)
        return self

    def __floordiv__(self, other: Any) -> ndarray:
        return _divided(self, other) if is_number(other) or _is_operand(other) else NotImplemented

    def __rfloordiv__(self, other: Any) -> ndarray:
        return _divided(other, self) if is_number(other) or _is_operand(other) else NotImplemented

    def __ifloordiv__(self, other: Any) -> Self:
        delivered(_divided(self, other), self)
        return self

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return _divided(self, other), self % other

    def __invert__(self) -> ndarray:
        return _ops._npi_bitwise_not(self)

    def __iand__(self, other: Any) -> Self:
        delivered(self & other, self)
        return self

    def __ior__(self, other: Any) -> Self:
        delivered(self | other, self)
        return self

    def __ixor__(self, other: Any) -> Self:
        delivered(self ^ other, self)
        return self

    def __round__(self, n: int = 0) -> ndarray:
        return self.round(n)

    def __floor__(self) -> ndarray:
        return _ops._npi_floor(self)

    def __ceil__(self) -> ndarray:
        return _ops._npi_ceil(self)

    def __trunc__(self) -> ndarray:
        return _ops._npi_trunc(self)

    # Copies and other shapes.

    def astype(
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray:
        """The elements in another dtype.

        Parameters
        ----------
        dtype : dtype
            float16, float32, float64, bfloat16, int8, uint8, int32, int64 or bool.
        order, casting, subok
            As in NumPy; others than the defaults are refused.
        copy : bool
            False gives the array itself where it is of that dtype.
        """
        if order not in ("K", "A", "C"):
            raise ValueError(f"[astype] order is {order!r}; expected 'K', 'A' or 'C'")
        if casting != "unsafe":
            raise ValueError(f"[astype] casting is {casting!r}; expected 'unsafe'")
        if not subok:
            raise ValueError("[astype] subok is False; expected True")
        number = dtype_number(dtype)
        if not copy and number == self._dtype_number:
            return self
        return _ops.Cast(self, dtype=DTYPE_NAMES[number])

    def copy(self, order: str = "C") -> ndarray:
        """A new array with the same elements, on the same device."""
        if order != "C":
            raise NotImplementedError(f"[copy] order is {order!r}; expected 'C', the one order of memory")
        return _ops._np_copy(self)

    def copyto(self, other: Union[NDArray, Context]) -> Any:
        """Copies to another array (which keeps its dtype) or to a device."""
        result = super().copyto(other)
        return result._as(ndarray) if isinstance(other, Context) else result

    def reshape(self, *shape: Any, **kwargs: Any) -> ndarray:
        """A view of the same memory in another shape; -1 is an extent that follows from the others.

        Parameters
        ----------
        shape : ints or a tuple
            Extents.
        order : {'C'}
            The order of elements.
        """
        order = kwargs.pop("order", "C")
        if order != "C":
            raise NotImplementedError(f"[reshape] order is {order!r}; expected 'C'")
        for word in ("newshape", "shape"):
            if word in kwargs:
                shape = (kwargs.pop(word),)
        if kwargs:
            raise TypeError(f"[reshape] unexpected arguments {sorted(kwargs)}; it takes shape and order")
        if not shape:
            raise TypeError("[reshape] no shape; expected extents, or a tuple of them")
        extents = shape[0] if len(shape) == 1 else shape
        return _ops._np_reshape(self, extents)

    def flatten(self, order: str = "C", **words: Any) -> ndarray:
        """A copy with one axis."""
        if words or isinstance(order, int):
            raise TypeError(
                f"[flatten] got {words or order}; expected no axes: nn.Flatten joins some, and "
                "a.reshape(a.shape[0], -1) all but the first"
            )
        if order != "C":
            raise NotImplementedError(f"[flatten] order is {order!r}; expected 'C'")
        return self.reshape(-1).copy()

    def ravel(self, order: str = "C") -> ndarray:
        """The elements along one axis."""
        if order != "C":
            raise NotImplementedError(f"[ravel] order is {order!r}; expected 'C'")
        return self.reshape(-1)

    def transpose(self, *axes: Any) -> ndarray:
        """The array with its axes in another order, by default the reverse one (a copy)."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return _ops._np_transpose(self, axes=order or None)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """The array with two axes exchanged."""
        return _ops._npi_swapaxes(self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> ndarray:
        """The array without axes of extent 1: all of them, or those given."""
        return _ops._np_squeeze(self, axis=axis)

    def broadcast_to(self, shape: Any) -> ndarray:
        """The array repeated along axes of extent 1 and new leading ones."""
        from .manipulation import broadcast_to

        return broadcast_to(self, shape)

    def repeat(self, repeats: Any, axis: Optional[int] = None) -> ndarray:
        """Each element, or slice along an axis, several times."""
        from .manipulation import repeat

        return repeat(self, repeats, axis)

    # Reductions.

    def sum(
        self, axis: Any = None, dtype: DTypeLike = None, out: Any = None, keepdims: bool = False
    ) -> ndarray:
        """Sum over axes."""
        return _ops._np_sum(self, axis, dtype_name(dtype, None), keepdims, out=out)

    def prod(
        self, axis: Any = None, dtype: DTypeLike = None, out: Any = None, keepdims: bool = False
    ) -> ndarray:
        """Product over axes."""
        return _ops._np_prod(self, axis, dtype_name(dtype, None), keepdims, out=out)

    def mean(
        self, axis: Any = None, dtype: DTypeLike = None, out: Any = None, keepdims: bool = False
    ) -> ndarray:
        """Mean over axes; of integers float32."""
        return _ops._npi_mean(self, axis, dtype_name(dtype, None), keepdims, out=out)

    def std(
        self,
        axis: Any = None,
        dtype: DTypeLike = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> ndarray:
        """Standard deviation over axes."""
        from .reductions import std

        return std(self, axis, dtype, out, ddof, keepdims)

    def var(
        self,
        axis: Any = None,
        dtype: DTypeLike = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> ndarray:
        """Variance over axes."""
        from .reductions import var

        return var(self, axis, dtype, out, ddof, keepdims)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Largest element over axes."""
        return _ops._np_max(self, axis, keepdims, out=out)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Smallest element over axes."""
        return _ops._np_min(self, axis, keepdims, out=out)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Whether all elements are not 0, over axes."""
        return _ops._np_all(self, axis, keepdims, out=out)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Whether some element is not 0, over axes."""
        return _ops._np_any(self, axis, keepdims, out=out)

    def argmax(self, axis: Optional[int] = None, out: Any = None) -> ndarray:
        """Where the largest element lies, as int64."""
        return _ops._npi_argmax(self, axis, out=out)

    def argmin(self, axis: Optional[int] = None, out: Any = None) -> ndarray:
        """Where the smallest element lies, as int64."""
        return _ops._npi_argmin(self, axis, out=out)

    def cumsum(self, axis: Optional[int] = None, dtype: DTypeLike = None, out: Any = None) -> ndarray:
        """Sums of the elements up to each, along an axis or of all in one."""
        return _ops._np_cumsum(self, axis, dtype_name(dtype, None), out=out)

    # Others.

    def dot(self, b: Any, out: Any = None) -> ndarray:
        """See :func:`mixgrad.np.dot`."""
        from .products import dot

        return dot(self, b, out=out)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> ndarray:
        """The elements, those outside of the bounds replaced by the nearer one."""
        from .elementwise import clip

        return clip(self, min, max, out=out)

    def round(self, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
        """The elements rounded to a number of decimals."""
        from .elementwise import around

        return around(self, decimals, out=out, **kwargs)

    def take(self, indices: Any, axis: Optional[int] = None, mode: str = "raise") -> ndarray:
        """See :func:`mixgrad.np.take`."""
        from .searching import take

        return take(self, indices, axis, mode)

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Sorts the array in place."""
        from .searching import sort

        sort(self, axis, kind, order).copyto(self)

    def argsort(self, axis: int = -1, kind: Any = None, order: Any = None) -> ndarray:
        """See :func:`mixgrad.np.argsort`."""
        from .searching import argsort

        return argsort(self, axis, kind, order)

    def nonzero(self) -> tuple[ndarray, ...]:
        """See :func:`mixgrad.np.nonzero`."""
        from .searching import nonzero

        return nonzero(self)

    def diag(self, k: int = 0) -> ndarray:
        """See :func:`mixgrad.np.diag`."""
        return _ops._np_diag(self, k=k)

    def tile(self, reps: Any, *, out: Any = None, **words: Any) -> ndarray:
        """See :func:`mixgrad.np.tile`."""
        return _ops._npi_tile(self, reps, out=out, **words)

    def slice_assign_scalar(self, value: float, begin: Any, end: Any, step: Any = ()) -> Any:
        """Writes a number into the region from ``begin`` to ``end``, in place."""
        return super().slice_assign_scalar(value, begin, end, step)


# Methods of ``mx.nd`` whose shapes would not be NumPy's.
_OF_ND = {
    "norm": "it is mx.np.linalg.norm here",
    "nansum": "it is mx.np.nan_to_num(x).sum() here",
    "nanprod": "it is mx.np.nanprod here",
    "split": "it is mx.np.split here",
    "split_v2": "it is mx.np.split here",
}
_hints.say_ours_in(ndarray, [name for name in vars(ndarray) if not name.startswith("_")])
for _name, _hint in _OF_ND.items():
    setattr(ndarray, _name, _hints.ForeignName(_name, _hint))
del _name, _hint
_hints.add_foreign_names(ndarray, _words.NP_ARRAY)


def _rebuild_np(data: bytes, context: Context, shape: tuple[int, ...]) -> ndarray:
    """An array from what :meth:`ndarray.__reduce__` stored."""
    return _rebuild(data, context)._as(ndarray)._view(shape)


def _is_operand(x: Any) -> bool:
    return isinstance(x, (NDArray, onp.ndarray, list, tuple))


def _product(a: Any, b: Any) -> Any:
    from .products import matmul

    return matmul(a, b)


def _divided(a: Any, b: Any) -> Any:
    from .elementwise import floor_divide

    return floor_divide(a, b)


operands.array_class = ndarray
_core.set_numpy_class(ndarray, mixed)
