"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

import math
from typing import Any

from .. import numpy as np
from .elementwise import Elementwise, averaged, direction
from .optimizer import check, check_betas

__all__ = ["NAdam"]


class NAdam(Elementwise):
    """Adam that looks ahead along the momentum, whose factor warms up (Dozat 2016)::

        mu_t = beta1 * (1 - 0.5 * 0.96 ** (t * momentum_decay));  M_t = mu_1 * ... * mu_t
        m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g ** 2
        ahead = mu_(t+1) / (1 - M_(t+1)) * m + (1 - mu_t) / (1 - M_t) * g
        weight -= lr * ahead / (sqrt(v / (1 - beta2 ** t)) + eps)

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
    momentum_decay : float
        How fast the momentum's factor comes to ``beta1``.
    decoupled_weight_decay : bool
        ``weight *= 1 - lr * weight_decay`` before each step, in place of the penalty.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> nadam = optim.NAdam([weight], lr=0.5)
    >>> for step in range(2):
    ...     nadam.zero_grad()
    ...     (weight * weight).sum().backward()
    ...     nadam.step()
    >>> weight.asnumpy().round(3)
    array([0.22 , 1.137], dtype=float32)
    """

    _arrays = ("exp_avg", "exp_avg_sq")
    _numbers = ("mu_product",)

    def __init__(
        self,
        params: Any,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        check("NAdam", lr=lr, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        check_betas("NAdam", betas)
        defaults = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        return {"mu_product": 1.0, **super()._first(group, param)}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        lr, (beta1, beta2), number = group["lr"], group["betas"], state["step"]
        now, following = (
            beta1 * (1 - 0.5 * 0.96 ** (t * group["momentum_decay"])) for t in (number, number + 1)
        )
        state["mu_product"] = product = state["mu_product"] * now
        grad = direction(group, param, grad)
        mean = averaged(state["exp_avg"], beta1, grad)
        var = averaged(state["exp_avg_sq"], beta2, grad * grad)
        ahead = mean * (lr * following / (1 - product * following)) + grad * (lr * (1 - now) / (1 - product))
        param -= ahead / (np.sqrt(var) / math.sqrt(1 - beta2**number) + group["eps"])
