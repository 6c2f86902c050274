"""Optimisers that estimate the first and second moments of the gradient: Adam, Adamax, Nadam, FTML."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import ndarray as nd
from .. import ops as _ops
from ..ndarray import NDArray
from .base import AT_ONCE, Optimizer, State, Step, alike, register, zeros_beside

__all__ = ["FTML", "Adam", "Adamax", "Nadam", "TwoMoments"]


class TwoMoments(Optimizer):
    """An optimiser whose state is ``(mean, variance)``, two arrays of zeros at first.

    ``epsilon`` is an attribute of those that divide by a root plus it.
    """

    epsilon: float

    def __init__(
        self, learning_rate: float, beta1: float, beta2: float, epsilon: float | None = None, **kwargs: Any
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self._check_fractions(beta1=beta1, beta2=beta2)
        self.beta1 = beta1
        self.beta2 = beta2
        if epsilon is not None:
            self._check_at_least_zero(epsilon=epsilon)
            self.epsilon = epsilon

    _stored_alike: bool = False  # whether the estimates are of the weight's storage type

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(mean, variance)``, zeros of the weight's shape and dtype."""
        mean, variance = (zeros_beside(weight, stored_alike=self._stored_alike) for _ in range(2))
        return mean, variance

    def _moved(self, grad: NDArray, state: State, t: int, correct_bias: bool) -> NDArray:
        """Move the estimates; return the mean over the root of the variance."""
        mean, var = state
        mean *= self.beta1
        mean += (1 - self.beta1) * grad
        var *= self.beta2
        var += (1 - self.beta2) * grad * grad
        first, second = (1 - self.beta1**t, 1 - self.beta2**t) if correct_bias else (1, 1)
        moved: NDArray = (mean / first) / self._root(var, second)
        return moved

    def _root(self, var: NDArray, scale: float) -> NDArray:
        root: NDArray = nd.sqrt(var / scale)
        return root + self.epsilon


