"""Optimisers that adapt the rate to the size of past gradients: Adagrad, Adadelta, RMSprop."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .. import ops
from .loading import Names
from .optimizer import Optimizer, check

__all__ = ["Adadelta", "Adagrad", "RMSprop"]


def _direction(group: dict[str, Any], param: Any, grad: Any) -> Any:
    """The gradient, with its sign and that of a penalty."""
    if group["maximize"]:
        grad = -grad
    return grad + param.detach() * group["weight_decay"] if group["weight_decay"] else grad


class RMSprop(Optimizer):
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
        return needed, possible.keys() - needed

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        lr, alpha, eps = group["lr"], group["alpha"], group["eps"]
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if not state:
                state["step"] = 0
                state["square_avg"] = np.zeros_like(param.detach())
                if group["momentum"]:
                    state["momentum_buffer"] = np.zeros_like(param.detach())
                if group["centered"]:
                    state["grad_avg"] = np.zeros_like(param.detach())
            state["step"] = int(state["step"]) + 1
            average = state["square_avg"]
            if not group["momentum"] and not group["centered"]:
                # Adam whose average of gradients is the last one.
                last = state.setdefault("_last", np.zeros_like(average))
                sign = -1.0 if group["maximize"] else 1.0
                words = {"beta1": 0.0, "beta2": alpha, "epsilon": eps, "wd": group["weight_decay"]}
                ops.adam_update(param, grad, last, average, lr=lr, rescale_grad=sign, out=param, **words)
                continue
            grad = _direction(group, param, grad)
            average *= alpha
            average += grad * grad * (1 - alpha)
            square = average
            if group["centered"]:
                mean = state["grad_avg"]
                mean *= alpha
                mean += grad * (1 - alpha)
                square = average - mean * mean
            step = grad / (np.sqrt(square) + eps)
            if group["momentum"]:
                buffer = state["momentum_buffer"]
                buffer *= group["momentum"]
                buffer += step
                step = buffer
            param -= step * lr


class Adagrad(Optimizer):
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

    def _state_names(self, group: dict[str, Any]) -> Names:
        return {"step", "sum"}, set()

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if not state:
                state["step"] = 0
                state["sum"] = np.full_like(param.detach(), group["initial_accumulator_value"])
            grad = _direction(group, param, grad)
            rate = group["lr"] / (1 + int(state["step"]) * group["lr_decay"])
            state["step"] = int(state["step"]) + 1
            total = state["sum"]
            total += grad * grad
            param -= grad * rate / (np.sqrt(total) + group["eps"])


class Adadelta(Optimizer):
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

    def _state_names(self, group: dict[str, Any]) -> Names:
        return {"step", "square_avg", "acc_delta"}, set()

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        rho, eps = group["rho"], group["eps"]
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if not state:
                state["step"] = 0
                state["square_avg"] = np.zeros_like(param.detach())
                state["acc_delta"] = np.zeros_like(param.detach())
            state["step"] = int(state["step"]) + 1
            grad = _direction(group, param, grad)
            average, steps = state["square_avg"], state["acc_delta"]
            average *= rho
            average += grad * grad * (1 - rho)
            step = np.sqrt(steps + eps) / np.sqrt(average + eps) * grad
            steps *= rho
            steps += step * step * (1 - rho)
            param -= step * group["lr"]
