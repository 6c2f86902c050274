"""Adamax: Adam by the largest gradient."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .elementwise import Elementwise, averaged, direction
from .optimizer import check, check_betas

__all__ = ["Adamax"]


class Adamax(Elementwise):
    """Adam with the largest recent gradient in place of the root mean square (Kingma and Ba 2015)::

        m = beta1 * m + (1 - beta1) * g;  u = max(beta2 * u, |g| + eps)
        weight -= lr / (1 - beta1 ** t) * m / u

    with ``g = grad + weight_decay * weight``.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr : float
        Learning rate.
    betas : tuple of float
        Decays of the average and of the maximum.
    eps : float
        Keeps the division finite.
    weight_decay : float
        Factor of an L2 penalty.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> adamax = optim.Adamax([weight], lr=0.5)
    >>> (weight * weight).sum().backward()
    >>> adamax.step()
    >>> weight.asnumpy().round(3)
    array([0.5, 1.5], dtype=float32)
    """

    _arrays = ("exp_avg", "exp_inf")

    def __init__(
        self,
        params: Any,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        check("Adamax", lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas("Adamax", betas)
        defaults = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        grad = direction(group, param, grad)
        mean, largest = averaged(state["exp_avg"], beta1, grad), state["exp_inf"]
        largest[:] = np.maximum(largest * beta2, np.abs(grad) + group["eps"])
        param -= mean / largest * (group["lr"] / (1 - beta1 ** state["step"]))
