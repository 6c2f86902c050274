"""Optimisers for large batches, whose rates follow the sizes of weights and gradients: LARS, LAMB, LBSGD."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import ndarray as nd
from ..ndarray import NDArray
from .adam import TwoMoments
from .base import State, register, zeros_beside
from .sgd import SGD

__all__ = ["LAMB", "LARS", "LBSGD"]

_LOG = logging.getLogger(__name__)


def _norm(array: NDArray) -> NDArray:
    """L2 norm in float32 as an array of shape (1,), without waiting for it."""
    total: NDArray = nd.sum(nd.square(array.astype("float32")))
    norm: NDArray = nd.sqrt(total)
    return norm.reshape((1,))


def _ratio(numerator: NDArray, denominator: NDArray, defined: NDArray) -> NDArray:
    """``numerator / denominator`` where ``defined`` is positive, else 1."""
    ratio: NDArray = nd.where(defined > 0, numerator / denominator, nd.ones_like(numerator))
    return ratio


@register
class LARS(SGD):
    """Layer-wise adaptive rates for SGD with momentum (You, Gitman and Ginsburg 2017, arXiv:1708.03888).

    The rate of a weight is multiplied by
    ``eta * norm(weight) / (norm(rescale_grad * grad) + wd * norm(weight) + eps)``; weights whose names end in
    ``gamma``, ``beta`` or ``bias`` keep theirs, and so do those with a zero norm. The step is that of
    :class:`SGD`. Only names in ``_weight`` get weight decay by default.

    Parameters
    ----------
    momentum : float
        Share of the last step that is kept.
    lazy_update : bool
        Whether the momentum of a row_sparse weight is row_sparse, too.
    eta : float
        Trust in a layer's own scale.
    eps : float
        Keeps the division finite.
    momentum_correction : bool
        Scale the momentum with the learning rate when a schedule changes it (Goyal et al. 2017).
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((4,)), mx.nd.ones((4,)) * 100
    >>> lars = mx.optimizer.LARS(learning_rate=1.0, eta=0.5)
    >>> lars.update(0, w, g, lars.create_state(0, w))
    >>> w.asnumpy().tolist()
    [0.5, 0.5, 0.5, 0.5]
    """

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, lazy_update, **kwargs)
        self._check_at_least_zero(eta=eta, eps=eps)
        self.eta = eta
        self.eps = eps
        self.momentum_correction = momentum_correction
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def _decays(self, name: str) -> bool:
        return name.endswith("_weight")

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        rate = self.learning_rate
        self.last_lr = rate if self.cur_lr is None else self.cur_lr
        self.cur_lr = rate
        return [rate * self._multiplier(index, self.lr_mult, "lr_mult") for index in indices]

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, None)
        self._descend(index, weight, grad, state, lr, wd)

    def update_multi_precision(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        if not isinstance(state, tuple):
            self.update(index, weight, grad, state)
            return
        lr, wd, _ = self._step(index, weight, grad, state, 2)
        momentum, master = state
        self._descend(index, master, grad.astype("float32"), momentum, lr, wd)
        nd.cast(master, dtype=weight.dtype, out=weight)

    def _descend(
        self, index: Any, weight: NDArray, grad: NDArray, momentum: NDArray | None, lr: float, wd: float
    ) -> None:
        name = self.idx2name.get(index, str(index))
        step = self._prepared(grad) + wd * weight
        if name.endswith(("gamma", "beta", "bias")):
            step *= lr
        else:
            weight_norm = _norm(weight)
            grad_norm = _norm(grad) * self.rescale_grad
            scale = _ratio(
                self.eta * weight_norm, grad_norm + wd * weight_norm + self.eps, weight_norm * grad_norm
            )
            scale = (lr * scale).reshape((1,) * len(weight.shape)).astype(weight.dtype)
            step = nd.broadcast_mul(step, scale)
        if momentum is None:
            weight -= step
            return
        keep = self.momentum
        if self.momentum_correction and self.last_lr:
            assert self.cur_lr is not None
            keep *= self.cur_lr / self.last_lr
        momentum *= keep
        momentum -= step
        weight += momentum


@register
class LAMB(TwoMoments):
    """Adam with layer-wise adaptive rates (You et al. 2019, arXiv:1904.00962).

    With ``g = clip(rescale_grad * grad)``::

        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        step = m' / (sqrt(v') + epsilon) + wd * weight
        weight -= lr * limited(norm(weight)) / norm(step) * step

    where ``m'`` and ``v'`` are corrected for their start at zero, and the ratio is 1 if a norm is zero.

    Parameters
    ----------
    learning_rate : float
        Size of a step.
    beta1, beta2 : float
        Decay of the two estimates.
    epsilon : float
        Keeps the division finite.
    lower_bound, upper_bound : float, optional
        Limits of the norm of the weight.
    bias_correction : bool
        Whether to correct ``m`` and ``v``.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((4,)), mx.nd.ones((4,)) * 100
    >>> lamb = mx.optimizer.LAMB(learning_rate=0.5)
    >>> lamb.update(0, w, g, lamb.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().tolist()]
    [0.5, 0.5, 0.5, 0.5]
    """

    aggregate_num = 45

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self._check_at_least_zero(lower_bound=lower_bound or 0.0, upper_bound=upper_bound or 0.0)
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction

    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        """Return ``(mean, variance)``, zeros of the weight's shape in float32."""
        mean, variance = (zeros_beside(weight, "float32", stored_alike=True) for _ in range(2))
        return mean, variance

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, t = self._step(index, weight, grad, state, 2)
        step = self._moved(self._prepared(grad).astype("float32"), state, t, self.bias_correction)
        step += wd * weight.astype("float32")
        weight_norm = _norm(weight)
        if self.lower_bound:
            weight_norm = nd.maximum(weight_norm, self.lower_bound)
        if self.upper_bound:
            weight_norm = nd.minimum(weight_norm, self.upper_bound)
        step_norm = _norm(step)
        scale = lr * _ratio(weight_norm, step_norm, weight_norm * step_norm)
        weight -= nd.broadcast_mul(step, scale.reshape((1,) * len(step.shape))).astype(weight.dtype)


