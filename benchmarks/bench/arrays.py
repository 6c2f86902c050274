"""Setups of cases that apply one expression to arrays, for every library."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Callable

from .case import Call, Setup

Inputs = Callable[[], Sequence[Any]]  # NumPy arrays
Expression = Callable[..., Any]  # (module, *arrays) -> array


def module_of(key: str) -> str:
    """The module that a library key runs: 'torch' for 'torch_kept'."""
    return key.split("_")[0]


def to_array(module: Any, value: Any) -> Any:
    """A NumPy array as the library's."""
    name = module.__name__
    if name == "torch":
        return module.from_numpy(value.copy())
    if name == "numpy":
        return value
    made = module.nd.array(value, dtype=value.dtype)
    made.wait_to_read()
    return made


def setup_of(key: str, inputs: Inputs, expression: Expression) -> Setup:
    """A setup whose call evaluates the expression and waits for the result."""

    def setup() -> Call:
        module = importlib.import_module(module_of(key))
        arrays = [to_array(module, value) for value in inputs()]

        def at_once() -> Any:
            return expression(module, *arrays)

        def waiting() -> Any:
            result = expression(module, *arrays)
            result.wait_to_read()
            return result

        return waiting if module.__name__ in ("mixgrad", "mxnet") else at_once

    return setup


def setups_of(inputs: Inputs, expressions: Mapping[str, Expression]) -> dict[str, Setup]:
    """Setups by library key from expressions by library key.

    'mx' stands for mixgrad and MXNet, which are written alike; 'torch' is also measured with a malloc that
    keeps memory.
    """
    listed: dict[str, Expression] = {}
    for key, expression in expressions.items():
        for name in {"mx": ("mixgrad", "mxnet"), "torch": ("torch", "torch_kept")}.get(key, (key,)):
            listed[name] = expression
    return {key: setup_of(key, inputs, expression) for key, expression in listed.items()}
