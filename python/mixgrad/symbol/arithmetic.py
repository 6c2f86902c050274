"""Python's operators on symbols."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from .functions import internal

__all__ = ["Arithmetic"]


class Arithmetic:
    """Operators between symbols of one shape, and between a symbol and a number."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise NotImplementedError("[symbol] a symbol has no truth value: nothing is computed yet")

    def _two(self, other: Any, symbols: str, number: str, reverse: bool = False) -> Any:
        if isinstance(other, Arithmetic):
            return internal(symbols)(*((other, self) if reverse else (self, other)))
        if isinstance(other, (Number, np.generic)) and not isinstance(other, complex):
            return internal(number)(self, scalar=other)
        return NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._two(other, "_Plus", "_PlusScalar")

    def __radd__(self, other: Any) -> Any:
        return self._two(other, "_Plus", "_PlusScalar", True)

    def __sub__(self, other: Any) -> Any:
        return self._two(other, "_Minus", "_MinusScalar")

    def __rsub__(self, other: Any) -> Any:
        return self._two(other, "_Minus", "_RMinusScalar", True)

    def __mul__(self, other: Any) -> Any:
        return self._two(other, "_Mul", "_MulScalar")

    def __rmul__(self, other: Any) -> Any:
        return self._two(other, "_Mul", "_MulScalar", True)

    def __truediv__(self, other: Any) -> Any:
        return self._two(other, "_Div", "_DivScalar")

    def __rtruediv__(self, other: Any) -> Any:
        return self._two(other, "_Div", "_RDivScalar", True)

    def __mod__(self, other: Any) -> Any:
        return self._two(other, "_Mod", "_ModScalar")

    def __rmod__(self, other: Any) -> Any:
        return self._two(other, "_Mod", "_RModScalar", True)

    def __pow__(self, other: Any) -> Any:
        return self._two(other, "_Power", "_PowerScalar")

    def __rpow__(self, other: Any) -> Any:
        return self._two(other, "_Power", "_rpower_scalar", True)

    def __neg__(self) -> Any:
        return self * -1.0

    def __abs__(self) -> Any:
        return internal("abs")(self)

    def __eq__(self, other: object) -> Any:
        return self._two(other, "_equal", "_equal_scalar")

    def __ne__(self, other: object) -> Any:
        return self._two(other, "_not_equal", "_not_equal_scalar")

    def __gt__(self, other: Any) -> Any:
        return self._two(other, "_greater", "_greater_scalar")

    def __ge__(self, other: Any) -> Any:
        return self._two(other, "_greater_equal", "_greater_equal_scalar")

    def __lt__(self, other: Any) -> Any:
        return self._two(other, "_lesser", "_lesser_scalar")

    def __le__(self, other: Any) -> Any:
        return self._two(other, "_lesser_equal", "_lesser_equal_scalar")

    def __hash__(self) -> int:
        return id(self)

    def _refuse_in_place(self, other: Any) -> Any:
        raise NotImplementedError("[symbol] a symbol does not change in place; write x = x + y")

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __imod__ = __ipow__ = _refuse_in_place
