"""Optimisers of MXNet's 2.0 with weight decay apart from the gradient: AdamW, LANS."""

from __future__ import annotations

from typing import Any

from .. import ndarray as nd
from ..ndarray import NDArray
from .adam import TwoMoments
from .base import State, register

__all__ = ["LANS", "AdamW"]


@register
class AdamW(TwoMoments):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter 2017, arXiv:1711.05101).

    With ``g = clip(rescale_grad * grad)`` and ``t`` the count of the weight's updates::

        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        weight -= lr * (m / (1 - beta1 ** t) / (sqrt(v / (1 - beta2 ** t)) + epsilon) + wd * weight)

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the two estimates.
    epsilon : float
        Keeps the division finite.
    correct_bias : bool
        Whether the estimates are divided by ``1 - beta ** t``.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> adamw = mx.optimizer.AdamW(learning_rate=0.5, wd=0.5)
    >>> adamw.update(0, w, g, adamw.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.25, 1.25]
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        correct_bias: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.correct_bias = correct_bias

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        step = self._moved(self._prepared(grad), state, t, self.correct_bias) + wd * weight
        weight -= lr * step


@register
class LANS(AdamW):
    """LAMB with Nesterov's step, on gradients of length 1 (Zheng and others 2020, arXiv:2006.13484).

    With ``g = clip(rescale_grad * grad)`` over its length, ``m`` and ``v`` as in :class:`AdamW`, and
    ``unit(x)`` for ``x`` over its length::

        r = m / (1 - beta1 ** t) / (sqrt(v / (1 - beta2 ** t)) + epsilon) + wd * weight
        c = g / (sqrt(v / (1 - beta2 ** t)) + epsilon) + wd * weight
        weight -= lr * length(weight) * (beta1 * unit(r) + (1 - beta1) * unit(c))

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the two estimates.
    epsilon : float
        Keeps the division finite.
    lower_bound, upper_bound : float, optional
        Limits of the weight's length in the step.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.array([3, 4]), mx.nd.array([1, 0])
    >>> lans = mx.optimizer.LANS(learning_rate=0.5)
    >>> lans.update(0, w, g, lans.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 4.0]
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        grad = _unit(self._prepared(grad))
        decay = wd * weight
        remembered = self._moved(grad, state, t, self.correct_bias) + decay
        current = grad / self._root(state[1], 1 - self.beta2**t) + decay
        length = nd.norm(weight)
        if self.lower_bound is not None or self.upper_bound is not None:
            low = 0.0 if self.lower_bound is None else self.lower_bound
            high = float("inf") if self.upper_bound is None else self.upper_bound
            length = nd.clip(length, low, high)
        direction = self.beta1 * _unit(remembered) + (1 - self.beta1) * _unit(current)
        weight -= nd.broadcast_mul(direction, (lr * length).reshape((1,) * len(weight.shape)))


def _unit(x: NDArray) -> NDArray:
    """``x`` over its length; 0 stays 0."""
    length = nd.norm(x)
    scaled: NDArray = nd.broadcast_div(x, (length + (length == 0)).reshape((1,) * len(x.shape)))
    return scaled
