"""Symbols made from numbers, and functions whose operands are symbols or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import Any, Callable, Optional, Union

import numpy as np

from ..base import DTYPE_NAMES, DTypeLike, dtype_number, extents
from .functions import internal
from .methods import split_v2, tile
from .symbol import Symbol

__all__ = [
    "arange",
    "eye",
    "full",
    "histogram",
    "hypot",
    "linspace",
    "maximum",
    "minimum",
    "ones",
    "pow",
    "power",
    "split_v2",
    "tile",
    "zeros",
]

ShapeLike = Union[int, Sequence[int]]


def _type_name(dtype: Optional[DTypeLike]) -> str:
    return DTYPE_NAMES[dtype_number(dtype)]


def zeros(shape: ShapeLike, dtype: Optional[DTypeLike] = None, **kwargs: Any) -> Symbol:
    """Zeros of a shape.

    >>> import mixgrad as mx
    >>> mx.sym.zeros((2, 3)).infer_shape()[1]
    [(2, 3)]
    """
    return internal("_zeros")(shape=extents(shape, "zeros"), dtype=_type_name(dtype), **kwargs)


def ones(shape: ShapeLike, dtype: Optional[DTypeLike] = None, **kwargs: Any) -> Symbol:
    """Ones of a shape."""
    return internal("_ones")(shape=extents(shape, "ones"), dtype=_type_name(dtype), **kwargs)


def full(shape: ShapeLike, val: float, dtype: Optional[DTypeLike] = None, **kwargs: Any) -> Symbol:
    """The value ``val`` everywhere."""
    return internal("_full")(
        shape=extents(shape, "full"), dtype=_type_name(dtype), value=float(val), **kwargs
    )


def eye(N: int, M: int = 0, k: int = 0, dtype: Optional[DTypeLike] = None, **kwargs: Any) -> Symbol:
    """A matrix of N rows and M columns (0: N) with ones on diagonal ``k`` and zeros elsewhere."""
    return internal("_eye")(N=N, M=M, k=k, dtype=_type_name(dtype), **kwargs)


def arange(
    start: float,
    stop: Optional[float] = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: Optional[str] = None,
    dtype: Optional[DTypeLike] = None,
) -> Symbol:
    """Values from ``start`` up to, not including, ``stop``, each ``repeat`` times."""
    if stop is None and not infer_range:
        start, stop = 0, start
    return internal("_arange")(
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        infer_range=infer_range,
        name=name,
        dtype=_type_name(dtype),
    )


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    name: Optional[str] = None,
    dtype: Optional[DTypeLike] = None,
) -> Symbol:
    """``num`` values evenly spaced from ``start`` to ``stop``."""
    return internal("_linspace")(
        start=start, stop=stop, num=num, endpoint=endpoint, name=name, dtype=_type_name(dtype)
    )


def _two(
    name: str, symbols: str, scalar: str, reverse: str, plain: Callable[[Any, Any], Any]
) -> Callable[..., Any]:
    def function(left: Any, right: Any) -> Any:
        if isinstance(left, Symbol) and isinstance(right, Symbol):
            return internal(symbols)(left, right)
        if isinstance(left, Symbol) and isinstance(right, Number):
            return internal(scalar)(left, scalar=right)
        if isinstance(left, Number) and isinstance(right, Symbol):
            return internal(reverse)(right, scalar=left)
        if isinstance(left, Number) and isinstance(right, Number):
            return plain(left, right)
        raise TypeError(
            f"[{name}] got {type(left).__name__} and {type(right).__name__}; expected symbols or numbers"
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{name} of two operands of one shape, each a symbol or a number.\n\n"
        "    Parameters\n    ----------\n    left, right : Symbol or number\n        The operands."
    )
    return function


_power = _two("power", "_Power", "_PowerScalar", "_rpower_scalar", lambda a, b: a**b)


def power(base: Any, exp: Any) -> Any:
    """``base`` to the power of ``exp``, of one shape, each a symbol or a number.

    Parameters
    ----------
    base, exp : Symbol or number
        The operands.
    """
    return _power(base, exp)


pow = power
maximum = _two("maximum", "_Maximum", "_MaximumScalar", "_MaximumScalar", max)
minimum = _two("minimum", "_Minimum", "_MinimumScalar", "_MinimumScalar", min)
hypot = _two("hypot", "_hypot", "_hypot_scalar", "_hypot_scalar", np.hypot)


def histogram(
    a: Symbol, bins: Union[int, Symbol] = 10, range: Optional[tuple[float, float]] = None, **kwargs: Any
) -> Symbol:
    """Counts and edges of bins as :func:`mixgrad.nd.histogram` takes them; a number needs ``range``."""
    if isinstance(bins, Symbol):
        return internal("_histogram")(a, bins, **kwargs)
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise ValueError(
            f"[histogram] bins is {bins!r:.60}; expected a number of bins, or their edges as Symbol"
        )
    if range is None:
        raise ValueError("[histogram] range is None; a symbol needs it, since its values are not known yet")
    return internal("_histogram")(a, bin_cnt=int(bins), range=range, **kwargs)
