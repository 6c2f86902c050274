"""Weights as a direction and a length (Salimans and Kingma 2016), which are learned apart."""

from __future__ import annotations

from typing import Any, Optional

from .. import numpy as np
from .computed_weight import ComputedWeight, Some, begin, end
from .grad_mode import no_grad
from .module import Module
from .parameter import Parameter

__all__ = ["remove_weight_norm", "weight_norm"]


class WeightNorm(ComputedWeight):
    """What computes the weight before each call of a module."""

    what, parts = "weight norm", ("g", "v")

    def __init__(self, name: str, dim: Optional[int]) -> None:
        super().__init__(name)
        self.dim = None if dim == -1 else dim  # -1 is all axes in PyTorch, too

    def length(self, weight: Any) -> Any:
        """The norm over all axes but one, or over all."""
        if self.dim is None:
            return np.sqrt((weight * weight).sum())
        axes = tuple(axis for axis in range(weight.ndim) if axis != self.dim % weight.ndim)
        return np.sqrt((weight * weight).sum(axis=axes, keepdims=True))

    def weight(self, module: Module) -> Any:
        """The weight from its parts."""
        length, direction = (getattr(module, f"{self.name}_{part}") for part in "gv")
        return direction * (length / self.length(direction))


def weight_norm(module: Some, name: str = "weight", dim: Optional[int] = 0) -> Some:
    """Replace a weight by its length ``weight_g`` and its direction ``weight_v``.

    Before each call the weight is computed from them. Names in states are those of PyTorch's
    ``torch.nn.utils.weight_norm``.

    Parameters
    ----------
    module : Module
        The layer, which is returned.
    name : str
        Of the parameter.
    dim : int or None
        The axis whose places have lengths of their own; None, or -1, for one length of all.

    Examples
    --------
    >>> from mixgrad import nn
    >>> layer = nn.utils.weight_norm(nn.Linear(20, 40))
    >>> [(name, one.shape) for name, one in layer.named_parameters()]
    [('bias', (40,)), ('weight_g', (40, 1)), ('weight_v', (40, 20))]
    """
    weight = begin("weight_norm", module, WeightNorm, name)
    hook = WeightNorm(name, dim)
    with no_grad():
        length = hook.length(weight.detach())
    delattr(module, name)
    module.register_parameter(f"{name}_g", Parameter(length, weight.requires_grad))
    module.register_parameter(f"{name}_v", Parameter(weight.detach().copy(), weight.requires_grad))
    setattr(module, name, hook.weight(module))
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Some, name: str = "weight") -> Some:
    """Undo :func:`weight_norm`: the weight is a parameter again, with the value that it has now.

    Examples
    --------
    >>> from mixgrad import nn
    >>> layer = nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 3)))
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight']
    """
    return end("remove_weight_norm", module, WeightNorm, name)
