"""Adam, and Adam with decoupled weight decay."""

from __future__ import annotations

import math
from typing import Any

from .. import numpy as np
from .. import ops
from .loading import Names
from .optimizer import Optimizer, check, check_betas, in_one

__all__ = ["Adam", "AdamW"]


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015)::

        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        weight -= lr * (m / (1 - beta1 ** t)) / (sqrt(v / (1 - beta2 ** t)) + eps)

    with ``g = grad + weight_decay * weight``.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr : float
        Learning rate.
    betas : tuple of float
        Decays of both averages.
    eps : float
        Keeps the division finite.
    weight_decay : float
        Factor of an L2 penalty.
    amsgrad : bool
        Divide by the largest average so far.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> adam = optim.Adam([weight], lr=0.5)
    >>> (weight * weight).sum().backward()
    >>> adam.step()
    >>> weight.asnumpy().round(3)
    array([0.5, 1.5], dtype=float32)
    """

    _decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        who = type(self).__name__
        check(who, lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas(who, betas)
        defaults = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        steps: dict[int, list[tuple[Any, Any, dict[str, Any]]]] = {}
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if not state:
                state["step"] = 0
                state["exp_avg"] = np.zeros_like(param.detach())
                state["exp_avg_sq"] = np.zeros_like(param.detach())
                if group["amsgrad"]:
                    state["max_exp_avg_sq"] = np.zeros_like(param.detach())
            state["step"] = number = int(state["step"]) + 1
            steps.setdefault(number, []).append((param, grad, state))
        for number, part in steps.items():
            self._step(group, number, part)

    def _state_names(self, group: dict[str, Any]) -> Names:
        largest = {"max_exp_avg_sq"}
        needed = {"step", "exp_avg", "exp_avg_sq"}
        return Names(needed | largest) if group["amsgrad"] else Names(needed, largest)

    def _step(self, group: dict[str, Any], number: int, part: list[tuple[Any, Any, dict[str, Any]]]) -> None:
        """The step of weights that have taken as many before, in one call but for ``amsgrad``."""
        beta1, beta2 = group["betas"]
        correction = math.sqrt(1 - beta2**number)
        rate = group["lr"] * correction / (1 - beta1**number)
        epsilon = group["eps"] * correction
        sign = -1.0 if group["maximize"] else 1.0
        wd = float(group["weight_decay"])
        if self._decoupled and wd:
            for param, _, _ in part:
                param *= 1 - group["lr"] * wd
            wd = 0.0
        if not group["amsgrad"]:
            arrays = [
                [param for param, _, _ in part],
                [grad for _, grad, _ in part],
                [state["exp_avg"] for _, _, state in part],
                [state["exp_avg_sq"] for _, _, state in part],
            ]
            words = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}
            in_one(ops._multi_adam_update, arrays, rate, wd, sign, **words)
            return
        for param, grad, state in part:
            mean, var, largest = state["exp_avg"], state["exp_avg_sq"], state["max_exp_avg_sq"]
            direction = grad * sign + param.detach() * wd if wd else grad * sign
            mean *= beta1
            mean += direction * (1 - beta1)
            var *= beta2
            var += direction * direction * (1 - beta2)
            largest[:] = np.maximum(largest, var)
            param -= mean * rate / (np.sqrt(largest) + epsilon)


class AdamW(Adam):
    """Adam whose weight decay goes past the averages (Loshchilov and Hutter 2019).

    Before each step ``weight *= 1 - lr * weight_decay``; arguments are those of :class:`Adam`.
    """

    _decoupled = True

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
