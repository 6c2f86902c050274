"""How objects show themselves: as the call that makes them, or as what they hold."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["call_text", "keywords", "option_names", "shapes_text"]


def option_names(klass: type, base: type, method: str = "__init__") -> list[str]:
    """Names of arguments, by default the constructor's: those of ``klass`` first, up to ``base``."""
    names: dict[str, None] = {}
    for part in klass.__mro__:
        if method in vars(part):
            parameters = list(inspect.signature(vars(part)[method]).parameters.values())[1:]
            kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
            names.update({p.name: None for p in parameters if p.kind not in kinds})
        if part is base:
            break
    return list(names)


def argument_names(function: Any) -> list[str]:
    """Names of a function's arguments, but for those that take any others."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind not in kinds]


def keywords(klass: type) -> list[str] | None:
    """Names of the constructor's arguments; None where it takes any."""
    parameters = inspect.signature(klass).parameters
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else list(parameters)


def call_text(instance: Any, options: dict[str, Any]) -> str:
    """As in ``SGD(learning_rate=0.1)``."""
    return (
        f"{type(instance).__name__}({', '.join(f'{name}={value!r:.60}' for name, value in options.items())})"
    )


def shapes_text(descriptions: Any) -> str:
    """Names and shapes of arrays, as in ``data (32, 10)``."""
    return ", ".join(f"{name} {tuple(shape)}" for name, shape, *_ in descriptions or [])
