"""Parameters: arrays that modules register and optimisers change."""

from __future__ import annotations

from typing import Any, Optional

from .. import _core
from .. import numpy as np
from ..base import DTYPE_NAMES, DTypeLike, ShapeError
from ..ndarray import NDArray
from ..numpy import ndarray
from . import grad_mode

__all__ = ["Parameter"]

_gradient_of = _core.NDArrayBase.grad.__get__


class Parameter(ndarray):
    """An array of ``mx.np`` that a :class:`Module` registers when it is assigned to an attribute.

    Gradients are added up over backward passes, until ``zero_grad`` of an optimiser or a module.

    Parameters
    ----------
    data : array or array_like
        The values; the memory of an array is shared. Lists and the like become float32.
    requires_grad : bool
        Whether gradients flow to it; False freezes it.

    Examples
    --------
    >>> from mixgrad import nn
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> weight.grad is None
    True
    >>> (weight * weight).sum().backward()
    >>> weight.grad
    array([2., 4.])
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = np.zeros((0,))
        elif not isinstance(data, NDArray):
            data = np.array(data)
        made: Parameter = data.detach()._as(cls)
        if requires_grad:
            grad_mode.begin()
            made.attach_grad("add")
        return made

    # What it is.

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to it."""
        return bool(self._variable)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Parameter:
        """Say whether gradients flow to it; the parameter itself is returned."""
        if requires_grad and not self._variable:
            grad_mode.begin()
            self.attach_grad("add")
        elif not requires_grad:
            self.drop_grad()
        return self

    @property
    def grad(self) -> Optional[ndarray]:
        """The gradient, or None as long as no backward pass has reached the parameter."""
        return _gradient_of(self) if self._fresh_grad else None

    @grad.setter
    def grad(self, value: Optional[NDArray]) -> None:
        buffer = _gradient_of(self)
        if value is None:
            self.zero_grad()
            return
        if buffer is None:
            raise ShapeError("[Parameter] it requires no gradient, so that it can have none; expected None")
        if value.shape != self.shape:
            raise ShapeError(f"[Parameter] the gradient is {value.shape}; expected {self.shape}")
        if value is not buffer:
            with grad_mode.no_grad():
                buffer[:] = value
        self._fresh_grad = True

    def zero_grad(self) -> None:
        """Forget the gradient."""
        if self._fresh_grad:
            self._fresh_grad = None

    @property
    def data(self) -> ndarray:
        """The same memory without gradient; assigning gives it other values."""
        return self.detach().as_np_ndarray()

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, NDArray):
            value = np.array(value)
        self._replace(value.detach())

    def _replace(self, array: NDArray) -> None:
        """Hold another array, of any shape, dtype and device, from now on."""
        wanted = self.requires_grad
        self._become(array)
        if wanted:
            self.attach_grad("add")

    # Copies.

    def __repr__(self) -> str:
        return f"Parameter containing:\n{self.detach()!r}"

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            known: Parameter = memo[id(self)]
            return known
        made = type(self)(self.detach().copy(), self.requires_grad)
        memo[id(self)] = made
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.detach(), self.requires_grad)


def _rebuilt(cls: type[Parameter], data: ndarray, requires_grad: bool) -> Parameter:
    return cls(data, requires_grad)


def converted(array: Any, device: Any, dtype: DTypeLike) -> Any:
    """The array on a device and, if it holds floating-point numbers, in a dtype."""
    if dtype is not None and "float" in DTYPE_NAMES[array._dtype_number]:
        array = array.astype(dtype, copy=False)
    if device is not None:
        array = array.as_in_context(device)
    return array
