"""Where an array lies: on which device, and in memory of this process or of several."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _core
from ..base import DTYPE_NUMBERS, DTypeLike
from ..context import Context, context_of

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Placement", "for_every_class"]

_classes: list[type] = []
_told: list[Callable[[type], None]] = []


def for_every_class(tell: Callable[[type], None]) -> None:
    """Call ``tell`` with every class of arrays, those that will be defined included."""
    _told.append(tell)
    for cls in _classes:
        tell(cls)


class Placement:
    """Functions of the array class that say or change where an array lies."""

    __slots__ = ()

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        _classes.append(cls)
        for tell in _told:
            tell(cls)

    def to(
        self,
        device: Union[Context, str, DTypeLike, None] = None,
        dtype: Optional[DTypeLike] = None,
        non_blocking: bool = False,
        copy: bool = False,
    ) -> Any:
        """The array on a device, or of a dtype; itself where it is so already.

        Parameters
        ----------
        device : Context, str, NDArray or dtype, optional
            A device such as ``mx.cpu(1)`` or ``'gpu(0)'``, an array whose device and dtype are meant, or a
            dtype.
        dtype : dtype, optional
            Of the result; as it is by default.
        non_blocking : bool
            For PyTorch's sake. No copy blocks here: the engine makes it in the background, and whatever uses
            the result afterwards, or writes the source, comes after it.
        copy : bool
            Whether the result has memory of its own in any case.

        Source: PyTorch Tensor.to.

        Examples
        --------
        >>> import mixgrad as mx
        >>> x = mx.nd.ones((2,))
        >>> x.to(mx.cpu(1)).context, x.to("float64").dtype.__name__, x.to("cpu") is x
        (cpu(1), 'float64', True)
        """
        own: Any = self
        array: Any = own
        place: Any = device
        if isinstance(place, Placement):
            other: Any = place
            place, dtype = other.context, other.dtype if dtype is None else dtype
        known = place is None or isinstance(place, Context)
        if not known and (not isinstance(place, str) or place in DTYPE_NUMBERS):
            if dtype is not None:
                raise TypeError(f"[to] got the dtypes {place!r} and {dtype!r}; expected a device and a dtype")
            place, dtype = None, place
        if dtype is not None:
            array = array.astype(dtype, copy=False)
        if place is not None:
            array = array.as_in_context(context_of(place, "to") if isinstance(place, str) else place)
        return own.copy() if copy and array is own else array

    def share_memory_(self) -> Self:
        """Move the array, and all views of its memory, into memory that other processes can have, too.

        Queues and pipes of :mod:`multiprocessing` then send it by descriptor: who receives it has the same
        memory. It is freed when the last process that has it ends, in whatever way. The engine orders the
        work of one process; what other processes write is seen at some time.

        Returns the array itself. Its gradient is an array of its own: ``x.grad.share_memory_()``.

        Raises
        ------
        UnsupportedError
            The array is sparse, not on the host, or its address was given to NumPy or by DLPack.

        Source: PyTorch Tensor.share_memory_.

        Examples
        --------
        >>> import mixgrad as mx
        >>> x = mx.nd.ones((2, 3)).share_memory_()
        >>> x.is_shared(), x[1].is_shared(), (x + 1).is_shared()
        (True, True, False)
        """
        from ._sharing import share

        share([self])
        return self

    def is_shared(self) -> bool:
        """Whether other processes can have the array's memory; see :meth:`share_memory_`.

        >>> import mixgrad as mx
        >>> mx.nd.zeros((2,), ctx=mx.cpu_shared()).is_shared(), mx.nd.zeros((2,)).is_shared()
        (True, False)
        """
        return _core.is_shared(self)
