"""Weights as a direction and a length (Salimans and Kingma 2016), which are learned apart."""

from __future__ import annotations

from typing import Any, Optional, TypeVar

from .. import numpy as np
from ..base import InvalidArgumentError
from .grad_mode import no_grad
from .module import Module
from .parameter import Parameter, UninitializedParameter

__all__ = ["remove_weight_norm", "weight_norm"]

Some = TypeVar("Some", bound=Module)


class WeightNorm:
    """What computes the weight before each call of a module."""

    in_graphs = True  # it only calls operators

    def __init__(self, name: str, dim: Optional[int]) -> None:
        self.name, self.dim = name, None if dim == -1 else dim  # -1 is all axes in PyTorch, too

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

    def __call__(self, module: Module, args: tuple[Any, ...]) -> None:
        setattr(module, self.name, self.weight(module))


def _found(module: Module, name: str) -> Optional[int]:
    """The number of the hook for a parameter."""
    before = module._hooks.before if module._hooks is not None else {}
    found = {hook.name: n for n, (hook, _) in before.items() if isinstance(hook, WeightNorm)}
    return found.get(name)


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
    if _found(module, name) is not None:
        raise InvalidArgumentError(f"[weight_norm] {name!r} has a weight norm already; expected one at most")
    weight = module._parameters.get(name)
    if weight is None or isinstance(weight, UninitializedParameter):
        raise InvalidArgumentError(
            f"[weight_norm] {type(module).__name__} has no parameter {name!r} with values; expected one of "
            f"{', '.join(module._parameters)}"
        )
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
    number = _found(module, name)
    if number is None:
        kind = type(module).__name__
        raise InvalidArgumentError(
            f"[remove_weight_norm] {name!r} of {kind} has no weight norm; expected one"
        )
    assert module._hooks is not None
    hook: Any = module._hooks.before.pop(number)[0]
    if not module._hooks:
        module.__dict__.pop("_hooks", None)
    with no_grad():
        weight = hook.weight(module)
    wanted = getattr(module, f"{name}_v").requires_grad
    for part in (name, f"{name}_g", f"{name}_v"):
        delattr(module, part)
    module.register_parameter(name, Parameter(weight, wanted))
    return module
