"""Small operations: what a call costs, on arrays of four floats."""

from __future__ import annotations

import importlib
from typing import Any

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import uniform

COUNT = 1000


def _arrays(key: str) -> tuple[Any, Any, Any]:
    module = importlib.import_module(module_of(key))
    return module, to_array(module, uniform(4, seed=1)), to_array(module, uniform(4, seed=2))


def _chain(key: str) -> Setup:
    def setup() -> Call:
        module, a, b = _arrays(key)

        def at_once() -> Any:
            y = a
            for _ in range(COUNT):
                y = y + b
            return y

        def waiting() -> Any:
            y = at_once()
            y.wait_to_read()
            return y

        return waiting if module.__name__ in ("mixgrad", "mxnet") else at_once

    return setup


def _independent(key: str) -> Setup:
    def setup() -> Call:
        module, a, b = _arrays(key)

        def at_once() -> Any:
            for _ in range(COUNT):
                y = a + b
            return y

        def waiting() -> Any:
            y = at_once()
            module.nd.waitall()
            return y

        return waiting if module.__name__ in ("mixgrad", "mxnet") else at_once

    return setup


def _recorded_chain(key: str) -> Setup:
    def mx_setup() -> Call:
        mx, a, b = _arrays(key)
        a.attach_grad()

        def call() -> Any:
            with mx.autograd.record():
                y = a
                for _ in range(COUNT):
                    y = y + b
            y.backward()
            a.grad.wait_to_read()
            return a.grad

        return call

    def torch_setup() -> Call:
        torch, a, b = _arrays(key)
        a.requires_grad_()
        ones = torch.ones(4)

        def call() -> Any:
            y = a
            for _ in range(COUNT):
                y = y + b
            a.grad = None
            y.backward(ones)
            return a.grad

        return call

    return torch_setup if module_of(key) == "torch" else mx_setup


def _recorded_independent(key: str) -> Setup:
    def mx_setup() -> Call:
        mx, a, b = _arrays(key)
        a.attach_grad()

        def call() -> Any:
            with mx.autograd.record():
                for _ in range(COUNT):
                    y = a + b
            mx.nd.waitall()
            return y

        return call

    def torch_setup() -> Call:
        _, a, b = _arrays(key)
        a.requires_grad_()

        def call() -> Any:
            for _ in range(COUNT):
                y = a + b
            return y

        return call

    return torch_setup if module_of(key) == "torch" else mx_setup


_PLAIN = ("mixgrad", "numpy", "torch", "mxnet", "mxnet_naive")
_RECORDED = ("mixgrad", "torch", "mxnet", "mxnet_naive")

CASES = [
    Case(
        "dispatch_chain",
        "y = y + b, 4 floats, 1,000 in a chain",
        {key: _chain(key) for key in _PLAIN},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "dispatch_independent",
        "a + b, 4 floats, independent",
        {key: _independent(key) for key in _PLAIN},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "dispatch_recorded_chain",
        "the chain, recorded, with its backward pass",
        {key: _recorded_chain(key) for key in _RECORDED},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "dispatch_recorded_independent",
        "a + b, 4 floats, recorded, independent",
        {key: _recorded_independent(key) for key in _RECORDED},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
]
