"""Weights that are computed before each call of a module, from other parameters."""

from __future__ import annotations

from typing import Any, Optional, TypeVar

from ..base import InvalidArgumentError
from .grad_mode import no_grad
from .module import Module
from .parameter import Parameter, UninitializedParameter

__all__ = ["ComputedWeight", "begin", "end"]

Some = TypeVar("Some", bound=Module)


class ComputedWeight:
    """The hook; a subclass defines ``weight(module)``, ``parts`` and what errors call it."""

    in_graphs = True  # it only calls operators
    what: str
    parts: tuple[str, ...]  # ends of the names of parameters and buffers

    def __init__(self, name: str) -> None:
        self.name = name

    def weight(self, module: Module) -> Any:
        """The weight from its parts."""
        raise NotImplementedError(f"[{type(self).__name__}] a computed weight defines weight")

    def __call__(self, module: Module, args: tuple[Any, ...]) -> None:
        setattr(module, self.name, self.weight(module))


def _found(module: Module, kind: type[ComputedWeight], name: str) -> Optional[int]:
    """The number of the hook for a parameter."""
    before = module._hooks.before if module._hooks is not None else {}
    found = {hook.name: n for n, (hook, _) in before.items() if isinstance(hook, kind)}
    return found.get(name)


def begin(who: str, module: Module, kind: type[ComputedWeight], name: str) -> Any:
    """The parameter that is to be computed; an error where that cannot be."""
    if _found(module, kind, name) is not None:
        raise InvalidArgumentError(f"[{who}] {name!r} has a {kind.what} already; expected one at most")
    weight = module._parameters.get(name)
    if weight is None or isinstance(weight, UninitializedParameter):
        raise InvalidArgumentError(
            f"[{who}] {type(module).__name__} has no parameter {name!r} with values; expected one of "
            f"{', '.join(module._parameters)}"
        )
    return weight


def end(who: str, module: Some, kind: type[ComputedWeight], name: str) -> Some:
    """Make the weight a parameter again, with the value that it has now."""
    number = _found(module, kind, name)
    if number is None:
        raise InvalidArgumentError(
            f"[{who}] {name!r} of {type(module).__name__} has no {kind.what}; expected one"
        )
    assert module._hooks is not None
    hook: Any = module._hooks.before[number][0]
    with no_grad():
        weight = hook.weight(module)
    module._hooks.before.pop(number)
    if not module._hooks:
        module.__dict__.pop("_hooks", None)
    names = [name, *(f"{name}_{part}" for part in hook.parts)]
    trained = [module._parameters.get(key) for key in names]
    wanted = any(one is not None and one.requires_grad for one in trained)
    for key in names:
        delattr(module, key)
    module.register_parameter(name, Parameter(weight, wanted))
    return module
