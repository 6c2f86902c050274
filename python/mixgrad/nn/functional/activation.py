"""Activations."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Any, Optional

from ... import autograd
from ... import numpy as np
from ...base import DTYPE_NAMES, DTypeLike, UnsupportedError, dtype_number
from ...numpy.operators import operators as ops

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "log_softmax",
    "logsigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "rrelu",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
]


def _given(result: Any, input: Any, inplace: bool) -> Any:
    """The result, or the input with its values: what ``inplace`` asks for."""
    if not inplace:
        return result
    if input._variable:
        raise UnsupportedError("[activation] inplace=True would overwrite a variable; expected inplace=False")
    input._become(result)
    return input


def relu(input: Any, inplace: bool = False) -> np.ndarray:
    """``max(x, 0)``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.relu(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    result = ops.relu(input)
    return _given(result, input, True) if inplace else result


def sigmoid(input: Any) -> np.ndarray:
    """``1 / (1 + exp(-x))``."""
    return ops.sigmoid(input)


def tanh(input: Any) -> np.ndarray:
    """The hyperbolic tangent."""
    return ops.tanh(input)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> np.ndarray:
    """``x`` where it is positive, ``negative_slope * x`` elsewhere."""
    return _given(ops.LeakyReLU(input, act_type="leaky", slope=negative_slope), input, inplace)


def prelu(input: Any, weight: Any) -> np.ndarray:
    """:func:`leaky_relu` with slopes that are learnt: one, or one for each channel (axis 1)."""
    if weight.size > 1 and input.ndim > 2:
        weight = weight.reshape(-1, *(1,) * (input.ndim - 2))
    return np.where(input > 0, input, input * weight)


def rrelu(
    input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> np.ndarray:
    """:func:`leaky_relu` with slopes that are drawn in training, and their mean otherwise."""
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    with autograd.pause():
        slope = np.random.uniform(lower, upper, size=input.shape, ctx=input.context)
    return _given(np.where(input >= 0, input, input * slope), input, inplace)


def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> np.ndarray:
    """``x`` where it is positive, ``alpha * (exp(x) - 1)`` elsewhere."""
    return _given(ops.LeakyReLU(input, act_type="elu", slope=alpha), input, inplace)


def selu(input: Any, inplace: bool = False) -> np.ndarray:
    """The self-normalising unit of Klambauer et al. (2017)."""
    return _given(ops.LeakyReLU(input, act_type="selu"), input, inplace)


def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> np.ndarray:
    """``max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))``."""
    below = np.minimum(input, 0)
    return _given(np.maximum(input, 0) + alpha * np.expm1(below / alpha), input, inplace)


def gelu(input: Any, approximate: str = "none") -> np.ndarray:
    """``x`` times the normal distribution's function of ``x``; 'tanh' approximates that."""
    if approximate == "none":
        return ops.LeakyReLU(input, act_type="gelu")
    if approximate != "tanh":
        raise ValueError(f"[gelu] approximate is {approximate!r}; expected 'none' or 'tanh'")
    inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)
    return 0.5 * input * (1 + ops.tanh(inner))


def gumbel_softmax(
    logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> np.ndarray:
    """Draw from classes so that gradients flow to their scores (Jang et al. 2017, Maddison et al. 2017).

    ``softmax((logits + g) / tau)`` with ``g`` of the Gumbel distribution: the largest element is a class that
    is drawn with the chance ``softmax(logits)``.

    Parameters
    ----------
    logits : array
        Scores of floats, any shape: logarithms of chances, up to a sum.
    tau : float
        The temperature, above 0; the smaller, the closer to one class alone.
    hard : bool
        Whether the result has a single 1 for the class, and the gradient of the soft one.
    eps
        Accepted and ignored.
    dim : int
        The axis of classes.

    Returns
    -------
    array
        Of the shape and dtype of ``logits``; sums along ``dim`` are 1.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> drawn = nn.functional.gumbel_softmax(np.zeros((4, 3)), hard=True)
    >>> drawn.shape, drawn.sum(axis=1)
    ((4, 3), array([1., 1., 1., 1.]))
    """
    if not tau > 0:
        raise ValueError(f"[gumbel_softmax] tau is {tau}; expected a temperature above 0")
    with autograd.pause():
        noise = np.random.gumbel(size=logits.shape, ctx=logits.context).astype(logits.dtype, copy=False)
    soft = ops.softmax((logits + noise) / tau, axis=dim)
    if not hard:
        return soft
    value = soft.detach()
    chosen = np.moveaxis(ops.one_hot(value.argmax(axis=dim), soft.shape[dim], dtype=str(soft.dtype)), -1, dim)
    return chosen + (soft - value)


def softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> np.ndarray:
    """``log(1 + exp(beta * x)) / beta``, and ``x`` where ``beta * x`` is above the threshold."""
    scaled = input * beta
    return np.where(scaled > threshold, input, ops.Activation(scaled, act_type="softrelu") / beta)


def softsign(input: Any) -> np.ndarray:
    """``x / (1 + abs(x))``."""
    return ops.softsign(input)


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> np.ndarray:
    """``x`` limited to an interval."""
    return _given(ops.clip(input, min_val, max_val), input, inplace)


def relu6(input: Any, inplace: bool = False) -> np.ndarray:
    """``x`` limited to the interval from 0 to 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Any, inplace: bool = False) -> np.ndarray:
    """``relu6(x + 3) / 6``."""
    return _given(ops.clip(input + 3, 0.0, 6.0) / 6, input, inplace)


def hardswish(input: Any, inplace: bool = False) -> np.ndarray:
    """``x * hardsigmoid(x)``."""
    return _given(input * (ops.clip(input + 3, 0.0, 6.0) / 6), input, inplace)


def hardshrink(input: Any, lambd: float = 0.5) -> np.ndarray:
    """``x`` where its magnitude is above ``lambd``, else 0."""
    return np.where(np.abs(input) > lambd, input, np.zeros_like(input))


def softshrink(input: Any, lambd: float = 0.5) -> np.ndarray:
    """``x`` moved towards 0 by ``lambd``, and 0 where it is nearer than that."""
    return input - ops.clip(input, -lambd, lambd)


def tanhshrink(input: Any) -> np.ndarray:
    """``x - tanh(x)``."""
    return input - ops.tanh(input)


def threshold(input: Any, threshold: float, value: float, inplace: bool = False) -> np.ndarray:
    """``x`` where it is above the threshold, else a value."""
    return _given(np.where(input > threshold, input, np.full_like(input, value)), input, inplace)


def logsigmoid(input: Any) -> np.ndarray:
    """``log(sigmoid(x))``."""
    return ops.log_sigmoid(input)


def silu(input: Any, inplace: bool = False) -> np.ndarray:
    """``x * sigmoid(x)``."""
    return _given(input * ops.sigmoid(input), input, inplace)


def mish(input: Any, inplace: bool = False) -> np.ndarray:
    """``x * tanh(softplus(x))``."""
    return _given(ops.mish(input), input, inplace)


def glu(input: Any, dim: int = -1) -> np.ndarray:
    """The first half along an axis, times the sigmoid of the second."""
    first, second = np.split(input, 2, axis=dim)
    return first * ops.sigmoid(second)


def _cast(input: Any, dtype: DTypeLike) -> Any:
    return input if dtype is None else input.astype(DTYPE_NAMES[dtype_number(dtype)])


def _axis(input: Any, dim: Optional[int], who: str) -> int:
    if dim is None:
        raise ValueError(f"[{who}] dim is None; expected the axis along which values sum up to 1")
    if input.ndim == 0:
        raise ValueError(f"[{who}] the input has no axes; expected at least one")
    return dim


def softmax(input: Any, dim: Optional[int] = None, dtype: DTypeLike = None) -> np.ndarray:
    """``exp(x) / sum(exp(x))`` along an axis.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.softmax(np.zeros((2, 4)), dim=1)[0]
    array([0.25, 0.25, 0.25, 0.25])
    """
    return ops.softmax(_cast(input, dtype), axis=_axis(input, dim, "softmax"))


def softmin(input: Any, dim: Optional[int] = None, dtype: DTypeLike = None) -> np.ndarray:
    """:func:`softmax` of ``-x``."""
    return ops.softmax(-_cast(input, dtype), axis=_axis(input, dim, "softmin"))


def log_softmax(input: Any, dim: Optional[int] = None, dtype: DTypeLike = None) -> np.ndarray:
    """The logarithm of :func:`softmax`."""
    return ops.log_softmax(_cast(input, dtype), axis=_axis(input, dim, "log_softmax"))
