"""Operators that MXNet keeps under ``mx.nd.contrib``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from .. import _hints
from .. import ops as _ops
from ..base import MXIndexError, ShapeError
from ..context import Context
from . import random
from .control_flow import cond, foreach, while_loop
from .creation import array, full
from .ndarray import NDArray
from .ops import _find

Factor = Union[float, NDArray]


def _factor(rescale_grad: Factor, beside: NDArray) -> NDArray:
    """The factor of gradients as an array of one element on the device of the weights."""
    if isinstance(rescale_grad, NDArray):
        return rescale_grad.as_in_context(beside.context)
    return full((1,), rescale_grad, ctx=beside.context)


def _in_turn(*members: Sequence[NDArray]) -> list[NDArray]:
    """The members of the first weight, then those of the second, ..."""
    if len({len(member) for member in members}) > 1:
        raise ValueError(f"[contrib] lists of {[len(m) for m in members]} arrays; expected as many in each")
    return [array for group in zip(*members) for array in group]


def adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: Factor,
    lr: float,
    eta: float,
    out: Optional[NDArray] = None,
    **options: Any,
) -> NDArray:
    """One step of AdamW; ``mean`` and ``var`` change in place.

    Parameters
    ----------
    weight, grad, mean, var : NDArray
        Of one shape.
    rescale_grad : float or NDArray
        Factor of the gradient; NaN, infinity or 0 skips the step.
    lr, eta : float
        Learning rate, and factor of the whole step.
    out : NDArray, optional
        Receives the new weight.
    **options
        ``beta1``, ``beta2``, ``epsilon``, ``wd`` and ``clip_gradient``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g, m, v = (mx.nd.ones((2,)) * i for i in (1, 1, 0, 0))
    >>> mx.nd.contrib.adamw_update(w, g, m, v, 1.0, lr=0.1, eta=1.0, beta1=0, beta2=0, out=w).shape
    (2,)
    """
    factor = _factor(rescale_grad, weight)
    return _ops._adamw_update(weight, grad, mean, var, factor, lr, eta=eta, out=out, **options)


def mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: Factor,
    lr: float,
    eta: float,
    out: Optional[NDArray] = None,
    **options: Any,
) -> NDArray:
    """As :func:`adamw_update`, in float32 on ``weight32``, of which ``out`` is a rounded copy."""
    factor = _factor(rescale_grad, weight)
    return _ops._mp_adamw_update(weight, grad, mean, var, weight32, factor, lr, eta=eta, out=out, **options)


def multi_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    rescale_grad: Factor,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Any = None,
    size: int = 0,
    **options: Any,
) -> Any:
    """:func:`adamw_update` of several weights in one call, each with its rates."""
    arrays = [*_in_turn(weights, grads, mean, var), _factor(rescale_grad, weights[0])]
    rates: dict[str, Any] = {"lrs": lrs, "wds": wds, "etas": etas, "num_weights": size or len(weights)}
    return _ops._multi_adamw_update(*arrays, **rates, out=out, **options)


def multi_mp_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    rescale_grad: Factor,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Any = None,
    size: int = 0,
    **options: Any,
) -> Any:
    """:func:`mp_adamw_update` of several weights in one call, each with its rates."""
    arrays = [*_in_turn(weights, grads, mean, var, weights32), _factor(rescale_grad, weights[0])]
    rates: dict[str, Any] = {"lrs": lrs, "wds": wds, "etas": etas, "num_weights": size or len(weights)}
    return _ops._multi_mp_adamw_update(*arrays, **rates, out=out, **options)


def multi_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Any = None,
    num_tensors: int = 0,
    **options: Any,
) -> Any:
    """One step of LAMB for several weights; ``step_count`` says how many each had, this one included."""
    rates: dict[str, Any] = {"step_count": step_count, "learning_rates": lrs, "wds": wds}
    arrays = _in_turn(weights, grads, mean, var)
    return _ops._multi_lamb_update(
        *arrays, **rates, num_tensors=num_tensors or len(weights), out=out, **options
    )


def multi_mp_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Any = None,
    num_tensors: int = 0,
    **options: Any,
) -> Any:
    """As :func:`multi_lamb_update`, in float32 on ``weights32``."""
    rates: dict[str, Any] = {"step_count": step_count, "learning_rates": lrs, "wds": wds}
    arrays = _in_turn(weights, grads, mean, var, weights32)
    return _ops._multi_mp_lamb_update(
        *arrays, **rates, num_tensors=num_tensors or len(weights), out=out, **options
    )


def boolean_mask(data: NDArray, index: NDArray, axis: int = 0, out: Optional[NDArray] = None) -> NDArray:
    """The slices of ``data`` where ``index`` is not 0; waits for ``index``, which decides how many they are.

    Parameters
    ----------
    data : NDArray
        At least one axis.
    index : NDArray
        One number per slice along the axis; NaN counts as not 0. It receives no gradient.
    axis : int
        The axis of the slices.
    out : NDArray, optional
        Receives the result.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.contrib.boolean_mask(mx.nd.array([1, 2, 3]), mx.nd.array([0, 1, 1])).asnumpy().tolist()
    [2.0, 3.0]
    """
    for what, given in (("data", data), ("index", index)):
        if not isinstance(given, NDArray):
            raise TypeError(f"[boolean_mask] {what} is {given!r:.60}; expected an NDArray")
    if not -data.ndim <= axis < data.ndim:
        raise MXIndexError(f"[boolean_mask] axis is {axis}; expected one of {data.ndim} axes")
    if index.shape != (data.shape[axis],):
        raise ShapeError(f"[boolean_mask] index has shape {index.shape}; expected {(data.shape[axis],)}")
    places = array(np.flatnonzero(index.asnumpy()), ctx=data.context, dtype="int64")
    taken: NDArray = _ops.take(data, places, axis=axis, out=out)
    return taken


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Optional[Context] = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Classes drawn with probability log((c + 2) / (c + 1)) / log(range_max + 1), as words are.

    Parameters
    ----------
    true_classes : NDArray
        Classes whose expected count is asked for.
    num_sampled : int
        How many are drawn.
    range_max : int
        Classes are those below it.
    ctx : Context, optional
        Where they are drawn; by default where ``true_classes`` lie.

    Returns
    -------
    tuple of three arrays
        The classes drawn (int64), and how often the true and the drawn ones are expected among them
        (float64).

    Examples
    --------
    >>> import mixgrad as mx
    >>> drawn, of_true, of_drawn = mx.nd.contrib.rand_zipfian(mx.nd.array([3]), 4, 5)
    >>> of_true.asnumpy().round(3)
    array([0.498])
    """
    whole = math.log(range_max + 1)

    def expected(classes: NDArray) -> NDArray:
        place = classes.astype("float64")
        count: NDArray = ((place + 2.0) / (place + 1.0)).log() * (num_sampled / whole)
        return count

    drawn = random.uniform(0, whole, (num_sampled,), "float64", ctx or true_classes.context).exp() - 1
    sampled = drawn.astype("int64") % range_max
    return sampled, expected(true_classes), expected(sampled)


_own = [name for name, value in globals().items() if callable(value) and name.endswith("_update")]
_own += [function.__name__ for function in (boolean_mask, cond, foreach, rand_zipfian, while_loop)]
_operator, __dir__ = _hints.operators(__name__, _find, _ops.NAMES, "_contrib_", own=_own)


def __getattr__(name: str) -> Any:
    return _operator(name)
