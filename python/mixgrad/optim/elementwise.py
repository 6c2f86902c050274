"""Optimisers whose step is made of operators on one weight, its gradient and its state."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .loading import Names
from .optimizer import Optimizer

__all__ = ["Elementwise", "averaged", "direction"]


def averaged(average: Any, decay: float, value: Any) -> Any:
    """A moving average, changed in place."""
    average *= decay
    average += value * (1 - decay)
    return average


def direction(group: dict[str, Any], param: Any, grad: Any) -> Any:
    """The gradient with its sign and that of a penalty; a decoupled decay is done to the weight at once."""
    if group["maximize"]:
        grad = -grad
    decay = group.get("weight_decay")
    if not decay:
        return grad
    if group.get("decoupled_weight_decay"):
        param *= 1 - group["lr"] * decay
        return grad
    return grad + param.detach() * decay


class Elementwise(Optimizer):
    """A subclass names the arrays and numbers of a weight's state, and defines ``_change``."""

    _arrays: tuple[str, ...] = ()
    _numbers: tuple[str, ...] = ()

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        """What the state of a weight is before its first step, beside ``"step"``."""
        return {name: np.zeros_like(param.detach()) for name in self._arrays}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        """Change a weight and its state, whose ``"step"`` counts this step."""
        raise NotImplementedError(f"[{type(self).__name__}] an optimiser of single weights defines _change")

    def _state_names(self, group: dict[str, Any]) -> Names:
        return Names({"step", *self._arrays, *self._numbers}, numbers=set(self._numbers))

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        for param, grad in zip(params, grads):
            state = self._state_of(param)
            if not state:
                state.update(step=0, **self._first(group, param))
            state["step"] = int(state["step"]) + 1
            self._change(group, param, grad, state)
