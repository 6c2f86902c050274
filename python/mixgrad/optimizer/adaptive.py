"""Optimisers that adapt the rate to the size of past gradients: AdaGrad, AdaDelta, RMSProp, Ftrl."""

from __future__ import annotations

import math
from typing import Any

from .. import ndarray as nd
from ..ndarray import NDArray
from .base import Optimizer, State, Step, by_rows, register, zeros_beside

__all__ = ["AdaDelta", "AdaGrad", "Ftrl", "RMSProp"]


@register
class AdaGrad(Optimizer):
    """AdaGrad (Duchi, Hazan and Singer 2011): divide by the root of the sum of squared gradients.

    With ``g = clip(rescale_grad * grad)``::

        h += g ** 2;  weight -= lr * (g / sqrt(h + eps) + wd * weight)

    Parameters
    ----------
    eps : float
        Keeps the division finite.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> adagrad = mx.optimizer.AdaGrad(learning_rate=0.5)
    >>> adagrad.update(0, w, g, adagrad.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 1.5]
    """

    def __init__(self, eps: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_at_least_zero(eps=eps)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        """Return zeros for the sum of squared gradients."""
        return zeros_beside(weight, stored_alike=True)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, 0)
        if by_rows(grad) and wd == 0:
            options = {**self._op_kwargs(), "epsilon": self.float_stable_eps}
            nd.sparse.adagrad_update(weight, grad, state, out=weight, lr=lr, **options)
            return
        grad = self._prepared(grad)
        state += grad * grad
        weight -= lr * (grad / nd.sqrt(state + self.float_stable_eps) + wd * weight)


@register
class AdaDelta(Optimizer):
    """AdaDelta (Zeiler 2012, arXiv:1212.5701), which needs no learning rate.

    With ``g = clip(rescale_grad * grad)``::

        a = rho * a + (1 - rho) * g ** 2
        step = sqrt(s + epsilon) / sqrt(a + epsilon) * g
        s = rho * s + (1 - rho) * step ** 2;  weight -= step + wd * weight

    Parameters
    ----------
    rho : float
        Decay of both averages.
    epsilon : float
        Sets the size of the first steps.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> adadelta = mx.optimizer.AdaDelta(epsilon=0.01)
    >>> adadelta.update(0, w, g, adadelta.create_state(0, w))
    >>> bool(w[0].asscalar() < 1 < w[1].asscalar())
    True
    """

    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_fractions(rho=rho)
        self._check_at_least_zero(epsilon=epsilon)
        self.rho = rho
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(average of squared gradients, average of squared steps)``, both zero."""
        return zeros_beside(weight), zeros_beside(weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        _, wd, _ = self._step(index, weight, grad, state, 2)
        squares, steps = state
        grad = self._prepared(grad)
        squares *= self.rho
        squares += (1.0 - self.rho) * grad * grad
        step = nd.sqrt(steps + self.epsilon) / nd.sqrt(squares + self.epsilon) * grad
        steps *= self.rho
        steps += (1.0 - self.rho) * step * step
        weight -= step + wd * weight


@register
class RMSProp(Optimizer):
    """RMSProp: divide by the root of a moving average of squared gradients.

    With ``g = clip(rescale_grad * grad + wd * weight)``, after Tieleman and Hinton (2012)::

        n = gamma1 * n + (1 - gamma1) * g ** 2
        weight -= lr * g / sqrt(n + epsilon)

    or centred, after Graves (2013, arXiv:1308.0850)::

        n = gamma1 * n + (1 - gamma1) * g ** 2;  m = gamma1 * m + (1 - gamma1) * g
        delta = gamma2 * delta - lr * g / sqrt(n - m ** 2 + epsilon);  weight += delta

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    gamma1 : float
        Decay of the averages.
    gamma2 : float
        Momentum of the centred form.
    epsilon : float
        Keeps the division finite.
    centered : bool
        Which of the two forms.
    clip_weights : float, optional
        After the step, weights are limited to ``[-clip_weights, clip_weights]``.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> rmsprop = mx.optimizer.RMSProp(learning_rate=0.5, gamma1=0.0)
    >>> rmsprop.update(0, w, g, rmsprop.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 1.5]
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self._check_fractions(gamma1=gamma1, gamma2=gamma2)
        self._check_at_least_zero(epsilon=epsilon)
        if clip_weights is not None:
            self._check_numbers(-math.inf, math.inf, clip_weights=clip_weights)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(n,)``, or ``(n, m, delta)`` in the centred form, all zero."""
        return tuple(zeros_beside(weight, stored_alike=True) for _ in range(3 if self.centered else 1))

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, 3 if self.centered else 1)
        self._apply(weight, grad, state, lr, wd)

    def _operator(self, state: State) -> Step:
        options = {**self._op_kwargs(), "gamma1": self.gamma1, "epsilon": self.epsilon}
        if self.clip_weights:
            options["clip_weights"] = self.clip_weights
        if self.centered:
            return "rmspropalex_update", tuple(state), {**options, "gamma2": self.gamma2}
        return "rmsprop_update", tuple(state), options


@register
class Ftrl(Optimizer):
    """Follow the regularised leader, with an L1 penalty that gives sparse weights (McMahan et al. 2013)::

        z += g - (sqrt(n + g ** 2) - sqrt(n)) * weight / lr;  n += g ** 2
        weight = (sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd)   where abs(z) > lamda1, else 0

    with ``g = clip(rescale_grad * grad)``.

    Parameters
    ----------
    lamda1 : float
        L1 penalty.
    learning_rate : float
        Size of a step.
    beta : float
        Lowers the first rates.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.zeros((2,)), mx.nd.array([3, 0])
    >>> ftrl = mx.optimizer.Ftrl(lamda1=1.0)
    >>> ftrl.update(0, w, g, ftrl.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [-0.05, 0.0]
    """

    def __init__(
        self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._check_at_least_zero(lamda1=lamda1, learning_rate=learning_rate, beta=beta)
        # As in MXNet, a schedule keeps its own base rate here.
        self.lr = learning_rate
        self.lamda1 = lamda1
        self.beta = beta

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(z, n)``, both zero."""
        return zeros_beside(weight, stored_alike=True), zeros_beside(weight, stored_alike=True)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, 2)
        self._apply(weight, grad, state, lr, wd)

    def _operator(self, state: State) -> Step:
        return "ftrl_update", tuple(state), {**self._op_kwargs(), "lamda1": self.lamda1, "beta": self.beta}