@register
class Adam(TwoMoments):
    """Adam (Kingma and Ba 2014, arXiv:1412.6980).

    With ``g = clip(rescale_grad * grad + wd * weight)`` and ``t`` the count of the weight's updates::

        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        weight -= lr * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the two estimates.
    epsilon : float
        Keeps the division finite.
    lazy_update : bool
        Whether a row_sparse gradient updates its rows alone; otherwise decay and old means move the others.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> adam = mx.optimizer.Adam(learning_rate=0.5)
    >>> adam.update(0, w, g, adam.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 1.5]
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.lazy_update = lazy_update

    @property
    def _stored_alike(self) -> bool:  # type: ignore[override]
        return self.lazy_update

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        self._apply(weight, grad, state, lr * self._correction(t), wd)

    def _operator(self, state: State) -> Step:
        options = {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}
        if not self.lazy_update:
            options["lazy_update"] = False
        return "adam_update", tuple(state), self._op_kwargs() | options

    def _correction(self, t: int) -> float:
        """By how much update number ``t`` raises the rate, since both estimates began with zeros."""
        return math.sqrt(1.0 - self.beta2**t) / (1.0 - self.beta1**t)

    def graph_rates(self, indices: Sequence[Any]) -> tuple[list[float], list[float]]:
        lrs, wds = super().graph_rates(indices)
        counts = map(self._index_update_count.__getitem__, indices)
        return [lr * self._correction(t) for lr, t in zip(lrs, counts)], wds

    def update_many(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> None:
        """Update up to 60 weights per call, if they are of one dtype and on one device."""
        if self._update_sparse_ones(indices, weights, grads, states):
            return
        plain = not alike(weights, states)
        mixed = isinstance(states[0][1], tuple)  # (master, (mean, variance))
        if plain or self._keeps_master(weights[0]) != mixed:
            super().update_many(indices, weights, grads, states)
            return
        if len(indices) > AT_ONCE:
            self._update_parts(indices, weights, grads, states)
            return
        self._update_count(indices)
        kwargs = self._many_kwargs(indices, weights)
        counts = [self._index_update_count[index] for index in indices]
        kwargs["lrs"] = [lr * self._correction(t) for lr, t in zip(kwargs["lrs"], counts)]
        kwargs |= {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}
        moments = [state[1] for state in states] if mixed else states
        rows = [weights, grads, [pair[0] for pair in moments], [pair[1] for pair in moments]]
        if mixed:
            rows.append([state[0] for state in states])
        arrays = [array for group in zip(*rows) for array in group]
        update = _ops._multi_mp_adam_update if mixed else _ops._multi_adam_update
        update(*arrays, **kwargs)


@register
class Adamax(TwoMoments):
    """Adam with the largest gradient in place of the second moment (section 7.1 of arXiv:1412.6980)::

        m = beta1 * m + (1 - beta1) * g;  u = max(beta2 * u, abs(g))
        weight -= lr / (1 - beta1 ** t) * m / (u + 1e-8)

    with ``g = clip(rescale_grad * grad + wd * weight)``.

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the mean and of the largest value.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> adamax = mx.optimizer.Adamax(learning_rate=0.5)
    >>> adamax.update(0, w, g, adamax.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 1.5]
    """

    def __init__(
        self, learning_rate: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, **kwargs: Any
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, **kwargs)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        mean, largest = state
        grad = self._decayed(grad, weight, wd)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        largest[:] = nd.maximum(self.beta2 * largest, nd.abs(grad))
        weight -= lr / (1.0 - self.beta1**t) * mean / (largest + 1e-8)


@register
class Nadam(TwoMoments):
    """Adam with Nesterov momentum (Dozat 2016), whose momentum follows a schedule.

    With ``g = clip(rescale_grad * grad + wd * weight)``, ``mu(t) = beta1 * (1 - 0.5 * 0.96 ** (t *
    schedule_decay))`` and ``M(t)`` the product of ``mu(1)`` to ``mu(t)``::

        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        mean = (1 - mu(t)) * g / (1 - M(t)) + mu(t + 1) * m / (1 - M(t + 1))
        weight -= lr * mean / (sqrt(v / (1 - beta2 ** t)) + epsilon)

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the two estimates.
    epsilon : float
        Keeps the division finite.
    schedule_decay : float
        Speed at which the momentum grows.
    **kwargs
        See :class:`Optimizer`.

    Notes
    -----
    The product ``M`` is kept per weight. MXNet multiplies one number by every weight's factor, so there the
    result depends on how many weights a model has; with one weight both agree.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> nadam = mx.optimizer.Nadam(learning_rate=0.5)
    >>> nadam.update(0, w, g, nadam.create_state(0, w))
    >>> bool(w[0].asscalar() < 1 < w[1].asscalar())
    True
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self._check_at_least_zero(schedule_decay=schedule_decay)
        self.schedule_decay = schedule_decay
        self.m_schedule: dict[Any, float] = {}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__(state)
        if not isinstance(self.m_schedule, dict):  # one number, as MXNet stores it
            self.m_schedule = dict.fromkeys(self._index_update_count, self.m_schedule)

    def _momentum(self, t: int) -> float:
        return float(self.beta1 * (1.0 - 0.5 * 0.96 ** (t * self.schedule_decay)))

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        mean, var = state
        grad = self._decayed(grad, weight, wd)
        now, ahead = self._momentum(t), self._momentum(t + 1)
        product = self.m_schedule.get(index, 1.0) * now
        self.m_schedule[index] = product
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        var *= self.beta2
        var += (1.0 - self.beta2) * grad * grad
        step = (1.0 - now) / (1.0 - product) * grad + ahead / (1.0 - product * ahead) * mean
        weight -= lr * step / (nd.sqrt(var / (1.0 - self.beta2**t)) + self.epsilon)


@register
class FTML(Optimizer):
    """Follow the moving leader (Zheng and Kwok 2017).

    With ``g = clip(rescale_grad * grad + wd * weight)``::

        v = beta2 * v + (1 - beta2) * g ** 2
        d_new = (1 - beta1 ** t) / lr * (sqrt(v / (1 - beta2 ** t)) + epsilon)
        z = beta1 * z + (1 - beta1) * g - (d_new - beta1 * d) * weight
        d = d_new;  weight = -z / d

    Parameters
    ----------
    beta1 : float
        Usually near 0.5.
    beta2 : float
        Usually near 1.
    epsilon : float
        Keeps the division finite.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([3, -4])
    >>> ftml = mx.optimizer.FTML(learning_rate=0.5)
    >>> ftml.update(0, w, g, ftml.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 1.5]
    """

    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._check_fractions(beta1=beta1, beta2=beta2)
        self._check_at_least_zero(epsilon=epsilon)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(d, v, z)``, zeros of the weight's shape and dtype."""
        return tuple(zeros_beside(weight) for _ in range(3))

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 3)
        d, v, z = state
        grad = self._decayed(grad, weight, wd)
        v *= self.beta2
        v += (1.0 - self.beta2) * grad * grad
        d_new = (1.0 - self.beta1**t) / lr * (nd.sqrt(v / (1.0 - self.beta2**t)) + self.epsilon)
        z *= self.beta1
        z += (1.0 - self.beta1) * grad - (d_new - self.beta1 * d) * weight
        d[:] = d_new
        weight[:] = -1.0 * z / d
