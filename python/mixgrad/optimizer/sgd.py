"""Gradient descent and its relatives with one accumulator: SGD, NAG, Signum, SGLD, DCASGD."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from operator import is_
from typing import Any, ClassVar

from .. import ndarray as nd
from ..ndarray import NDArray
from .base import AT_ONCE, Optimizer, State, Step, alike, register, zeros_beside

__all__ = ["DCASGD", "NAG", "SGD", "SGLD", "Signum", "Test", "ccSGD"]


class _Momentum(Optimizer):
    """An optimiser with operators for mixed precision, where its state is ``(momentum, master)``.

    ``_rule`` is the operator with momentum; that for mixed precision has ``mp_`` before its name.
    """

    _rule: ClassVar[str]
    _has_mixed_operators = True

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_fractions(momentum=momentum)
        self.momentum = momentum

    def create_state(self, index: Any, weight: NDArray) -> NDArray | None:
        """Return zeros for the momentum, or None without momentum."""
        return zeros_beside(weight, stored_alike=self._by_rows()) if self.momentum != 0.0 else None

    def _by_rows(self) -> bool:
        """Whether a row_sparse gradient updates its rows alone."""
        return False

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> State:
        """Return ``(momentum or None, float32 weight)`` in mixed precision, else as :meth:`create_state`."""
        if self._keeps_master(weight):
            master = weight.astype("float32")
            return (self.create_state(index, master), master)
        return self.create_state(index, weight)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if isinstance(index, (list, tuple)):  # of several weights, as in MXNet
            for one in zip(index, weight, grad, state):
                self.update(*one)
            return
        lr, wd, _ = self._step(index, weight, grad, state, None)
        self._apply(weight, grad, state, lr, wd)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if isinstance(index, (list, tuple)):
            for one in zip(index, weight, grad, state):
                self.update_multi_precision(*one)
            return
        if not isinstance(state, tuple):
            self.update(index, weight, grad, state)
            return
        lr, wd, _ = self._step(index, weight, grad, state, 2)
        self._apply(weight, grad, state, lr, wd)

    def _operator(self, state: State) -> Step:
        mixed, states = ("mp_", state) if isinstance(state, tuple) else ("", (state,))
        if states[0] is None:
            return mixed + "sgd_update", states[1:], self._op_kwargs()
        return mixed + self._rule, states, {**self._op_kwargs(), "momentum": self.momentum}


@register
class SGD(_Momentum):
    """Stochastic gradient descent, with optional momentum.

    With ``g = clip(rescale_grad * grad) + wd * weight``::

        weight -= lr * g                                        # without momentum
        m = momentum * m - lr * g;  weight += m                 # with momentum

    Parameters
    ----------
    momentum : float
        Share of the last step that is kept.
    lazy_update : bool
        Whether a row_sparse gradient updates its rows alone; otherwise decay and momentum move the others.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.ones((2,))
    >>> sgd = mx.optimizer.SGD(learning_rate=0.5, momentum=0.5)
    >>> state = sgd.create_state(0, w)
    >>> for _ in range(2):
    ...     sgd.update(0, w, g, state)
    >>> w.asnumpy().tolist()
    [-0.25, -0.25]
    """

    aggregate_num = 4
    _rule = "sgd_mom_update"
    _known_arrays: tuple[Any, Any, bool, Sequence[State], tuple[NDArray, ...]] | None = None

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update

    def _operator(self, state: State) -> Step:
        if self.momentum == 0.0:  # a momentum that was kept before stays as it is
            state = (None, state[1]) if isinstance(state, tuple) else None
        name, states, options = super()._operator(state)
        return name, states, options if self.lazy_update else {**options, "lazy_update": False}

    def _by_rows(self) -> bool:
        return self.lazy_update

    def update_many(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> None:
        """Update up to 60 weights per call, if they are of one dtype and on one device."""
        if len(indices) > AT_ONCE:
            self._update_parts(indices, weights, grads, states)
            return
        arrays = self._arrays_of(weights, grads, states)
        if arrays is None:
            if not self._update_sparse_ones(indices, weights, grads, states):
                super().update_many(indices, weights, grads, states)
            return
        self._update_count(indices)
        kwargs = self._many_kwargs(indices, weights)
        mixed = isinstance(states[0], tuple)
        if self.momentum != 0.0:
            kwargs["momentum"] = self.momentum
        if self.momentum != 0.0:
            (nd.multi_mp_sgd_mom_update if mixed else nd.multi_sgd_mom_update)(*arrays, **kwargs)
        else:
            (nd.multi_mp_sgd_update if mixed else nd.multi_sgd_update)(*arrays, **kwargs)

    def _arrays_of(
        self, weights: Sequence[NDArray], grads: Sequence[NDArray], states: Sequence[State]
    ) -> tuple[NDArray, ...] | None:
        """What one call takes, in its order; None for weights that one call cannot update.

        It is kept for the next time that the same tuples come with the same states.
        """
        kind = self.momentum != 0.0
        known = self._known_arrays
        same = known is not None and known[0] is weights and known[1] is grads and known[2] is kind
        if known is not None and same and all(map(is_, known[3], states)):
            return known[4]
        if not alike(weights, states) or any(a._storage for a in (*weights, *grads)):
            return None
        mixed = isinstance(states[0], tuple)
        rows: list[Sequence[Any]] = [weights, grads]
        if kind:
            rows.append([state[0] for state in states] if mixed else states)
        if mixed:
            rows.append([state[1] for state in states])
        arrays = tuple(chain.from_iterable(zip(*rows)))
        if isinstance(weights, tuple) and isinstance(grads, tuple):
            self._known_arrays = (weights, grads, kind, states, arrays)
        return arrays


@register
class ccSGD(SGD):
    """Another name of :class:`SGD`, kept for old scripts.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.optimizer.create("ccsgd", learning_rate=0.5).learning_rate
    0.5
    """


@register
class NAG(_Momentum):
    """Nesterov's accelerated gradient (Sutskever et al. 2013): the gradient looks one step ahead.

    With ``g = clip(rescale_grad * grad) + wd * weight``::

        m = momentum * m - lr * g;  weight += momentum * m - lr * g

    Parameters
    ----------
    momentum : float
        Share of the last step that is kept; 0 is plain gradient descent.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.ones((2,))
    >>> nag = mx.optimizer.NAG(learning_rate=0.5, momentum=0.5)
    >>> nag.update(0, w, g, nag.create_state(0, w))
    >>> w.asnumpy().tolist()
    [0.25, 0.25]
    """

    _rule = "nag_mom_update"


@register
class Signum(Optimizer):
    """Step by the sign of the gradient or of its momentum (Bernstein et al. 2018, arXiv:1802.04434)::

        m = momentum * m - (1 - momentum) * (clip(rescale_grad * grad) + wd * weight)
        weight = (1 - lr * wd_lh) * weight + lr * sign(m)

    Parameters
    ----------
    learning_rate : float
        Size of every step.
    momentum : float
        Share of the old momentum; 0 uses the sign of the gradient (SignSGD).
    wd_lh : float
        Decay applied to the weight itself, outside the sign (Loshchilov and Hutter, arXiv:1711.05101).
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.array([5, -0.1])
    >>> mx.optimizer.Signum(learning_rate=0.5, momentum=0).update(0, w, g, None)
    >>> w.asnumpy().tolist()
    [0.5, 1.5]
    """

    def __init__(
        self, learning_rate: float = 0.01, momentum: float = 0.9, wd_lh: float = 0.0, **kwargs: Any
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self._check_fractions(momentum=momentum)
        self._check_at_least_zero(wd_lh=wd_lh)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def create_state(self, index: Any, weight: NDArray) -> NDArray | None:
        """Return zeros for the momentum, or None without momentum."""
        return zeros_beside(weight, stored_alike=True) if self.momentum != 0.0 else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, None)
        self._apply(weight, grad, state, lr, wd)

    def _operator(self, state: State) -> Step:
        if state is None:
            return "signsgd_update", (), self._op_kwargs()
        options = {**self._op_kwargs(), "momentum": self.momentum}
        if self.wd_lh:
            options["wd_lh"] = self.wd_lh
        return "signum_update", (state,), options


@register
class SGLD(Optimizer):
    """Stochastic gradient Langevin dynamics (Welling and Teh 2011): a half step and noise of variance ``lr``.

    ``weight += -lr / 2 * (clip(rescale_grad * grad) + wd * weight) + normal(0, sqrt(lr))``

    Parameters
    ----------
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w = mx.nd.zeros((1000,))
    >>> mx.optimizer.SGLD(learning_rate=0.25).update(0, w, mx.nd.zeros((1000,)), None)
    >>> bool(0.4 < w.asnumpy().std() < 0.6)
    True
    """

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, None)
        drift = self._prepared(grad) + wd * weight
        weight += -lr / 2 * drift
        weight += nd.random.normal(
            0, math.sqrt(lr), shape=weight.shape, dtype=weight.dtype, ctx=weight.context
        )


@register
class DCASGD(Optimizer):
    """Gradient descent that corrects for the delay of asynchronous workers (Zheng et al. 2016,
    arXiv:1609.08326)::

        m = momentum * m - lr * (g + wd * weight + lamda * g * g * (weight - previous_weight))
        weight += m

    with ``g = clip(rescale_grad * grad)``.

    Parameters
    ----------
    momentum : float
        Share of the last step that is kept.
    lamda : float
        Strength of the correction.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.ones((2,))
    >>> dc = mx.optimizer.DCASGD(learning_rate=0.5)
    >>> dc.update(0, w, g, dc.create_state(0, w))
    >>> w.asnumpy().tolist()
    [0.5, 0.5]
    """

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_fractions(momentum=momentum)
        self.momentum = momentum
        self._check_at_least_zero(lamda=lamda)
        self.lamda = lamda

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray | None, NDArray]:
        """Return ``(momentum or None, previous weight)``."""
        return (zeros_beside(weight) if self.momentum != 0.0 else None, weight.copy())

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, 2)
        momentum, previous = state
        grad = self._prepared(grad)
        step = -lr * (grad + wd * weight + self.lamda * grad * grad * (weight - previous))
        if momentum is not None:
            momentum *= self.momentum
            momentum += step
            step = momentum
        previous[:] = weight
        weight += step


@register
class Test(Optimizer):
    """The simplest rule, ``weight += rescale_grad * grad``, with the weight as state; for tests of stores.

    Parameters
    ----------
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((2,)), mx.nd.ones((2,))
    >>> test = mx.optimizer.Test(rescale_grad=2)
    >>> test.update(0, w, g, test.create_state(0, w))
    >>> w.asnumpy().tolist()
    [3.0, 3.0]
    """

    __test__ = False  # a name that pytest would collect

    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        """Return zeros of the weight's shape."""
        return zeros_beside(weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        self._check_call(index, weight, grad, state, 0)
        weight += grad * self.rescale_grad
        state[:] = weight
