"""Buffers: arrays that modules register when they are assigned, and that are no parameters."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from ..ndarray import NDArray
from ..numpy import ndarray

__all__ = ["Buffer"]


class Buffer(ndarray):
    """An array that a :class:`Module` registers as a buffer when it is assigned to an attribute.

    What :meth:`Module.register_buffer` does in one more line; no gradient flows to it.

    Parameters
    ----------
    data : array or array_like
        The values; the memory of an array is shared. Lists and the like become float32.
    persistent : bool
        Whether ``state_dict`` has it.

    Examples
    --------
    >>> from mixgrad import nn
    >>> class Scaled(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.scale = nn.Buffer([2.0])
    ...         self.seen = nn.Buffer([0.0], persistent=False)
    >>> module = Scaled()
    >>> [name for name, _ in module.named_buffers()], list(module.state_dict())
    (['scale', 'seen'], ['scale'])
    """

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        if data is None:
            data = np.zeros((0,))
        elif not isinstance(data, NDArray):
            data = np.array(data)
        made: Buffer = data.detach()._as(cls)
        made.persistent = persistent
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Buffer:
        if id(self) in memo:
            known: Buffer = memo[id(self)]
            return known
        made = memo[id(self)] = _rebuilt(self.detach().copy(), self.persistent)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self._as(ndarray), self.persistent)


def _rebuilt(data: Any, persistent: bool) -> Buffer:
    return Buffer(data, persistent=persistent)