@register
class LBSGD(SGD):
    """SGD for large batches: gradients add up over ``batch_scale`` calls, and the rate warms up.

    A step is made at every ``batch_scale``-th call, with the mean of the gradients since the last one; calls
    in between change nothing.

    Parameters
    ----------
    momentum : float
        Share of the last step that is kept.
    multi_precision : bool
        Keep a float32 copy of 16-bit weights.
    warmup_strategy : {'linear', 'power2', 'sqrt', 'lars'}
        How the rate's multiplier grows from 1 to ``batch_scale``; ``'lars'`` takes it from the sizes of
        weight and gradient, between 0.01 and 100.
    warmup_epochs : int
        Length of the warm-up in epochs.
    batch_scale : int
        Number of gradients per step.
    updates_per_epoch : int
        Calls per epoch.
    begin_epoch : int
        Epochs trained before.
    num_epochs : int
        Epochs in all; kept for old scripts.
    **kwargs
        See :class:`Optimizer`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w = mx.nd.ones((2,))
    >>> lb = mx.optimizer.LBSGD(learning_rate=0.5, batch_scale=2, warmup_epochs=0)
    >>> for scale in (1, 3):
    ...     lb.update(0, w, mx.nd.ones((2,)) * scale, lb.create_state(0, w))
    >>> w.asnumpy().tolist()
    [-1.0, -1.0]
    """

    aggregate_num = 0

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, multi_precision=multi_precision, **kwargs)
        if warmup_strategy not in ("linear", "power2", "sqrt", "lars"):
            raise ValueError(
                "[LBSGD] warmup_strategy must be 'linear', 'power2', 'sqrt' or 'lars', got "
                f"{warmup_strategy!r}"
            )
        self._check_numbers(1, math.inf, batch_scale=batch_scale)
        self._check_at_least_zero(
            warmup_epochs=warmup_epochs, updates_per_epoch=updates_per_epoch, begin_epoch=begin_epoch
        )
        _LOG.info(
            "LBSGD: batch_scale %g, %d warm-up epochs of %d updates, %s",
            batch_scale, warmup_epochs, updates_per_epoch, warmup_strategy,
        )  # fmt: skip
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        # By index: the number of gradients seen, and their sum since the last step.
        self.num_cums: dict[Any, int] = {}
        self.cumgrads: dict[Any, NDArray] = {}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__(state)
        if "num_cums" not in state:  # sums and counts in one dict, as MXNet stores them
            parts, self.num_cums, self.cumgrads = dict(self.cumgrads), {}, {}
            for index, part in parts.items():
                self.num_cums[index] = part["num_cums"]
                if isinstance(part["cum_grad"], NDArray):
                    self.cumgrads[index] = part["cum_grad"]

    def _get_lbmult(self, count: int) -> float:
        warm = self.warmup_epochs * self.updates_per_epoch
        largest = float(self.batch_scale)
        if count >= warm:
            return largest
        if warm <= 1:
            return 1.0
        done = count / warm
        power = {"linear": 1.0, "power2": 2.0, "sqrt": 0.5}[self.warmup_strategy]
        return 1.0 + (largest - 1.0) * math.pow(done, power)

    def _get_lars(self, weight: NDArray, grad: NDArray, wd: float) -> float:
        weight2 = float(nd.sum(nd.square(weight)).asscalar())
        grad2 = float(nd.sum(nd.square(grad)).asscalar())
        return min(max(math.sqrt(weight2 / (grad2 + wd * weight2 + 1e-18)), 0.01), 100.0)

    def _gathered(self, index: Any, grad: NDArray) -> NDArray | None:
        """Add a gradient; return the mean at every ``batch_scale``-th call."""
        count = self.num_cums.get(index, self.init_updates) + 1
        self.num_cums[index] = count
        total = self.cumgrads.pop(index, None)
        total = grad.copy() if total is None else total + grad
        if count % self.batch_scale == 0:
            return total / self.batch_scale
        self.cumgrads[index] = total
        return None

    def _multiplied(self, index: Any, weight: NDArray, grad: NDArray, wd: float) -> float:
        if self.warmup_strategy == "lars":
            return self._get_lars(weight, grad, wd)
        return self._get_lbmult(self.num_cums[index])

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        self._check_call(index, weight, grad, state, None)
        # The rate is read before this call is counted, as in MXNet.
        lr, wd = self._get_lr(index), self._get_wd(index)
        self._update_count(index)
        mean = self._gathered(index, grad)
        if mean is None:
            return
        self._apply(weight, mean, state, lr * self._multiplied(index, weight, mean, wd), wd)

    def update_multi_precision(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        if not isinstance(state, tuple):
            self.update(index, weight, grad, state)
            return
        self._check_call(index, weight, grad, state, 2)
        momentum, master = state
        self.update(index, master, grad.astype("float32"), momentum)
        nd.cast(master, dtype=weight.dtype, out=weight)
