"""Methods that PyTorch's tensors have beside NumPy's: what fills an array, and what makes one like it."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

from ..base import DTYPE_NAMES, DTypeError, DTypeLike
from ..context import Context
from ..ndarray import NDArray
from .operands import dtype_of
from .standard import StandardArray

if TYPE_CHECKING:
    from typing_extensions import Self

    from .ndarray import ndarray

__all__ = ["TorchMethods"]

Place = Optional[Union[Context, str]]


class TorchMethods(StandardArray):
    """The part of ``mx.np.ndarray`` that is named as in PyTorch; what ends in ``_`` changes the array."""

    __slots__ = ()

    # In place. A parameter is changed inside nn.no_grad().

    def fill_(self, value: Any) -> Self:
        """Have one value everywhere; the array itself is returned.

        >>> from mixgrad import np
        >>> np.ones((2,)).fill_(3)
        array([3., 3.])
        """
        self[...] = value
        return self

    def zero_(self) -> Self:
        """Have zeros everywhere; the array itself is returned."""
        return self.fill_(0)

    def copy_(self, src: Any, non_blocking: bool = False) -> Self:
        """Take the values of an array, which are broadcast and cast; the array itself is returned.

        Parameters
        ----------
        src : array or array_like
            The values, on any device.
        non_blocking : bool
            Copies never block.
        """
        if isinstance(src, NDArray):
            src = src.as_np_ndarray().to(self.context)
        return self.fill_(src)

    def _drawn(self, who: str, draw: Callable[..., Any], *parameters: float) -> Self:
        """Draw new values of a distribution."""
        kind = dtype_of(self)
        if "float" not in kind:
            raise DTypeError(f"[{who}] the array is of {kind}; expected floats")
        if self.size:
            self.fill_(draw(*parameters, size=self.shape, ctx=self.context))
        return self

    def normal_(self, mean: float = 0.0, std: float = 1.0) -> Self:
        """Draw from a normal distribution; the array itself is returned.

        Parameters
        ----------
        mean, std : float
            Its mean and standard deviation.

        Examples
        --------
        >>> from mixgrad import np
        >>> abs(np.zeros((1000,)).normal_(5.0, 0.1).mean() - 5) < 0.1
        array(True)
        """
        from . import random

        return self._drawn("normal_", random.normal, mean, std)

    def uniform_(self, from_: float = 0.0, to: float = 1.0) -> Self:
        """Draw evenly from an interval; the array itself is returned."""
        from . import random

        return self._drawn("uniform_", random.uniform, from_, to)

    def log_normal_(self, mean: float = 1.0, std: float = 2.0) -> Self:
        """Draw numbers whose logarithms are normal; the array itself is returned."""
        from . import random

        return self._drawn("log_normal_", random.lognormal, mean, std)

    def exponential_(self, lambd: float = 1.0) -> Self:
        """Draw from an exponential distribution of mean ``1 / lambd``; the array itself is returned."""
        from . import random

        return self._drawn("exponential_", random.exponential, 1.0 / lambd)

    def bernoulli_(self, p: float = 0.5) -> Self:
        """Draw 1 with probability ``p``, else 0; the array itself is returned."""
        from . import random

        return self.fill_(random.uniform(size=self.shape, ctx=self.context) < p) if self.size else self

    # Others like it.

    def expand_as(self, other: NDArray) -> ndarray:
        """The array repeated to the shape of another.

        >>> from mixgrad import np
        >>> np.array([[1], [2]]).expand_as(np.zeros((2, 2)))
        array([[1., 1.],
               [2., 2.]])
        """
        made: Any = self.broadcast_to(other.shape)
        return made

    def type_as(self, other: NDArray) -> ndarray:
        """The array in the dtype and on the device of another; itself where it is so already."""
        made: Any = self.to(other)
        return made

    def _new(self, make: Callable[..., Any], dtype: DTypeLike, device: Place, wanted: bool) -> Any:
        made = make(dtype=DTYPE_NAMES[self._dtype_number] if dtype is None else dtype, ctx=self.context)
        made = made if device is None else made.to(device)
        return made.requires_grad_() if wanted else made

    def new_tensor(
        self, data: Any, dtype: DTypeLike = None, device: Place = None, requires_grad: bool = False
    ) -> ndarray:
        """A copy of values, in this array's dtype and on its device unless others are said."""
        from .creation import array

        def make(dtype: Any, ctx: Context) -> ndarray:
            return array(data.detach() if isinstance(data, NDArray) else data, dtype=dtype, ctx=ctx)

        return self._new(make, dtype, device, requires_grad)

    def new_full(
        self,
        size: Any,
        fill_value: Any,
        dtype: DTypeLike = None,
        device: Place = None,
        requires_grad: bool = False,
    ) -> ndarray:
        """An array of one value, in this array's dtype and on its device unless others are said.

        >>> from mixgrad import np
        >>> np.ones((2,), dtype="int32").new_full((3,), 7)
        array([7, 7, 7], dtype=int32)
        """
        from .creation import full

        def make(dtype: Any, ctx: Context) -> ndarray:
            return full(tuple(size), fill_value, dtype=dtype, ctx=ctx)

        return self._new(make, dtype, device, requires_grad)

    def new_zeros(
        self, *size: Any, dtype: DTypeLike = None, device: Place = None, requires_grad: bool = False
    ) -> ndarray:
        """Zeros of a shape, in this array's dtype and on its device unless others are said.

        Parameters
        ----------
        *size : ints or a tuple
            The extents.
        dtype : dtype, optional
        device : Context or str, optional
        requires_grad : bool
            Whether the array is a variable.

        Examples
        --------
        >>> from mixgrad import np
        >>> np.ones((2,), dtype="float64").new_zeros(1, 3)
        array([[0., 0., 0.]], dtype=float64)
        """
        return self.new_full(_extents(size), 0, dtype, device, requires_grad)

    def new_ones(
        self, *size: Any, dtype: DTypeLike = None, device: Place = None, requires_grad: bool = False
    ) -> ndarray:
        """Ones of a shape, as :meth:`new_zeros`."""
        return self.new_full(_extents(size), 1, dtype, device, requires_grad)

    def new_empty(
        self, *size: Any, dtype: DTypeLike = None, device: Place = None, requires_grad: bool = False
    ) -> ndarray:
        """An array of a shape whose values may be any, as :meth:`new_zeros`."""
        return self.new_full(_extents(size), 0, dtype, device, requires_grad)


def _extents(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and not isinstance(size[0], int) else size
