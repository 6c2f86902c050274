"""What the array API standard asks of arrays beyond NumPy's own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from ..context import Context
from ..ndarray import NDArray
from .mixed import integers, number_beside
from .operands import delivered, is_number, tensor
from .shifts import left_shift, right_shift

if TYPE_CHECKING:
    from typing_extensions import Self

    from .ndarray import ndarray

__all__ = ["StandardArray"]

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def _shifts(x: Any) -> bool:
    return isinstance(x, NDArray) or is_number(x)


def _shifted(number: Any, places: Any, who: str) -> Any:
    """A number that an array of places shifts, as an array of their dtype."""
    whole = integers(places, "int64")
    return tensor(number_beside(who, whole, number), whole)


class StandardArray(NDArray):
    """The part of ``mx.np.ndarray`` that the array API standard names."""

    __slots__ = ()

    if TYPE_CHECKING:  # the extension module has them; they give arrays of this class
        grad: Optional[ndarray]

        def __add__(self, other: Any) -> ndarray: ...
        def __radd__(self, other: Any) -> ndarray: ...
        def __sub__(self, other: Any) -> ndarray: ...
        def __rsub__(self, other: Any) -> ndarray: ...
        def __mul__(self, other: Any) -> ndarray: ...
        def __rmul__(self, other: Any) -> ndarray: ...
        def __truediv__(self, other: Any) -> ndarray: ...
        def __rtruediv__(self, other: Any) -> ndarray: ...
        def __mod__(self, other: Any) -> ndarray: ...
        def __rmod__(self, other: Any) -> ndarray: ...
        def __pow__(self, other: Any) -> ndarray: ...
        def __rpow__(self, other: Any) -> ndarray: ...
        def __and__(self, other: Any) -> ndarray: ...
        def __rand__(self, other: Any) -> ndarray: ...
        def __or__(self, other: Any) -> ndarray: ...
        def __ror__(self, other: Any) -> ndarray: ...
        def __xor__(self, other: Any) -> ndarray: ...
        def __rxor__(self, other: Any) -> ndarray: ...
        def __lt__(self, other: Any) -> ndarray: ...
        def __le__(self, other: Any) -> ndarray: ...
        def __gt__(self, other: Any) -> ndarray: ...
        def __ge__(self, other: Any) -> ndarray: ...
        def __eq__(self, other: Any) -> ndarray: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> ndarray: ...  # type: ignore[override]
        def __iadd__(self, other: Any) -> Self: ...
        def __isub__(self, other: Any) -> Self: ...
        def __imul__(self, other: Any) -> Self: ...
        def __itruediv__(self, other: Any) -> Self: ...
        def __imod__(self, other: Any) -> Self: ...
        def __ipow__(self, other: Any) -> Self: ...
        def __neg__(self) -> ndarray: ...
        def __pos__(self) -> ndarray: ...
        def __abs__(self) -> ndarray: ...
        def __getitem__(self, key: Any, /) -> ndarray: ...
        def detach(self) -> ndarray: ...
        def as_in_context(self, context: Context) -> ndarray: ...
        def __copy__(self) -> ndarray: ...
        def __deepcopy__(self, memo: Any) -> ndarray: ...
        def __hash__(self) -> int: ...

    def __array_namespace__(self, *, api_version: Optional[str] = None) -> Any:
        """The module with the standard's functions: :mod:`mixgrad.array_api`.

        Parameters
        ----------
        api_version : str, optional
            A version of the standard, such as '2024.12'; others than those from 2021.12 to 2025.12 are a
            ``ValueError``.
        """
        if api_version is not None and api_version not in _VERSIONS:
            raise ValueError(
                f"[__array_namespace__] api_version is {api_version!r:.40}; expected one of "
                f"{', '.join(_VERSIONS)}"
            )
        from .. import array_api

        return array_api

    @property
    def mT(self) -> Any:
        """The array with its last two axes exchanged (a copy)."""
        if self.ndim < 2:
            raise ValueError(f"[mT] shape is {self.shape}; expected two axes at least")
        return self.swapaxes(-1, -2)

    def to_device(self, device: Union[Context, str], /, *, stream: Any = None) -> Any:
        """The array itself if it is on that device, else a copy there; ``stream`` must be None."""
        if stream is not None:
            raise NotImplementedError(f"[to_device] stream is {stream!r:.40}; expected None")
        return self.as_in_context(device)  # type: ignore[arg-type]

    def __index__(self) -> int:
        if self.dtype == bool:
            raise TypeError("[index] an array of bool; expected one integer")
        return super().__index__()

    def __complex__(self) -> complex:
        return complex(float(self))

    def __lshift__(self, other: Any) -> ndarray:
        return left_shift(self, other) if _shifts(other) else NotImplemented

    def __rlshift__(self, other: Any) -> ndarray:
        return left_shift(_shifted(other, self, "left_shift"), self) if _shifts(other) else NotImplemented

    def __ilshift__(self, other: Any) -> Self:
        delivered(left_shift(self, other), self)
        return self

    def __rshift__(self, other: Any) -> ndarray:
        return right_shift(self, other) if _shifts(other) else NotImplemented

    def __rrshift__(self, other: Any) -> ndarray:
        return right_shift(_shifted(other, self, "right_shift"), self) if _shifts(other) else NotImplemented

    def __irshift__(self, other: Any) -> Self:
        delivered(right_shift(self, other), self)
        return self
