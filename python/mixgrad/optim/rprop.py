"""Resilient backpropagation."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from .elementwise import Elementwise, direction
from .optimizer import check, check_pair

__all__ = ["Rprop"]


class Rprop(Elementwise):
    """Steps by the sign of the gradient, with a size for each element (Riedmiller and Braun 1993)::

        size *= etas[1] where g has its sign of before, etas[0] where it has the other one
        weight -= sign(g) * size

    ``step_sizes`` limit the size, and an element whose sign changed stays where it is for that step.
    Meant for gradients of all data: signs of small batches say little.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options.
    lr : float
        The first size.
    etas : tuple of float
        Factors that make it smaller, below 1, and larger, above 1.
    step_sizes : tuple of float
        The smallest and the largest size.
    maximize : bool
        Go up instead of down.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([1.0, -2.0])
    >>> rprop = optim.Rprop([weight], lr=0.5)
    >>> for step in range(2):
    ...     rprop.zero_grad()
    ...     (weight * weight).sum().backward()
    ...     rprop.step()
    >>> weight.asnumpy().round(3)
    array([-0.1, -0.9], dtype=float32)
    """

    _arrays = ("prev", "step_size")

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        check("Rprop", lr=lr)
        check_pair("Rprop", "etas", etas)
        check_pair("Rprop", "step_sizes", step_sizes)
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"[Rprop] etas are {tuple(etas)!r}; expected 0 < etas[0] < 1 < etas[1]")
        if not 0 <= step_sizes[0] <= step_sizes[1]:
            raise ValueError(
                f"[Rprop] step_sizes are {tuple(step_sizes)!r}; expected a smaller and a larger one"
            )
        defaults = {"lr": lr, "etas": tuple(etas), "step_sizes": tuple(step_sizes), "maximize": maximize}
        super().__init__(params, defaults)

    def _first(self, group: dict[str, Any], param: Any) -> dict[str, Any]:
        weight = param.detach()
        return {"prev": np.zeros_like(weight), "step_size": np.full_like(weight, group["lr"])}

    def _change(self, group: dict[str, Any], param: Any, grad: Any, state: dict[str, Any]) -> None:
        smaller, larger = group["etas"]
        grad = direction(group, param, grad)
        previous, size = state["prev"], state["step_size"]
        turn = np.sign(grad * previous)
        size *= np.where(turn > 0, larger, np.where(turn < 0, smaller, 1.0)).astype(size.dtype)
        size[:] = size.clip(*group["step_sizes"])
        previous[:] = np.where(turn < 0, np.zeros_like(grad), grad)
        param -= np.sign(previous) * size
