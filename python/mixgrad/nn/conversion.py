"""Where the arrays of a module lie, and of which dtype they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .. import numpy as np
from ..base import DTypeLike, InvalidArgumentError
from ..context import Context, named_device
from ..ndarray import NDArray
from ..ndarray._sharing import share
from .parameter import UninitializedParameter, converted

if TYPE_CHECKING:
    from .module import Module

__all__ = ["Conversions"]

Self = TypeVar("Self", bound="Conversions")


def _module(part: Conversions) -> Module:
    return cast("Module", part)


class Conversions:
    """The part of :class:`Module` that moves and casts."""

    def _apply(self: Self, change: Callable[[Any], Any]) -> Self:
        """Give each parameter and buffer what a function makes of its value."""
        for module in _module(self).modules():
            for parameter in module._parameters.values():
                if parameter is None:
                    continue
                value = parameter.detach()
                made = change(value)
                if made is not value:
                    parameter._replace(made)
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    setattr(module, name, change(buffer))
        return self

    def to(
        self: Self, *args: Any, device: Any = None, dtype: DTypeLike = None, non_blocking: bool = True
    ) -> Self:
        """Move all arrays to a device, or cast those of floating-point numbers; gradients come along.

        Parameters
        ----------
        *args
            A device, a dtype or both.
        device : Context or str
            Where to, such as ``mx.gpu(0)`` or ``"cpu"``.
        dtype : dtype
            Of the floating-point arrays.
        non_blocking : bool
            Copies never block.

        Examples
        --------
        >>> from mixgrad import nn
        >>> nn.Linear(2, 2).to("float64").weight.dtype
        dtype('float64')
        """
        for one in args:
            if isinstance(one, NDArray):
                device, dtype = one.context, one.dtype
            elif isinstance(one, Context) or (
                isinstance(one, str) and one.split(":")[0] in ("cpu", "gpu", "cuda")
            ):
                device = one
            else:
                dtype = one
        if isinstance(device, str):
            device = named_device(device)
        return self._apply(lambda array: converted(array, device, dtype))

    def cpu(self: Self) -> Self:
        """Move all arrays to the host."""
        return self.to("cpu")

    def cuda(self: Self, device: int = 0) -> Self:
        """Move all arrays to a GPU."""
        return self.to(Context("gpu", device))

    def float(self: Self) -> Self:
        """Cast to float32."""
        return self.to(dtype="float32")

    def double(self: Self) -> Self:
        """Cast to float64."""
        return self.to(dtype="float64")

    def half(self: Self) -> Self:
        """Cast to float16."""
        return self.to(dtype="float16")

    def bfloat16(self: Self) -> Self:
        """Cast to bfloat16."""
        return self.to(dtype="bfloat16")

    def type(self: Self, dst_type: DTypeLike) -> Self:
        """Cast all parameters and buffers, also those of integers.

        Parameters
        ----------
        dst_type : dtype
            Such as ``"float64"``.
        """
        return self._apply(lambda array: array.astype(dst_type, copy=False))

    def to_empty(self: Self, *, device: Any, recurse: bool = True) -> Self:
        """Have parameters and buffers on a device, whose values are those of :func:`mixgrad.np.empty`.

        Parameters
        ----------
        device : Context or str
            Where they lie from then on.
        recurse : bool
            Whether those of the modules in this one go there, too.
        """
        place = named_device(device) if isinstance(device, str) else device
        for module in _module(self).modules() if recurse else [_module(self)]:
            for parameter in module._parameters.values():
                if parameter is not None:
                    parameter._replace(np.empty(parameter.shape, dtype=parameter.dtype, ctx=place))
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    setattr(module, name, np.empty(buffer.shape, dtype=buffer.dtype, ctx=place))
        return self

    def share_memory(self: Self) -> Self:
        """Move parameters and buffers into memory that other processes can have, too; gradients stay.

        :mod:`multiprocessing` then sends the module by descriptor: all processes train one network. What one
        writes the others see, without any order (docs/processes.md).

        Raises
        ------
        UnsupportedError
            An array is not on the host, or its address was given to NumPy or by DLPack.

        Examples
        --------
        >>> from mixgrad import nn
        >>> net = nn.Linear(2, 1).share_memory()
        >>> net.weight.is_shared(), net.bias.is_shared()
        (True, True)
        """
        arrays: list[Any] = [*_module(self).parameters(), *_module(self).buffers()]
        if any(isinstance(one, UninitializedParameter) for one in arrays):
            raise InvalidArgumentError(
                f"[{type(self).__name__}.share_memory] a layer has no weights yet; "
                "call the network once before"
            )
        if arrays:
            share(arrays)
        return self
