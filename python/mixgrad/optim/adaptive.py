"""Optimisers that adapt the rate to the size of past gradients: Adagrad, Adadelta, RMSprop."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .. import ops
from .elementwise import Elementwise, averaged, direction
from .loading import Names
from .optimizer import check

__all__ = ["Adadelta", "Adagrad", "RMSprop"]


class RMSprop(Elementwise):
    """Divide by the root of a moving average of squared gradients (Tieleman and Hinton 2012)::

        v = alpha * v + (1 - alpha) * g ** 2;  step = g / (sqrt(v) + eps)
        buffer = momentum * buffer + step;  weight -= lr * buffer

    With ``centered`` the square of an average of gradients is taken from ``v`` first.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr, alpha, eps, weight_decay, momentum : float
        See above.
    centered, maximize : bool
        See above; go up instead of down.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        check("RMSprop", lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _state_names(self, group: dict[str, Any]) -> Names:
        possible = {"momentum_buffer": group["momentum"], "grad_avg": group["centered"]}
        needed = {"step", "square_avg", *(name for name, used in possible.items() if used)}
        return Names(needed, possible.keys() - needed)

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        names = self._state_names(group).needed - {"step"}
        return {name: np.zeros_like(param.detach()) for name in names}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        lr, alpha, eps = group["lr"], group["alpha"], group["eps"]
        average = state["square_avg"]
        if not group["momentum"] and not group["centered"]:
            # Adam whose average of gradients is the last one.
            last = state.setdefault("_last", np.zeros_like(average))
            sign = -1.0 if group["maximize"] else 1.0
            words = {"beta1": 0.0, "beta2": alpha, "epsilon": eps, "wd": group["weight_decay"]}
            ops.adam_update(param, grad, last, average, lr=lr, rescale_grad=sign, out=param, **words)
            return
        grad = direction(group, param, grad)
        square = averaged(average, alpha, grad * grad)
        if group["centered"]:
            mean = averaged(state["grad_avg"], alpha, grad)
            square = average - mean * mean
        step = grad / (np.sqrt(square) + eps)
        if group["momentum"]:
            buffer = state["momentum_buffer"]
            buffer *= group["momentum"]
            buffer += step
            step = buffer
        param -= step * lr


class Adagrad(Elementwise):
    """Divide by the root of the sum of squared gradients (Duchi, Hazan and Singer 2011)::

        h += g ** 2;  weight -= lr / (1 + (t - 1) * lr_decay) * g / (sqrt(h) + eps)

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr, lr_decay, weight_decay, eps : float
        See above.
    initial_accumulator_value : float
        What sums start from.
    maximize : bool
        Go up instead of down.
    """

    _arrays = ("sum",)

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        check("Adagrad", lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps)
        check("Adagrad", initial_accumulator_value=initial_accumulator_value)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        return {"sum": np.full_like(param.detach(), group["initial_accumulator_value"])}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        grad = direction(group, param, grad)
        rate = group["lr"] / (1 + (state["step"] - 1) * group["lr_decay"])
        total = state["sum"]
        total += grad * grad
        param -= grad * rate / (np.sqrt(total) + group["eps"])


class Adadelta(Elementwise):
    """Steps as large as earlier ones (Zeiler 2012)::

        v = rho * v + (1 - rho) * g ** 2;  step = sqrt(s + eps) / sqrt(v + eps) * g
        s = rho * s + (1 - rho) * step ** 2;  weight -= lr * step

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr, rho, eps, weight_decay : float
        See above; the penalty is L2.
    maximize : bool
        Go up instead of down.
    """

    _arrays = ("square_avg", "acc_delta")

    def __init__(
        self,
        params: Any,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        check("Adadelta", lr=lr, eps=eps, weight_decay=weight_decay)
        check("Adadelta", 0, 1.0000001, rho=rho)
        defaults = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, defaults)

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        rho, eps = group["rho"], group["eps"]
        grad = direction(group, param, grad)
        average, steps = averaged(state["square_avg"], rho, grad * grad), state["acc_delta"]
        step = np.sqrt(steps + eps) / np.sqrt(average + eps) * grad
        averaged(steps, rho, step * step)
        param -= step * group["lr"]
