"""NDArray: an array on a device whose values are computed in the background."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from .. import _core, _hints, _words
from .. import ops as _ops
from .._quick import quick as _quick
from ..base import (
    DTYPE_NAMES,
    STORAGE_TYPES,
    DTypeLike,
    FileFormatError,
    RefusedValueError,
    ShapeError,
    bfloat16,
    dtype_number,
    extents,
    numpy_type,
    storage_number,
    whole,
)
from ..context import Context, chosen_context, context_of, device_of
from . import _handles, _indexing, _numpy, _pickles
from ._basic_indexing import BasicIndexing
from ._codes import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP
from ._codes import _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from ._codes import _GRAD_REQ_MAP as _GRAD_REQ_MAP
from ._codes import _STORAGE_TYPE_CSR as _STORAGE_TYPE_CSR
from ._codes import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from ._codes import _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR
from ._codes import _STORAGE_TYPE_ROW_SPARSE as _STORAGE_TYPE_ROW_SPARSE
from ._codes import _STORAGE_TYPE_STR_TO_ID as _STORAGE_TYPE_STR_TO_ID
from ._codes import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from ._gradients import Gradients
from ._placement import Placement

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["NDArray"]

py_slice = slice  # Python's own, which old scripts import from here


class NDArray(Gradients, _core.NDArrayBase, _ops.ArrayMethods, BasicIndexing, Placement):
    """An n-dimensional array of one dtype on one device.

    Operations return at once and run in the background; reading a value (:meth:`asnumpy`, printing,
    ``float(x)``) waits for
    just that value, and raises there what failed while computing it. Arrays are made by
    :func:`mixgrad.nd.array`,
    :func:`~mixgrad.nd.zeros` and the like.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> (x * 2 + 1).asnumpy()
    array([[3., 5.],
           [7., 9.]], dtype=float32)
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    _is_np = False  # whether it is one of mx.np

    def __new__(cls, handle: Any = None, writable: bool = True) -> Self:
        """The array that a handle stands for, as callbacks make it; ``writable`` is not enforced."""
        made = super().__new__(cls)
        if handle is not None:
            made._become(_handles.array_of(handle))
        return made

    # What it is.

    @property
    def context(self) -> Context:
        """The device that holds the array."""
        return device_of(self._device)

    ctx = context
    device = context

    @property
    def stype(self) -> str:
        """Storage type: 'default' (dense), 'row_sparse' or 'csr'."""
        return STORAGE_TYPES[self._storage]

    @property
    def handle(self) -> NDArray:
        """The array itself; there are no raw handles in Python."""
        return self

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        """What :mod:`ctypes` takes for the array: a number from which ``NDArray(handle)`` finds it again."""
        return _handles.handle_of(self)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return 2 if self.dtype is bfloat16 else int(np.dtype(self.dtype).itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self.size) * self.itemsize

    # Values.

    def _widened(self) -> np.ndarray:
        """The values of a bfloat16 array, which NumPy lacks, as float32."""
        widened: NDArray = _ops.Cast(self.detach(), dtype="float32")
        return widened.asnumpy()

    def tolist(self) -> Any:
        """Nested lists of Python numbers; blocks."""
        return self.asnumpy().tolist()

    def __index__(self) -> int:
        if np.dtype(np.float32 if self.dtype is bfloat16 else self.dtype).kind not in "iub":
            raise TypeError(
                f"[index] only an integer array of one element can index; got {self._dtype_name()}"
            )
        return int(self.item())

    def __bool__(self) -> bool:
        if self.size == 0:
            return False
        if self.size > 1:
            raise ValueError(
                f"[bool] the truth of an array of shape {self.shape} is ambiguous; use any or all of NumPy"
            )
        return bool(self.item())

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy is False:
            raise ValueError("[array] values are copied from the device; copy=False cannot be honoured")
        values = self.asnumpy()
        return values if dtype is None else values.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _numpy.apply_ufunc(self, ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        return _numpy.apply_function(self, func, args, kwargs)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional[tuple[int, int]] = None,
        dl_device: Optional[tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        """A DLPack capsule over the same memory, or a copy; blocks until the values are computed.

        Parameters
        ----------
        stream : None
            Streams are those of devices; memory of the host has none.
        max_version : tuple of int, optional
            The newest version the consumer knows; capsules are of version 0.
        dl_device : tuple of int, optional
            Where the memory is wanted; another place than ``__dlpack_device__`` is a ``BufferError``.
        copy : bool, optional
            True for a copy; by default, and with False, the same memory.
        """
        if stream is not None:
            raise BufferError(f"[__dlpack__] stream is {stream!r}; expected None, for memory of the host")
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError(
                f"[__dlpack__] dl_device is {tuple(dl_device)}; expected {self.__dlpack_device__()}, where "
                "the array is; copy it there first"
            )
        return _core.to_dlpack(self.copy() if copy else self)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def split_v2(self, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False) -> Any:
        """See :func:`mixgrad.nd.split_v2`."""
        from .wrappers import split_v2

        return split_v2(self, indices_or_sections, axis, squeeze_axis)

    def tile(self, reps: Any, *, out: Optional[NDArray] = None, **words: Any) -> NDArray:
        """See :func:`mixgrad.nd.tile`."""
        from .wrappers import tile

        return tile(self, reps, out=out, **words)

    def to_dlpack_for_read(self) -> Any:
        """A DLPack capsule over the same memory, for reading."""
        return _core.to_dlpack(self)

    def to_dlpack_for_write(self) -> Any:
        """A DLPack capsule over the same memory, for writing."""
        self.wait_to_write()
        return _core.to_dlpack(self)

    # Copies and views.

    def copyto(self, other: Union[NDArray, Context]) -> NDArray:
        """Copies to another array (which keeps its dtype) or to a device.

        >>> import mixgrad as mx
        >>> mx.nd.ones((2,)).copyto(mx.cpu(1)).context
        cpu(1)
        """
        if isinstance(other, NDArray):
            if other is not self:
                self._copy_into(other)
            return other
        if isinstance(other, Context):
            target = _core.create(self.shape, self._dtype_number, other.numbers, self)
            self._copy_into(target)
            return target
        raise TypeError(f"[copyto] expected an NDArray or a Context; got {type(other).__name__}")

    def as_in_context(self, context: Context) -> NDArray:
        """The array itself if it is on that device, else a copy there."""
        device = context_of(context, "as_in_context") if isinstance(context, str) else context
        return self if self.context == device else self.copyto(device)

    as_in_ctx = as_in_context
    to_device = as_in_context

    @_quick("astype")
    def astype(self, dtype: DTypeLike, copy: bool = True) -> NDArray:
        """A copy of another dtype; with ``copy=False`` the array itself when the dtype is the same."""
        number = dtype_number(dtype)
        if not copy and number == self._dtype_number:
            return self
        result: NDArray = _ops.Cast(self, dtype=DTYPE_NAMES[number])
        return result

    def as_nd_ndarray(self) -> NDArray:
        """The array itself."""
        return self

    def as_np_ndarray(self) -> Any:
        """The same array as one of ``mx.np``; gradients flow through, and memory is shared.

        >>> import mixgrad as mx
        >>> mx.nd.array([1, 2]).as_np_ndarray()
        array([1., 2.])
        """
        from ..numpy import ndarray

        return self._as(ndarray)

    def tostype(self, stype: str) -> NDArray:
        """The same elements in another storage type: 'default' (dense), 'row_sparse' or 'csr'.

        The array itself where it is stored so already.

        >>> import mixgrad as mx
        >>> mx.nd.array([[0, 0], [3, 0]]).tostype("row_sparse").indices.asnumpy()
        array([1])
        """
        if stype == self.stype:
            return self
        result: NDArray = _ops.cast_storage(self, stype=STORAGE_TYPES[storage_number(stype, "tostype")])
        return result

    @_quick("reshape")
    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """A view of the same memory in another shape.

        Parameters
        ----------
        shape : ints or a tuple
            Extents; 0 keeps an extent, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits
            one.
        reverse : bool
            Match from the last axis.

        Examples
        --------
        >>> import mixgrad as mx
        >>> mx.nd.zeros((2, 3, 4)).reshape((-3, 0)).shape
        (6, 4)
        """
        reverse = bool(kwargs.pop("reverse", False))
        if "shape" in kwargs:
            shape = (kwargs.pop("shape"),)
        if kwargs:
            raise TypeError(f"[reshape] unexpected arguments {sorted(kwargs)}; it takes shape and reverse")
        if not shape:
            raise RefusedValueError("[reshape] no shape; expected extents, or a tuple of them")
        codes = extents(shape[0] if len(shape) == 1 else shape, "reshape")
        resolved = _core.resolve_shape(self.shape, codes, reverse)
        view: NDArray = self._view(tuple(resolved))
        return view

    def flatten(self, inplace: bool = False, **words: Any) -> NDArray:
        """The array as a matrix: the first axis, and all others in one.

        Parameters
        ----------
        inplace : bool
            Give a view of the same memory instead of a copy.

        Examples
        --------
        >>> import mixgrad as mx
        >>> mx.nd.zeros((2, 3, 4)).flatten().shape
        (2, 12)
        """
        if not inplace:
            result: NDArray = _ops.Flatten(self, **words)
            return result
        self._only_inplace("flatten", words)
        if self.ndim == 0:
            raise ShapeError("[flatten] the array has no axes; expected at least one")
        return self.reshape_view((self.shape[0], math.prod(self.shape[1:])))

    def expand_dims(self, axis: int, inplace: bool = False, **words: Any) -> NDArray:
        """The array with a new axis of extent 1.

        Parameters
        ----------
        axis : int
            Where the new axis comes to lie.
        inplace : bool
            Give a view of the same memory instead of a copy.

        Examples
        --------
        >>> import mixgrad as mx
        >>> mx.nd.zeros((2, 3)).expand_dims(1).shape
        (2, 1, 3)
        """
        if not inplace:
            result: NDArray = _ops.expand_dims(self, axis, **words)
            return result
        self._only_inplace("expand_dims", words)
        place = whole(axis, "expand_dims", "axis", -self.ndim - 1, self.ndim) % (self.ndim + 1)
        return self.reshape_view((*self.shape[:place], 1, *self.shape[place:]))

    def squeeze(self, axis: Any = None, inplace: bool = False, **words: Any) -> NDArray:
        """The array without axes of extent 1.

        Parameters
        ----------
        axis : int or tuple of int, optional
            Which axes to drop; by default all of extent 1.
        inplace : bool
            Give a view of the same memory instead of a copy.

        Examples
        --------
        >>> import mixgrad as mx
        >>> mx.nd.zeros((1, 2, 1)).squeeze(0).shape
        (2, 1)
        """
        if not inplace:
            result: NDArray = _ops.squeeze(self, axis, **words)
            return result
        self._only_inplace("squeeze", words)
        if axis is None:
            dropped = {i for i, extent in enumerate(self.shape) if extent == 1}
        else:
            axes = extents(axis, "squeeze")
            dropped = {whole(a, "squeeze", "axis", -self.ndim, self.ndim - 1) % self.ndim for a in axes}
        for place in dropped:
            if self.shape[place] != 1:
                raise ShapeError(
                    f"[squeeze] axis {place} has extent {self.shape[place]}; only an extent of 1 can go"
                )
        kept = tuple(extent for place, extent in enumerate(self.shape) if place not in dropped)
        return self.reshape_view(kept or (1,) * bool(self.ndim))  # as the operator, which leaves one axis

    def _only_inplace(self, who: str, words: dict[str, Any]) -> None:
        """Refuse arguments beside inplace=True."""
        if words:
            raise TypeError(f"[{who}] unexpected arguments {sorted(words)} beside inplace=True")

    def transpose(self, *axes: Any, out: Optional[NDArray] = None, **words: Any) -> NDArray:
        """The array with its axes in another order, by default the reverse one (a copy).

        Parameters
        ----------
        *axes : ints or a tuple
            For each axis of the result, that of this array.

        Examples
        --------
        >>> import mixgrad as mx
        >>> mx.nd.zeros((2, 3, 4)).transpose(1, 0, 2).shape
        (3, 2, 4)
        """
        if axes and "axes" in words:
            raise TypeError(f"[transpose] got the axes {axes} and axes={words['axes']}; expected them once")
        order = axes[0] if len(axes) == 1 else words.pop("axes", axes)
        result: NDArray = _ops.transpose(self, () if order is None else order, out=out, **words)
        return result

    def reshape_view(self, shape: tuple[int, ...]) -> NDArray:
        """A view in exactly that shape."""
        view: NDArray = self._view(shape)
        return view

    def slice_assign(self, rhs: NDArray, begin: Any, end: Any, step: Any = ()) -> NDArray:
        """Writes ``rhs`` into the region from ``begin`` to ``end``, in place."""
        result: NDArray = _ops._slice_assign(self, rhs, begin, end, step, out=self)
        return result

    def slice_assign_scalar(self, value: float, begin: Any, end: Any, step: Any = ()) -> NDArray:
        """Writes a number into the region from ``begin`` to ``end``, in place."""
        result: NDArray = _ops._slice_assign_scalar(self, value, begin, end, step, out=self)
        return result

    def __copy__(self) -> NDArray:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArray:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """The array in the form of MXNet's pickles."""
        return {"handle": _pickles.record_of(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Takes the values, shape and dtype that a pickle of MXNet holds."""
        self._become(_pickles.array_of(state))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _rebuild, (_core.save_buffer("params", [self.detach()], None), self.context)

    # Python protocols.

    def __iter__(self) -> Iterator[NDArray]:
        if self.ndim == 0:
            raise TypeError("[iter] a 0-d array cannot be iterated over")
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool((self.asnumpy() == value).any())

    def __matmul__(self, other: Any) -> NDArray:
        """Matrix product; leading axes broadcast, as in NumPy."""
        if not isinstance(other, NDArray):
            return self @ self._beside(other) if isinstance(other, np.ndarray) else NotImplemented
        return _matrix_product(self, other)

    def __rmatmul__(self, other: Any) -> NDArray:
        return self._beside(other) @ self if isinstance(other, np.ndarray) else NotImplemented

    def __invert__(self) -> NDArray:
        result: NDArray = _ops.logical_not(self)
        return result

    def __format__(self, spec: str) -> str:
        """One element as a number: ``f"{loss:.3f}"``; without a format, as ``str``."""
        if not spec:
            return str(self)
        if self.size != 1:
            raise TypeError(
                f"[format] {spec!r} and an array of shape {self.shape}; expected one element, or no format"
            )
        return format(self.item(), spec)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not _hints.is_foreign(type(self), name)]

    def __repr__(self) -> str:
        shape = "x".join(str(extent) for extent in self.shape)
        kind = DTYPE_NAMES[self._dtype_number]
        note = "" if kind == "float32" else f" {kind}"
        values = np.array2string(self.asnumpy(), threshold=1000, edgeitems=3)
        return f"\n{values}\n<{type(self).__name__} {shape or 'scalar'}{note} @{self.context}>"

    def _repr_html_(self) -> str:
        from .._html import array_html

        return array_html(self)

    def _dtype_name(self) -> str:
        return DTYPE_NAMES[self._dtype_number]

    def _beside(self, other: Any) -> NDArray:
        """``other`` (a NumPy array) as an array of this one's device and dtype."""
        return array(other, ctx=self.context, dtype=self.dtype)

    @property
    def writable(self) -> bool:
        """Whether elements can be written: always."""
        return True


def _rebuild(data: bytes, context: Context) -> NDArray:
    """An array from what :meth:`NDArray.__reduce__` stored."""
    if not isinstance(data, bytes) or not isinstance(context, Context):
        raise FileFormatError(
            f"[unpickle] got {type(data).__name__} and {type(context).__name__}; expected bytes and a Context"
        )
    arrays, names = _core.load_buffer(data)
    if names is not None or len(arrays) != 1 or arrays[0] is None:
        raise FileFormatError(f"[unpickle] got {len(arrays)} arrays, names {names!r:.60}; expected one array")
    loaded: NDArray = arrays[0]
    return loaded.as_in_context(context)


def _matrix_product(a: NDArray, b: NDArray) -> NDArray:
    if b.ndim <= 2 or a.ndim == 0:
        product: NDArray = _ops.dot(a, b)
        return product
    row = a.ndim == 1
    if row:
        a = a.reshape_view((1, *a.shape))
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])

    def stacked(x: NDArray) -> NDArray:
        wide: NDArray = _ops._broadcast_to(x, lead + x.shape[-2:])
        return wide.reshape_view((math.prod(lead), *x.shape[-2:]))

    result: NDArray = _ops.batch_dot(stacked(a), stacked(b))
    shape = lead + (() if row else a.shape[-2:-1]) + b.shape[-1:]
    return result.reshape_view(shape)


def array(source_array: Any, ctx: Optional[Context] = None, dtype: Optional[DTypeLike] = None) -> NDArray:
    """A dense array with the values of ``source_array``, as :func:`mixgrad.nd.array` makes it."""
    context = chosen_context(ctx, "array")
    if isinstance(source_array, NDArray):
        number = source_array._dtype_number if dtype is None else dtype_number(dtype)
        target = _core.create(source_array.shape, number, context.numbers)
        source_array.detach()._copy_into(target)
        return target
    number = dtype_number(dtype)
    values = _numpy.host_values(source_array, number)
    if numpy_type(number) is bfloat16:
        wide: NDArray = _core.create_from(values, values.shape, 0, context.numbers)
        result: NDArray = _ops.Cast(wide, dtype="bfloat16")
        return result
    return _core.create_from(values, values.shape, number, context.numbers)


_hints.add_foreign_names(NDArray, _words.ARRAY)

_core.set_array_class(NDArray)
_core.set_indexing(_indexing.get, _indexing.assign, np.integer)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What MXNet has in this module, and mixgrad in the package: ``zeros``, ``concatenate``, ..."""
        return getattr(sys.modules[__package__], name)
