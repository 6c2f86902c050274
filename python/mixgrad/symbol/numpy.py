"""Symbols in NumPy's manner, and the functions of ``mx.np`` on them (``mx.sym.np``)."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from .. import numpy as _functions
from ..base import DTypeLike, MXIndexError, UnknownExtentsError
from ..numpy.operands import dtype_name, making_symbols
from ..numpy.operators import operators as _ops
from .base import SymbolBase
from .symbol import Symbol


class NumpySymbol(Symbol):
    """An expression whose operators, indices and methods are those of ``mx.np.ndarray``.

    Of several outputs, an index chooses one; of one, it indexes the array.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.sym.var("x").as_np_ndarray()
    >>> (mx.sym.np.sum(x, axis=0) / 2).eval(x=mx.np.ones((4, 3)))[0].asnumpy()
    array([2., 2., 2.], dtype=float32)
    """

    __slots__ = ()
    is_np = True

    def as_np_ndarray(self) -> NumpySymbol:
        """The symbol itself."""
        return self

    def _two(self, other: Any, symbols: str, number: str, reverse: bool = False) -> Any:
        function = getattr(_functions, _NAMES[symbols])
        return function(other, self) if reverse else function(self, other)

    def __neg__(self) -> Any:
        return _functions.negative(self)

    def __abs__(self) -> Any:
        return _functions.abs(self)

    def __invert__(self) -> Any:
        return _functions.bitwise_not(self)

    def __and__(self, other: Any) -> Any:
        return _functions.bitwise_and(self, other)

    def __or__(self, other: Any) -> Any:
        return _functions.bitwise_or(self, other)

    def __xor__(self, other: Any) -> Any:
        return _functions.bitwise_xor(self, other)

    def __matmul__(self, other: Any) -> Any:
        return _functions.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _functions.matmul(other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _functions.floor_divide(self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _functions.floor_divide(other, self)

    def __getitem__(self, index: Any) -> Any:
        if len(self._handle) > 1 or isinstance(index, str):
            return super().__getitem__(index).as_np_ndarray()
        return _indexed(self, index)

    def __iter__(self) -> Any:
        return (NumpySymbol(self._handle.output(i)) for i in range(len(self._handle)))

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "ndim", "size"):
            raise UnknownExtentsError(
                f"[symbol] {name} is not known before arrays are given; see infer_shape(x=(...))"
            )
        return super().__getattr__(name)

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order."""
        return _functions.transpose(self)

    def astype(
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """The elements in another dtype."""
        if order not in ("K", "A", "C") or casting != "unsafe" or not subok:
            raise ValueError(f"[astype] order {order!r}, casting {casting!r}; expected 'K' and 'unsafe'")
        return _ops.Cast(self, dtype=dtype_name(dtype))

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """The elements in another shape; -1 is an extent that follows from the others."""
        kwargs.pop("order", None)
        for word in ("newshape", "shape"):
            if word in kwargs:
                shape = (kwargs.pop(word),)
        return _functions.reshape(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes: Any) -> Any:
        """The array with its axes in another order, by default the reverse one."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return _functions.transpose(self, order or None)

    def flatten(self, order: str = "C") -> Any:
        """The elements along one axis."""
        return _functions.ravel(self, order)

    def copy(self, order: str = "C") -> Any:
        """The same elements."""
        return _functions.copy(self)

    def detach(self) -> Any:
        """The same elements, through which no gradient flows."""
        return _ops.BlockGrad(self)


_NAMES = {
    "_Plus": "add",
    "_Minus": "subtract",
    "_Mul": "multiply",
    "_Div": "true_divide",
    "_Mod": "mod",
    "_Power": "power",
    "_equal": "equal",
    "_not_equal": "not_equal",
    "_greater": "greater",
    "_greater_equal": "greater_equal",
    "_lesser": "less",
    "_lesser_equal": "less_equal",
}


def _method(name: str) -> Any:
    function = getattr(_functions, name)

    @functools.wraps(function)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


for _name in [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "clip",
    "cumsum",
    "diag",
    "dot",
    "expand_dims",
    "max",
    "mean",
    "min",
    "prod",
    "ravel",
    "repeat",
    "round",
    "sort",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "take",
    "tile",
    "var",
    "broadcast_to",
    "flip",
    "split",
]:
    setattr(NumpySymbol, _name, _method(_name))
del _name


def _indexed(x: NumpySymbol, index: Any) -> Any:
    """Elements of the array that a symbol stands for, whose number of axes is not known."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if len(parts) == 1 and isinstance(parts[0], SymbolBase):
        return _functions.take(x, parts[0], 0, "clip")
    if any(isinstance(part, SymbolBase) for part in parts):
        if not all(isinstance(part, SymbolBase) for part in parts):
            raise NotImplementedError("[index] symbols beside other indices; expected symbols alone")
        return _ops._npi_gather_nd(x, _functions.stack(parts, 0))
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise MXIndexError("[index] an index can have only one ellipsis ('...')")
    at = dots[0] if dots else len(parts)
    y = _front(x, parts[:at])
    return _back(y, parts[at + 1 :]) if dots else y


def _checked(part: Any) -> Any:
    if part is None or isinstance(part, slice):
        return part
    if isinstance(part, bool) or not hasattr(part, "__index__"):
        raise TypeError(
            f"[index] {type(part).__name__} on a symbol; expected ints, slices, None, an ellipsis or symbols"
        )
    return int(part)


def _bounds(part: Any) -> tuple[Any, Any, Any]:
    if isinstance(part, slice):
        return part.start, part.stop, part.step
    return part, None if part == -1 else part + 1, 1


def _front(x: Any, parts: list[Any]) -> Any:
    """Parts of an index from the first axis on."""
    given = [_checked(part) for part in parts]
    bounds = [_bounds(part) for part in given if part is not None]
    if any(bound != (None, None, None) for bound in bounds):
        begin, end, step = zip(*bounds)
        x = _ops._npi_slice(x, begin=begin, end=end, step=step)
    axes = [part for part in given if part is not None]
    dropped = tuple(axis for axis, part in enumerate(axes) if isinstance(part, int))
    if dropped:
        x = _ops._np_squeeze(x, axis=dropped)
    place = 0
    for part in given:
        if part is None:
            x = _functions.expand_dims(x, place)
        place += not isinstance(part, int)
    return x


def _back(x: Any, parts: list[Any]) -> Any:
    """Parts of an index behind an ellipsis, counted from the last axis."""
    given = [_checked(part) for part in parts]
    axis = -1
    dropped = []
    for part in reversed(given):
        if part is None:
            continue
        begin, end, step = _bounds(part)
        if step not in (None, 1):
            raise NotImplementedError(f"[index] step {step} behind an ellipsis on a symbol; expected 1")
        if (begin, end) != (None, None):
            x = _ops.slice_axis(x, axis=axis, begin=0 if begin is None else begin, end=end)
        if isinstance(part, int):
            dropped.append(axis)
        axis -= 1
    if dropped:
        x = _ops._np_squeeze(x, axis=tuple(dropped))
    place = -1
    for part in reversed(given):
        if part is None:
            x = _functions.expand_dims(x, place)
        place -= not isinstance(part, int)
    return x


_Symbol = NumpySymbol  # as MXNet calls it


def symbolic(function: Any) -> Any:
    """A function of ``mx.np`` or ``mx.npx`` that gives symbols also where no input is one."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with making_symbols():
            return function(*args, **kwargs)

    return call


class Functions:
    """The functions of a module, for symbols."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._module, name)
        made = symbolic(found) if callable(found) and not isinstance(found, type) else found
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return dir(self._module)


random = Functions(_functions.random)
linalg = Functions(_functions.linalg)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    found = getattr(_functions, name)
    return symbolic(found) if callable(found) and not isinstance(found, type) else found


def __dir__() -> list[str]:
    return dir(_functions)
