"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from .elementwise import Elementwise, direction
from .optimizer import check

__all__ = ["ASGD"]


class ASGD(Elementwise):
    """Descent with a falling rate that also averages the weights (Polyak and Juditsky 1992)::

        weight *= 1 - lambd * eta;  weight -= eta * g
        ax += mu * (weight - ax)
        eta = lr / (1 + lambd * lr * t) ** alpha;  mu = 1 / max(1, t - t0)

    with ``g = grad + weight_decay * weight``. The average is ``optimizer.state[weight]["ax"]``.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr : float
        Learning rate; a change takes effect one step later.
    lambd : float
        How fast weights and rate decay.
    alpha : float
        Power of the rate's decay.
    t0 : float
        From which step on weights are averaged.
    weight_decay : float
        Factor of an L2 penalty.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0])
    >>> asgd = optim.ASGD([weight], lr=0.5, lambd=0.0, t0=0)
    >>> for step in range(2):
    ...     asgd.zero_grad()
    ...     (weight * 1).sum().backward()
    ...     asgd.step()
    >>> weight.asnumpy(), asgd.state[weight]["ax"].asnumpy()
    (array([0.], dtype=float32), array([0.], dtype=float32))
    """

    _arrays = ("ax",)
    _numbers = ("eta", "mu")

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        check("ASGD", lr=lr, weight_decay=weight_decay)
        check("ASGD", float("-inf"), lambd=lambd, alpha=alpha, t0=t0)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        return {"eta": float(group["lr"]), "mu": 1.0, **super()._first(group, param)}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        lr, lambd, number = group["lr"], group["lambd"], state["step"]
        grad = direction(group, param, grad)
        param *= 1 - lambd * state["eta"]
        param -= grad * state["eta"]
        average = state["ax"]
        if state["mu"] == 1:
            average[:] = param.detach()
        else:
            average += (param.detach() - average) * state["mu"]
        state["eta"] = lr / (1 + lambd * lr * number) ** group["alpha"]
        state["mu"] = 1 / max(1.0, number - group["t0"])
