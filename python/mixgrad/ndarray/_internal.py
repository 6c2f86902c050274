"""All operators, also those whose names begin with an underscore, as in MXNet's ``mx.nd._internal``."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .. import ops as _ops
from . import extents, pictures
from .creation import zeros
from .ndarray import NDArray


def _backward_gather_nd(data: NDArray, indices: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Zeros of the given shape, to which ``data`` is added at the indexed places.

    Parameters
    ----------
    data : NDArray
        Shape ``indices.shape[1:] + shape[M:]``.
    indices : NDArray
        Shape (M, ...): each column names a place on the first M axes.
    shape : tuple of int
        Extents of the result, whose dtype is that of ``data``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> places = mx.nd.array([[1, 1, 0], [1, 1, 0]])
    >>> mx.nd._internal._backward_gather_nd(mx.nd.array([2, 3, 0]), places, shape=(2, 2)).asnumpy()
    array([[0., 0.],
           [0., 5.]], dtype=float32)
    """
    from ..autograd import record

    whole = zeros(shape, ctx=data.context, dtype=data.dtype)
    whole.attach_grad()
    with record():
        taken = _ops.gather_nd(whole, indices)
    taken.backward(data)
    assert whole.grad is not None
    return whole.grad


# Functions that have operators' names.
FUNCTIONS = {**extents.NAMES, **pictures.NAMES, "_backward_gather_nd": _backward_gather_nd}


def find(name: str, shown: str) -> Any:
    """What an operator's name stands for, or None; ``_hints.operators`` takes it."""
    return FUNCTIONS.get(name) or getattr(_ops, name, None)


_operator, __dir__ = _hints.operators(__name__, find, _ops.NAMES, "", own=FUNCTIONS, private=True)


def __getattr__(name: str) -> Any:
    found = globals()[name] = _operator(name)
    return found
