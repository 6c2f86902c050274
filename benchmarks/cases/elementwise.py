"""Pointwise operators on four million floats."""

from __future__ import annotations

import importlib
from typing import Any

from bench.arrays import setups_of, to_array
from bench.case import Call, Case, Goal
from bench.inputs import uniform

SIZE = 4_000_000
BYTES = 4 * SIZE
_GOAL = Goal(("torch", "torch_kept"))


def _inputs(count: int) -> list[Any]:
    return [uniform(SIZE, seed=seed) for seed in range(count)]


def _planned() -> Call:
    mx: Any = importlib.import_module("mixgrad")
    arrays = [to_array(mx, value) for value in _inputs(5)]
    function = mx.jit(lambda a, b, c, d, e: mx.nd.exp(a * b + c) * d - e)

    def call() -> Any:
        result = function(*arrays)
        result.wait_to_read()
        return result

    return call


def _compiled() -> Call:
    torch = importlib.import_module("torch")
    arrays = [to_array(torch, value) for value in _inputs(5)]
    function = torch.compile(lambda a, b, c, d, e: torch.exp(a * b + c) * d - e)
    return lambda: function(*arrays)


_EXPRESSION = setups_of(
    lambda: _inputs(5),
    {
        "mx": lambda mx, a, b, c, d, e: mx.nd.exp(a * b + c) * d - e,
        "torch": lambda torch, a, b, c, d, e: torch.exp(a * b + c) * d - e,
    },
)

CASES = [
    Case(
        "elementwise",
        "exp(a * b + c) * d - e, 4M floats",
        {**_EXPRESSION, "torch_compile": _compiled},
        reads=5 * BYTES,
        writes=BYTES,
        goal=_GOAL,
    ),
    Case(
        "elementwise_jit",
        "the same as one graph",
        {
            "mixgrad": _planned,
            "torch": _EXPRESSION["torch"],
            "torch_kept": _EXPRESSION["torch_kept"],
            "torch_compile": _compiled,
        },
        reads=5 * BYTES,
        writes=BYTES,
        goal=_GOAL,
    ),
    Case(
        "exp",
        "exp(a), 4M floats",
        setups_of(
            lambda: _inputs(1), {"mx": lambda mx, a: mx.nd.exp(a), "torch": lambda torch, a: torch.exp(a)}
        ),
        reads=BYTES,
        writes=BYTES,
        goal=_GOAL,
    ),
    Case(
        "add",
        "a + b, 4M floats",
        setups_of(lambda: _inputs(2), {"mx": lambda mx, a, b: a + b, "torch": lambda torch, a, b: a + b}),
        reads=2 * BYTES,
        writes=BYTES,
        flops=SIZE,
        goal=_GOAL,
    ),
    Case(
        "mul",
        "a * b, 4M floats",
        setups_of(lambda: _inputs(2), {"mx": lambda mx, a, b: a * b, "torch": lambda torch, a, b: a * b}),
        reads=2 * BYTES,
        writes=BYTES,
        flops=SIZE,
        goal=_GOAL,
    ),
]
