"""RAdam: Adam whose first steps do not divide by a variance that few gradients give."""

from __future__ import annotations

import math
from typing import Any

from .. import numpy as np
from .elementwise import Elementwise, averaged, direction
from .optimizer import check, check_betas

__all__ = ["RAdam"]


class RAdam(Elementwise):
    """Adam with a rectified variance (Liu et al. 2020)::

        n = 2 / (1 - beta2) - 1;  r = n - 2 * t * beta2 ** t / (1 - beta2 ** t)
        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        weight -= lr * m / (1 - beta1 ** t)                                     where r <= 5
        weight -= lr * m / (1 - beta1 ** t) * sqrt(1 - beta2 ** t) / (sqrt(v) + eps)
                  * sqrt((r - 4) * (r - 2) * n / ((n - 4) * (n - 2) * r))       elsewhere

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
    decoupled_weight_decay : bool
        ``weight *= 1 - lr * weight_decay`` before each step, in place of the penalty.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> radam = optim.RAdam([weight], lr=0.25)
    >>> (weight * weight).sum().backward()
    >>> radam.step()
    >>> weight.asnumpy().round(3)
    array([0.5, 1. ], dtype=float32)
    """

    _arrays = ("exp_avg", "exp_avg_sq")

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        check("RAdam", lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas("RAdam", betas)
        defaults = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        (beta1, beta2), number = group["betas"], state["step"]
        grad = direction(group, param, grad)
        mean = averaged(state["exp_avg"], beta1, grad)
        var = averaged(state["exp_avg_sq"], beta2, grad * grad)
        rate = group["lr"] / (1 - beta1**number)
        most = 2 / (1 - beta2) - 1
        length = most - 2 * number * beta2**number / (1 - beta2**number)
        if length <= 5:
            param -= mean * rate
            return
        rectified = (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)
        rate *= math.sqrt(rectified * (1 - beta2**number))
        param -= mean * rate / (np.sqrt(var) + group["eps"])
