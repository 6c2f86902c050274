"""Functions that take arrays or numbers on either side, as MXNet's do."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Callable, NoReturn, Optional, Union

import numpy as np

from .. import _core
from .. import ops as _ops
from .._np_semantics import check_copies
from .ndarray import NDArray

Operand = Union[NDArray, np.ndarray, float, int]
_NUMBERS = (float, int, np.generic)


def _two(
    name: str,
    array: Callable[..., Any],
    scalar: Callable[..., Any],
    reverse: Callable[..., Any],
    numbers: Callable[[Any, Any], Any],
) -> Callable[[Operand, Operand], Any]:
    def function(lhs: Operand, rhs: Operand) -> Any:
        if isinstance(lhs, NDArray):
            if isinstance(rhs, NDArray):
                return array(lhs, rhs)
            return array(lhs, lhs._beside(rhs)) if isinstance(rhs, np.ndarray) else scalar(lhs, rhs)
        if isinstance(rhs, NDArray):
            return array(rhs._beside(lhs), rhs) if isinstance(lhs, np.ndarray) else reverse(rhs, lhs)
        if isinstance(lhs, _NUMBERS) and isinstance(rhs, _NUMBERS):
            return numbers(lhs, rhs)
        raise TypeError(
            f"[{name}] got {type(lhs).__name__} and {type(rhs).__name__}; expected at least one NDArray, "
            "or two numbers"
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{name} of two operands, each an array or a number; shapes broadcast.\n\n"
        "    Parameters\n    ----------\n    lhs, rhs : NDArray or number\n        Two numbers give a number."
    )
    return function


def _as_int(test: Callable[[Any, Any], Any]) -> Callable[[Any, Any], int]:
    return lambda a, b: 1 if test(a, b) else 0


add = _two("add", _ops.broadcast_add, _ops._plus_scalar, _ops._plus_scalar, operator.add)
subtract = _two("subtract", _ops.broadcast_sub, _ops._minus_scalar, _ops._rminus_scalar, operator.sub)
multiply = _two("multiply", _ops.broadcast_mul, _ops._mul_scalar, _ops._mul_scalar, operator.mul)
divide = _two("divide", _ops.broadcast_div, _ops._div_scalar, _ops._rdiv_scalar, operator.truediv)
true_divide = divide
modulo = _two("modulo", _ops.broadcast_mod, _ops._mod_scalar, _ops._rmod_scalar, operator.mod)
_power = _two("power", _ops.broadcast_power, _ops._power_scalar, _ops._rpower_scalar, operator.pow)


def Custom(
    *args: NDArray,
    op_type: str,
    out: Optional[Union[NDArray, Sequence[NDArray]]] = None,
    name: Optional[str] = None,
    **kwargs: Any,
) -> Any:
    """An operator written in Python, by the name that :func:`mixgrad.operator.register` filed it under.

    Parameters
    ----------
    args : NDArray
        Arguments, then auxiliary states, in the operator's order.
    op_type : str
        The name.
    out : NDArray or list of NDArray
        Receives the outputs.
    name : str
        Unused on arrays.
    kwargs
        Parameters of the operator's ``CustomOpProp``, which gets them as text.

    Returns
    -------
    NDArray or list of NDArray
        The output, or all of several.

    Notes
    -----
    Source: MXNet Custom.
    """
    if not isinstance(op_type, str):
        raise TypeError(f"[Custom] op_type is {type(op_type).__name__}; expected str")
    named = [key for key, value in kwargs.items() if isinstance(value, NDArray)]
    if named:
        raise TypeError(
            f"[Custom] array {named[0]} is given by name; expected arrays in the operator's order"
        )
    texts = [("op_type", op_type), *((key, str(value)) for key, value in kwargs.items())]
    given = None if out is None else [out] if isinstance(out, NDArray) else list(out)
    results = _core.call_custom(texts, list(args), given)
    return results[0] if len(results) == 1 else results


def power(base: Operand, exp: Operand) -> Any:
    """``base`` to the power of ``exp``, each an array or a number; shapes broadcast.

    Parameters
    ----------
    base, exp : NDArray or number
        Two numbers give a number.
    """
    return _power(base, exp)


maximum = _two("maximum", _ops.broadcast_maximum, _ops._maximum_scalar, _ops._maximum_scalar, max)
minimum = _two("minimum", _ops.broadcast_minimum, _ops._minimum_scalar, _ops._minimum_scalar, min)
equal = _two("equal", _ops.broadcast_equal, _ops._equal_scalar, _ops._equal_scalar, _as_int(operator.eq))
not_equal = _two(
    "not_equal",
    _ops.broadcast_not_equal,
    _ops._not_equal_scalar,
    _ops._not_equal_scalar,
    _as_int(operator.ne),
)
greater = _two(
    "greater", _ops.broadcast_greater, _ops._greater_scalar, _ops._lesser_scalar, _as_int(operator.gt)
)
greater_equal = _two(
    "greater_equal",
    _ops.broadcast_greater_equal,
    _ops._greater_equal_scalar,
    _ops._lesser_equal_scalar,
    _as_int(operator.ge),
)
lesser = _two(
    "lesser", _ops.broadcast_lesser, _ops._lesser_scalar, _ops._greater_scalar, _as_int(operator.lt)
)
lesser_equal = _two(
    "lesser_equal",
    _ops.broadcast_lesser_equal,
    _ops._lesser_equal_scalar,
    _ops._greater_equal_scalar,
    _as_int(operator.le),
)
logical_and = _two(
    "logical_and",
    _ops.broadcast_logical_and,
    _ops._logical_and_scalar,
    _ops._logical_and_scalar,
    _as_int(lambda a, b: a and b),
)
logical_or = _two(
    "logical_or",
    _ops.broadcast_logical_or,
    _ops._logical_or_scalar,
    _ops._logical_or_scalar,
    _as_int(lambda a, b: a or b),
)
logical_xor = _two(
    "logical_xor",
    _ops.broadcast_logical_xor,
    _ops._logical_xor_scalar,
    _ops._logical_xor_scalar,
    _as_int(lambda a, b: bool(a) != bool(b)),
)


def split_v2(
    ary: NDArray,
    indices_or_sections: Union[int, Sequence[int]],
    axis: int = 0,
    squeeze_axis: bool = False,
) -> Any:
    """Splits an array along an axis, into equal sections or at given places.

    Parameters
    ----------
    ary : NDArray
        Any array.
    indices_or_sections : int or tuple of int
        Number of sections, or the places at which a new part begins.
    axis : int
        Axis to split.
    squeeze_axis : bool
        Drop the axis where a part has extent 1.

    Returns
    -------
    list of NDArray, or NDArray
        The parts; one part is not in a list.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [p.shape for p in mx.nd.split_v2(mx.nd.zeros((5, 2)), (1, 3))]
    [(1, 2), (2, 2), (2, 2)]
    """
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise ValueError(f"[split_v2] indices_or_sections is {indices_or_sections}; expected at least 1")
        return _ops._split_v2(ary, (), axis, squeeze_axis, indices_or_sections)
    return _ops._split_v2(ary, (0, *indices_or_sections), axis, squeeze_axis, 0)


def histogram(a: NDArray, bins: Union[int, NDArray] = 10, range: Optional[tuple[float, float]] = None) -> Any:
    """Counts how many values lie in each bin.

    Parameters
    ----------
    a : NDArray
        Any array.
    bins : int or NDArray
        Number of bins of equal width, or their edges, ascending.
    range : (float, float), optional
        Lower end of the first and upper end of the last of ``bins`` bins; by default those of the values.

    Returns
    -------
    counts : NDArray
        (bins,), int64. A bin holds its lower end, the last one also its upper end.
    edges : NDArray
        (bins + 1,).

    Examples
    --------
    >>> import mixgrad as mx
    >>> counts, edges = mx.nd.histogram(mx.nd.array([1, 2, 2, 4]), bins=3, range=(1, 4))
    >>> counts.asnumpy().tolist(), edges.asnumpy().tolist()
    ([1, 2, 1], [1.0, 2.0, 3.0, 4.0])
    """
    if isinstance(bins, NDArray):
        return _ops._histogram(a, bins)
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise ValueError(
            f"[histogram] bins is {bins!r:.60}; expected a number of bins, or their edges as NDArray"
        )
    if range is None:
        lowest, highest = (float(_ops.min(a).asscalar()), float(_ops.max(a).asscalar())) if a.size else (0, 1)
        range = (lowest, highest) if lowest < highest else (lowest - 0.5, highest + 0.5)
    return _ops._histogram(a, bin_cnt=int(bins), range=range)


def tile(
    data: NDArray,
    reps: Union[int, Sequence[int]],
    *,
    out: Optional[NDArray] = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Lays copies of the whole array side by side along axes.

    Parameters
    ----------
    data : NDArray
        Any array; missing leading axes count as 1.
    reps : tuple of int
        Copies per axis, aligned with the last; missing ones are 1. They are positive; inside
        :func:`mixgrad.np_shape` 0 is taken, too, and gives an array without elements.

    Notes
    -----
    Source: MXNet tile.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.tile(mx.nd.array([1, 2]), (2, 2)).asnumpy().tolist()
    [[1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0]]
    """
    check_copies(reps)
    return _ops.tile(data, reps, out=out, name=name, **words)


def reset_arrays(*data: NDArray, num_arrays: Optional[int] = None) -> list[NDArray]:
    """Sets all elements of several arrays to 0; returns an empty list, as MXNet does.

    Parameters
    ----------
    *data : NDArray
        The arrays.
    num_arrays : int, optional
        How many they are.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a, b = mx.nd.ones((2,)), mx.nd.ones((3,))
    >>> mx.nd.reset_arrays(a, b, num_arrays=2)
    []
    >>> b.asnumpy().tolist()
    [0.0, 0.0, 0.0]
    """
    if num_arrays is not None and num_arrays != len(data):
        raise ValueError(f"[reset_arrays] num_arrays is {num_arrays} but there are {len(data)} arrays")
    for array in data:
        if not isinstance(array, NDArray):
            raise TypeError(f"[reset_arrays] got {type(array).__name__}; expected NDArray")
        array[:] = 0
    return []


__all__ = [
    "Custom",
    "add",
    "divide",
    "equal",
    "greater",
    "greater_equal",
    "histogram",
    "lesser",
    "lesser_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "modulo",
    "multiply",
    "not_equal",
    "power",
    "reset_arrays",
    "split_v2",
    "subtract",
    "tile",
    "true_divide",
]
