"""Python's operators on symbols, and what they refuse."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any, Callable, NoReturn

import numpy as np

from ..base import NotImplementedForSymbol
from .functions import internal

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["Arithmetic"]


def of_arrays(name: str) -> Callable[..., Any]:
    """A method that arrays have and symbols refuse."""

    def refused(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        """Not of symbols: an error."""
        raise NotImplementedForSymbol(name, None, *args)

    refused.__name__ = name
    return refused


class Arithmetic:
    """Operators between symbols of one shape, and between a symbol and a number."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise NotImplementedForSymbol("bool")

    def _two(self, other: Any, symbols: str, number: str, reverse: bool = False) -> Any:
        if isinstance(other, Arithmetic):
            return internal(symbols)(*((other, self) if reverse else (self, other)))
        if isinstance(other, (Number, np.generic)) and not isinstance(other, complex):
            return internal(number)(self, scalar=other)
        return NotImplemented

    def __add__(self, other: Any) -> Symbol:
        return self._two(other, "_Plus", "_PlusScalar")

    def __radd__(self, other: Any) -> Symbol:
        return self._two(other, "_Plus", "_PlusScalar", True)

    def __sub__(self, other: Any) -> Symbol:
        return self._two(other, "_Minus", "_MinusScalar")

    def __rsub__(self, other: Any) -> Symbol:
        return self._two(other, "_Minus", "_RMinusScalar", True)

    def __mul__(self, other: Any) -> Symbol:
        return self._two(other, "_Mul", "_MulScalar")

    def __rmul__(self, other: Any) -> Symbol:
        return self._two(other, "_Mul", "_MulScalar", True)

    def __truediv__(self, other: Any) -> Symbol:
        return self._two(other, "_Div", "_DivScalar")

    def __rtruediv__(self, other: Any) -> Symbol:
        return self._two(other, "_Div", "_RDivScalar", True)

    def __mod__(self, other: Any) -> Symbol:
        return self._two(other, "_Mod", "_ModScalar")

    def __rmod__(self, other: Any) -> Symbol:
        return self._two(other, "_Mod", "_RModScalar", True)

    def __pow__(self, other: Any) -> Symbol:
        return self._two(other, "_Power", "_PowerScalar")

    def __rpow__(self, other: Any) -> Symbol:
        return self._two(other, "_Power", "_rpower_scalar", True)

    def __neg__(self) -> Symbol:
        return self * -1.0

    def __abs__(self) -> Symbol:
        return internal("abs")(self)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return self._two(other, "_equal", "_equal_scalar")

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return self._two(other, "_not_equal", "_not_equal_scalar")

    def __gt__(self, other: Any) -> Symbol:
        return self._two(other, "_greater", "_greater_scalar")

    def __ge__(self, other: Any) -> Symbol:
        return self._two(other, "_greater_equal", "_greater_equal_scalar")

    def __lt__(self, other: Any) -> Symbol:
        return self._two(other, "_lesser", "_lesser_scalar")

    def __le__(self, other: Any) -> Symbol:
        return self._two(other, "_lesser_equal", "_lesser_equal_scalar")

    def __hash__(self) -> int:
        return id(self)

    # Symbols do not change: x = x + y makes another one.
    __iadd__ = of_arrays("+=")
    __isub__ = of_arrays("-=")
    __imul__ = of_arrays("*=")
    __itruediv__ = of_arrays("/=")
    __imod__ = of_arrays("%=")
    __ipow__ = of_arrays("**=")
    asnumpy = of_arrays("asnumpy")
    asscalar = of_arrays("asscalar")
    as_in_context = of_arrays("as_in_context")
    backward = of_arrays("backward")
    copy = of_arrays("copy")
    detach = of_arrays("detach")
    wait_to_read = of_arrays("wait_to_read")
