"""Where arrays meet NumPy: values for new arrays, and NumPy's functions called with arrays."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any, Callable, Union

import numpy as np

from .. import _core
from .. import ops as _ops
from ..base import DTYPE_NUMBERS, bfloat16, numpy_type

if TYPE_CHECKING:
    from .ndarray import NDArray

# Python's operators with a NumPy array on the left arrive as ufuncs; the method that answers for the left
# operand, and the one for the right.
_OPERATORS: dict[Any, tuple[str, str]] = {
    np.add: ("__add__", "__radd__"),
    np.subtract: ("__sub__", "__rsub__"),
    np.multiply: ("__mul__", "__rmul__"),
    np.true_divide: ("__truediv__", "__rtruediv__"),
    np.floor_divide: ("__floordiv__", "__rfloordiv__"),
    np.remainder: ("__mod__", "__rmod__"),
    np.power: ("__pow__", "__rpow__"),
    np.matmul: ("__matmul__", "__rmatmul__"),
    np.bitwise_and: ("__and__", "__rand__"),
    np.bitwise_or: ("__or__", "__ror__"),
    np.bitwise_xor: ("__xor__", "__rxor__"),
    np.equal: ("__eq__", "__eq__"),
    np.not_equal: ("__ne__", "__ne__"),
    np.less: ("__lt__", "__gt__"),
    np.less_equal: ("__le__", "__ge__"),
    np.greater: ("__gt__", "__lt__"),
    np.greater_equal: ("__ge__", "__le__"),
}


_INTEGERS = frozenset(DTYPE_NUMBERS[name] for name in ("int8", "uint8", "int32", "int64", "bool"))


def host_values(source: Any, number: int) -> np.ndarray:
    """The values of ``source`` as a C-contiguous NumPy array of a dtype; bfloat16 arrives as float32."""
    target = numpy_type(number)
    if target is bfloat16:
        target = np.float32
    try:
        values = np.asarray(source)
        if values.dtype.kind in "OSU":
            values = _numbers(values)
        # Numbers, and the number types that other packages add to NumPy (ml_dtypes).
        if values.dtype.kind not in "biuf" and values.dtype.isbuiltin != 2:
            raise TypeError(f"it holds {values.dtype}, expected numbers")
        # Writes of an int8 -1 as uint8 255 and the like are what astype means.
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(values.astype(target, copy=False), order="C")
    except (TypeError, ValueError, OverflowError) as error:
        message = f"[array] cannot make an array of {type(source).__name__}: {error}"
        raise TypeError(message) from None


def _numbers(values: np.ndarray) -> np.ndarray:
    """Text of numbers, and objects that are numbers, as numbers: exact ones where all are whole."""
    flat = [_number(value) for value in values.ravel().tolist()]
    whole = all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in flat)
    return np.array(flat, np.int64 if whole else np.float64).reshape(values.shape)


def _number(value: Any) -> Union[int, float]:
    if hasattr(value, "__index__"):
        return int(value)
    try:
        return int(value) if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        pass
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"it holds {value!r:.40}, expected numbers") from None


def _plain(value: Any, array_class: type) -> Any:
    """The same arguments with NumPy arrays in place of arrays."""
    if isinstance(value, array_class):
        return value.asnumpy()  # type: ignore[attr-defined]
    if type(value) in (list, tuple):
        return type(value)(_plain(item, array_class) for item in value)
    return value


def _call(function: Callable[..., Any], args: Any, kwargs: dict[str, Any], array_class: type) -> Any:
    out = kwargs.get("out")
    if any(isinstance(o, array_class) for o in (out if isinstance(out, tuple) else (out,))):
        raise TypeError(
            f"[{function.__name__}] NumPy cannot write into an NDArray; expected a NumPy array as out"
        )
    arguments = [_plain(a, array_class) for a in args]
    return function(*arguments, **{name: _plain(v, array_class) for name, v in kwargs.items()})


# NumPy's functions that the library has too: these give arrays, and their gradients are recorded.
_SAME = "exp expm1 log log10 log1p log2 sqrt cbrt square reciprocal sin cos tan sinh cosh tanh arcsin arccos"
_SAME += " arctan arcsinh arccosh arctanh floor ceil trunc sign negative degrees radians"
_ONE = {getattr(np, name): name for name in _SAME.split()}
_ONE |= {np.absolute: "abs", np.fabs: "abs", np.deg2rad: "radians", np.rad2deg: "degrees"}
_TWO = {np.maximum: "maximum", np.minimum: "minimum"}
# Of integers these give fractions.
_FRACTIONS = frozenset(_ONE.values()).difference(
    ("square", "floor", "ceil", "trunc", "sign", "negative", "abs")
)


def _is_whole(operand: Any) -> bool:
    if isinstance(operand, _core.NDArrayBase):
        return operand._dtype_number in _INTEGERS
    return np.asarray(operand).dtype.kind in "biu"


def _own(ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    """The result of a function that arrays have; NotImplemented for all others."""
    from . import wrappers

    names = _OPERATORS.get(ufunc)
    if names:
        left, right = inputs
        if isinstance(left, _core.NDArrayBase):
            return getattr(left, names[0])(right)
        return getattr(right, names[1])(left)
    if ufunc in _TWO and all(isinstance(x, (_core.NDArrayBase, np.ndarray, Number)) for x in inputs):
        own = [x for x in inputs if isinstance(x, _core.NDArrayBase)]
        if any(map(_is_whole, own)) and not all(map(_is_whole, inputs)):
            return NotImplemented  # our whole numbers would round the fractions beside them, NumPy does not
        return getattr(wrappers, _TWO[ufunc])(*inputs)
    if ufunc in _ONE:
        name, (array,) = _ONE[ufunc], inputs
        if name in _FRACTIONS and array._dtype_number in _INTEGERS:
            array = array.astype("float32")
        return getattr(_ops, name)(array)
    return NotImplemented


def apply_ufunc(self: NDArray, ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """``NDArray.__array_ufunc__``: functions that the library has give arrays, all others NumPy arrays."""
    from .ndarray import NDArray

    if method == "__call__" and not kwargs:
        made = _own(ufunc, inputs)
        if made is not NotImplemented:
            return made
    return _call(getattr(ufunc, method), inputs, kwargs, NDArray)


# NumPy's functions that call the method of that name of what is no NumPy array, as scripts for MXNet expect,
# with the names of the parameters after the array.
_METHODS: dict[Any, tuple[str, tuple[str, ...]]] = {
    np.argmax: ("argmax", ("axis",)),
    np.argmin: ("argmin", ("axis",)),
    np.clip: ("clip", ("a_min", "a_max")),
    np.max: ("max", ("axis",)),
    np.min: ("min", ("axis",)),
    np.prod: ("prod", ("axis",)),
    np.repeat: ("repeat", ("repeats", "axis")),
    np.squeeze: ("squeeze", ("axis",)),
    np.sum: ("sum", ("axis",)),
    np.swapaxes: ("swapaxes", ("dim1", "dim2")),
}
_METHODS |= {getattr(np, name): _METHODS[getattr(np, name[1:])] for name in ("amax", "amin")}


def _method(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """The result of the array's own method; NotImplemented where NumPy's function has other arguments."""
    name, words = _METHODS.get(function, ("", ()))
    if not name or not args or not isinstance(args[0], _core.NDArrayBase) or len(args) > 1 + len(words):
        return NotImplemented
    taken = {"keepdims"} if name in ("max", "min", "prod", "sum") else set()
    given = dict(zip(words, args[1:]))
    given |= {word: value for word, value in kwargs.items() if value is not None}
    if not given.keys() <= {*words, *taken}:
        return NotImplemented
    plain = all(isinstance(value, (Number, tuple, list, np.integer, type(None))) for value in given.values())
    if not plain or (name == "repeat" and not isinstance(given.get("repeats"), (int, np.integer))):
        return NotImplemented
    return getattr(args[0], name)(**{word: value for word, value in given.items() if value is not None})


def apply_function(self: NDArray, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """``NDArray.__array_function__``: what NumPy leaves to a method gives an array, all else NumPy's."""
    from .ndarray import NDArray

    made = _method(function, args, kwargs)
    if made is not NotImplemented:
        return made
    return _call(function, args, kwargs, NDArray)
