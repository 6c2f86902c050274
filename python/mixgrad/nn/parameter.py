"""Parameters: arrays that modules register and optimisers change."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Optional

from .. import _core, _guards
from .. import numpy as np
from ..base import DTYPE_NAMES, AutogradError, DTypeLike, ShapeError, grad_req_number
from ..ndarray import NDArray
from ..ndarray._gradients import HookHandle, HookTable
from ..numpy import ndarray
from . import grad_mode

__all__ = ["Parameter", "UninitializedParameter"]

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

    _gradient_hooks: Optional[HookTable] = None
    _hook_number = 0
    _removal: Callable[[], None]

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = np.zeros((0,))
        elif not isinstance(data, NDArray):
            data = np.array(data)
        made: Parameter = data.detach()._as(cls)
        if requires_grad:
            made._begin()
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
            self._begin()
        elif not requires_grad:
            self.drop_grad()
        return self

    def _begin(self, gradient: Optional[NDArray] = None) -> None:
        """Become a variable, whose gradient the hooks see that there are; maybe with one from before."""
        grad_mode.begin()
        self._attach_grad(gradient, grad_req_number("add", "Parameter"))
        if gradient is not None:
            self._fresh_grad = True
        if self._gradient_hooks:
            self._watch(self._gradient_hooks)

    def _watch(self, hooks: HookTable) -> None:
        # The tape does not hold the functions, which may refer to the parameter: Python finds such circles.
        table = weakref.ref(hooks)

        def call(gradient: Any) -> Any:
            found = table()
            return None if found is None else found(gradient)

        self._hook_number = _core.add_gradient_hook(self, call)

    def register_hook(self, hook: Callable[[Any], Any]) -> HookHandle:
        """Call ``hook(gradient)`` with the gradient that a backward pass adds; what it returns replaces that.

        Hooks stay when the parameter is cast, moved, or frozen for a while.

        Examples
        --------
        >>> from mixgrad import nn
        >>> weight = nn.Parameter([1.0, 2.0])
        >>> with weight.register_hook(lambda gradient: 10 * gradient):
        ...     weight.sum().backward()
        >>> weight.sum().backward()
        >>> weight.grad
        array([11., 11.])
        """
        if self._gradient_hooks is None:
            if not self._variable:
                raise AutogradError(
                    "[register_hook] the parameter requires no gradient; expected requires_grad=True"
                )
            hooks = HookTable(True)
            array = weakref.ref(self)

            def remove() -> None:
                owner = array()
                if owner is not None:
                    owner._gradient_hooks = None
                    _core.remove_gradient_hook(owner, owner._hook_number)

            handle = hooks.add(hook, remove)
            self._gradient_hooks, self._removal = hooks, remove
            self._watch(hooks)
            return handle
        return self._gradient_hooks.add(hook, self._removal)

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
        """The same memory without gradient; assigning gives it other values, and leaves the gradient."""
        return self.detach().as_np_ndarray()

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, NDArray):
            value = np.array(value)
        self._replace(value.detach())

    def _replace(self, array: NDArray, with_grad: bool = True) -> None:
        """Hold another array, of any shape, dtype and device, from now on.

        The gradient is cast and moved with it; one of another shape is forgotten.
        """
        wanted = self.requires_grad
        kept = self.grad if with_grad and array.shape == self.shape else None
        alike = (self.shape, self.dtype, self.context) == (array.shape, array.dtype, array.context)
        self._become(array)
        if not alike:
            _guards.changed()
        if wanted:
            self._begin(None if kept is None else kept.detach().to(array.context, array.dtype))

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


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet, of a layer such as ``nn.LazyLinear``; it has no elements.

    Parameters
    ----------
    data, requires_grad
        As for :class:`Parameter`; no data is the rule.
    device : Context, optional
        Where it will lie.
    dtype : dtype, optional
        What it will be of, float32 by default.
    """

    def __new__(
        cls, data: Any = None, requires_grad: bool = True, device: Any = None, dtype: DTypeLike = None
    ) -> UninitializedParameter:
        empty = np.zeros((0,), dtype=dtype or "float32", ctx=device) if data is None else data
        made: UninitializedParameter = super().__new__(cls, empty, requires_grad)  # type: ignore[assignment]
        return made

    def materialize(self, shape: tuple[int, ...]) -> None:
        """Have a shape, and zeros, and be a parameter as others are."""
        self._replace(np.zeros(shape, dtype=self.dtype, ctx=self.context))
        self.__class__ = Parameter  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<UninitializedParameter>"


def _rebuilt(cls: type[Parameter], data: ndarray, requires_grad: bool) -> Parameter:
    return cls(data, requires_grad)


def converted(array: Any, device: Any, dtype: DTypeLike) -> Any:
    """The array on a device and, if it holds floating-point numbers, in a dtype."""
    if dtype is not None and "float" in DTYPE_NAMES[array._dtype_number]:
        array = array.astype(dtype, copy=False)
    if device is not None:
        array = array.as_in_context(device)
    return array
