"""Functions beside NumPy's for arrays of ``mx.np`` (``mx.npx``): layers, and how arrays are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core, _hints
from .._np_semantics import (
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    reset_np,
    set_np,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)
from ..base import UnknownExtentsError
from ..context import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from ..ndarray import waitall
from ..numpy.operands import is_symbol, tensor
from ..numpy.operators import operators as _ops
from ..util import get_cuda_compute_capability
from . import _op as _op
from . import image, random
from .files import load, save
from .random import seed

_OPERATORS = [
    "activation",
    "arange_like",
    "batch_dot",
    "batch_flatten",
    "batch_norm",
    "cast",
    "convolution",
    "deconvolution",
    "dropout",
    "embedding",
    "erf",
    "erfinv",
    "fully_connected",
    "gamma",
    "gammaln",
    "gather_nd",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "multibox_detection",
    "multibox_prior",
    "multibox_target",
    "one_hot",
    "pick",
    "pooling",
    "relu",
    "reshape_like",
    "rnn",
    "roi_pooling",
    "sequence_mask",
    "shape_array",
    "sigmoid",
    "slice",
    "smooth_l1",
    "softmax",
    "topk",
]


def _of_np(x: Any) -> Any:
    """Arrays and symbols as those of ``mx.np``; all else as it is."""
    if isinstance(x, _core.NDArrayBase) or is_symbol(x):
        return tensor(x)
    return [_of_np(one) for one in x] if type(x) is list else x


def _operator(name: str) -> Callable[..., Any]:
    """An operator that takes, and gives, arrays of ``mx.np``."""
    function = getattr(_ops, "_npx_" + name)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:  # None is what is not given
            given = {word: _of_np(value) for word, value in kwargs.items() if value is not None}
            if any(is_symbol(x) for x in (*args, *given.values())):
                return _symbol(name, args, given)
            return function(*map(_of_np, args), **given)
        if any(map(is_symbol, args)):
            return _symbol(name, args, kwargs)
        return function(*map(_of_np, args))

    call.__name__ = call.__qualname__ = name
    call.__module__ = __name__
    call.__doc__ = (function.__doc__ or "").replace(": NDArray", ": mx.np.ndarray")
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def _symbol(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same on symbols, where inputs may be left out."""
    from ..symbol.functions import internal

    return internal("_npx_" + name)(*map(_of_np, args), **kwargs).as_np_ndarray()


globals().update({name: _operator(name) for name in _OPERATORS})


def reshape(a: Any, newshape: Any, reverse: bool = False, order: str = "C") -> Any:
    """The elements in another shape, which may be said by codes.

    Parameters
    ----------
    a : ndarray
    newshape : int or tuple of int
        Extents; -1 follows from the others, -2 keeps one, -3 drops one of 1, -4 keeps all that remain,
        -5 merges two, -6 splits one into the two that follow.
    reverse : bool
        Match from the last axis.
    order : {'C'}

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.npx.reshape(mx.np.ones((2, 3, 4)), (-2, -5)).shape
    (2, 12)
    """
    if order != "C":
        raise NotImplementedError(f"[reshape] order is {order!r}; expected 'C', the one order of memory")
    return _ops._npx_reshape(tensor(a), newshape, reverse=reverse)


def nonzero(a: Any) -> Any:
    """Places of the elements that are not 0: a row of int64 each, with a column per axis; waits for them.

    >>> import mixgrad as mx
    >>> mx.npx.nonzero(mx.np.array([[1, 0], [0, 2]]))
    array([[0, 0],
           [1, 1]], dtype=int64)
    """
    from ..ndarray.extents import nonzero as places

    if is_symbol(a):
        raise UnknownExtentsError("[nonzero] how many depends on the elements, which a symbol has not")
    return tensor(places(tensor(a)))


def constraint_check(x: Any, msg: str = "Constraint violated.") -> Any:
    """Whether all elements are true, as an array of one bool; reading it is a ``ValueError`` if not.

    Parameters
    ----------
    x : ndarray of bool
    msg : str
        Text of the error.
    """
    return _ops._npx_constraint_check(tensor(x), msg=msg)


def stop_gradient(data: Any) -> Any:
    """The array, through which no gradient flows."""
    return _ops.BlockGrad(tensor(data))


__all__ = [  # noqa: PLE0604
    "Context",
    "constraint_check",
    "cpu",
    "cpu_pinned",
    "current_context",
    "get_cuda_compute_capability",
    "gpu",
    "gpu_memory_info",
    "image",
    "is_np_array",
    "is_np_shape",
    "load",
    "nonzero",
    "np_array",
    "np_shape",
    "num_gpus",
    "random",
    "reset_np",
    "reshape",
    "save",
    "seed",
    "set_np",
    "set_np_shape",
    "stop_gradient",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "waitall",
    *_OPERATORS,
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
