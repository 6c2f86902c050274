"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .. import ops
from .loading import Names
from .optimizer import Optimizer, check, in_one

__all__ = ["SGD"]


class SGD(Optimizer):
    """Descent along the gradient, with momentum::

        g = grad + weight_decay * weight;  buffer = momentum * buffer + (1 - dampening) * g
        weight -= lr * buffer              (with nesterov: lr * (g + momentum * buffer))

    The first buffer is the first gradient.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr : float
        Learning rate.
    momentum, dampening, weight_decay : float
        See above.
    nesterov : bool
        Look ahead along the momentum.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, 2.0])
    >>> sgd = optim.SGD([weight], lr=0.5)
    >>> (weight * weight).sum().backward()
    >>> sgd.step()
    >>> weight.asnumpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        check("SGD", lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("[SGD] nesterov needs a momentum above 0 and no dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        lr, wd, momentum = float(group["lr"]), float(group["weight_decay"]), float(group["momentum"])
        sign = -1.0 if group["maximize"] else 1.0
        if momentum == 0:
            in_one(ops.multi_sgd_update, [params, grads], lr, wd, sign)
        elif group["dampening"] or group["nesterov"] or lr == 0:
            self._plainly(group, params, grads, sign)
        else:
            # The operator keeps -lr * buffer, which changes with the rate.
            moments = []
            for param in params:
                state = self._state_of(param)
                if "_moment" not in state:
                    buffer = state.pop("momentum_buffer", None)
                    state["_moment"] = np.zeros_like(param.detach()) if buffer is None else buffer * -lr
                elif state["_lr"] != lr:
                    state["_moment"] *= lr / state["_lr"]
                state["_lr"] = lr
                moments.append(state["_moment"])
            words = {"momentum": momentum}
            in_one(ops.multi_sgd_mom_update, [params, grads, moments], lr, wd, sign, **words)

    def _plainly(self, group: dict[str, Any], params: list[Any], grads: list[Any], sign: float) -> None:
        lr, momentum = group["lr"], group["momentum"]
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if "_moment" in state:
                state["momentum_buffer"] = state.pop("_moment") / -state.pop("_lr")
            direction = grad * sign
            if group["weight_decay"]:
                direction = direction + param.detach() * group["weight_decay"]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = direction.copy()
            else:
                buffer *= momentum
                buffer += direction * (1 - group["dampening"])
            step = direction + buffer * momentum if group["nesterov"] else buffer
            param -= step * lr

    def _state_names(self, group: dict[str, Any]) -> Names:
        return Names(set(), {"momentum_buffer"})

    def _shown(self, param: Any, kept: dict[str, Any]) -> dict[str, Any]:
        if "_moment" in kept:
            kept["momentum_buffer"] = kept["_moment"] / -kept["_lr"]
        return super()._shown(param, kept)
